"""What the referee would say of something before it is sent: judged on a copy of the game, which is thrown away.

It goes the way of everything that arrives (`folkmoot.referee.intake`), so that reviews, ballots that wait, strangers
and limits are treated as they will be. What only the judging itself can know is not pretended: dice, what is sealed,
and what others did meanwhile.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from msgspec import Struct
from msgspec.structs import asdict

from folkmoot.core.documents import Document
from folkmoot.core.events import Event
from folkmoot.core.keys import GAME
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.core.records import Effect, Entry, Reason
from folkmoot.core.sealed_data import depends_on_sealed
from folkmoot.game.session import Session
from folkmoot.journal.tree import GameTree
from folkmoot.referee.commands import commands_in
from folkmoot.referee.facts import Fact
from folkmoot.referee.intake import Intake
from folkmoot.referee.recorder import Read, Recorder
from folkmoot.referee.report import Verdict
from folkmoot.sandbox.client import Sandbox
from folkmoot.sandbox.wire import DiceSource, SealingSource

TOO_LONG = "it would take more work here than is done for that"
MOST_WORK = 5.0  # times what an event may take, for all that is judged while a player waits
KEPT = frozenset("engine redact set_clock open_epoch close_epoch abandon_epoch".split())
"""Acts that only who keeps the game can judge: they need its whole past, or its secrets."""
ASIDE = ("description", "elsewhere", "unread")  # what is said beside what becomes of an input


class UntriedError(ProblemError):
    """Raised where nobody can say here what would become of something, with one clause that says why."""

    def __init__(self, why: str) -> None:
        super().__init__(Problem("E-JUDGE", why))


class Foreseen(Verdict, frozen=True, kw_only=True):
    """What would become of one thing that is asked: a verdict of the referee, and the entry that would record it."""

    entry: Entry | None = None
    aside: bool = False

    @property
    def effects(self) -> list[Effect]:
        """Return what it would change."""
        return self.entry.get("effects", []) if self.entry else []

    @property
    def reasons(self) -> list[Reason]:
        """Return why it would be decided so."""
        return self.entry.get("reasons", []) if self.entry else []

    @property
    def chance(self) -> bool:
        """Say whether dice decide about it, which fall when it is judged."""
        return self.entry is not None and bool(self.entry.get("draws"))

    @property
    def sealed(self) -> bool:
        """Say whether it depends on what is sealed, into which nobody looks before it is judged."""
        return depends_on_sealed(self.code, self.reasons)

    @property
    def held(self) -> bool:
        """Say whether it waits until it is released."""
        return self.code == "HELD"

    @property
    def refused(self) -> bool:
        """Say whether the law or the referee would refuse it; what has no code is only told."""
        return self.state in ("refused", "void") and bool(self.code) and not (self.held or self.aside or self.sealed)


class Foresight(Struct, frozen=True):
    """What would become of all that is asked, in order, and the documents of the game as they would be then."""

    answers: tuple[Foreseen, ...]
    documents: dict[str, Document]

    @property
    def refused(self) -> tuple[Foreseen, ...]:
        """Return what nothing would come of, whatever the dice."""
        return tuple(each for each in self.answers if each.refused and not each.chance)


def foresee(
    session: Session, record: GameTree, forge: str, read: Read, before: Sequence[Fact], facts: Sequence[Fact]
) -> Foresight:
    """Return what would become of facts in a game, after those that arrived `before` and nobody has judged yet.

    The session's sandbox is of no use afterwards. Raises UntriedError where that cannot be said here.
    """
    if not session.is_ours:
        raise UntriedError("another engine judges this game")
    remarks = (fact.remark for fact in (*before, *facts) if fact.remark is not None)
    commands = (command for remark in remarks for command in commands_in(remark.body))
    if any({command.name, *command.rest.split()[:1]} & KEPT for command in commands):
        raise UntriedError("only who keeps the game can judge this")
    copy = GameCopy.of(session)
    recorder = _Recorder(session=copy, record=record, forge=forge)
    intake = Intake(recorder, read, {})
    try:
        intake.play([*before, *facts], max(copy.at, *(fact.at for fact in facts)))
    except ProblemError as error:
        raise UntriedError(error.problems[0].message) from None
    entries = {done.entry["seq"]: done.entry for done in recorder.done}
    answers: list[Foreseen] = []
    for fact in facts:
        for verdict in recorder.verdicts.get(fact.number, ()):
            identifier, _, rest = verdict.fact.partition("/")
            if identifier == fact.id:
                entry = entries.get(verdict.seq or 0)
                answers.append(Foreseen(**asdict(verdict), entry=entry, aside=rest in ASIDE))
    return Foresight(tuple(answers), copy.documents)


class GameCopy(Session):
    """A game that is judged on and never written, with so much work as a person waits for; its dice mean nothing."""

    _until = 0.0

    @classmethod
    def of(cls, session: Session) -> Self:
        """Return a copy of a game that is open, with its sandbox, which gives up at once what takes too long."""
        copy = cls(session.record, dict(session.documents), session.head)
        copy._sandbox = session.sandbox
        copy._sandbox.patient = False
        copy._until = copy._sandbox.work + MOST_WORK
        return copy

    @property
    def sandbox(self) -> Sandbox:
        """Return the sandbox. Raises UntriedError where so much work was done."""
        sandbox = super().sandbox
        if sandbox.work > self._until:
            raise UntriedError(TOO_LONG)
        return sandbox

    def _write(self, batch: Any, *_: Any) -> None:
        batch.written += batch.entries
        batch.entries, batch.documents = [], {}

    def _begin_anew(self) -> None:
        raise UntriedError("the clock of this game went on without a trace")

    def _chance(self, event: Event, digest: str = "") -> DiceSource:
        return {"kind": "open", "prev": event.prev, "digest": digest and "foreseen"}

    def _sealing(self, event: Event, digest: str) -> SealingSource:
        del event, digest
        named = (self._now(GAME) or {}).get("sealing")
        return {"kind": "tried" if named else "none"}  # without a key nothing can be sealed when it is judged, either


class _Recorder(Recorder):
    """Records on a copy; where judging fails, that is no verdict."""

    def begin_anew(self) -> None:
        """Give up."""
        raise UntriedError(TOO_LONG)

    def commit(self) -> None:
        """Commit nothing."""
        self.adopted = {}
