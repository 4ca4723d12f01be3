"""What plain words of a YAML file stand for, by YAML 1.2's core schema without floats.

So dates, `no` and `12:30` are strings.
"""

from __future__ import annotations

import re
from typing import Any

from folkmoot.core.problems import Position, fail
from folkmoot.core.values import MOST_DIGITS, WIDEST

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE = frozenset({"true", "True", "TRUE"})
_FALSE = frozenset({"false", "False", "FALSE"})
_INTEGER = re.compile(r"[-+]?[0-9]+\Z")
_BASED = re.compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z|[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z"
)
MAXIMUM_DIGITS = MOST_DIGITS
WIDEST_READ = WIDEST + 2
"""Bits of a whole number in a file: a difference of two numbers of a game is a little wider than these."""


def scalar_of(raw: str, position: Position) -> Any:
    """Return what plain words of a file stand for: null, a truth value, a whole number, else the words themselves.

    Raises E-FLOAT for a broken number, E-SIZE for one that no game can keep.
    """
    if raw in _NULL:
        return None
    if raw in _TRUE or raw in _FALSE:
        return raw in _TRUE
    if _INTEGER.match(raw):
        return _integer(raw, position)
    if _BASED.match(raw):
        return _integer(raw, position, 0)
    if _FLOAT.match(raw):
        message = f"`{raw}` is no whole number, and a game knows no other numbers"
        raise fail("E-FLOAT", message, position, f'write "{raw}" if it is to be a string')
    return raw


def _integer(raw: str, position: Position, base: int = 10) -> int:
    if len(raw) > MAXIMUM_DIGITS:
        message = f"this number has {len(raw):,} digits; at most {MAXIMUM_DIGITS:,} are read"
        raise fail("E-SIZE", message, position, "quote it if it is to be a string")
    value = int(raw, base)
    if value.bit_length() > WIDEST_READ:
        message = f"this number has more than {WIDEST:,} bits, and so no game can keep it"
        raise fail("E-SIZE", message, position, "quote it if it is to be a string")
    return value
