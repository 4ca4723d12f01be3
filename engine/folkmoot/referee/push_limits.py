"""What one push may hold where the forge refuses what is in it: ever less, until the act is found that it refuses.

First the same entries go without the heads of adopted pull requests as parents; then half as many; and the act that is
refused alone is recorded as void, for its author to say otherwise. A timer that is refused alone fires, and no rule is
heard. What was taken makes the next push larger again.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from folkmoot.core.calendar import read_stamp
from folkmoot.core.problems import Problem
from folkmoot.core.records import Entry
from folkmoot.forges.git_transport import PushRefusedError
from folkmoot.referee.report import Report

MOST_A_RUN = 1_000  # entries; the rest is for the next run
MOST_BLAMED = 3  # acts, before the forge has taken any other
NOT_TAKEN = "E-NOT-TAKEN"
WHY = "the forge does not take this: a rule of it refuses what is in it. Say it again in other words"

UNHEARD = "the forge does not take what rules do as this timer fires"

Key = tuple[str, int, str]
"""An act that came by a forge: its game, the number of its pull request or issue (0: the thread), and its id there."""


class PushLimits(Struct):
    """How many `entries` the next push may hold, and whether adopted heads are parents in it (`joins`).

    `refused` acts are recorded as void, `unrecordable` ones not even that; `muted` says by game why no rule is heard as
    some timers fire (by time and key). `taken` says that the forge takes something, without which no act is to blame.
    """

    entries: int = MOST_A_RUN
    joins: bool = True
    refused: set[Key] = field(default_factory=set)
    unrecordable: set[Key] = field(default_factory=set)
    muted: dict[str, dict[tuple[int, str], str]] = field(default_factory=dict)
    taken: bool = False
    error: PushRefusedError | None = None
    _suspects: list[set[Key]] = field(default_factory=list)
    _suspected: set[Key] = field(default_factory=set)

    def narrow(self, report: Report, error: PushRefusedError) -> Iterator[Problem]:
        """Make the next push smaller than one that was refused, and yield what that says of its content.

        Raises the error where nothing in it can be left out.
        """
        self.error = error
        done = [(_key(game.game, act.entry), act.entry) for game in report.games for act in game.done]
        acts = {key: entry for key, entry in done if key is not None}
        if self.joins and report.joins:
            self.joins = False
            heads = ", ".join(f"#{number}" for number in report.joins)
            yield _refusal(f"the history of {heads}, which is left out", error)
        elif report.entries > 1 and self.entries > 1:
            self.entries = min(self.entries, report.entries) // 2
        elif not acts:
            yield self._mute(report, error)
        elif self._suspected:
            self._suspect_next()
        else:
            named = ", ".join(f"entry {entry['seq']} of {key[0]}" for key, entry in acts.items())
            yield _refusal(f"{named} as it would be, so that it is void", error)
            self._suspects = [*({act} for act in acts), *([set(acts)] if len(acts) > 1 else [])]
            self._suspect_next()

    def _mute(self, report: Report, error: PushRefusedError) -> Problem:
        """Let no rule be heard as the timer fires whose entry is refused; raises the error where that was tried."""
        fired = [(game.game, entry) for game in report.games for entry in game.fired if entry["do"] == "tick"]
        for game, entry in fired:
            place = read_stamp(entry["at"]), str(entry["with"]["timer"])
            if place not in self.muted.setdefault(game, {}):
                self.muted[game][place] = UNHEARD
                return _refusal(f"entry {entry['seq']} of {game} as it would be, so that no rule is heard in it", error)
        raise error

    def _suspect_next(self) -> None:
        self.refused -= self._suspected
        if self._suspects:
            self._suspected = self._suspects.pop(0)
            self.refused |= self._suspected
        else:
            self.unrecordable |= self._suspected
            self._suspected = set()
            if not self.taken and len(self.unrecordable) >= MOST_BLAMED and self.error is not None:
                raise self.error

    def widen(self, report: Report) -> bool:
        """Note that a push was taken; returns whether this run goes on, with a larger one. Raises what was refused.

        Where the forge takes nothing at all, not even that an act is void, it is not the acts that are to blame.
        """
        went_on = report.after != report.before
        self.taken |= went_on
        if self.unrecordable and not self.taken and self.error is not None and not report.more:
            raise self.error
        self.entries, self.joins = min(2 * self.entries, MOST_A_RUN), True
        self._suspects, self._suspected = [], set()
        return self.error is not None and went_on and any(game.more for game in report.games)


def _refusal(what: str, error: PushRefusedError) -> Problem:
    """Return what administrators are told that the forge refuses, with its reason."""
    problem = error.problems[0]
    return Problem(NOT_TAKEN, f"The forge refuses {what}. {problem.message}", None, problem.hint)


def _key(game: str, entry: Entry) -> Key | None:
    """Return the act that an entry records, None where it came by no forge."""
    via = entry.get("via") or {}
    return (game, via.get("pull") or via.get("issue") or 0, str(via["fact"])) if "fact" in via else None


def not_taken() -> Problem:
    """Return what the author of an act is told that the forge refuses."""
    return Problem(NOT_TAKEN, WHY)
