"""What a string of a file stands for, said beside its type; the readers and the schemas make their checks from it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Format:
    """A named form of a string or number, e.g. `identifier`, `stamp`, `title`."""

    name: str


@dataclass(frozen=True, slots=True)
class Rest:
    """Marks the field of a record that takes every further key of the map."""
