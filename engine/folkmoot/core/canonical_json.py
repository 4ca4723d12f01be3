"""A value as bytes in one way only, so that its digest says what it is; pure.

JSON in UTF-8 without blanks: keys in the order of their characters' codes, integers in full, and no escapes but those
that JSON must have. It differs from RFC 8785 in two things: keys are not ordered by their UTF-16 form, and integers are
exact at any size.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from folkmoot.core.values import flaw_of


def canonical_bytes(value: Any) -> bytes:
    r"""Return the bytes of a value that a game can keep; raises ValueError, which does not show it.

    >>> canonical_bytes({"b": [1, None], "a": "é"})
    b'{"a":"\xc3\xa9","b":[1,null]}'
    """
    if flaw_of(value, marked=True):
        raise ValueError("no value that a game can keep")
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_plain).encode()


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)


def read_canonical(data: bytes) -> Any:
    """Return the value that bytes stand for; raises ValueError where they are not its canonical ones.

    >>> read_canonical(b'{"a":[1,2]}')
    {'a': [1, 2]}
    """
    try:
        value = json.loads(data.decode(), parse_float=_refuse, parse_constant=_refuse)
        written = canonical_bytes(value)
    except (ValueError, RecursionError):
        raise ValueError("not the canonical form of a value") from None
    if written != data:
        raise ValueError("not the canonical form of a value")
    return value


def _refuse(_word: str) -> NoReturn:
    raise ValueError("no whole number")
