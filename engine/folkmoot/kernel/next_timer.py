"""What happens next: by the documents alone, and by the law's order where several rules have timers at an instant."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from folkmoot.core.documents import GameDocument, Timer
from folkmoot.core.records import Duty

OVERDUE = "duty_overdue"
"""What stands in the place of a timer's key where the deadline of a duty passes."""

Due = tuple[int, str, str]
"""When a timer is due, its edge and its key."""


def next_due(
    game: GameDocument | None, timers: Mapping[str, Timer] | None, duties: Mapping[str, Duty] | None = None
) -> Due | None:
    """Return the first timer, then deadline, that comes next; None where the game rests. See `foremost`."""
    if game is None or game.get("paused") is not None or game.get("over"):
        return None
    due, late = first_due(timers or {}), first_overdue(duties or {})
    if late is not None and (due is None or late < due[0]):
        return late, "deadline", OVERDUE
    return due


def fires_before(due: Due | None, at: int, after_deadlines: bool) -> bool:
    """Whether a timer fires before a time, or at it: `start` does, `deadline` for ticks only (`after_deadlines`)."""
    if due is None:
        return False
    return due[0] < at or (due[0] == at and (due[1] == "start" or after_deadlines))


def first_overdue(duties: Mapping[str, Duty]) -> int | None:
    """Return when the next deadline of a duty passes of which the law was not told yet, in Unix seconds."""
    return min((overdue_at(duty) for duty in duties.values() if is_running(duty)), default=None)


def is_running(duty: Duty) -> bool:
    """Whether a duty has a deadline that has not passed."""
    return duty["by"] is not None and not duty.get("overdue")


def overdue_at(duty: Duty) -> int:
    """Return when a duty is overdue: by its deadline, or where that was over when it was noted, then."""
    return max(int(duty["by"] or 0), duty.get("since", 0))


def first_due(timers_running: Mapping[str, Timer]) -> Due | None:
    """Return the first timer that fires next; `start` comes before `deadline` at the same instant."""
    running = enumerate(timers_running.items())
    ranked = ((timer["due"], timer["edge"] != "start", place, key) for place, (key, timer) in running)
    found = min(ranked, default=None)
    return found and (found[0], "deadline" if found[1] else "start", found[3])


def foremost(timers_running: Mapping[str, Timer], first: Due, in_order: Callable[[list[str]], list[str]]) -> Due:
    """Return which of the timers due as the first is fires: of the highest rule, then the one started first."""
    at, edge, _ = first
    late = edge == "deadline"
    tied = {key: t["rule"] for key, t in timers_running.items() if t["due"] == at and (t["edge"] != "start") == late}
    rules = list(dict.fromkeys(tied.values()))
    if len(rules) < 2:
        return first
    ranks = {uid: rank for rank, uid in enumerate(in_order([uid for uid in rules if uid is not None]))}
    return at, edge, min(tied, key=lambda key: ranks.get(tied[key] or "", len(ranks)))
