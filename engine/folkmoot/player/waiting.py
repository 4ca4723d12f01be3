"""Waiting at a clone until something comes of what was sent, or until something is asked for.

Others are asked with longer and longer pauses, and what they say is looked at only where a ref has moved.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NotRequired, TypedDict, TypeVar, cast

from folkmoot.core.keys import GAME, facts_key, place_here
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Via
from folkmoot.forges.cache.untrusted_objects import find_commit
from folkmoot.player.remote_view import RemoteView

T = TypeVar("T")

FIRST, LONGEST, LONGER = 1.0, 30.0, 1.5  # seconds of the first pause and of the longest, and how much each grows
MOST_FAILURES = 5  # looks in a row that may fail before waiting is given up


class CameOf(TypedDict):
    """What came of one thing that a letter asked for (see `came_of`)."""

    state: str
    seq: NotRequired[int]
    what: NotRequired[str]
    why: NotRequired[str]
    code: NotRequired[str]
    do: NotRequired[str]


def wait_until(
    view: RemoteView,
    found: Callable[[RemoteView], T | None],
    seconds: float | None = None,
    *,
    pause: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> T | None:
    """Look until `found` gives something, and return that; None where that is not so after so many `seconds`.

    Without `seconds` it may take for ever. Raises E-FORGE where looking fails again and again, E-PAST at once.
    """
    end = None if seconds is None else clock() + seconds
    length, failures = FIRST, 0
    known: dict[str, str] | None = None
    while True:
        try:
            standing, failures = dict(view.look().standing.refs), 0
        except ProblemError as error:
            failures += 1
            if failures >= MOST_FAILURES or error.problems[0].code == "E-PAST":
                raise
        else:
            what = found(view) if standing != known else None
            known = standing
            if what is not None:
                return what
        left = length if end is None else min(length, end - clock())
        if left <= 0:
            return None
        pause(left)
        length = min(length * LONGER, LONGEST)


def came_of(view: RemoteView, game: str, letter: str, pull: int = 0) -> list[CameOf]:
    """Return what came of a letter (hex) to a pull request (0: the game), a record for each thing that it asked for.

    Each has its `state` (`recorded`, or as in `Heard`), and `seq`, `what`, `why` and `code` where they are known.
    Nothing is returned as long as no referee has judged it.
    """
    seqs = _recorded(view, game, letter, pull)
    heard = [each for each in view.seen.answers(view.person.id) if _is_of(each.fact, letter)]
    told = [cast(CameOf, each.as_record()) for each in heard]
    told = [each for each in told if each.get("seq") not in seqs]
    ignored: list[CameOf] = [
        {"state": "ignored", "why": note.why} for note in view.ignored() if note.commit == letter and not told
    ]
    recorded: list[CameOf] = [{"state": "recorded", "seq": seq} for seq in seqs]
    return [*recorded, *told, *ignored]


def _recorded(view: RemoteView, game: str, letter: str, pull: int) -> list[int]:
    """Return the entries of a game that record what a letter asked for."""
    record = view.record(game)
    commit = find_commit(view.repo, letter)
    place: Via = {**place_here(record.kept(GAME), "local"), "pull": pull, "fact": "any"}
    found: set[int] = set()
    for arrived in {commit.commit_time if commit is not None else 0, *_stamps(view, letter)}:
        known = (record.archive(facts_key({**place, "arrived": arrived}) or "") or {}).get("facts") or {}
        found |= {int(seq) for fact, seq in known.items() if _is_of(fact, letter)}
    return sorted(found)


def _stamps(view: RemoteView, letter: str) -> list[int]:
    """Return when a referee stamped a letter, if one has: of the game's thread a day is looked through at a time."""
    where = view.seen.letter(letter)
    return [] if where is None or where.place is None else [view.seen.remark(where.pull, where.place).at]


def _is_of(fact: str, letter: str) -> bool:
    return fact.partition("/")[0] == letter
