"""Which timer fires next: by the documents alone, and by the law's order where several rules have one at an instant."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from folkmoot.core.documents import GameDocument, Timer

Due = tuple[int, str, str]
"""When a timer is due, its edge and its key."""


def next_due(game: GameDocument | None, timers: Mapping[str, Timer] | None) -> Due | None:
    """Return the first timer that fires next, None where the game is paused, over or timeless; see `foremost`."""
    if game is None or game.get("paused") is not None or game.get("over"):
        return None
    return first_due(timers or {})


def first_due(timers_running: Mapping[str, Timer]) -> Due | None:
    """Return the first timer that fires next; `start` comes before `deadline` at the same instant."""
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


def foremost(timers_running: Mapping[str, Timer], first: Due, in_order: Callable[[list[str]], list[str]]) -> Due:
    """Return which of the timers fires that are due as the first of them is.

    That of the rule of highest precedence, and of several that which was started first; `in_order` is asked for the
    order of rules (uids) only where several have one. What no rule in force has started comes last.
    """
    at, edge, _ = first
    late = edge == "deadline"
    tied = {key: t["rule"] for key, t in timers_running.items() if t["due"] == at and (t["edge"] != "start") == late}
    rules = list(dict.fromkeys(tied.values()))
    if len(rules) < 2:
        return first
    ranks = {uid: rank for rank, uid in enumerate(in_order([uid for uid in rules if uid is not None]))}
    return at, edge, min(tied, key=lambda key: ranks.get(tied[key] or "", len(ranks)))
