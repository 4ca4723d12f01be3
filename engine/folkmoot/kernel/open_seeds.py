"""When the seed of a sealed draw may be opened: once everything that rests on it is open, or nowhere kept any more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from folkmoot.kernel.documents import is_archived
from folkmoot.kernel.play import Play
from folkmoot.kernel.sealed_values import closed_values, numbers_in

MOST_NAMED = 3


def still_closed(play: Play, draw: int) -> str:
    """Return what that rests on a sealed draw is still closed, in words; "" where its seed tells nothing any more."""
    places = list(dict.fromkeys(_places(play, draw)))
    more = f", and {len(places) - MOST_NAMED} more" if len(places) > MOST_NAMED else ""
    return ", ".join(places[:MOST_NAMED]) + more


def _places(play: Play, draw: int) -> Iterator[str]:
    """Yield where something closed is kept that rests on a sealed draw."""
    resting = {number for number, known in closed_values(play) if draw in (known.get("draws") or ())}
    for owner, values in _owners(play) if resting else ():
        yield from (f"{name} of {owner}" for name, value in _parts(values) if resting & {*numbers_in(value)})


def _owners(play: Play) -> Iterator[tuple[str, Any]]:
    """Yield who or what keeps values, with these; of proposals and motions those that are open."""
    for key in play.documents.keys("things/"):
        yield from (play.documents.find(key) or {}).items()
    for key in (*play.documents.keys("proposals/"), *play.documents.keys("votes/")):
        proposal = play.documents.find(key) or {}
        if not is_archived(key, proposal):
            yield str(proposal["id"]), proposal["registers"]


def _parts(values: Any) -> Iterable[tuple[str, Any]]:
    return values.items() if isinstance(values, dict) else [("what is kept", values)]
