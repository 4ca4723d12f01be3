"""Questions in comments that change nothing: `/rule 203` shows a rule, `/help` what can be written."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from folkmoot.core.keys import number_key
from folkmoot.game.session import Session
from folkmoot.site.action_lines import action_line, argument_words

Record = Mapping[str, Any]
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
        lines = str(found[0].get("text") or "").rstrip().split("\n")
        return Told(f"rule {found[0]['rule']}", str(found[0].get("title") or ""), _bounded(lines))
    if found:
        return Told(f"/rule {wanted}", f"{len(found)} rules speak of that", _titles(found))
    return Told(f"/rule {wanted}", "no rule in force has that number, or speaks of that; /rule alone lists all of them")


def _holding(rules: Sequence[Record], wanted: str) -> list[Record]:
    """Return the rules that hold all the words, those first whose titles do; the others only where no title does."""
    words = wanted.casefold().split()
    titled = [rule for rule in rules if all(word in str(rule.get("title")).casefold() for word in words)]
    return titled or [
        rule for rule in rules if all(word in f"{rule.get('title')} {rule.get('text')}".casefold() for word in words)
    ]


def _titles(rules: Sequence[Record]) -> tuple[str, ...]:
    return _bounded([f"{rule['rule']}  {rule.get('title') or ''}".rstrip() for rule in rules])


def _bounded(lines: Sequence[str]) -> tuple[str, ...]:
    """Return as much of the lines as an answer holds, and how much is missing."""
    shown: list[str] = []
    left = MOST_CHARACTERS
    for place, line in enumerate(lines):
        if len(line) > left:
            return (*shown, line[:left] + "…", f"… {len(lines) - place - 1} more lines; the site has all of them")
        shown.append(line)
        left -= len(line) + 1
    return tuple(shown)


def help_found(words: str, actions: Mapping[str, Any]) -> Told:
    """Return what `/help` answers, of the declarations of these actions."""
    wanted = words.strip().removeprefix("/").partition(" ")[0][:80]
    if not wanted:
        commands = [f"{command}\n    {purpose}" for command, purpose in COMMANDS.items()]
        lines = [*"\n".join(commands).split("\n"), "", "Actions:", *(action_line(n, actions[n]) for n in actions)]
        return Told("/help", "a command stands at the beginning of a line", _bounded(lines))
    command = next((line for line in COMMANDS if line.partition(" ")[0] == f"/{wanted}"), "")
    if command:
        return Told(f"/help {wanted}", COMMANDS[command], (command,))
    if wanted in actions:
        arguments = (actions[wanted].get("arguments") or {}).items()
        lines = [f"  {name}: {argument_words(spec) or spec.get('type') or 'text'}" for name, spec in arguments]
        summary = str(actions[wanted].get("summary") or "")
        return Told(f"/help {wanted}", summary, _bounded([action_line(wanted, actions[wanted]), *lines]))
    return Told(f"/help {wanted}", "there is no action or command of that name; /help alone shows what there is")


QUESTIONS: dict[str, Callable[[str, Session], Told]] = {
    "rule": lambda words, session: rule_found(words, list(session.rules())),
    "help": lambda words, session: help_found(words, session.actions()),
}
"""The commands that only ask."""
