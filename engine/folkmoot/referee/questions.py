"""Questions in comments that change nothing: `/rule 203` shows a rule, `/help` what can be written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from msgspec import Struct

from folkmoot.core.keys import number_key
from folkmoot.core.misspelt import meant_by
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.game.session import Session
from folkmoot.site.action_lines import action_line, argument_words

Record = Mapping[str, Any]
MOST_RULES = 100  # of a list
MOST_CHARACTERS = 3_000  # of an answer

COMMANDS = {
    "/vote CHOICE [because REASON]": "vote on what is proposed here; elsewhere /vote CHOICE proposal=NUMBER",
    "/do ACTION [NAME=VALUE]…": "do one of the actions of the game; as=OFFICE where an office does it",
    "/join [id=NAME]": "ask to become a player",
    "/propose": "propose what the pull request changes, where that was not done or came to nothing",
    "/ignore GROUND": "ignore what is proposed, where the law knows of that",
    "/game NAME": "say which game is meant, where there are several",
    "/rule [NUMBER or WORDS]": "show a rule, or find one; nothing is recorded",
    "/help [ACTION]": "show this, or how an action is written; nothing is recorded",
}
"""Every command of a comment, and what it is for; an action of the game may be written as a command too."""


class Told(Struct, frozen=True):
    """An answer: to what, a clause that says why it is as it is, and lines of plain text."""

    what: str
    why: str = ""
    lines: tuple[str, ...] = ()


def rule_found(words: str, rules: Sequence[Record]) -> Told:
    """Return what `/rule` answers, of these rules in force."""
    known = sorted(rules, key=lambda rule: number_key(str(rule["rule"])))
    wanted = " ".join(words.split())[:200]
    if not wanted:
        return Told("/rule", f"{len(known)} {'rule is' if len(known) == 1 else 'rules are'} in force", _titles(known))
    number = re.sub(r"^(?:rule\s*|#)", "", wanted, flags=re.IGNORECASE).casefold()
    named = [r for r in known if str(r["rule"]).casefold() == number]
    named = named or [r for r in known if str(r["uid"]).casefold() == number]
    found = named or _holding(known, wanted)
    if len(found) == 1:
        return Told(f"rule {found[0]['rule']}", str(found[0].get("title") or ""), _text(found[0]))
    if found:
        return Told(f"/rule {wanted}", f"{len(found)} rules speak of that", _titles(found))
    near = get_close_matches(number, [str(rule["rule"]) for rule in known], 3)
    hint = f"; did you mean {' or '.join(near)}?" if near else "; /rule alone lists all of them"
    return Told(f"/rule {wanted}", f"no rule in force has that number, or speaks of that{hint}")


def _holding(rules: Sequence[Record], wanted: str) -> list[Record]:
    """Return the rules that hold all the words, those first whose titles do; the others only where no title does."""
    words = wanted.casefold().split()
    titled = [rule for rule in rules if all(word in str(rule.get("title")).casefold() for word in words)]
    return titled or [
        rule for rule in rules if all(word in f"{rule.get('title')} {rule.get('text')}".casefold() for word in words)
    ]


def _titles(rules: Sequence[Record]) -> tuple[str, ...]:
    lines = [f"{rule['rule']}  {rule.get('title') or ''}".rstrip() for rule in rules[:MOST_RULES]]
    return tuple(_bounded([*lines, *([f"… and {len(rules) - MOST_RULES} more"] if len(rules) > MOST_RULES else [])]))


def _text(rule: Record) -> tuple[str, ...]:
    return tuple(_bounded(str(rule.get("text") or "").rstrip().split("\n")))


def _bounded(lines: Sequence[str]) -> list[str]:
    """Return as much of the lines as an answer holds, and how much is missing."""
    shown: list[str] = []
    left = MOST_CHARACTERS
    for place, line in enumerate(lines):
        if len(line) > left:
            return [*shown, line[:left] + "…", f"… {len(lines) - place - 1} more lines; the site has all of them"]
        shown.append(line)
        left -= len(line) + 1
    return shown


def help_found(words: str, actions: Mapping[str, Any]) -> Told:
    """Return what `/help` answers, of the declarations of these actions."""
    wanted = words.strip().removeprefix("/").partition(" ")[0][:80]
    if not wanted:
        commands = [f"{command}\n    {purpose}" for command, purpose in COMMANDS.items()]
        lines = [*"\n".join(commands).split("\n"), "", "Actions:", *(action_line(n, actions[n]) for n in actions)]
        return Told("/help", "a command stands at the beginning of a line", tuple(_bounded(lines)))
    command = next((line for line in COMMANDS if line.partition(" ")[0] == f"/{wanted}"), "")
    if wanted in actions and not command:
        return Told(f"/help {wanted}", str(actions[wanted].get("summary") or ""), _described(wanted, actions[wanted]))
    if command:
        return Told(f"/help {wanted}", COMMANDS[command], (command,))
    known = [*actions, *(line.partition(" ")[0].removeprefix("/") for line in COMMANDS)]
    near = meant_by(wanted, known)
    hint = f"; did you mean {near}?" if near else "; /help alone shows what there is"
    return Told(f"/help {wanted}", f"there is no action or command of that name{hint}")


def _described(name: str, declared: ActionSpec) -> tuple[str, ...]:
    arguments = (declared.get("arguments") or {}).items()
    return tuple(
        _bounded(
            [
                action_line(name, declared),
                *(f"  {n}: {argument_words(spec) or spec.get('type') or 'text'}" for n, spec in arguments),
            ]
        )
    )


QUESTIONS: dict[str, Callable[[str, Session], Told]] = {
    "rule": lambda words, session: rule_found(words, list(session.rules())),
    "help": lambda words, session: help_found(words, session.actions()),
}
"""The commands that only ask."""
