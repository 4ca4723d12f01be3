"""Digests of plain values that survive a redaction; pure.

A value's digest is a tree of digests: a map hashes its keys with the digests of their values, a list the digests of its
items, and a leaf its JSON form. Text that was redacted stands in the record as a marker naming its digest, which is
exactly what the tree needs, so that a redacted event keeps its digest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from folkmoot.core.calendar import read_stamp
from folkmoot.core.records import Entry

EVENT_KEYS = ("seq", "prev", "at", "by", "as", "via", "do", "with")

_MARKER = re.compile(r"\[redacted sha256:([0-9a-f]{64})\]", re.ASCII)


def bytes_digest(data: bytes) -> str:
    """Return the SHA-256 of `data` in hex."""
    return sha256(data).hexdigest()


def value_digest(value: Any) -> str:
    """Return the digest of a plain value (null, boolean, integer, string, list, map with string keys) in hex."""
    return _digest(value).hex()


def _digest(value: Any) -> bytes:
    if isinstance(value, Mapping):
        parts = (sha256(key.encode()).digest() + _digest(value[key]) for key in sorted(value))
        return sha256(b"map" + b"".join(parts)).digest()
    if isinstance(value, list | tuple):
        return sha256(b"list" + b"".join(map(_digest, value))).digest()
    marked = _MARKER.fullmatch(value) if isinstance(value, str) else None
    return bytes.fromhex(marked[1]) if marked else sha256(b"leaf" + _leaf(value)).digest()


def _leaf(value: Any) -> bytes:
    if value is None or isinstance(value, bool | int | str):
        return json.dumps(value, ensure_ascii=False).encode()
    raise TypeError(f"a record holds no {type(value).__name__}")


def marker(text: str) -> str:
    """Return what stands in the record in the place of `text` once it is redacted."""
    return f"[redacted sha256:{value_digest(text)}]"


def is_marker(value: Any) -> bool:
    """Say whether `value` is what a redaction left."""
    return isinstance(value, str) and _MARKER.fullmatch(value) is not None


def event_digest(event: Entry) -> str:
    """Return the digest of an event or of the event half of a journal entry.

    Times may be seconds or stamps, absent keys and empty ones are the same, and so are a text and its redaction.
    """
    at, given = event["at"], dict[str, object](event)
    parts = {key: given[key] for key in EVENT_KEYS if given.get(key) not in (None, "", {}, [])}
    return value_digest(parts | {"at": read_stamp(at) if isinstance(at, str) else at})
