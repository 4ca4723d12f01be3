"""Acts as the lines of a comment: what a referee reads back from them is exactly what was meant."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from folkmoot.core.problems import fail
from folkmoot.core.records import Arguments
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.files.typed_words import VERBATIM, read_word
from folkmoot.forges.local.letters import MAXIMUM_SIZE, Letter, NoLetterError, parse
from folkmoot.kernel.ballot_words import CHOICES, typed_choice
from folkmoot.referee.commands import Asked, asked, commands_in, read_ballot


def act_line(do: str, args: Arguments, as_: str | None, actions: Mapping[str, ActionSpec]) -> str:
    """Return `/do ACTION NAME=VALUE…` for an act.

    Args:
        do: the action.
        args: its arguments, as the journal shall have them.
        as_: the office that is acted in, if any.
        actions: the declarations of the actions of the game by name.

    Raises:
        ProblemError: E-NO-SUCH for an unknown action, E-ARGS where no line of a comment says that.
    """
    declared = (actions.get(do) or {}).get("arguments") or {}
    pairs = [(name, _word(value, (declared.get(name) or {}).get("type", ""))) for name, value in args.items()]
    pairs += [("as", as_)] if as_ else []
    line = " ".join(["/do", do, *(f"{name}={shlex.quote(word)}" for name, word in pairs)])
    return _checked(line, Asked(do, dict(args), as_), actions)


def vote_line(choice: str, on: Arguments, reason: str, choices: Sequence[str] = CHOICES) -> str:
    """Return `/vote CHOICE [NAME=NUMBER] [because REASON]` for a ballot, whose reason goes onto one line.

    `on` names what the vote is on (`{motion: 34}`), where the place of the comment does not; `choices` are those of
    that vote, as a referee will read it. Raises E-ARGS.
    """
    said = " ".join(reason.split())
    words = ["/vote", typed_choice(choice, choices), *(f"{name}={number}" for name, number in on.items())]
    line = " ".join([*words, *(["because", said] if said else [])])
    meant = Asked("vote", {"choice": choice, **on, **({"reason": said} if said else {})})
    return _read_back(line, meant, [read_ballot(command.rest, lambda _named: choices) for command in commands_in(line)])


def utf8(text: str) -> bytes:
    """Return a text as UTF-8; raises E-UTF8 for one that a terminal gave us broken."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise fail("E-UTF8", f"{text[:40]!r} is not UTF-8", None, "write it in UTF-8") from None


def checked_letter(letter: Letter) -> Letter:
    """Return a letter that everybody can read; raises E-ARGS, or E-UTF8, for one that nobody would."""
    utf8(letter.body)
    try:
        read = parse(letter.as_file())
    except NoLetterError as error:
        raise fail("E-ARGS", f"this cannot be sent: {error}", None, "say it otherwise") from None
    if read != letter or len(letter.as_file().encode()) > MAXIMUM_SIZE:
        raise fail("E-ARGS", f"this cannot be sent: it has over {MAXIMUM_SIZE:,} bytes, or is no plain text", None)
    return letter


def _word(value: Any, kind: str) -> str:
    if isinstance(value, str) and (kind in VERBATIM or read_word(value) == value):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _checked(line: str, meant: Asked, actions: Mapping[str, Any]) -> str:
    """Return a line if it is read as what was meant."""
    return _read_back(line, meant, [asked(command, actions) for command in commands_in(line)])


def _read_back(line: str, meant: Asked, read: Sequence[Asked]) -> str:
    if len(read) == 1 and read[0].flaw.startswith("there is no action"):
        raise fail("E-NO-SUCH", read[0].flaw, None, "`moot status` lists the actions of the game")
    if len(read) != 1 or _bytes(read[0]) != _bytes(meant):
        hint = "send it as a pull request: `moot act … --pull`" if meant.do != "vote" else "use plain words on one line"
        raise fail("E-ARGS", f"no line of a comment says exactly this `{meant.do}`", None, hint)
    return line


def _bytes(act: Asked) -> str:
    """Return an act so that two are the same text only if they are the same act: 1 is not true here."""
    return json.dumps([act.do, act.args, act.as_, act.flaw], sort_keys=True)
