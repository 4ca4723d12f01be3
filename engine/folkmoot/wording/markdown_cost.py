"""How much work a text is for a parser of Markdown, told from its lines and marks before anything is parsed.

The weights are microseconds on a machine of 2024, measured for texts of one kind each; what is told is an estimate.
"""

from __future__ import annotations

import re

MOST = 36_000
"""How much is set as Markdown of one text; what is more is shown as it was written."""
_SHORT, _FEW = 400, 20
_LINE, _BLOCK, _DEEP, _TASK, _CELL = 15, 25, 8, 100, 20
_MARK = re.compile(r"[\[\]~<>&*_`!\\:@]")
_MARKS = 4
_LINKS = re.compile(r"\][(\[:]")
_LINK = 20
_BLOCKS = re.compile(r"\s*(?:[-+*#>=~`|\[]|\d+[.)])")
_TASKS = re.compile(r"[\s>]*(?:[-+*]|\d+[.)])\s+\[")
_COLUMNS = re.compile(r"[\s>]*[|:-][\s|:-]*$")


def within(text: str, most: int = MOST) -> int:
    r"""Return up to where a text is no more work than `most`: its length, else the end of a line or a paragraph.

    >>> within("Some words."), within("A paragraph.\n\n" * 50, 200)
    (11, 84)
    """
    if len(text) <= _SHORT and text.count("|") <= _FEW:
        return len(text)
    weight, at, paragraph, columns = 0, 0, 0, 0
    for line in text.splitlines(keepends=True):
        columns = _columns(line, columns)
        weight += _of(line) + max(columns, _cells(line)) * _CELL
        if weight > most:
            return paragraph if 2 * paragraph >= at else at
        at += len(line)
        paragraph = paragraph if line.strip() else at
    return len(text)


def _columns(line: str, before: int) -> int:
    """Return how many cells a line may have as a row of a table whose head came before, where there is one."""
    if not line.strip():
        return 0
    return max(before, _cells(line)) if "-" in line and _COLUMNS.match(line) else before


def _cells(line: str) -> int:
    """Return how many cells a line has, if it is a row of a table."""
    return line.strip(" >\t\n|").count("|") + 1 if "|" in line else 0


def _of(line: str) -> int:
    marks = _MARKS * len(_MARK.findall(line)) + _LINK * len(_LINKS.findall(line))
    return _LINE + marks + (0 if line[:1].isalpha() else _block(line))


def _block(line: str) -> int:
    if not _BLOCKS.match(line):
        return 0
    return _BLOCK + _DEEP * (len(line) - len(line.lstrip(" >"))) + (_TASK if _TASKS.match(line) else 0)
