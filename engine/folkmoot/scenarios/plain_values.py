"""Values as whoever writes a scenario would write them on one line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_PLAIN = re.compile(r"[A-Za-z_][\w/-]*(?: [\w/-]+)*", re.ASCII)
_OTHERWISE = frozenset("true false null yes no on off y n".split())
"""Words that some readers of YAML take for something else than text."""


def as_yaml(value: Any) -> str:
    """Return a value as it is written on one line of YAML, with quotation marks only where it needs them.

    >>> as_yaml({"player": "ann", "score": 3, "in": ["b2", "2"], "out": True, "why": None})
    '{player: ann, score: 3, in: [b2, "2"], out: true, why: null}'
    >>> as_yaml("no"), as_yaml("white hat"), as_yaml("a: b")
    ('"no"', 'white hat', '"a: b"')
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{as_yaml(key)}: {as_yaml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(as_yaml, value)) + "]"
    if value is None or isinstance(value, (bool, int)):
        return json.dumps(value)
    text = str(value)
    plain = _PLAIN.fullmatch(text) and text.lower() not in _OTHERWISE
    return text if plain else json.dumps(text, ensure_ascii=False)
