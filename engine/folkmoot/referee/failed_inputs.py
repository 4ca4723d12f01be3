"""An input that the engine fails over: it is void, on record, told to its author, and not tried again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from folkmoot.core.problems import Problem
from folkmoot.core.records import Arguments
from folkmoot.forges.error_isolation import FAULT, Stage, guarded
from folkmoot.referee.comment_mark import mark_of
from folkmoot.referee.facts import Fact
from folkmoot.referee.people import distrust, plays
from folkmoot.referee.push_limits import PushLimits, not_taken
from folkmoot.referee.recorder import Recorder

PREFIX = "fault-"


def fault_key(identifier: str) -> str:
    """Return the key by which a comment of ours remembers that the engine failed over something."""
    return PREFIX + mark_of(identifier)


class FailedInputs:
    """Treats each input within a boundary of its own.

    `failed` are the keys of what was said before to have failed, by pull request and issue; `faults` those of this run
    that stand in no record, because nobody plays who made them. What the forge does not take (`limits`) is void, too.
    """

    def __init__(self, recorder: Recorder, failed: Mapping[int, frozenset[str]], limits: PushLimits) -> None:
        self.recorder = recorder
        self.failed = failed
        self.limits = limits
        self.faults: dict[int, set[str]] = {}

    def treat(self, stage: Stage, fact: Fact, identifier: str, do: Callable[[], None]) -> None:
        """Treat one input within a boundary; one over which the engine failed before is not tried again."""
        recorder = self.recorder
        key = (recorder.record.name, fact.number, identifier)
        if key in self.limits.unrecordable:
            self._give_up(fact, identifier, not_taken())
        elif fault_key(identifier) in self.failed.get(fact.number, ()):
            self._give_up(fact, identifier)
        elif identifier in (recorder.facts_at(fact.place, fact.at).get("faults") or ()):
            recorder.tell(fact, recorder.record.entry(recorder.entry_of(fact, identifier) or 0), identifier)
        elif key in self.limits.refused and recorder.entry_of(fact, identifier) is None:
            self._record(fact, identifier, not_taken())
        else:
            guarded(stage, do, partial(self._fail, fact, identifier))

    def _fail(self, fact: Fact, identifier: str, problem: Problem) -> None:
        """Undo what an input began over which the engine failed, and note it; what was recorded in full stays."""
        self.recorder.begin_anew()
        if self.recorder.entry_of(fact, identifier) is None:
            guarded(
                Stage.FAULT, partial(self._record, fact, identifier, problem), partial(self._lose, fact, identifier)
            )

    def _record(self, fact: Fact, identifier: str, problem: Problem) -> None:
        """Record that an input is void, where a player made it."""
        recorder = self.recorder
        player, roster = recorder.player(fact.person), recorder.roster
        if player is None or not plays(roster, player, fact.at) or distrust(roster, player, fact.key, fact.at):
            self._give_up(fact, identifier, problem)
        else:
            args: Arguments = {"code": problem.code, "why": problem.message}
            at, via = max(fact.at, recorder.session.at), recorder.via(fact, identifier)
            recorder.enter(fact, identifier, recorder.session.act(player, "fault", args, at=at, via=via))

    def _lose(self, fact: Fact, identifier: str, problem: Problem) -> None:
        """Note an input that cannot even be recorded as void."""
        self.recorder.begin_anew()
        self._give_up(fact, identifier, problem)

    def _give_up(self, fact: Fact, identifier: str, problem: Problem | None = None) -> None:
        self.faults.setdefault(fact.number, set()).add(fault_key(identifier))
        code = problem.code if problem is not None else FAULT
        why = "it is not tried again; say it anew, in other words" if problem is None else problem.message
        self.recorder.note(fact, "this", "void", code=code, why=why, id_=identifier)
