"""Long lists in parts, of which the newest stands on the page of the list, and lists by what pages look up in them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence, Sized
from typing import TypeVar

from msgspec import Struct

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


def lists_by_key(pairs: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    """Return values in lists by their keys.

    >>> lists_by_key([("a", 1), ("b", 2), ("a", 3)])
    {'a': [1, 3], 'b': [2]}
    """
    found: dict[K, list[T]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


class Parts(Struct, frozen=True):
    """How many of a list stand on a page of earlier ones; the newest page holds up to one less than twice as many.

    >>> Parts(2).newest("abcde"), [Parts(2).of("abcde", number) for number in Parts(2).older("abcde")]
    ('cde', ['ab'])
    """

    size: int

    def older(self, several: Sized) -> range:
        """Return the numbers, from 0 on, of the pages of earlier ones; `several` is the list, the oldest first."""
        return range(max(0, len(several) // self.size - 1))

    def of(self, several: Sequence[T], number: int) -> Sequence[T]:
        """Return what stands on a page of earlier ones."""
        return several[number * self.size : (number + 1) * self.size]

    def newest(self, several: Sequence[T]) -> Sequence[T]:
        """Return what stands on the page of the newest."""
        return several[len(self.older(several)) * self.size :]

    def span(self, number: int) -> tuple[int, int]:
        """Return the places, from 1 on, of the first and the last on a page of earlier ones."""
        return number * self.size + 1, (number + 1) * self.size
