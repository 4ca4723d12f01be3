"""Which of the places at which a process may die or be overtaken are tried."""

from __future__ import annotations

from tests.conftest import FUZZ


def some_of(points: list[str], often: int) -> list[int]:
    """Return places of points: of each kind so many, spread over the run; all of them with FOLKMOOT_FUZZ=1."""
    if FUZZ:
        return list(range(len(points)))
    places: dict[str, list[int]] = {}
    for place, point in enumerate(points):
        places.setdefault(point, []).append(place)
    return sorted({at[len(at) * part // often] for at in places.values() for part in range(often)})
