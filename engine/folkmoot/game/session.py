"""A game being played: opens its record, has a judge judge acts, and writes what came of them into the record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from folkmoot.core.calendar import write_stamp
from folkmoot.core.digest import event_digest
from folkmoot.core.engines import is_newer, is_same, is_takeover, shown_engine
from folkmoot.core.events import FOUNDING_DIGEST, Event, Outcome
from folkmoot.core.keys import number_key, proposal_key
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.values import flaw_of_event
from folkmoot.core.versions import cannot_replay, other_engine, versions
from folkmoot.game.epoch_secrets import read_secret
from folkmoot.game.journal_parts import Part
from folkmoot.journal import GameFolder, GameRecord, Head, entry_digest
from folkmoot.journal.handover import Past, state_digest
from folkmoot.kernel.chance import subkey
from folkmoot.kernel.declared import KERNEL_DECLARATIONS
from folkmoot.kernel.due import next_due
from folkmoot.kernel.redaction import redact_entry
from folkmoot.kernel.replay import MOST_SILENT, entry_of, fires_before, is_silent
from folkmoot.sandbox import Sandbox

Document = dict[str, Any]
Entry = dict[str, Any]
MOST_UNWRITTEN = 500  # entries of timers


@dataclass(frozen=True, slots=True)
class Done:
    """What came of an act: its own entry, and those of the timers that fired before it."""

    entry: Entry
    accepted: bool
    before: tuple[Entry, ...] = ()

    @property
    def code(self) -> str:
        """Return the code of a refusal, HELD where the act waits, "" where it was accepted."""
        return str(self.entry.get("code", ""))


@dataclass(slots=True)
class _Batch:
    """Entries that are to be written as one, with the documents as they are after the last of them.

    `written` are those before them that have been written already.
    """

    entries: list[Entry] = field(default_factory=list)
    documents: dict[str, Document | None] = field(default_factory=dict)
    written: list[Entry] = field(default_factory=list)


class Session:
    """One game in the hands of a judge: it can be asked, and played."""

    def __init__(self, record: GameRecord, documents: dict[str, Document], head: Head) -> None:
        """Take a game's record, its documents and the end of its journal; a judge starts when it is first needed.

        `ticks` counts the timers that have fired in this session.
        """
        self.record = record
        self.documents = documents
        self.head = head
        self._judging: Sandbox | None = None
        self._unwritten: dict[str, Document | None] = {}
        self._due: tuple[Document | None, Document | None, tuple[int, str, str] | None] | None = None
        self.ticks = 0
        self._silent = 0
        self._last_silent = (0, "start", "")
        self._singly = 1
        self._checked: Document = {}

    @classmethod
    @contextmanager
    def open(cls, path: Path, *, writing: bool = False, judging: bool = False) -> Iterator[Session]:
        """Open the game in a folder, keeping other writers out where it is to be played (`writing`).

        Where the judge is needed in any case (`judging`), it starts while the game is read.
        Raises E-NO-GAME where there is none, E-CHAIN where its record is damaged.
        """
        folder = GameFolder(path)
        with (
            folder.writing() if writing and folder.exists else nullcontext(),
            cls.on(folder, judging=judging) as session,
        ):
            yield session

    @classmethod
    @contextmanager
    def on(cls, record: GameRecord, *, judging: bool = False) -> Iterator[Session]:
        """Open the game of a record, on disk or in git; who plays it there keeps other writers out.

        Where the judge is needed in any case (`judging`), it starts while the game is read.
        Raises E-NO-GAME where there is none, E-CHAIN where its record is damaged.
        """
        judge = Sandbox(record.load, record.archive) if judging else None
        session = cls(record, judge.current() if judge is not None else record.load(), record.head)
        session._judging = judge
        try:
            yield session
        finally:
            session.close()

    @classmethod
    def found(cls, place: Path | GameRecord, given: dict[str, Any], at: int) -> Done:
        """Found a game in an empty folder or record: `given` is the whole initial law, people and settings.

        Raises E-DUP where there is a game already; a founding that the given law refuses leaves nothing behind.
        """
        record = GameFolder(place) if isinstance(place, Path) else place
        if record.exists:
            raise fail("E-DUP", f"there is a game in {record.shown()} already", None, "choose another name")
        check_event({"do": "found", "with": given})
        session, batch = cls(record, {}, Head()), _Batch()
        with closing(session):
            outcome = session._judge(batch, session._event(at, "found", with_=given))
        if outcome.accepted:
            record.append(batch.entries, batch.documents)
        return Done(batch.entries[0], outcome.accepted)

    @property
    def judge(self) -> Sandbox:
        """Return the judge, with the game as it is now."""
        if self._judging is None:
            self._judging = Sandbox(self.documents, self.record.archive)
        return self._judging

    def close(self) -> None:
        """End the judge's process, if there is one."""
        if self._judging is not None:
            self._judging.close()
            self._judging = None

    # -- playing

    def act(
        self,
        by: str | None,
        do: str,
        with_: dict[str, Any] | None = None,
        *,
        at: int,
        as_: str | None = None,
        via: dict[str, Any] | None = None,
        confided: dict[str, Any] | None = None,
    ) -> Done:
        """Judge an act at a time (Unix seconds) and record it, accepted or refused, after the timers due before it.

        `confided` are arguments that only the keeper knows: an act that is refused stands in the record without them.

        Raises E-TIME where `at` lies before the last entry, E-ARGS for what no record can hold, and what writing
        raises; nothing is recorded then.
        """
        given = {**(with_ or {}), **(confided or {})}
        check_event({"by": by, "as": as_, "do": do, "with": given, "via": via})
        if at < self.at:
            hint = "an act can be no earlier than the one before it"
            raise fail("E-TIME", f"{write_stamp(at)} lies before the last entry, {write_stamp(self.at)}", None, hint)
        if do == "engine":
            return self.take_over(by, with_ or {}, via)
        self.check_engine()
        if do == "redact" and self._may_redact(by, as_, with_ or {}, at):
            asked = with_ or {}
            return self.redact(by, asked["seq"], asked["path"], asked.get("why") or "", at=at)
        if do == "redact" and "digest" not in given:
            given = {**given, "digest": FOUNDING_DIGEST}  # of nothing: it is refused, and not for want of a digest
        self._turn_back(at)
        batch = _Batch()
        self._fire(batch, at, after_deadlines=False)
        event = self._event(at, do, by=by, as_=as_, with_=given, via=via or {})
        if confided and not self.judge.preview(event, self._chance(event)).accepted:
            event = replace(event, with_=with_ or {})
        outcome = self._judge(batch, event)
        self._write(batch)
        return Done(batch.written[-1], outcome.accepted, tuple(batch.written[:-1]))

    def take_over(
        self, by: str | None = None, with_: dict[str, Any] | None = None, via: dict[str, Any] | None = None
    ) -> Done:
        """Have this engine go on with the game as it stands, where an older one judged it up to now.

        The entry names the engine and the digest of the state. It has the time of the entry before: whatever is due
        since then is for this engine to judge. Raises E-ENGINE where the game is not an older engine's, E-ARGS where
        somebody else says what is taken over, and as a problem what else the act would be refused for.
        """
        judging = self.document("game").get("engine") or {}
        if with_:
            raise fail("E-ARGS", "which engine takes over what is for the engine to say", None, "leave it out")
        if judging and not is_newer(versions(), judging):
            why = "this engine judges the game already" if is_same(judging, versions()) else cannot_replay(judging)
            raise fail("E-ENGINE", why, None, "" if is_same(judging, versions()) else other_engine(judging))
        taken = {"versions": versions(), "state": state_digest(self.record)}
        event = self._event(self.at, "engine", by=by, with_=taken, via=via or {})
        foreseen = self.judge.preview(event)
        if not foreseen.accepted:
            why = str((foreseen.reasons or [{}])[0].get("args", {}).get("why") or "the act is refused")
            raise fail(foreseen.code or "E-REFUSED", why)
        batch = _Batch()
        self._judge(batch, event)
        self._write(batch)
        return Done(batch.written[-1], accepted=True)

    @property
    def is_ours(self) -> bool:
        """Say whether this engine judges the game, or nobody knows of another."""
        judging = (self.documents.get("game") or {}).get("engine") or {}
        if judging is not self._checked and not is_same(judging, versions()):
            return False
        self._checked = judging
        return True

    def check_engine(self) -> None:
        """Raise E-ENGINE where another engine than this judges the game, so that nothing else may be recorded."""
        if not self.is_ours:
            judging = self.document("game").get("engine") or {}
            why = f"the game is judged by engine {shown_engine(judging)}, and this is {shown_engine(versions())}"
            raise fail("E-ENGINE", why, None, other_engine(judging))

    def _may_redact(self, by: str | None, as_: str | None, asked: dict[str, Any], at: int) -> bool:
        """Say whether somebody may redact, and said what: a replay of the whole journal is for nobody else."""
        if not {"seq", "path"} <= asked.keys():
            return False
        event = self._event(at, "redact", by=by, as_=as_, with_={**asked, "digest": FOUNDING_DIGEST})
        return self.judge.preview(event).accepted

    def _write(
        self,
        batch: _Batch,
        rewritten: dict[int, Entry] | None = None,
        documents: dict[str, Document | None] | None = None,
    ) -> None:
        """Write a batch, and go on with an empty one; where the record refuses it, from the game as it stands there."""
        if not batch.entries:
            return
        try:
            self.record.append(batch.entries, batch.documents if documents is None else documents, rewritten)
        except ProblemError:
            if self.record.exists:
                self._begin_anew()
            raise
        batch.written += batch.entries
        batch.entries, batch.documents = [], {}

    def redact(self, by: str | None, seq: int, path: str, why: str, *, at: int) -> Done:
        """Replace text of an earlier entry, as at `with.text`, by its digest, and derive every file anew.

        The cost is a replay of the whole journal. Nothing is written where the game would have gone otherwise without
        that text (E-REPLAY). The session's judge starts afresh.
        """
        if not 1 <= seq <= self.head.seq:
            raise fail("E-NO-SUCH", f"there is no entry {seq}; the journal has 1 to {self.head.seq}")
        self._turn_back(at)
        changed = redact_entry(self.record.entry(seq), path)
        arguments = {"seq": seq, "path": path, "digest": entry_digest(changed), "why": why}
        batch = _Batch()
        with self._past(seq) as (fresh, first):
            rewritten = (changed if entry["seq"] == seq else entry for entry in self.record.entries(first))
            documents = fresh.follow(rewritten)
            self._fire(batch, at, after_deadlines=False)
            outcome = self._judge(batch, self._event(at, "redact", by=by, with_=arguments))
            documents |= fresh.follow([*batch.written, *batch.entries])
        if outcome.accepted:
            self._write(batch, {seq: changed}, documents)
            self._begin_anew()
        else:
            self._write(batch)
        return Done(batch.written[-1], outcome.accepted, tuple(batch.written[:-1]))

    @contextmanager
    def _past(self, seq: int) -> Iterator[tuple[Sandbox, int]]:
        """Yield a judge on the state that this engine took over, and the number of the entry at which it did.

        Raises E-ENGINE where an entry lies before that, or the history that has the state is not at hand.
        """
        taken = [entry for entry in self.record.entries(having=["engine"]) if is_takeover(entry)]
        part = Part.beginning_with(taken[-1]) if taken else None
        if part is None:
            with Sandbox() as fresh:
                yield fresh, 1
            return
        if seq < part.first:
            why = f"entry {seq} lies before entry {part.first}, at which this engine took over: it cannot replay it"
            raise fail("E-ENGINE", f"{why}; the guide for administrators says under Redact what is left to do")
        wrong = part.find_start(Past(self.record))
        if part.start is None:
            raise fail("E-ENGINE", f"the state that entry {part.first} took over is needed, but {wrong or part.why}")
        with Sandbox(part.start.load(), part.start.archive) as fresh:
            yield fresh, part.first

    def _begin_anew(self) -> None:
        """Read the game again and give it to a new judge."""
        self.close()
        self.documents, self.head = self.record.load(), self.record.head
        self._unwritten, self._silent = {}, 0

    def tick(self, until: int, progress: Callable[[int], None] = lambda _at: None) -> list[Entry]:
        """Fire every timer that is due up to and including a time; return the entries that came of it.

        What has come of it is written from time to time, so that nobody has to wait for it again; `progress` is told
        how far the clock is (Unix seconds).
        """
        batch = _Batch()
        self._fire(batch, until, after_deadlines=True, progress=progress)
        self._write(batch)
        return batch.written

    def fire_next(self, at: int) -> list[Entry] | None:
        """Fire what comes next before an act at a time: one timer, or some that leave no trace.

        Returns the entries that came of it, None where no timer is due.
        """
        batch = _Batch()
        if not self._fire_some(batch, at, after_deadlines=False):
            return None
        self._write(batch)
        return batch.written

    def would(self, by: str | None, do: str, with_: dict[str, Any], *, at: int, via: dict[str, Any]) -> Outcome:
        """Return what would come of an act now, no timer being due before it; nothing of it is recorded."""
        return self.judge.preview(self._event(max(at, self.at), do, by=by, with_=with_, via=via))

    def foresee(self, by: str | None, do: str, with_: dict[str, Any], *, at: int) -> Outcome:
        """Return what will come of an act at a time, with the draws that it will have, no timer being due before it.

        Open dice can be foreseen by anybody; nothing of it is recorded.
        """
        event = self._event(max(at, self.at), do, by=by, with_=with_)
        return self.judge.preview(event, self._chance(event))

    @property
    def at(self) -> int:
        """Return the time of the last entry in Unix seconds."""
        return self.head.at or 0

    def _event(self, at: int, do: str, **rest: Any) -> Event:
        return Event(seq=self.head.seq + 1, prev=self.head.digest, at=at, do=do, **rest)

    def _fire(
        self, batch: _Batch, at: int, *, after_deadlines: bool, progress: Callable[[int], None] = lambda _at: None
    ) -> None:
        while self._fire_some(batch, at, after_deadlines=after_deadlines):
            progress(self.at)
            if len(batch.entries) >= MOST_UNWRITTEN:
                self._write(batch)

    def _fire_some(self, batch: _Batch, at: int, *, after_deadlines: bool) -> bool:
        """Fire the timer that comes next before a time, or some that leave no trace; False where none is due.

        Those without a trace are fired many at once, beginning with the second in a row.
        """
        due = self._next_due()
        if due is None or not fires_before(due, at, after_deadlines):
            return False
        self.check_engine()
        if self._singly or not self._wait(batch, at, after_deadlines):
            self._singly = max(0, self._singly - 1)
            self._tick(batch, due)
        return True

    def _wait(self, batch: _Batch, at: int, after_deadlines: bool) -> bool:
        """Fire timers as long as they leave no trace; False where not even the first is such."""
        waited = self.judge.wait(self._event(at, ""), MOST_SILENT - self._silent, after_deadlines=after_deadlines)
        self._singly = MOST_SILENT if waited.died else 1 if waited.heard else 0
        self._unwritten |= waited.documents
        if waited.ticks:
            self._keep_silent(batch, waited.ticks, (waited.at, waited.edge, ""))
        return waited.ticks > 0

    def _keep_silent(self, batch: _Batch, ticks: int, last: tuple[int, str, str]) -> None:
        """Count timers that left no trace; after enough of them an entry carries the clock forward."""
        self.ticks += ticks
        self._silent += ticks
        self._last_silent = last
        if self._silent >= MOST_SILENT:
            self._judge(batch, self._event(last[0], "clock", with_={"ticks": self._silent}))
            self._write(batch)

    def _turn_back(self, at: int) -> None:
        """Read the game again where timers fired without a trace that an act at a time would come before."""
        if self._silent and not fires_before(self._last_silent, at, after_deadlines=False):
            self._begin_anew()

    def _tick(self, batch: _Batch, due: tuple[int, str, str]) -> None:
        """Fire one timer; one that nobody can judge is taken away, so that it does not stop the clock for ever."""
        when, _edge, key = due
        event = self._event(when, "tick", with_={"timer": key})
        try:
            self._judge(batch, event)
        except ProblemError as error:
            if error.problems[0].code != "E-JUDGE":
                raise
            self._judge(batch, replace(event, with_={"timer": key, "stopped": error.problems[0].message}))
        if self.head.seq < event.seq:
            self._keep_silent(batch, 1, due)
        else:
            self.ticks, self._singly = self.ticks + 1, max(1, self._singly)

    def _next_due(self) -> tuple[int, str, str] | None:
        """Return due, edge and key of the timer that fires next, without troubling the judge.

        It is asked before every fact of every pull request: looked for again only where one of its documents is new.
        """
        game, timers = (self._unwritten.get(key, self.documents.get(key)) for key in ("game", "things/timer"))
        if self._due is None or self._due[0] is not game or self._due[1] is not timers:
            self._due = game, timers, next_due({"game": game, "things/timer": timers})
        return self._due[2]

    def _judge(self, batch: _Batch, event: Event) -> Outcome:
        """Judge one event; one that leaves a trace goes into the batch, with the documents as they are then.

        What a silent timer changed is written with the next entry, because a replay finds it only from there.
        """
        applied = self.judge.apply(event, self._chance(event))
        event, outcome = applied.event, applied.outcome
        self._unwritten |= applied.documents
        if event.is_tick and is_silent(outcome) and not (event.deaths or event.left_out):
            return outcome
        entry = entry_of(event, outcome)
        batch.entries.append(entry)
        batch.documents |= self._unwritten
        self._unwritten, self._silent = {}, 0
        self._keep(batch.documents)
        self.head = Head(event.seq, entry_digest(entry), event.at)
        return outcome

    def _chance(self, event: Event) -> dict[str, Any]:
        """Return where the draws of an event come from: the secret of the open epoch, else dice open to everybody."""
        digest = event_digest(entry_of(event, Outcome(accepted=True)))
        epoch = (self.documents.get("game") or {}).get("chance") or {}
        if not epoch.get("commitment"):
            return {"kind": "open", "prev": event.prev, "digest": digest}
        secret = read_secret(self.record, epoch["epoch"], epoch["commitment"])
        if secret is None:
            return {"kind": "sealed"}
        return {"kind": "secret", "key": subkey(secret, event.prev, digest).hex(), "epoch": epoch["epoch"]}

    def _keep(self, changed: dict[str, Document | None]) -> None:
        for key, document in changed.items():
            if document is None:
                self.documents.pop(key, None)
            else:
                self.documents[key] = document

    # -- looking

    def document(self, key: str) -> Document:
        """Return a document by its key, an empty one where there is none; archived ones are read from the record."""
        found = self.documents.get(key)
        return found if found is not None else self.record.archive(key) or {}

    def ask(self, question: str, *arguments: Any) -> Any:
        """Return what the law answers to a question, or None."""
        return self.judge.ask(question, list(arguments), self.at)

    def ask_about(self, question: str, proposal: str, *arguments: Any) -> Any:
        """Return what the law answers to a question about a proposal (by its id), or None."""
        return self.judge.ask_about(question, proposal, list(arguments), self.at)

    def read_review(self, proposal: str, player: str, verdict: str, reason: str) -> dict[str, Any] | None:
        """Return what the law makes of a player's review: `rule`, and `do`, `args` and `as`, or `why` it is nothing."""
        found: dict[str, Any] | None = self.judge.read_review(proposal, [player, verdict, reason], self.at)
        return found

    def players(self) -> list[str]:
        """Return the ids of those who play now, in order of joining."""
        return [player for player, entry in self.document("roster").items() if entry.get("until") is None]

    def rules(self) -> Iterator[Document]:
        """Yield the rules in force by number."""
        metas = self.document("law").get("rules") or {}
        for uid in sorted(
            (u for u, meta in metas.items() if meta["in_force"]), key=lambda u: number_key(metas[u]["number"])
        ):
            yield self.document(f"rules/{uid}")

    def law(self) -> dict[str, Any]:
        """Return the law in force as a game could be founded with it, for examples and scenarios."""
        game = self.document("game")
        rules = [{key: part for key, part in rule.items() if key != "source"} for rule in self.rules()]
        people = [{"id": player} for player in self.players()]
        settings = dict(game.get("settings") or {})
        return {"title": game["title"], "zone": game["zone"], "settings": settings, "players": people, "rules": rules}

    def declared(self, *path: str) -> dict[str, Any]:
        """Return what the rules in force declare in a block by name, the lowest rule first."""
        found: dict[str, Any] = {}
        for rule in self.rules():
            block: Any = rule
            for step in path:
                block = (block or {}).get(step)
            for name, declaration in (block or {}).items():
                found.setdefault(name, declaration)
        return found

    def actions(self) -> dict[str, Any]:
        """Return the declarations of the actions of this game by name, those of the kernel last."""
        return {**self.declared("actions"), **KERNEL_DECLARATIONS}

    def currencies(self) -> list[str]:
        """Return the names of the currencies of players."""
        found = self.declared("defines", "currencies")
        return [name for name, declaration in found.items() if declaration.get("owners", "player") == "player"]

    def offices(self) -> dict[str, str | None]:
        """Return who holds each office, None where nobody does."""
        kept = self.document("things/office")
        offices = self.declared("defines", "offices")
        by_rule = {name: self.ask("holder", name) for name, d in offices.items() if d.get("fill") == "by_rule"}
        players = self.players()
        by_rule = {name: who if who in players else None for name, who in by_rule.items()}
        return {name: by_rule.get(name) or (kept.get(name) or {}).get("holder") for name in offices}

    def proposal(self, identifier: str) -> Document:
        """Return the document of a proposal or motion by its id, `proposal/305`."""
        return self.document(proposal_key(identifier))


def check_event(event: dict[str, Any]) -> None:
    """Raise E-ARGS, in one sentence, for what no record can hold (see `folkmoot.core.values.flaw_of_event`)."""
    flaw = flaw_of_event(event)
    if flaw:
        raise fail("E-ARGS", f"this cannot be recorded: {flaw}", None, "make it shorter or flatter, in whole numbers")
