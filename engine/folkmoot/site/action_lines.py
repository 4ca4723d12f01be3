"""How acts are written where a game is played: a line of a comment on a forge, else a command."""

from __future__ import annotations

from collections.abc import Iterable

from folkmoot.core.rule_blocks import ActionSpec, ArgumentSpec
from folkmoot.game.agenda import arguments_needed
from folkmoot.kernel.act_declarations import OPEN_SEALED


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
    arguments = declared.get("arguments") or {}
    words = [
        f"[{argument}=…]" if spec.get("optional") or spec.get("default") is not None else f"{argument}=…"
        for argument, spec in arguments.items()
    ]
    office = declared.get("as")
    if forge not in ("", "local"):
        return " ".join([f"/do {name}", *words, *([f"as={office}"] if office else [])])
    if arguments_needed(name, {name: declared}) is None:
        return "moot propose" if forge else f"moot act {name} --rule FILE --by PLAYER"
    return " ".join(["moot act", name, *([] if name == OPEN_SEALED else words), *([f"--as {office}"] if office else []),
                     *([] if forge else ["--by PLAYER"])])  # fmt: skip


def argument_words(spec: ArgumentSpec) -> str:
    """Return what an argument must be, in words.

    >>> argument_words({"type": "integer", "minimum": 1, "summary": "How much"})
    'integer from 1. How much'
    """
    kind = str(spec.get("type") or "text") + (f" ({', '.join(map(str, spec['of']))})" if spec.get("of") else "")
    ends = (("from", spec.get("minimum")), ("to", spec.get("maximum")))
    kind = " ".join([kind, *(f"{word} {end}" for word, end in ends if end is not None)])
    default = spec.get("default")
    said = (
        f", {str(default).lower() if isinstance(default, bool) else default} if left out" if default is not None else ""
    )
    optional = ", may be left out" if spec.get("optional") and not said else ""
    return f"{kind}{said}{optional}" + (f". {spec['summary']}" if spec.get("summary") else "")
