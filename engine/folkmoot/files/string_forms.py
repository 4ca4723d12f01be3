"""The forms of strings and numbers: a check and a sentence for each, and a pattern for the published schema."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from folkmoot.core.characters import is_format
from folkmoot.core.past_dates import HINT, PATTERN, span_of
from folkmoot.core.portable_names import is_device, unportable
from folkmoot.core.values import BLANKS
from folkmoot.files.yaml_guard import name_character

Verdict = tuple[str, str, str] | None  # code, message, hint

_NAME = r"[A-Za-z_][A-Za-z0-9_-]{0,63}"
_NUMBER = r"[0-9A-Za-z][0-9A-Za-z._-]{0,31}"
_STAMP = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"
_DURATION = r"\+(?=[0-9])(?:[0-9]+w)?(?:[0-9]+d)?(?:[0-9]+h)?(?:[0-9]+m)?(?:[0-9]+s)?"
_TIME = r"(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?"
_FOLDER = r"\.\.?(?:/[^/\x00-\x1f]+)*/?"
_PERIOD = r"hour|day|week|month|(?:[2-9]|[1-9][0-9]{1,2}) (?:hours|days|weeks|months)"
_DATE = r"[12][0-9]{3}-[0-9]{2}-[0-9]{2}"
_FRACTION = r"[0-9]+(?:/[1-9][0-9]*)?"
_CODE = r"[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)*"
_ZONE = r"[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+)*"

# Characters that nobody sees, which make two different strings look the same or turn their reading round.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_JOINERS = frozenset("\u200c\u200d")
_EMPTY_LOOKING = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5")
_LOOK_ALIKES = (
    (range(0x370, 0x400), "a Greek letter"),
    (range(0x400, 0x530), "a Cyrillic letter"),
    (range(0x1F00, 0x2000), "a Greek letter"),
    (range(0x2DE0, 0x2E00), "a Cyrillic letter"),
    (range(0xA640, 0xA6A0), "a Cyrillic letter"),
    (range(0xFF01, 0xFF61), "a full-width letter"),
    (range(0x1D400, 0x1D800), "a mathematical letter"),
)


class Format(NamedTuple):
    """A named form of a string: `check` returns what is wrong with it, `pattern` is what a schema can say of it."""

    check: Callable[[str], Verdict]
    pattern: str = ""


def is_invisible(character: str) -> bool:
    """Return whether nobody sees `character`, so that it may stand in no name and no script."""
    return is_format(character) or character in _EMPTY_LOOKING


def invisible_in(text: str) -> int:
    """Return the offset of the first invisible character of a script or line, or -1.

    Joiners between characters beyond ASCII are part of scripts and emoji; they may stand.
    """
    if text.isascii():
        found = _CONTROL.search(text)
        return found.start() if found is not None else -1
    odd = {character for character in set(text).difference("\n\t\r") if is_invisible(character)}
    for offset, character in enumerate(text) if odd else ():
        if character not in odd:
            continue
        around = text[max(0, offset - 1) : offset] + text[offset + 1 : offset + 2]
        if character not in _JOINERS or len(around) < 2 or around.isascii():
            return offset
    return -1


def _identifier(text: str) -> Verdict:
    if re.fullmatch(_NAME, text):
        return ("E-IDENTIFIER", unportable(text), "choose another name") if is_device(text) else None
    odd = next((character for character in text if not character.isascii()), "")
    if odd:
        return "E-IDENTIFIER", f"the name `{shown(text)}` holds {describe(odd)}", "use a-z, 0-9, _ and -"
    hint = "begin with a letter and use at most 64 of a-z, 0-9, _ and -"
    return "E-IDENTIFIER", f"`{shown(text)}` cannot be a name", hint


def describe(character: str) -> str:
    """Return what a character beyond ASCII is, for a message."""
    alike = next((what for codes, what in _LOOK_ALIKES if ord(character) in codes), "")
    if is_invisible(character):
        return f"the invisible character {name_character(character)}"
    return name_character(character) + (f", {alike} that may look like another" if alike else f" ({character})")


def shown(text: str) -> str:
    """Return at most 40 characters of `text`, invisible ones by their numbers."""
    return "".join(f"<{name_character(c)}>" if is_invisible(c) else c for c in text[:40])


def _one_line(text: str) -> Verdict:
    if "\n" in text:
        return "E-FORMAT", "must be one line", "leave out the line break"
    place = invisible_in(text)
    if place >= 0:
        return "E-CHARACTER", f"the invisible character {name_character(text[place])} stands here", "delete it"
    return None


def _title(text: str) -> Verdict:
    if not text.strip(BLANKS):
        return "E-MISSING", "must not be empty", "say in a few words what it is about"
    return _one_line(text)


def _script(text: str) -> Verdict:
    place = invisible_in(text)
    if place < 0:
        return None
    line = text.count("\n", 0, place) + 1
    message = f"the invisible character {name_character(text[place])} stands in line {line} of the script"
    return "E-CHARACTER", message, "delete it, or write it as an escape in a string"


def _matching(pattern: str, what: str, hint: str) -> Callable[[str], Verdict]:
    compiled = re.compile(pattern)

    def check(text: str) -> Verdict:
        return None if compiled.fullmatch(text) else ("E-FORMAT", f"`{shown(text)}` is no {what}", hint)

    return check


def _stamp(text: str) -> Verdict:
    wrong = "E-FORMAT", f"`{shown(text)}` is no point in time", "write it in UTC, as in 2026-01-05T12:00:00Z"
    if not re.fullmatch(_STAMP, text):
        return wrong
    try:
        datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ")  # noqa: DTZ007  # only whether there is such a time
    except ValueError:
        return wrong
    return None


def _ruleset(text: str) -> Verdict:
    """Say what is wrong with the name of a ruleset, or with the path of the folder in which one lies."""
    if not text.startswith((".", "/")):
        return _identifier(text)
    if re.fullmatch(_FOLDER, text):
        return _one_line(text)
    return "E-FORMAT", f"`{shown(text)}` is no folder seen from here", "write a path such as ./tea or ../tea"


def _date(text: str) -> Verdict:
    if re.fullmatch(_DATE, text) and _stamp(f"{text}T00:00:00Z") is None:
        return None
    return "E-FORMAT", f"`{shown(text)}` is no date", "write year, month and day, as in 2026-05-01"


def _past_date(text: str) -> Verdict:
    return None if span_of(text) else ("E-FORMAT", f"`{shown(text)}` is no date", HINT)


def _moment(text: str) -> Verdict:
    if re.fullmatch(_DURATION, text) or _stamp(text) is None:
        return None
    hint = "write +72h, +2d3h or 2026-01-05T12:00:00Z"
    return "E-FORMAT", f"`{shown(text)}` is neither a length of time nor a point in time", hint


_NUMBERS = _matching(_NUMBER, "number of a rule", 'write it as the players do, as in "203" or "8-2"')
_SELECTORS = _matching(
    rf"{_NUMBER}|{_NAME}=[^=\n]+", "number of a rule and no label", 'write "110" or "status=mutable"'
)

FORMATS: dict[str, Format] = {
    "identifier": Format(_identifier, _NAME),
    "line": Format(_one_line),
    "title": Format(_title, r".*\S.*"),
    "script": Format(_script),
    "number": Format(_NUMBERS, _NUMBER),
    "selector": Format(_SELECTORS, rf"{_NUMBER}|{_NAME}=[^=]+"),
    "stamp": Format(_stamp, _STAMP),
    "ruleset": Format(_ruleset, rf"{_NAME}|{_FOLDER}"),
    "period": Format(
        _matching(_PERIOD, "time between two firings", "write hour, day, week or month, or several, as in 10 days"),
        _PERIOD,
    ),
    "date": Format(_date, _DATE),
    "past-date": Format(_past_date, PATTERN),
    "moment": Format(_moment, rf"{_DURATION}|{_STAMP}"),
    "time-of-day": Format(
        _matching(_TIME, "time of day", 'write hours and minutes, as in "07:30" or "23:59:59"'), _TIME
    ),
    "zone": Format(_matching(_ZONE, "name of a time zone", "write a name such as Europe/Vienna or UTC"), _ZONE),
    "fraction": Format(_matching(_FRACTION, "exact fraction", "write 1/6, 0 or 1"), _FRACTION),
    "error-code": Format(_matching(_CODE, "code of a refusal", "write it as in E-ORDER"), _CODE),
}
