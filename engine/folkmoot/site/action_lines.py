"""How acts are written where a game is played: a line of a comment on a forge, else a command."""

from __future__ import annotations

from collections.abc import Iterable

from folkmoot.core.rule_blocks import ActionSpec, ArgumentSpec
from folkmoot.game.status import arguments_needed
from folkmoot.kernel.act_declarations import OPEN_SEALED

TYPES = {
    "integer": "a number",
    "boolean": "yes or no",
    "changes": "changes of rules",
    "settings": "settings of a rule",
    "time": "a time",
    "list": "a list",
}
"""What is said of arguments of a type, where their names do not say it."""


def vote_line(kinds: Iterable[str], forge: str = "github") -> str:
    """Return how a ballot is written where so many kinds are voted on, as `action_line`.

    >>> vote_line(["proposal", "petition"]), vote_line(["proposal"], "")
    ('/vote CHOICE [proposal=… | petition=…] [because …]', 'moot act vote choice=… [proposal=…] --by PLAYER')
    """
    named = " | ".join(f"--{kind} …" if forge == "local" else f"{kind}=…" for kind in kinds)
    if forge == "local":
        return f"moot vote [PULL | {named}] CHOICE [REASON]"
    return f"/vote CHOICE [{named}] [because …]" if forge else f"moot act vote choice=… [{named}] --by PLAYER"


def action_line(name: str, declared: ActionSpec, forge: str = "github") -> str:
    """Return how an action is written on a kind of forge, what may be left out in brackets.

    That is in a comment on the web, else by a command; "" is no forge: then one person records what all do.

    >>> action_line("pay", {"arguments": {"to": {"type": "player"}, "why": {"type": "text", "optional": True}}})
    '/do pay to=… [why=…]'
    >>> action_line("rule", {"as": "judge"}, "local"), action_line("rule", {"as": "judge"}, "")
    ('moot act rule --as judge', 'moot act rule --as judge --by PLAYER')
    """
    words = [f"[{argument}=…]" if spec.get("optional") or spec.get("default") is not None else f"{argument}=…"
             for argument, spec in (declared.get("arguments") or {}).items()]  # fmt: skip
    office = declared.get("as")
    if forge not in ("", "local"):
        return " ".join([f"/do {name}", *words, *([f"as={office}"] if office else [])])
    by = [] if forge else ["--by PLAYER"]
    if arguments_needed(name, {name: declared}) is None:
        return "moot propose" if forge else f"moot act {name} --rule FILE --by PLAYER"
    words = [] if name == OPEN_SEALED else words
    return " ".join(["moot act", name, *words, *([f"--as {office}"] if office else []), *by])


def argument_words(spec: ArgumentSpec) -> str:
    """Return what an argument must be, in words; nothing where its name says it all.

    >>> argument_words({"type": "integer", "minimum": 1, "summary": "How much"})
    'How much; a number from 1'
    """
    choices, default = ", ".join(map(str, spec.get("of") or ())), spec.get("default")
    typed = [f"one of {choices}" if choices else TYPES.get(str(spec.get("type")), "")]
    typed += [f"from {spec['minimum']}"] if spec.get("minimum") is not None else []
    typed += [f"to {spec['maximum']}"] if spec.get("maximum") is not None else []
    left_out = f"{default} if left out" if default is not None else ""
    return "; ".join(filter(None, [str(spec.get("summary") or ""), " ".join(filter(None, typed)), left_out]))
