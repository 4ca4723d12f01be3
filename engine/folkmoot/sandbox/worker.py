"""The worker that answers requests about one game by a kernel, and the process in which it does."""

from __future__ import annotations

import base64
import gc
import mmap
import os
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from msgspec.structs import replace

from folkmoot.core import calendar
from folkmoot.core.documents import Document
from folkmoot.core.events import Outcome
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Entry, Founding, ProposedChange, Shown, Written
from folkmoot.kernel import sealed_data
from folkmoot.kernel.budget import METER
from folkmoot.kernel.replay import keep_silent, replay_entry
from folkmoot.kernel.step import Kernel
from folkmoot.kernel.trials import Outlook, foresee
from folkmoot.sandbox.confinement import allow_time, confine
from folkmoot.sandbox.program import read_program
from folkmoot.sandbox.wire import (
    LOOKS,
    MARK,
    MEMORY,
    TIMES,
    ZONES,
    DiceSource,
    Message,
    SealingSource,
    encode,
    read_chance,
    read_event,
    read_message,
)

if TYPE_CHECKING:
    from folkmoot.kernel.sealed_data.vaults import DistantKeeper, Vault
    from folkmoot.scenarios.checked_law import CheckedLaw
    from folkmoot.scenarios.trial import Rehearsal, Trial

PAGE_OF_DOCUMENTS = 400
PANIC = 70
FEWEST_NEW = 100_000  # objects between two looks of the collector; an event leaves few circles behind
LONGEST_WORDS = 160
BETWEEN_BEATS = 0.1  # seconds
FIRST = ("apply", "replay", "follow")  # after the first of these the law is read and compiled


def marked(uid: str, hook: str) -> bytes:
    """Return the page that says which hook of which rule runs."""
    return f"{uid}\n{hook}\n".encode()[:MARK].ljust(MARK, b"\0")


class Parent(Protocol):
    """Whom a worker answers to: it gives what the worker has not, and hears what runs there."""

    walls: list[str]
    """Which walls stand around the worker, by name."""

    def give(self, asked: Message) -> Message:
        """Give a document (`fetch`), or something of the keeper's (`keeper`)."""

    def note(self, uid: str, hook: str) -> None:
        """Hear which hook of which rule begins to run."""

    def note_loading(self, script: str) -> None:
        """Hear which script begins to be loaded, "" where one is: the time of that is nobody's."""

    def begin_anew(self) -> None:
        """Hear that something else begins, which has a time of its own."""

    def beat(self) -> None:
        """Hear that time passes timer by timer: each has as long as an event."""

    def allow_time(self) -> None:
        """Let an entry have the time of one."""

    def collect(self) -> None:
        """Free the memory of games that are over."""


