"""Which timer fires next, by the documents alone."""

from __future__ import annotations

from collections.abc import Mapping

from folkmoot.core.documents import GameDocument, Timer


def next_due(game: GameDocument | None, timers: Mapping[str, Timer] | None) -> tuple[int, str, str] | None:
    """Return (due, edge, key) of the timer that fires next, None where the game is paused, over or timeless."""
    if game is None or game.get("paused") is not None or game.get("over"):
        return None
    return first_due(timers or {})


def first_due(timers_running: Mapping[str, Timer]) -> tuple[int, str, str] | None:
    """Return (due, edge, key) of the timer that fires next; `start` comes before `deadline` at the same instant."""
    found = min(
        (
            (t["due"], 0 if t["edge"] == "start" else 1, place, key)
            for place, (key, t) in enumerate(timers_running.items())
        ),
        default=None,
    )
    if found is None:
        return None
    return found[0], "deadline" if found[1] else "start", found[3]
