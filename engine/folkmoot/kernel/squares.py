"""Squares of boards with columns and rows, and the ways in which people write them."""

from __future__ import annotations

import re
from typing import Any

from folkmoot.core.values import BLANKS, lowered

_NAME = re.compile(r"[a-z]{1,2}[1-9][0-9]{0,2}")
_PAIR = re.compile(r"\(?\s*([1-9][0-9]{0,2})\s*,\s*([1-9][0-9]{0,2})\s*\)?", re.ASCII)
_LETTERS = 26


def is_square(name: str) -> bool:
    """Say whether a name has a column in letters and a row in digits, as `e2`."""
    return _NAME.fullmatch(name) is not None


def read_square(written: Any) -> Any:
    """Return the name of the square that is written as column and row; anything else as it is.

    >>> read_square("(5,2)"), read_square([5, 2]), read_square("E2"), read_square("e2"), read_square(None)
    ('e2', 'e2', 'e2', 'e2', None)
    """
    if isinstance(written, str):
        pair = _PAIR.fullmatch(written.strip(BLANKS))
        return _name(int(pair[1]), int(pair[2])) if pair else lowered(written.strip(BLANKS))
    if isinstance(written, list) and len(written) == 2 and all(type(part) is int and part > 0 for part in written):
        return _name(*written)
    return written


def _name(column: int, row: int) -> str:
    ahead, last = divmod(column - 1, _LETTERS)
    return f"{chr(96 + ahead) if ahead else ''}{chr(97 + last)}{row}"