class Worker:
    """Answers a parent's requests about one game."""

    def __init__(self, parent: Parent) -> None:
        """Answer to a parent; there is no game yet."""
        self._parent = parent
        self._keeper: DistantKeeper | None = None  # of what is sealed, where the game deals in it
        self.kernel = Kernel()
        self._attend(self.kernel)
        self._empty: Kernel | None = None  # without a game, for scripts that are only loaded
        self._checked: CheckedLaw | None = None
        self._unsent: dict[str, Document] = {}

    def answer(self, request: Message) -> Message:
        """Return the answer to a request, or the problems with it."""
        try:
            name = request["call"]
            if name in LOOKS:
                self.kernel.without = request["with"].pop("without")
            asked = getattr(self.kernel, name) if name in LOOKS else getattr(self, f"do_{name}")
            began = METER.work()
            answer = asked(**request["with"])
            return {"answer": answer, "work": METER.work() - began}
        except ProblemError as error:
            return {"problems": [problem.as_record() for problem in error.problems]}

    def _fetch(self, key: str) -> Document | None:
        found: Document | None = self._parent.give({"fetch": key})["document"]
        return found

    # -- requests

    def do_load(self, documents: dict[str, Document], archive: bool) -> list[str]:
        """Take a game's documents; with `archive`, what is put away is fetched from the parent.

        The answer is which walls stand around this process.
        """
        self._keeper = None
        self.kernel = Kernel(documents, self._fetch if archive else None)
        self._attend(self.kernel)
        return self._parent.walls

    def _attend(self, kernel: Kernel) -> None:
        """Note what a kernel runs."""
        kernel.play.entered, kernel.play.loading = self._parent.note, self._parent.note_loading
        kernel.play.restarted = self._parent.begin_anew
        kernel.documents.fetch_list = self._fetch

    def do_apply(self, event: Message, chance: DiceSource, sealing: SealingSource) -> Message:
        """Judge one event; the answer has the outcome and what it changed in documents."""
        outcome = self._judge(event, chance, sealing)
        if self.kernel.play.vault is not None:
            self.keeper.learn(self.kernel.play.vault.made)
        documents = self.kernel.documents.export(outcome.changed)
        self.kernel.documents.release()
        return {"outcome": outcome, "documents": documents}

    def do_wait(self, event: Message, most: int, after_deadlines: bool) -> Message:
        """Fire timers due before an event as long as they leave no trace, at most so many (see `keep_silent`)."""
        silence = keep_silent(self.kernel, read_event(event), most, self._parent.beat, after_deadlines)
        documents = self.kernel.documents.export(silence.changed)
        self.kernel.documents.release()
        told = {"ticks": silence.ticks, "at": silence.at, "edge": silence.edge, "heard": silence.heard}
        return {**told, "documents": documents}

    def do_replay(self, entries: list[Entry], looking: bool) -> int:
        """Judge recorded entries anew, `looking` into what is sealed; the answer is the number of the last."""
        keeper = self.keeper if looking else None
        for entry in entries:
            self._parent.allow_time()
            replay_entry(entry, self.kernel, self._parent.beat, keeper)
            self.kernel.documents.release()
        return int(entries[-1]["seq"])

    def do_follow(self, entries: list[Entry]) -> Message:
        """Judge recorded entries anew; the answer has the number of the last and the documents that they changed."""
        changed: set[str] = set()
        for entry in entries:
            self._parent.allow_time()
            changed |= replay_entry(entry, self.kernel, self._parent.beat).changed
        documents = self.kernel.documents.export(changed)
        self.kernel.documents.release()  # not before: the parent does not have them yet
        return {"seq": int(entries[-1]["seq"]), "documents": documents}

    def do_export(self, after: str) -> dict[str, Document]:
        """Return the next documents after a key, in order of keys; empty at the end."""
        if not after:
            self._unsent = self.kernel.documents.everything()
        keys = [key for key in sorted(self._unsent) if key > after][:PAGE_OF_DOCUMENTS]
        return {key: self._unsent.pop(key) for key in keys}

    def do_preview(self, event: Message, chance: DiceSource, sealing: SealingSource) -> Outcome:
        """Judge an event and undo it: what would come of it."""
        outcome = self._judge(event, chance, sealing)
        effects = list(outcome.effects)  # undoing takes them back
        self.kernel.undo()
        return replace(outcome, effects=effects)

    def do_trial(self, changes: list[ProposedChange], **proposal: Any) -> Rehearsal:
        """Adopt a proposal and undo it: what it would do."""
        from folkmoot.scenarios.trial import rehearse

        return rehearse(self.kernel, changes, **proposal)

    def do_foresee(self, changes: list[ProposedChange], now: int, most: float) -> Outlook:
        """Adopt changes, let time pass and undo it: what to beware of later."""
        found: Outlook = self.kernel.look(lambda play: foresee(play, changes, most), now)
        return found

    def do_try_out(
        self, proposed: list[ProposedChange], steps: list[Written], seq: int, now: int, files: list[str]
    ) -> Trial:
        """Make changes law and play on; the game here is not as it was afterwards."""
        from folkmoot.scenarios.trial import try_changes

        return try_changes(self.kernel, proposed, steps, seq, now, files)

    def do_scenario(self, scenario: Written, law: Founding) -> str:
        """Run a scenario on a law; the answer is in which way it does not hold, "" where it does."""
        from folkmoot.scenarios.scenario import Failed, run_scenario

        try:
            run_scenario(scenario, lambda _name: law, self._attend)
        except Failed as failed:
            return str(failed)
        return ""

    def do_try_founding(self, law: Founding) -> list[Shown]:
        """Found a game on trial; the answer is what is wrong (see `folkmoot.scenarios.checked_law`)."""
        from folkmoot.scenarios.checked_law import try_founding

        return try_founding(law, self._attend)

    def do_check(self, law: Founding | None, rules: list[Written]) -> list[list[Shown]]:
        """Check rules (`rule`, `text`, `file` each) and run their examples on a law; the answer has what each has."""
        from folkmoot.scenarios.check_files import rule_problems
        from folkmoot.scenarios.checked_law import CheckedLaw

        if self._empty is None:
            self._empty = Kernel()
            self._attend(self._empty)
        if self._checked is None or self._checked.law != law:  # the rules of one law come in several lots
            self._checked = CheckedLaw(law, self._attend) if law is not None else None
        checked = self._checked
        found: list[list[Shown]] = []
        for given in rules:
            problems = rule_problems(given["rule"], checked, given["text"], given["file"], self._empty, self._attend)
            found.append([{**problem.as_record(), "uid": given["rule"].get("uid")} for problem in problems])
            if given["rule"].get("examples"):
                self._parent.collect()  # each was a game of its own
        return found

    @property
    def keeper(self) -> DistantKeeper:
        """The keeper of what is sealed, who is asked for contents when they are first looked at."""
        if self._keeper is None:
            self._keeper = sealed_data.vaults.DistantKeeper(self._ask_keeper)
        return self._keeper

    def _ask_keeper(self, asked: str, given: Any) -> Any:
        return self._parent.give({"keeper": asked, "given": given})["kept"]

    def _judge(self, event: Message, chance: DiceSource, sealing: SealingSource) -> Outcome:
        def vault() -> Vault:
            return sealed_data.vaults.opened_vault(int(event["seq"]), sealing, self.keeper)

        try:
            return self.kernel.apply(read_event(event), read_chance(chance), vault)
        except ProblemError:  # chance could not be had: nothing of the event may stay
            self.kernel.undo()
            raise


