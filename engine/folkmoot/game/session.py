"""A game that is open: what its record, documents and law say, and what comes of acts that the sandbox judges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.core.calendar import read_moment, write_moment
from folkmoot.core.declared_kinds import PLAYER, declared_in, owners_of, votable_kinds
from folkmoot.core.digest import event_digest
from folkmoot.core.documents import Document, Proposal, RuleDocument, Timer
from folkmoot.core.engines import is_newer, is_same, is_takeover, shown_engine
from folkmoot.core.events import EVERY, FOUNDING_DIGEST, Event, Outcome
from folkmoot.core.keys import DUTIES, GAME, LAW, OFFICES, ROSTER, TIMERS, Kept, Key, number_key, rule_key
from folkmoot.core.portable_names import folded
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.proposal_numbers import find_by_name
from folkmoot.core.records import Arguments, Declarations, Entry, Founding, LeftOut, Via
from folkmoot.core.rule_blocks import ActionSpec
from folkmoot.core.values import flaw_of_event
from folkmoot.core.versions import cannot_replay, other_engine, versions
from folkmoot.journal import GameFolder, GameRecord, Head, entry_digest
from folkmoot.journal.record import LoadedDocuments
from folkmoot.kernel.act_declarations import BEYOND_RULES, KERNEL_DECLARATIONS, SET_CLOCK
from folkmoot.kernel.documents import put_in
from folkmoot.kernel.next_timer import Due, fires_before, foremost, next_due
from folkmoot.language.tree import hook_names

if TYPE_CHECKING:
    from folkmoot.game.keeper import Keeper
    from folkmoot.kernel.documents import Archive
    from folkmoot.sandbox.client import Sandbox
    from folkmoot.sandbox.wire import DiceSource, SealingSource


MOST_UNWRITTEN = 500  # entries of timers
OPENING = ("zone", "settings", "players", "offices", "opening")  # of a founding: what play may change afterwards


class Asked(Struct, frozen=True, kw_only=True):
    """An act that is to be judged together with others; `at` is a stamp, or how long after the act before it."""

    by: str | None
    do: str
    with_: Arguments
    as_: str | None = None
    at: str = "+0s"


class Done(Struct, frozen=True):
    """What came of an act: its own entry, and those of the timers that fired before it."""

    entry: Entry
    accepted: bool
    before: tuple[Entry, ...] = ()

    @property
    def code(self) -> str:
        """Return the code of a refusal, HELD where the act waits, "" where it was accepted."""
        return str(self.entry.get("code", ""))


class Batch(Struct):
    """Entries to be written as one after those already `written`, with the documents as they are after the last."""

    entries: list[Entry] = field(default_factory=list)
    documents: dict[str, Document | None] = field(default_factory=dict)
    written: list[Entry] = field(default_factory=list)


class Session:
    """A game that is open, to be asked and to be played; `ticks` counts the timers that have fired in this session."""

    only_looks = False
    """Whether a sandbox starts with what answers looks, and with the rest when something else is asked of it."""

    def __init__(self, record: GameRecord, documents: dict[str, Document], head: Head) -> None:
        """Take a game's record, its documents and the end of its journal; a sandbox starts when it is first needed."""
        self.record = record
        self.documents = LoadedDocuments(documents, record.archive)
        self.head = head
        self._sandbox: Sandbox | None = None
        self._keeper: Keeper | None = None
        self._unwritten: dict[str, Document | None] = {}
        self.ticks = 0
        self._silent = 0
        self._last_silent = (0, "start", "")
        self._singly = 1
        self._together = False  # whether nothing is written before all acts are judged
        self.muted: Mapping[tuple[int, str], str] = {}
        """Why no rule is heard as a timer fires (at Unix seconds, by its key), where that was decided beforehand."""

    @classmethod
    @contextmanager
    def open(cls, path: Path, *, writing: bool = False, judging: bool = False) -> Iterator[Self]:
        """Open the game in a folder, to play it (`writing`: others are kept out), with the sandbox at once (`judging`).

        Raises E-NO-GAME where there is none, E-CHAIN or E-DERIVED where its record is damaged.
        """
        folder = GameFolder(path)
        with (
            folder.writing() if writing and folder.files.kind() == "folder" else nullcontext(),
            cls.on(folder, judging=judging) as session,
        ):
            if writing and (damage := folder.damage()):
                raise ProblemError(*damage)
            yield session

    @classmethod
    @contextmanager
    def on(cls, record: GameRecord, *, judging: bool = False, only_looks: bool = False) -> Iterator[Self]:
        """Open the game of a record, on disk or in git, as `open` does; who plays it there keeps other writers out."""
        with _blaming(record):
            sandbox = _sandbox_of(record.load, record.archive) if judging else None
            session = cls(record, sandbox.current() if sandbox is not None else record.load(), record.head)
            session._sandbox, session.only_looks = sandbox, only_looks
            with closing(session):
                yield session

    @property
    def sandbox(self) -> Sandbox:
        """Return the sandbox, with the game as it is now."""
        if self._sandbox is None:
            self._sandbox = _sandbox_of(self.documents, self.record.archive, only_looks=self.only_looks)
        return self._sandbox

    def close(self) -> None:
        """End the sandbox's process, if there is one."""
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None

    @property
    def at(self) -> int:
        """Return the time of the last entry in Unix seconds."""
        return self.head.at or 0

    @property
    def is_ours(self) -> bool:
        """Say whether this engine judges the game, or nobody knows of another."""
        return is_same(self.kept(GAME).get("engine") or {}, versions())

    def check_engine(self) -> None:
        """Raise E-ENGINE where another engine than this judges the game, so that nothing else may be recorded."""
        if not self.is_ours:
            judging = self.kept(GAME).get("engine") or {}
            why = f"the game is judged by engine {shown_engine(judging)}, and this is {shown_engine(versions())}"
            raise fail("E-ENGINE", why, None, other_engine(judging))

    def kept(self, key: Key[Kept]) -> Kept:
        """Return a document of a known type, an empty one where there is none (see `document`)."""
        return cast(Kept, self.document(key))

    def document(self, key: str) -> Any:
        """Return a document by its key, an empty one where there is none; archived ones are read from the record."""
        found = self.documents.get(key)
        return found if found is not None else self.record.archive(key) or {}

    def ask(self, question: str, *arguments: Any, about: str = "") -> Any:
        """Return what the law answers to a question, `about` a proposal (by its id) where one is named, or None."""
        return self.sandbox.ask(question, list(arguments), self.at, about) if self.decides(question) else None

    def decides(self, question: str) -> bool:
        """Say whether a rule in force may answer a question; the sandbox need not be asked what none does."""
        return any(f"decide_{question}" in hook_names(rule.get("script") or "") for rule in self.rules())

    def shows(self, page: str = "") -> bool:
        """Say whether a rule that is awake may show a page of a name, in whatever case, or any page."""
        shown = {folded(name) for name in self.shown_by()}
        return folded(page) in shown if page else bool(shown)

    def shown_by(self) -> dict[str, RuleDocument]:
        """Return by which rule each page is shown, without asking the sandbox."""
        found: dict[str, tuple[str, RuleDocument]] = {}
        for rule in self.rules(awake=True):
            hooks = (hook for hook in hook_names(rule.get("script") or "") if hook.startswith("show_"))
            for name in (hook.removeprefix("show_") for hook in hooks):
                found.setdefault(folded(name), (name, rule))
        return dict(found.values())

    def players(self) -> list[str]:
        """Return the ids of those who play now, in order of joining."""
        return [player for player, entry in self.kept(ROSTER).items() if entry["until"] is None]

    def rules(self, *, awake: bool = False) -> Iterator[RuleDocument]:
        """Yield the rules in force by number, all or those whose scripts are `awake`."""
        metas = self.kept(LAW).get("rules") or {}
        chosen = (uid for uid, meta in metas.items() if meta["in_force"] and not (awake and meta.get("suspended")))
        for uid in sorted(chosen, key=lambda uid: number_key(metas[uid]["number"])):
            yield self.kept(rule_key(uid))

    def law(self) -> Founding:
        """Return the law in force with the position in which the game began, whatever else play has changed since."""
        game = self.kept(GAME)
        rules = [{key: part for key, part in rule.items() if key != "source"} for rule in self.rules()]
        began = self.record.entry(1).get("with") or {}
        opening = {name: began[name] for name in OPENING if began.get(name)}
        lists = {"lists": game["lists"]} if game.get("lists") else {}
        return {"title": game["title"], "zone": game["zone"], "settings": {}, **opening, "rules": rules, **lists}

    def declared(self, *path: str) -> Declarations:
        """Return what the rules in force declare in a block by name, the lowest rule first."""
        found = declared_in(((rule["uid"], rule) for rule in self.rules()), *path)
        return {name: declaration for name, (_uid, declaration) in found.items()}

    def actions(self) -> dict[str, ActionSpec]:
        """Return the declarations of the game's actions by name: of rules, then what they leave of the kernel's."""
        own = {do: declared for do, declared in self.declared("actions").items() if do not in BEYOND_RULES}
        return own | {do: declared for do, declared in KERNEL_DECLARATIONS.items() if do not in own}

    def currencies(self) -> list[str]:
        """Return the names of the currencies of players."""
        found = self.declared("defines", "currencies")
        return [name for name, declaration in found.items() if PLAYER in owners_of(declaration)]

    def votable(self) -> list[str]:
        """Return the kinds of what is voted on, proposals first."""
        return votable_kinds(self.declared("defines", "kinds"))

    def offices(self) -> dict[str, str | None]:
        """Return who holds each office, None where nobody does."""
        kept, players, offices = self.kept(OFFICES), self.players(), self.declared("defines", "offices")
        by_rule = {name: self.ask("holder", name) for name, d in offices.items() if d.get("fill") == "by_rule"}
        return {
            name: by_rule[name] if by_rule.get(name) in players else (kept.get(name) or {}).get("holder")
            for name in offices
        }

    def deputies(self) -> dict[str, list[str]]:
        """Return who may act for each office beside its holder; nobody where no rule answers that question."""
        return deputies_in(self.documents, self.offices(), partial(self.ask, "acts_for"))

    def proposal(self, identifier: str) -> Proposal:
        """Return the document of a proposal or motion by its id, `proposal/305`."""
        return cast(Proposal, find_by_name(self.kept, identifier))

    # -- playing

    @classmethod
    def found(cls, place: Path | GameRecord, given: Founding, at: int, lists: Mapping[str, str] | None = None) -> Done:
        """Found a game in an empty folder or record: `given` is the whole initial law, `lists` the texts of its lists.

        Raises E-DUP where there is a game already; a founding that the given law refuses leaves nothing behind.
        """
        record = GameFolder(place) if isinstance(place, Path) else place
        if record.exists:
            raise fail("E-DUP", f"there is a game in {record.shown()} already", None, "choose another name")
        check_event({"do": "found", "with": given})
        from folkmoot.sandbox.client import Sandbox

        session, batch = cls(record, {}, Head()), Batch()
        session._sandbox = Sandbox(lists=lambda key: {"words": (lists or {}).get(key.split("/")[1])})
        with closing(session):
            outcome = session._judge(batch, session._event(at, "found", with_=given))
        if outcome.accepted:
            record.append(batch.entries, batch.documents, lists=lists)
        return Done(batch.entries[0], outcome.accepted)

    def act(
        self,
        by: str | None,
        do: str,
        with_: Arguments | None = None,
        *,
        at: int,
        as_: str | None = None,
        via: Via | None = None,
        confided: Arguments | None = None,
    ) -> Done:
        """Judge an act at a time (Unix seconds) and record it, accepted or refused, after the timers due before it.

        `confided` is what only the keeper knows: a refusal is recorded without. Nothing is recorded where it raises:
        E-TIME where `at` lies before the last entry (but to take the clock back), E-ARGS for what no record can hold.
        """
        given = {**(with_ or {}), **(confided or {})}
        check_event({"by": by, "as": as_, "do": do, "with": given, "via": via})
        if do == SET_CLOCK:
            given |= {"seconds": self.at - at}
            at = at if self._event_accepted(at, do, by, as_, given) else max(at, self.at)
        elif at < self.at:
            raise _too_early(at, self.at)
        if do == "engine":
            return self.take_over(by, with_ or {}, via)
        self.check_engine()
        if do == "redact":
            given.setdefault("digest", FOUNDING_DIGEST)  # of nothing: who may not is refused, and not for want of it
            if {"seq", "path"} <= given.keys() and self._event_accepted(at, do, by, as_, given):
                return self.redact(by, given["seq"], given["path"], given.get("why") or "", at=at)
        self._turn_back(at)
        batch = Batch()
        self._fire(batch, at, after_deadlines=False)
        event = self._event(at, do, by=by, as_=as_, with_=given, via=via or {})
        if confided and not self.sandbox.preview(event, self._chance(event)).accepted:
            event = replace(event, with_=with_ or {})
        outcome = self._judge(batch, event)
        self._write(batch)
        return Done(batch.written[-1], outcome.accepted, tuple(batch.written[:-1]))

    def act_all(
        self,
        acts: Iterable[Asked],
        *,
        keep: bool = True,
        refusals: bool = False,
        progress: Callable[[], object] = lambda: None,
    ) -> list[Done]:
        """Judge acts one after another, with the timers due before each; record all of them or nothing (not `keep`).

        Ends at the first refused, the last that is returned, unless `refusals` are recorded too; raises as `act` does.
        """
        batch, done = Batch(), list[Done]()
        self.check_engine()
        self._together = True
        try:
            for asked in acts:
                at = read_moment(asked.at, self.at)
                if at < self.at:
                    raise _too_early(at, self.at)
                check_event({"by": asked.by, "as": asked.as_, "do": asked.do, "with": asked.with_})
                self._turn_back(at) if not done else None
                before = len(batch.entries)
                self._fire(batch, at, after_deadlines=False)
                event = self._event(at, asked.do, by=asked.by, as_=asked.as_, with_=asked.with_)
                outcome = self._judge(batch, event)
                done.append(Done(batch.entries[-1], outcome.accepted, tuple(batch.entries[before:-1])))
                progress()
                if not (outcome.accepted or refusals):
                    keep = False
                    break
            self._together = False
            if keep:
                self._write(batch)
        finally:
            if self._together or not keep:
                self._together = False
                self._begin_anew()
        return done

    def take_over(self, by: str | None = None, with_: Arguments | None = None, via: Via | None = None) -> Done:
        """Have this engine go on with the game as it stands, at the time of the last entry, which an older one judged.

        Raises E-ENGINE where none did, E-ARGS where somebody says what is taken over, and what the act is refused for.
        """
        from folkmoot.journal.handover import state_digest  # which reads git

        judging = self.kept(GAME).get("engine") or {}
        if with_:
            raise fail("E-ARGS", "which engine takes over what is for the engine to say", None, "leave it out")
        if judging and not is_newer(versions(), judging):
            if is_same(judging, versions()):
                raise fail("E-ENGINE", "this engine judges the game already")
            raise fail("E-ENGINE", cannot_replay(judging), None, other_engine(judging))
        taken = {"versions": versions(), "state": state_digest(self.record)}
        event = self._event(self.at, "engine", by=by, with_=taken, via=via or {})
        foreseen = self.sandbox.preview(event)
        if not foreseen.accepted:
            said = next((reason.get("args", {}).get("why") for reason in foreseen.reasons), "")
            raise fail(foreseen.code or "E-REFUSED", str(said or "the act is refused"))
        batch = Batch()
        self._judge(batch, event)
        self._write(batch)
        return Done(batch.written[-1], accepted=True)

    def _event_accepted(self, at: int, do: str, by: str | None, as_: str | None, with_: Arguments) -> bool:
        """Say whether somebody may do what only some may, before it is carried out in a way of its own."""
        return self.sandbox.preview(self._event(at, do, by=by, as_=as_, with_=with_)).accepted

    def _write(
        self,
        batch: Batch,
        rewritten: dict[int, Entry] | None = None,
        documents: dict[str, Document | None] | None = None,
    ) -> None:
        """Write a batch, and go on with an empty one; where the record refuses it, from the game as it stands there."""
        if not batch.entries or self._together:
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
        """Replace text of an earlier entry, as at `with.text`, by its digest, and derive all files anew by a replay.

        Nothing is written where the game would have gone otherwise without that text (E-REPLAY).
        """
        if not 1 <= seq <= self.head.seq:
            raise fail("E-NO-SUCH", f"there is no entry {seq}; the journal has 1 to {self.head.seq}")
        self._turn_back(at)
        from folkmoot.kernel.redaction import redact_entry

        changed = redact_entry(self.record.entry(seq), path)
        arguments = {"seq": seq, "path": path, "digest": entry_digest(changed), "why": why}
        batch = Batch()
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
        """Yield a sandbox on the state that this engine took over, and its first entry; raises E-ENGINE before."""
        from folkmoot.game.verify import Part  # which reads git
        from folkmoot.journal.handover import Past
        from folkmoot.sandbox.client import Sandbox

        taken = [entry for entry in self.record.entries(having=["engine"]) if is_takeover(entry)]
        part = Part.beginning_with(taken[-1]) if taken else None
        if part is None:
            with Sandbox(lists=self.record.archive) as fresh:
                yield fresh, 1
            return
        if seq < part.first:
            why = f"entry {seq} lies before entry {part.first}, at which this engine took over: it cannot replay it"
            raise fail("E-ENGINE", f"{why}; the page Administration says under Redact what is left to do")
        wrong = part.find_start(Past(self.record))
        if part.start is None:
            raise fail("E-ENGINE", f"the state that entry {part.first} took over is needed, but {wrong or part.why}")
        with Sandbox(part.start.load(), part.start.archive) as fresh:
            yield fresh, part.first

    def _begin_anew(self) -> None:
        """Read the game again and give it to a new sandbox."""
        self.close()
        self.documents, self.head = self.record.load(), self.record.head
        self._unwritten, self._silent = {}, 0

    def tick(self, until: int, progress: Callable[[int], None] = lambda _at: None) -> list[Entry]:
        """Fire every timer due up to a time, writing what comes of it from time to time; return the entries."""
        batch = Batch()
        self._fire(batch, until, after_deadlines=True, progress=progress)
        self._write(batch)
        return batch.written

    def fire_next(self, at: int) -> list[Entry] | None:
        """Fire one timer before an act at a time, or some without a trace; return the entries, None if none is due."""
        batch = Batch()
        if not self._fire_some(batch, at, after_deadlines=False):
            return None
        self._write(batch)
        return batch.written

    def would(
        self,
        by: str | None,
        do: str,
        with_: Arguments,
        *,
        at: int,
        as_: str | None = None,
        via: Via | None = None,
        drawing: bool = False,
    ) -> Outcome:
        """Return what would come of an act at a time, no timer being due before it; nothing of it is recorded.

        `drawing` gives it the draws that it will have: open dice can be foreseen by anybody. What is sealed stays so.
        """
        event = self._event(max(at, self.at), do, by=by, as_=as_, with_=with_, via=via or {})
        return self.sandbox.preview(event, self._chance(event) if drawing else None)

    def _event(self, at: int, do: str, **rest: Any) -> Event:
        return Event(seq=self.head.seq + 1, prev=self.head.digest, at=at, do=do, **rest)

    def _fire(
        self, batch: Batch, at: int, *, after_deadlines: bool, progress: Callable[[int], None] = lambda _at: None
    ) -> None:
        while self._fire_some(batch, at, after_deadlines=after_deadlines):
            progress(self.at)
            if len(batch.entries) >= MOST_UNWRITTEN:
                self._write(batch)

    def _fire_some(self, batch: Batch, at: int, *, after_deadlines: bool) -> bool:
        """Fire the timer due next before a time, or (second in a row) many without a trace; False where none is due."""
        due = self._next_due()
        if due is None or not fires_before(due, at, after_deadlines):
            return False
        self.check_engine()
        due = self._foremost(due)
        if self._singly or not self._wait(batch, at, after_deadlines):
            self._singly = max(0, self._singly - 1)
            self._tick(batch, due)
        return True

    def _wait(self, batch: Batch, at: int, after_deadlines: bool) -> bool:
        """Fire timers as long as they leave no trace; False where not even the first is such."""
        from folkmoot.kernel.replay import MOST_SILENT

        waited = self.sandbox.wait(self._event(at, ""), MOST_SILENT - self._silent, after_deadlines=after_deadlines)
        self._singly = MOST_SILENT if waited.died else 1 if waited.heard else 0
        self._unwritten |= waited.documents
        if waited.ticks:
            self._keep_silent(batch, waited.ticks, (waited.at, waited.edge, ""))
        return waited.ticks > 0

    def _keep_silent(self, batch: Batch, ticks: int, last: tuple[int, str, str]) -> None:
        """Count timers that left no trace; after enough of them an entry carries the clock forward."""
        from folkmoot.kernel.replay import MOST_SILENT

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

    def _tick(self, batch: Batch, due: Due) -> None:
        """Fire one timer; one that nobody can judge is taken away, so that it does not stop the clock for ever."""
        when, _edge, key = due
        event = self._event(when, "tick", with_={"timer": key})
        if why := self.muted.get((when, key)):
            event = replace(event, left_out=(LeftOut(rule=EVERY, hook=EVERY, why=why),))
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

    def is_due(self, at: int) -> bool:
        """Say whether a timer fires before an act at a time."""
        return fires_before(self._next_due(), at, after_deadlines=False)

    def _next_due(self) -> Due | None:
        """Return due, edge and key of the timer that is due first, without troubling the sandbox (see `_foremost`)."""
        found: Any = (self._unwritten.get(key, self.documents.get(key)) for key in (GAME, TIMERS, DUTIES))
        return next_due(*found)

    def _foremost(self, first: Due) -> Due:
        """Return which of several timers of one instant fires; where the law cannot say, the one started first."""
        timers = cast("dict[str, Timer]", self._unwritten.get(TIMERS, self.documents.get(TIMERS)))
        with suppress(ProblemError):
            return foremost(timers, first, lambda uids: self.sandbox.order(first[0], uids))
        return first

    def _sealing(self, event: Event, digest: str) -> SealingSource:
        """Return what an entry needs to seal; a trial has none of it."""
        is_sealing = bool((self._now(GAME) or {}).get("sealing"))
        return self.keeper.source(event, digest) if is_sealing else {"kind": "none"}

    def _judge(self, batch: Batch, event: Event) -> Outcome:
        """Judge one event; one that leaves a trace goes into the batch, with the documents since the last one."""
        from folkmoot.kernel.replay import entry_of, is_silent

        digest = digest_of(event)
        self.sandbox.keeper = self._ask_keeper
        applied = self.sandbox.apply(event, self._chance(event, digest), self._sealing(event, digest))
        event, outcome = applied.event, applied.outcome
        self._unwritten |= applied.documents
        if event.is_tick and is_silent(outcome) and not (event.deaths or event.left_out):
            return outcome
        named = any(effect["effect"] == "sealing" for effect in outcome.effects)
        boxes = self.keeper.boxes(outcome.confided, outcome.effects) if outcome.confided or named else {}
        entry = entry_of(event, outcome, boxes)
        batch.entries.append(entry)
        batch.documents |= self._unwritten
        self._unwritten, self._silent = {}, 0
        put_in(self.documents, batch.documents)
        self.head = Head(event.seq, entry_digest(entry), event.at)
        return outcome

    def _ask_keeper(self, asked: str, given: Any) -> Any:
        return self.keeper.answer(asked, given)

    @property
    def keeper(self) -> Keeper:
        """Return who has what is sealed at hand, as far as the keys here go."""
        if self._keeper is None:
            from folkmoot.game.keeper import Keeper  # games without sealed data do without it

            self._keeper = Keeper(self.record, self._now)
        return self._keeper

    def _now(self, key: str) -> Any:
        """Return a document as it is now, whether it was written already or not."""
        return self._unwritten[key] if key in self._unwritten else self.document(key)

    def _chance(self, event: Event, digest: str = "") -> DiceSource:
        """Return where the draws of an event come from."""
        from folkmoot.game.epoch_secrets import dice_of

        return dice_of(self.record, self.kept(GAME), event, digest or digest_of(event))


