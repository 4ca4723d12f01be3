"""What rules declare in their blocks, without the law that hears them: whoever only reads loads no more than this."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from folkmoot.core.documents import Document


def declared_in(rules: Iterable[tuple[str, Document]], *path: str) -> dict[str, tuple[str, Any]]:
    """Return what rules declare in a block: name → (what names the rule, declaration), of the first that declares it.

    >>> declared_in([("1", {"timers": {"end": {"every": "day"}}}), ("2", {"timers": {"end": {}}})], "timers")
    {'end': ('1', {'every': 'day'})}
    """
    found: dict[str, tuple[str, Any]] = {}
    for named, rule in rules:
        block: Any = rule
        for step in path:
            block = (block or {}).get(step)
        for name, declaration in (block or {}).items():
            found.setdefault(name, (named, declaration))
    return found
