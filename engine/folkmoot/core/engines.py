"""Engines by the versions that they say of themselves, and the entries at which a newer one takes a game over; pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

from folkmoot.core.records import Entry

DECISIVE = ("folkmoot", "starlark", "unicode")
"""What decides how a game is judged; the Python beside them decides nothing."""
_NUMBER = re.compile(r"[0-9]{1,9}")

Versions = Mapping[str, str]


def rank(versions: Versions) -> tuple[tuple[int, ...], ...]:
    """Return what engines are compared by: equal where they judge alike, greater where one is newer."""
    return tuple(tuple(map(int, _NUMBER.findall(str(versions.get(name) or "")))) for name in DECISIVE)


def is_same(one: Versions, other: Versions) -> bool:
    """Say whether two engines judge alike; of one that nobody named nothing else is known."""
    return not one or not other or rank(one) == rank(other)


def is_newer(one: Versions, other: Versions) -> bool:
    """Say whether an engine is newer than another."""
    return bool(one and other) and rank(one) > rank(other)


def shown_engine(versions: Versions) -> str:
    """Return how an engine is told: `0.2.0`, with what else decides where that is known."""
    rest = ", ".join(f"{name} {versions[name]}" for name in DECISIVE[1:] if versions.get(name))
    return f"{versions.get('folkmoot') or '?'}{f' ({rest})' if rest else ''}"


def is_takeover(entry: Entry) -> bool:
    """Say whether at an entry another engine took the state over as it stood."""
    with_ = entry.get("with")
    if entry.get("do") != "engine" or entry.get("code") or not isinstance(with_, Mapping):
        return False
    return isinstance(with_.get("state"), str) and isinstance(with_.get("versions"), Mapping)


def engine_named(entry: Entry) -> Versions:
    """Return the versions that a founding (`engine`) or a take-over (`versions`) names, none where it does not."""
    with_ = entry.get("with")
    named = with_.get("versions" if entry.get("do") == "engine" else "engine") if isinstance(with_, Mapping) else None
    return named if isinstance(named, Mapping) else {}
