"""Failures at the places of a run, and which of these places are tried."""

from __future__ import annotations

from folkmoot.forges.error_isolation import Stage
from tests.conftest import FUZZ


def some_of(points: list[str], often: int) -> list[int]:
    """Return places of points: of each kind so many, spread over the run; all of them with FOLKMOOT_FUZZ=1."""
    if FUZZ:
        return list(range(len(points)))
    places: dict[str, list[int]] = {}
    for place, point in enumerate(points):
        places.setdefault(point, []).append(place)
    return sorted({at[len(at) * part // often] for at in places.values() for part in range(often)})


class Planted:
    """Fails when a stage is passed for the first time, or for the second."""

    def __init__(self, stage: Stage, first: int) -> None:
        self.point, self.first, self.passed = f"stage-{stage}", first, 0

    def __call__(self, point: str) -> None:
        if point == self.point:
            self.passed += 1
            if self.passed == self.first:
                raise ZeroDivisionError("planted\n::set-output name=x::y")