class ParentProcess:
    """The process that started this one: it is spoken to through pipes, and watches a page of memory."""

    def __init__(self, read: Callable[[int], bytes], write: Callable[[bytes], Any], mark: mmap.mmap | None) -> None:
        """Talk through `read` and `write`; `mark` is the page in which the running hook is noted."""
        self._read, self._write, self._mark = read, write, mark
        self.walls: list[str] = []
        self._settled = False
        self._began = self._load_since = self._loads = 0.0
        self._seconds = 0.0
        self._beaten = 0.0

    def serve(self) -> None:
        """Have a worker answer until the parent ends."""
        worker = Worker(self)
        while (request := read_message(self._read)) is not None:
            self._seconds = request.get("seconds", 0.0)
            self._begin()
            answer = worker.answer(request)
            self._begin()  # between requests it has not begun long ago
            self._write(encode(answer))
            self._settle(request["call"])

    def _settle(self, call: str) -> None:
        """Spare the collector the law and the game that are here after the first that was judged: they stay, too."""
        if call == "load":
            self._settled = False
        elif not self._settled and call in FIRST:
            self._settled = True
            gc.freeze()
        if call == "scenario":
            gc.collect()  # a game goes with it whose scripts take much memory in few objects

    def give(self, asked: Message) -> Message:
        """Have the parent give what the worker has not."""
        self._write(encode(asked))
        reply = read_message(self._read)
        if reply is None:
            os._exit(0)
        return reply

    def read_zone(self, name: str) -> bytes | None:
        """Have the parent read the file of a time zone."""
        found = self.give({"fetch": f"{ZONES}{name}"})["document"]
        return base64.b64decode(found["file"]) if found is not None else None

    def note(self, uid: str, hook: str) -> None:
        """Write down which hook runs."""
        if self._mark is not None:
            self._mark[:MARK] = marked(uid, hook)

    def note_loading(self, script: str) -> None:
        """Write down when a script begins and ends to be loaded."""
        now = time.process_time()
        if not script and self._load_since:
            self._loads += now - self._load_since
        self._load_since = now if script else 0.0
        self._note_times()

    def _note_times(self) -> None:
        if self._mark is not None:
            TIMES.pack_into(self._mark, MARK, self._began, self._load_since, self._loads)

    def _begin(self) -> None:
        """Begin with something that has a time of its own, and in which no hook runs yet."""
        self._began, self._loads = time.process_time(), 0.0
        self.allow_time()
        self.note("", "")
        self._note_times()

    def begin_anew(self) -> None:
        """Say that something else begins."""
        self._began, self._loads = time.process_time(), 0.0
        self.allow_time()
        self._note_times()
        self._write(encode({"anew": True}))

    def beat(self) -> None:
        """Say now and then that time passes."""
        if time.monotonic() - self._beaten > BETWEEN_BEATS:
            self.begin_anew()
            self._beaten = time.monotonic()

    def allow_time(self) -> None:
        """Let the process use as many seconds more as were asked for."""
        allow_time(self._seconds)

    def collect(self) -> None:
        """Free memory at once: there is little of it."""
        gc.collect()


def last_words(error: BaseException) -> str:
    """Return how the process ends: what an exception that is no ordinary error says of itself, in short."""
    if isinstance(error, MemoryError):
        return "ran out of memory"
    said = f"{type(error).__name__}: {error}".splitlines()[0][:LONGEST_WORDS]
    return f"panicked: {said}" if not isinstance(error, Exception) else f"failed: {said}"


def main() -> None:
    """Serve on standard input and output; an exception that is no ordinary error ends the process at once."""
    mark = mmap.mmap(int(sys.argv[1]), MARK + TIMES.size) if len(sys.argv) > 1 else None
    with os.fdopen(os.dup(0), "rb") as source, os.fdopen(os.dup(1), "wb", buffering=0) as sink:
        service = ParentProcess(source.read, sink.write, mark)
        calendar.read_zone = service.read_zone
        read_program(only_looks="looks" in sys.argv)
        gc.freeze()  # what is there from the start stays: the collector need not look at it again and again
        gc.set_threshold(FEWEST_NEW)
        service.walls = confine(int(sys.argv[2]) if len(sys.argv) > 2 else MEMORY)
        try:
            service.serve()
        except BaseException as error:  # noqa: BLE001  a panic of the interpreter leaves the process unusable
            sink.write(encode({"died": last_words(error)}))
            os._exit(PANIC)
