"""How long something takes, told in units of a fixed piece of work: neither a slow machine nor a busy day changes that.

A unit is about a hundredth of a second of processor time on an ordinary machine of 2025. A limit stands for work that
grows out of proportion, so it is at least three times what was measured.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _unit() -> int:
    """Do a tenth of the fixed piece of work: strings are made, taken apart and counted, as in most of what is measured."""
    return sum(len(f"{number}:{number}".split(":")) for number in range(5_000))


class Spent:
    """How much processor time was spent within its `with`, for what can be done but once: a unit is done before and after."""

    units = float("inf")

    def __enter__(self) -> Self:
        self._one = 10 * min(_seconds(_unit) for _ in range(3))
        self._began = time.process_time()
        return self

    def __exit__(self, *_: object) -> None:
        taken = time.process_time() - self._began
        self.units = taken / max(self._one, 10 * min(_seconds(_unit) for _ in range(3)))


def least_units(work: Callable[[], object], limit: float = 0, times: int = 9) -> float:
    """Return the fewest units that a piece of work takes: it is done by turns with the unit until it keeps to the limit."""
    one = least = float("inf")
    for _ in range(times):
        one = min(one, 10 * _seconds(_unit))
        least = min(least, _seconds(work))
        if least < limit * one:
            break
    return least / one
