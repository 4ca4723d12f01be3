"""Limits of a game: how much of something its rules and its people may take; the administrators change them on record.

A game keeps only those that were changed, in `limits` of its document `game`; all others are the defaults below.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from folkmoot.core.documents import GameDocument
from folkmoot.core.records import Duty, Shown
from folkmoot.core.values import told


class Limit(Struct, frozen=True):
    """One limit: what it is unless somebody changes it, between which numbers it may be, in what unit, and of what."""

    default: int
    least: int
    most: int
    unit: str
    bounds: str

    def flaw(self, name: str, value: Any) -> str:
        """Return what is wrong with a value for this limit in one sentence, "" where nothing is."""
        if type(value) is not int:
            return f"the limit {name} is a whole number of {self.unit}, not {told(str(value)[:40])}"
        if not self.least <= value <= self.most:
            return f"the limit {name} lies between {self.least:,} and {self.most:,} {self.unit}, and {value:,} does not"
        return ""


WARNING = 80  # per cent of the size of a game from which on it is warned of

LIMITS: dict[str, Limit] = {
    "timer_period": Limit(
        60, 1, 604_800, "seconds",
        "The smallest period of a timer that repeats, and how long after the firing of a timer another may fire that "
        "was started by it.",
    ),
    "running_timers": Limit(
        1_000, 1, 100_000, "timers",
        "How many timers may run at the same time; as many again for each thousand players.",
    ),
    "refused_acts_a_day": Limit(
        50, 1, 10_000, "acts",
        "How many refused acts of one person a day are recorded; more are answered only. What depends on something "
        "sealed is recorded until twice as many were refused, and then answered without looking into anything.",
    ),
    "accepted_acts_a_day": Limit(
        200, 1, 100_000, "acts",
        "How many accepted acts of one person a day are recorded; more are answered only. Votes, what is owed, what an "
        "office does and the acts of administrators count nothing and are always recorded.",
    ),
    "typing_errors_a_day": Limit(
        100, 1, 10_000, "messages",
        "How many messages of one person a day are answered that are no act, because of an error of form; none of "
        "them is recorded.",
    ),
    "game_size": Limit(
        32_000_000, 100_000, 64_000_000, "bytes",
        "How large all that is in play may be: law, people, things, open proposals. History and what was decided "
        "do not count. Of 80 % it is warned.",
    ),
    "administrators_silent": Limit(
        30, 7, 3_650, "days",
        "How long no administrator acts after a player has asked to become one, until they do.",
    ),
    "succession_wait": Limit(
        14, 7, 365, "days",
        "The same where every administrator has left the game; also how long who asks, and who objects, must have "
        "played, and for how long after the wait the office can be taken.",
    ),
}  # fmt: skip


def limit_of(game: GameDocument | None, name: str) -> int:
    """Return a limit of a game by its document `game`; raises KeyError for a name that is no limit's.

    >>> limit_of({"limits": {"running_timers": 7}}, "running_timers"), limit_of({}, "running_timers")
    (7, 1000)
    """
    kept = (game.get("limits") or {}).get(name) if game else None
    return LIMITS[name].default if kept is None else int(kept)


def flaws_of(limits: Any) -> list[str]:
    """Return what is wrong with a map from limits to values, one sentence each."""
    if not isinstance(limits, Mapping):
        return ["limits are a map from names to numbers"]
    return [_flaw(str(name), value) for name, value in limits.items() if _flaw(str(name), value)]


def _flaw(name: str, value: Any) -> str:
    known = LIMITS.get(name)
    return known.flaw(name, value) if known else f"there is no limit {told(name[:40])}; there are {', '.join(LIMITS)}"


def limits_told(game: GameDocument | None) -> list[Shown]:
    """Return every limit of a game as plain data: name, value, unit, what it bounds, default, least, most."""
    return [
        {
            "name": name,
            "value": limit_of(game, name),
            "unit": limit.unit,
            "bounds": limit.bounds,
            "default": limit.default,
            "least": limit.least,
            "most": limit.most,
        }
        for name, limit in LIMITS.items()
    ]


def is_unlimited(do: str, player: str, administrators: Iterable[str], duties: Mapping[str, Duty]) -> bool:
    """Say whether no limit on acts of a day counts or holds back an act: votes, what is owed, and administrators' acts.

    `duties` are what players owe, by key; one's own name the acts that they ask for.

    >>> owed = {"consent/eve": {"player": "bob", "do": ["consent"]}}
    >>> [is_unlimited(do, "bob", ["ann"], owed) for do in ("vote", "consent", "give")]
    [True, True, False]
    """
    if do in ("vote", "fault") or player in administrators:
        return True
    return any(duty.get("player") == player and do in (duty.get("do") or ()) for duty in duties.values())
