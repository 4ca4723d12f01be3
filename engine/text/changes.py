"""The digest of proposed changes: what a ballot is bound to, comments in the files included."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

DOMAIN = b"folkmoot changes 1\n"


def change_digest(changes: Sequence[Mapping[str, Any]]) -> str:
    """Return the SHA-256 of a list of changes in hex.

    Two lists have one digest exactly if they hold the same values in the same order; the order of keys does not
    matter. A change that carries a person's own text (`source`) is digested with its comments, whatever line ends the
    text was kept with.

    Raises:
        TypeError: for a value that no file can hold.
    """
    data = json.dumps(_plain(list(changes)), sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(DOMAIN + data.encode()).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        if not all(isinstance(key, str) for key in value):
            raise TypeError("a key must be a string")
        return {key: _lines(item) if key == "source" else _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) or not isinstance(value, str | int | None):
        raise TypeError(f"a {type(value).__name__} cannot be part of a change: {value!r:.80}")
    return value


def _lines(source: Any) -> Any:
    return source.replace("\r\n", "\n") if isinstance(source, str) else _plain(source)
