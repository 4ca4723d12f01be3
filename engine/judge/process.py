"""The parent's side of the judge: starts the process, watches it, and starts another when it dies."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import engine
from engine.judge.wire import LARGEST, LENGTH, Message, decode, encode, event_record, read_outcome
from engine.law.documents import Archive, Document
from engine.model.events import Event, Outcome
from engine.problems import Problem, ProblemError, fail

SECONDS = 1.0  # an event may take this long
SECONDS_TO_START = 30.0
WALL = 10  # times as long on a machine that is busy with other things
MARK = 256
MOST_DEATHS = 8
BATCH = 200
MEMORY = 512 * 1024 * 1024
START = "import sys; sys.path.insert(0, sys.argv.pop(1)); from engine.judge.service import main; main()"


class Died(Exception):
    """The process ended in the middle of a request: in which rule and hook, and how."""

    def __init__(self, rule: str, hook: str, how: str) -> None:
        """Keep where and how."""
        super().__init__(f"the judge died in rule {rule or '?'} ({hook or '?'}): {how}")
        self.rule, self.hook, self.how = rule, hook, how


@dataclass(frozen=True, slots=True)
class Applied:
    """What came of an event: the event as judged (with deaths, if any), its outcome, the documents it changed."""

    event: Event
    outcome: Outcome
    documents: dict[str, Document | None]


class Judge:
    """A game's documents and the law on them, in a process of its own; use it as a context manager."""

    def __init__(
        self,
        documents: dict[str, Document] | None = None,
        archive: Archive | None = None,
        seconds: float = SECONDS,
        memory: int = MEMORY,
    ) -> None:
        """Start the process on `documents` (none: a game to be founded).

        `archive(key)` gives documents that are not among them; `seconds` is what one event may take.
        """
        self._documents = dict(documents or {})
        self._archive, self._seconds, self._memory = archive, seconds, memory
        self._mark = TemporaryFile()  # noqa: SIM115  closed by close()
        self._mark.truncate(MARK)
        self._process: subprocess.Popen[bytes] | None = None
        self._start()

    def __enter__(self) -> Judge:
        """Return the judge itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self.close()

    def close(self) -> None:
        """End the process; the judge cannot be used any more."""
        self._kill()
        self._mark.close()

    # -- the process

    def _start(self) -> None:
        root = str(Path(engine.__file__).resolve().parent.parent)
        mark = self._mark.fileno()
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", START, root, str(mark), str(self._memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"},
            cwd="/",
            pass_fds=(mark,),
            bufsize=0,
        )
        self._call("load", SECONDS_TO_START, documents=self._documents, archive=self._archive is not None)

    def _kill(self) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
        return process.wait()

    def _restart(self) -> None:
        self._kill()
        self._start()

    def _call(self, name: str, seconds: float, **arguments: Any) -> Any:
        """Send a request and return its answer; raises Died, or ProblemError as the judge said."""
        self._send({"call": name, "with": arguments})
        started = self._used()
        deadline = time.monotonic() + seconds
        while True:
            reply = self._receive(seconds, deadline, started)
            if "fetch" not in reply:
                break
            self._send({"document": self._fetch(reply["fetch"])})
        if "problems" in reply:
            raise ProblemError(*(_problem(record) for record in reply["problems"]))
        return reply["answer"]

    def _fetch(self, key: str) -> Document | None:
        found = self._documents.get(key)
        return found if found is not None or self._archive is None else self._archive(key)

    def _send(self, message: Message) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        data = memoryview(encode(message))
        try:
            while data:
                data = data[os.write(self._process.stdin.fileno(), data) :]
        except BrokenPipeError:
            raise self._death("ended before the request") from None

    def _receive(self, seconds: float, deadline: float, started: float) -> Message:
        read = self._reader(seconds, deadline, started)
        length = int.from_bytes(read(LENGTH), "big")
        if length > LARGEST:
            raise self._death("wrote more than a message may hold")
        return decode(read(length))

    def _reader(self, seconds: float, deadline: float, started: float) -> Callable[[int], bytes]:
        assert self._process is not None
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()

        def read(count: int) -> bytes:
            parts: list[bytes] = []
            while count:
                self._await(descriptor, seconds, deadline, started)
                part = os.read(descriptor, min(count, 1 << 20))
                if not part:
                    raise self._death("")
                parts.append(part)
                count -= len(part)
            return b"".join(parts)

        return read

    def _await(self, descriptor: int, seconds: float, deadline: float, started: float) -> None:
        """Wait for data; what counts is the processor's time, and on a busy machine a multiple of the wall clock's."""
        wait = max(0.0, deadline - time.monotonic())
        while not select.select([descriptor], [], [], wait)[0]:
            if self._used() - started >= seconds * 0.9 or time.monotonic() > deadline + seconds * WALL:
                raise self._death(f"ran longer than {seconds:g} s")
            wait = 0.05

    def _used(self) -> float:
        """Return the seconds of processor time the process has used."""
        assert self._process is not None
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, IndexError):
            return time.monotonic()

    def _death(self, how: str) -> Died:
        self._mark.seek(0)
        rule, hook, *_ = (*self._mark.read(MARK).rstrip(b"\0").decode(errors="replace").split("\n"), "", "")
        code = self._kill()
        if not how:
            how = f"ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
        return Died(rule, hook, how)

    # -- requests

    def apply(self, event: Event, chance: Message | None = None) -> Applied:
        """Judge one event; a rule in which the judge dies is put to sleep, and the event judged again.

        `chance` specifies where draws come from (see `engine.judge.wire.read_chance`; default: open dice). Raises
        ProblemError where the judge dies outside of every rule.
        """
        chance = chance or {"kind": "open", "prev": event.prev, "digest": f"{event.seq} {event.do}"}
        for _ in range(MOST_DEATHS):
            try:
                answer = self._call("apply", self._seconds, event=event_record(event), chance=chance)
            except Died as died:
                event = self._after_death(event, died)
                continue
            self._keep(answer["documents"])
            return Applied(event, read_outcome(answer["outcome"]), answer["documents"])
        raise fail("E-JUDGE", f"the judge died {MOST_DEATHS} times over one event")

    def _after_death(self, event: Event, died: Died) -> Event:
        self._restart()
        if not died.rule or died.rule == "library":
            raise fail("E-JUDGE", f"the judge {died.how} over entry {event.seq}, outside of every rule")
        death = {"rule": died.rule, "hook": died.hook, "how": died.how}
        return replace(event, deaths=(*event.deaths, death))

    def _keep(self, documents: dict[str, Document | None]) -> None:
        for key, document in documents.items():
            if document is None:
                self._documents.pop(key, None)
            else:
                self._documents[key] = document

    def next_due(self) -> tuple[int, str, str] | None:
        """Return (due, edge, key) of the timer that fires next."""
        found = self._look("next_due")
        return (found[0], found[1], found[2]) if found else None

    def ask(self, question: str, arguments: list[Any], now: int) -> Any:
        """Return what the law answers to a question, or None."""
        return self._look("ask", question=question, arguments=arguments, now=now)

    def order(self, now: int) -> list[str]:
        """Return the uids of the rules in force in order of precedence."""
        return list(self._look("order", now=now))

    def preview(self, event: Event, chance: Message | None = None) -> Outcome:
        """Return what would come of an event; nothing of it stays."""
        chance = chance or {"kind": "open", "prev": event.prev, "digest": "preview"}
        return read_outcome(self._look("preview", event=event_record(event), chance=chance))

    def _look(self, name: str, **arguments: Any) -> Any:
        try:
            return self._call(name, self._seconds * WALL, **arguments)
        except Died as died:
            self._restart()
            raise fail("E-JUDGE", str(died)) from None

    def pages(self, now: int) -> dict[str, Message]:
        """Return the pages that rules show; a rule in which the judge dies gets a page that says so."""
        dead: dict[str, Died] = {}
        while True:
            try:
                shown = self._call("pages", self._seconds * WALL, now=now, skip=list(dead))
                break
            except Died as died:
                self._restart()
                if not died.rule or died.rule in dead:
                    raise fail("E-JUDGE", str(died)) from None
                dead[died.rule] = died
        for rule, died in dead.items():
            name = died.hook.removeprefix("show_") if died.hook.startswith("show_") else f"rule-{rule}"
            shown[name] = {"title": name, "rule": rule, "blocks": [], "error": str(died)}
        return dict(shown)

    def replay(self, entries: Iterable[Message], progress: Callable[[int], None] = lambda _seq: None) -> None:
        """Judge recorded entries anew, in batches; raises E-REPLAY at the first difference."""
        source = iter(entries)
        while batch := list(islice(source, BATCH)):
            try:
                progress(self._call("replay", self._seconds * len(batch), entries=batch))
            except Died as died:
                raise fail("E-REPLAY", f"entries {batch[0]['seq']} to {batch[-1]['seq']}: {died}") from None

    def documents(self) -> Iterator[tuple[str, Document]]:
        """Return every document of the game as the judge has it, in order of keys."""
        after = ""
        while page := self._look("export", after=after):
            yield from page.items()
            after = max(page)


def _problem(record: Message) -> Problem:
    return Problem(
        record["code"], record["message"], hint=record.get("hint", ""), arguments=record.get("arguments", {})
    )
