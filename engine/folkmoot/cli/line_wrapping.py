"""Lines that go on below themselves where a terminal has no room for them; what is to be copied stays in one piece."""

from __future__ import annotations

import re

_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_PIECE = re.compile(r"(?:`[^`\n]*`|[^\s`]|`)+")  # a word, with the commands in it whole
NARROWEST = 20  # columns that are made use of


def fitted(text: str, width: int, more: int = 2) -> str:
    """Return lines that go on below themselves, `more` further in, where they are wider than `width`.

    A command between backticks stays in one line if it fits one at all, and a word is never cut.

    >>> print(fitted("  Mind: this clone is behind: `git pull` it.", 26))
      Mind: this clone is
        behind: `git pull` it.
    >>> print(fitted("  Mind: this clone is behind: `git pull` it.", 25))
      Mind: this clone is
        behind: `git pull`
        it.
    """
    return "\n".join(_fitted(line, max(NARROWEST, width), more) for line in text.split("\n"))


def wide(text: str) -> int:
    """Return how many columns a line takes: colours take none."""
    return len(_COLOUR.sub("", text))


def _fitted(line: str, width: int, more: int) -> str:
    if wide(line) <= width:
        return line
    seen = _COLOUR.sub("", line)
    then = " " * (len(seen) - len(seen.lstrip(" ")) + more)
    lines, place = [""], 0
    for found in _PIECE.finditer(line):
        between = line[place : found.start()]
        for word in _words(found[0], width - len(then)):
            if lines[-1].strip() and wide(lines[-1] + between + word) > width:
                lines.append(then + word)
            else:
                lines[-1] += between + word
            between = " "
        place = found.end()
    return "\n".join(lines)


def _words(piece: str, room: int) -> list[str]:
    """Return a piece whole if there is room for it, else its words."""
    return [piece] if wide(piece) <= room else piece.split(" ")
