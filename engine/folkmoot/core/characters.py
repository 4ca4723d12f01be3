"""What characters are and look like, by a table of the engine's own: Pythons differ in the Unicode that they know.

The table `characters.txt` is made by `ci/characters.py`; `version` names the Unicode that it holds.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from msgspec import Struct

_FIRST, _LAST, _LEADS, _VOWELS, _TAILS = 0xAC00, 0xD7A3, 0x1100, 0x1161, 0x11A7  # of Hangul: Unicode 3.12
_UNSEEN_ASCII = frozenset("!\"#%&'()*,-./:;?@[\\]_{} \x7f") | frozenset(map(chr, range(32)))


class Maps(Struct, frozen=True):
    """What characters become: their parts, what small capitals show, and themselves without regard to capitals."""

    parts: dict[int, str]
    capital: dict[int, str]
    folded: dict[int, str]


@cache
def read_table() -> list[str]:
    """Return the lines of the table, which is read when it is first needed."""
    return (Path(__file__).parent / "characters.txt").read_text("utf-8").split("\n")


def _head(place: int) -> str:
    return read_table()[place].partition(" ")[2]


@cache
def _invisible() -> re.Pattern[str]:
    return _class(_head(1))


@cache
def _unseen() -> re.Pattern[str]:
    return _class(_head(2))


@cache
def _maps() -> Maps:
    lines, maps, place = read_table(), [], 3
    for _ in range(3):
        count = int(lines[place].partition(" ")[2])
        maps.append(dict(map(_change, lines[place + 1 : place + 1 + count])))
        place += 1 + count
    return Maps(*maps)


def _change(line: str) -> tuple[int, str]:
    code, *become = (int(number, 16) for number in line.split(" ") if number)
    return code, "".join(map(chr, become))


def _class(ranges: str) -> re.Pattern[str]:
    spans = [(span.partition("-")[0], span.rpartition("-")[2]) for span in ranges.split(" ")]
    return re.compile("[" + "".join(f"\\U{int(a, 16):08x}-\\U{int(b, 16):08x}" for a, b in spans) + "]")


def version() -> str:
    """Return the Unicode by which names are judged, as in `15.1.0`; the journal of a game names it."""
    return _head(0)


def is_format(character: str) -> bool:
    """Say whether a character is a control, a mark of format, a surrogate, of private use, or ends a line."""
    if character.isascii():
        return character < " " or character == "\x7f"
    return _invisible().match(character) is not None


def is_unseen(character: str) -> bool:
    """Say whether a character leaves nothing of a name at a glance: blanks, punctuation, marks, what is unassigned."""
    if character.isascii():
        return character in _UNSEEN_ASCII
    return _unseen().match(character) is not None


def parts(text: str) -> str:
    """Return the compatible parts of the characters of a text (Unicode's NFKD, but for the order of marks)."""
    if text.isascii():
        return text
    return "".join(_hangul(c) if _FIRST <= ord(c) <= _LAST else c for c in text.translate(_maps().parts))


def _hangul(character: str) -> str:
    """Return the letters of a syllable of Hangul."""
    place = ord(character) - _FIRST
    letters = (_LEADS + place // 588, _VOWELS + place % 588 // 28, _TAILS + place % 28)
    return "".join(map(chr, letters if letters[2] > _TAILS else letters[:2]))


def small_capitals(text: str) -> str:
    """Return a text with the letters that small capitals show in their place."""
    return text if text.isascii() else text.translate(_maps().capital)


def folded(text: str) -> str:
    """Return a text in its parts without the difference of capitals."""
    return text.lower() if text.isascii() else parts(text).translate(_maps().folded)
