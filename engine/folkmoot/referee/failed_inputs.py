"""An input that the engine fails over: it is void, on record, told to its author, and not tried again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from folkmoot.core.problems import Problem
from folkmoot.forges.boundary import FAULT, Stage, guarded
from folkmoot.game.session import Document, Session
from folkmoot.referee.ballots import Ballots
from folkmoot.referee.comment_header import mark_of
from folkmoot.referee.facts import Fact
from folkmoot.referee.people import distrust, player_of, plays

PREFIX = "fault-"


def fault_key(identifier: str) -> str:
    """Return the key by which a comment of ours remembers that the engine failed over something."""
    return PREFIX + mark_of(identifier)


@dataclass(slots=True)
class Faulty(Ballots):
    """A bench with a boundary around each input.

    `failed` are the keys of what was said before to have failed, by pull request and issue; `faults` those of this run
    that stand in no record, because nobody plays who made them.
    """

    failed: Mapping[int, frozenset[str]] = field(default_factory=dict)
    faults: dict[int, set[str]] = field(default_factory=dict)

    def _treat(self, stage: Stage, fact: Fact, identifier: str, do: Callable[[], None]) -> None:
        """Treat one input within a boundary; one over which the engine failed before is not tried again."""
        if fault_key(identifier) in self.failed.get(fact.number, ()):
            self._give_up(fact, identifier)
        elif self.is_void(fact, identifier):
            self._tell(fact, self.record.entry(self.facts_at(fact.place, fact.at)["facts"][identifier]), identifier)
        else:
            guarded(stage, do, partial(self._fail, fact, identifier))

    def is_void(self, fact: Fact, identifier: str) -> bool:
        """Say whether it is recorded that the engine failed over an input."""
        return identifier in (self.facts_at(fact.place, fact.at).get("faults") or ())

    def _fail(self, fact: Fact, identifier: str, problem: Problem) -> None:
        """Undo what an input began over which the engine failed, and note it; what was recorded in full stays."""
        self.begin_anew()
        if self._known(fact, identifier):
            return
        guarded(Stage.FAULT, partial(self._record, fact, identifier, problem), partial(self._lose, fact, identifier))

    def _record(self, fact: Fact, identifier: str, problem: Problem) -> None:
        """Record that an input is void, where a player made it."""
        player = player_of(self.roster, self.forge, fact.person)
        known = player is not None and plays(self.roster, player, fact.at)
        if player is None or not known or distrust(self.roster, player, fact.key, fact.at):
            self._give_up(fact, identifier, problem)
        else:
            args: Document = {"code": problem.code, "why": problem.message}
            via = self._via(fact, identifier, None)
            done = self.session.act(player, "fault", args, at=max(fact.at, self.session.at), via=via)
            self.done.append(done)
            self._look_at([*done.before, done.entry])
            self._tell(fact, done.entry, identifier)

    def _lose(self, fact: Fact, identifier: str, problem: Problem) -> None:
        """Note an input that cannot even be recorded as void."""
        self.begin_anew()
        self._give_up(fact, identifier, problem)

    def _give_up(self, fact: Fact, identifier: str, problem: Problem | None = None) -> None:
        self.faults.setdefault(fact.number, set()).add(fault_key(identifier))
        code = problem.code if problem is not None else FAULT
        why = "it is not tried again; say it anew, in other words" if problem is None else problem.message
        self._note(fact, "this", "void", code=code, why=why, id_=identifier)

    def begin_anew(self) -> None:
        """Give the game as it is recorded to a new judge."""
        self.session.close()
        self._archived.clear()
        self.session = Session(self.record, self.record.load(), self.record.head)