def _too_early(at: int, last: int) -> ProblemError:
    said = f"{write_moment(at, exactly=True)} lies before the last entry, {write_moment(last, exactly=True)}"
    return fail("E-TIME", said, None, "an act can be no earlier than the one before it")


_FAULTS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
_MOST_REPLAYED = 1_000  # entries, to find out whether it is the record that something unforeseen came of


@contextmanager
def _blaming(record: GameRecord) -> Iterator[None]:
    """Say of what fails without a reason that the record is damaged, where it is."""
    try:
        yield
    except (*_FAULTS, ProblemError) as error:
        if isinstance(error, ProblemError) and error.problems[0].code != "E-JUDGE":
            raise
        damage = record.damage()
        with suppress(*_FAULTS):
            if not damage and record.head.seq <= _MOST_REPLAYED:
                from folkmoot.game.verify import replayed_anew, verify  # which is more than most need

                damage = verify(record, replayed_anew(record)).problems
        if damage:
            raise ProblemError(*damage) from error
        raise


def _sandbox_of(
    documents: Callable[[], dict[str, Document]] | dict[str, Document], archive: Archive, *, only_looks: bool = False
) -> Sandbox:
    from folkmoot.sandbox.client import Sandbox  # which is more than most need who only look

    return Sandbox(documents, archive, only_looks=only_looks)


def deputies_in(
    documents: Mapping[str, Document], offices: Mapping[str, str | None], ask: Callable[[str, str], Any]
) -> dict[str, list[str]]:
    """Return who may act for each office (name → holder) beside its holder, where a rule says so to `ask`."""
    rules = (rule for key, rule in documents.items() if key.startswith("rules/"))
    if not any("decide_acts_for" in hook_names(str(rule.get("script") or "")) for rule in rules):
        return {}
    present = [player for player, entry in (documents.get("roster") or {}).items() if entry["until"] is None]
    return {
        office: [player for player in present if player != holder and ask(player, office) is True]
        for office, holder in offices.items()
    }


# -- events as the record takes them


def digest_of(event: Event) -> str:
    """Return the digest of an event as it would stand in the record, were it accepted."""
    from folkmoot.kernel.replay import entry_of

    return event_digest(entry_of(event, Outcome(accepted=True)))


def check_event(event: Arguments) -> None:
    """Raise E-ARGS, in one sentence, for what no record can hold (see `folkmoot.core.values.flaw_of_event`)."""
    flaw = flaw_of_event(event)
    if flaw:
        raise fail("E-ARGS", f"this cannot be recorded: {flaw}", None, "make it shorter or flatter, in whole numbers")
