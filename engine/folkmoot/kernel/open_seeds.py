"""When the seed of a sealed draw may be opened: once everything that rests on it is open, or nowhere kept any more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from folkmoot.kernel.play import Play
from folkmoot.kernel.sealed_values import closed_values, find, numbers_in

MOST_NAMED = 3


def draws_under(play: Play, numbers: Iterable[int]) -> list[int]:
    """Return on which sealed draws rests what is computed of some sealed values; what is open tells nothing new."""
    found = (find(play, number) for number in numbers)
    return sorted({draw for known in found if "opened" not in known for draw in known.get("draws") or ()})


def still_closed(play: Play, draw: int) -> str:
    """Return what that rests on a sealed draw is still closed, in words; "" where its seed tells nothing any more."""
    places = list(dict.fromkeys(_places(play, draw)))
    more = f", and {len(places) - MOST_NAMED} more" if len(places) > MOST_NAMED else ""
    return ", ".join(places[:MOST_NAMED]) + more


def _places(play: Play, draw: int) -> Iterator[str]:
    """Yield where something closed is kept that rests on a sealed draw."""
    resting = {number for number, known in closed_values(play) if draw in (known.get("draws") or ())}
    for key in play.documents.keys("things/") if resting else ():
        for owner, values in (play.documents.find(key) or {}).items():
            yield from (f"{name} of {owner}" for name, value in _parts(values) if resting & {*numbers_in(value)})


def _parts(values: Any) -> Iterable[tuple[str, Any]]:
    return values.items() if isinstance(values, dict) else [("what is kept", values)]
