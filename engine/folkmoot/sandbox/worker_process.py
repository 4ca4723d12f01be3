"""One process of the sandbox as its parent sees it: started, talked to, watched, and asked how it died."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from math import inf
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from msgspec import Struct

import folkmoot
from folkmoot.sandbox.wire import LARGEST, LENGTH, MARK, TIMES, Message, decode, encode

# -- starting


START = (
    "import gc, sys; gc.set_threshold(100_000); sys.path.insert(0, sys.argv.pop(1)); "  # loading leaves no garbage
    "from folkmoot.sandbox.worker import main; main()"
)
NOTHING_RUN = {"PYTHON_JIT": "0"}  # it would run what it has written into memory, which no wall lets pass
ALLOCATOR = {"MALLOC_TRIM_THRESHOLD_": "67108864", "MALLOC_MMAP_THRESHOLD_": "33554432", "MALLOC_TOP_PAD_": "1048576"}
"""How glibc allocates there, in bytes: each call of a script frees a heap, which would be given back each time."""


def new_mark() -> IO[bytes]:
    """Return an empty file in which a process says where it is; raises OSError."""
    mark = TemporaryFile()  # noqa: SIM115  open as long as the process
    try:
        mark.truncate(MARK + TIMES.size)
    except OSError:
        mark.close()
        raise
    return mark


def start_worker(mark: int, memory: int, hash_seed: int, *, only_looks: bool) -> subprocess.Popen[bytes]:
    """Start a worker with nothing of the environment, no open files but its pipes and that of its mark.

    `mark` is a descriptor, `memory` how many bytes it may take beside its program, of which it loads what answers
    looks (`only_looks`) or all. Raises OSError.
    """
    root = str(Path(folkmoot.__file__).resolve().parent.parent)
    return subprocess.Popen(
        [sys.executable, "-s", "-P", "-c", START, root, str(mark), str(memory), *["looks"] * only_looks],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={"PYTHONHASHSEED": str(hash_seed), "LC_ALL": "C.UTF-8", **NOTHING_RUN, **ALLOCATOR, **_loader()},
        cwd="/",
        pass_fds=(mark,),
        bufsize=0,
        process_group=0,  # an interruption at the terminal is not its business
    )


def _loader() -> dict[str, str]:
    """Return where this interpreter finds its own shared libraries, if the environment says so."""
    return {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH") if name in os.environ}


OF_RULE = " of rule "  # in what is noted of a hook for which another rule answers
WALL = 10  # times the processor time allowed, where the process uses hardly any
BETWEEN_LOOKS = 0.05  # seconds


class Died(Exception):
    """The process ended in the middle of a request: in which rule and hook, and how."""

    def __init__(self, rule: str, hook: str, how: str, slow: bool = False) -> None:
        """Keep where and how; `slow` where it did not die by itself but took too long."""
        super().__init__(f"the sandbox died in rule {rule or '?'} ({hook or '?'}): {how}")
        self.rule, self.hook, self.how, self.slow = rule, hook, how, slow

    @property
    def running(self) -> tuple[str, str]:
        """Return rule and hook that ran, where another rule answers for it because it made or woke that one."""
        hook, _, rule = self.hook.partition(OF_RULE)
        return rule or self.rule, hook


class Watch(Struct):
    """How long an answer may take: `seconds` of processor time; it is looked at from `deadline` on.

    Where the process begins with something else before it answers, that has as many seconds again; `most` is what it
    may have used when all of that is over.
    """

    seconds: float
    deadline: float
    most: float = inf


class WorkerProcess:
    """A process that has been started and awaits requests; it begins to load its program at once."""

    def __init__(self, memory: int, hash_seed: int, *, only_looks: bool) -> None:
        """Start it; raises OSError where it cannot be."""
        self._mark = new_mark()
        try:
            self._process = start_worker(self._mark.fileno(), memory, hash_seed, only_looks=only_looks)
        except OSError:
            self._mark.close()
            raise

    @property
    def pid(self) -> int:
        """Return its number in the system."""
        return self._process.pid

    def end(self) -> int:
        """End it, if it has not ended; return how it ended (minus the number of a signal, or an exit code)."""
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        self._mark.close()
        return self._process.wait()

    def used(self) -> float:
        """Return the seconds of processor time it has used."""
        try:
            fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, IndexError):
            return time.monotonic()

    def watch(self, seconds: float, most: float = inf) -> Watch:
        """Return the limit of an answer that is asked for now: of each thing that is done for it, and of them all."""
        return Watch(seconds, time.monotonic() + seconds, inf if most == inf else self.used() + most)

    def begins_anew(self, watch: Watch) -> None:
        """Note that the process begins with something else before it answers."""
        left = watch.seconds if watch.most == inf else min(watch.seconds, watch.most - self.used())
        watch.deadline = time.monotonic() + left

    def times(self) -> tuple[float, float, float]:
        """Return when it began with what it does, since when it loads a script (0.0: none), and what loading took.

        All are seconds of its processor time, which it notes beside the hook that runs.
        """
        self._mark.seek(MARK)
        began, since, loads = TIMES.unpack(self._mark.read(TIMES.size))
        return began, since, loads

    def send(self, message: Message) -> None:
        """Send a message; raises BrokenPipeError where the process has ended."""
        assert self._process.stdin is not None
        data = memoryview(encode(message))
        while data:
            data = data[os.write(self._process.stdin.fileno(), data) :]

    def hear(self, give: Callable[[Message], Message], seconds: float, most: float = inf) -> Message:
        """Return its answer, and `give` what it asks for meanwhile; raises Died where it ends or is late."""
        watch = self.watch(seconds, most)
        while not {"answer", "problems"} & set(reply := self.receive(watch)):
            if "anew" in reply:  # it begins with something else, which has a time of its own
                self.begins_anew(watch)
                continue
            fetching = time.monotonic()
            self.send(give(reply))
            watch.deadline += time.monotonic() - fetching
        return reply

    def receive(self, watch: Watch) -> Message:
        """Return its next message; raises Died where it ends or the watch runs out."""
        length = int.from_bytes(self._read(LENGTH, watch), "big")
        if length > LARGEST:
            raise self.died("wrote more than a message may hold")
        message = decode(self._read(length, watch))
        if "died" in message:
            raise self.died(message["died"])
        return message

    def _read(self, count: int, watch: Watch) -> bytes:
        assert self._process.stdout is not None
        parts: list[bytes] = []
        while count:
            self._await(watch)
            part = os.read(self._process.stdout.fileno(), min(count, 1 << 20))
            if not part:
                raise self.died("")
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def _await(self, watch: Watch) -> None:
        """Wait for data; what counts is the processor's time, and the wall clock's only where that stands still."""
        while not self._speaks(max(BETWEEN_LOOKS, watch.deadline - time.monotonic())):
            if self._is_late(watch):
                raise self.died(f"ran longer than {watch.seconds:g} s", slow=True)

    def _is_late(self, watch: Watch) -> bool:
        """Whether an answer took its time; loading scripts has as much for itself as all tries together have."""
        late, used = time.monotonic() - watch.deadline, self.used()
        if used >= watch.most:
            return True
        began, since, loads = self.times()
        loading = loads + (used - since if since else 0.0)
        seconds = watch.seconds
        stuck = late > seconds * WALL and (used - began) * WALL * WALL < late  # else it only waits for a processor
        return used - began - loading >= seconds * 0.9 or loading > seconds * WALL or stuck

    def _speaks(self, seconds: float) -> bool:
        assert self._process.stdout is not None
        return bool(select.select([self._process.stdout], [], [], seconds)[0])

    def died(self, how: str, slow: bool = False) -> Died:
        """End it and return where it was and how it died; `how` is "" where it has ended by itself."""
        self._mark.seek(0)
        page = self._mark.read(MARK).rstrip(b"\0").decode(errors="replace")
        rule, hook, *_ = (*page.split("\n"), "", "")
        if not how:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
        code = self.end()
        ended = f"ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
        return Died(rule, hook, how or ended, slow)
