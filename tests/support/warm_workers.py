"""Workers of the sandbox that start at once: forked from one process that has loaded their program already.

`Workers` starts that process, the *nursery*, which ends with whoever started it. A worker that is forked there is
confined, watched and ended like one that was started anew: only loading its program, a sixth of a second, is saved.
Tests of how workers start and die start real ones (`REAL` in conftest), as does everything outside of the tests.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

from folkmoot.sandbox.worker_process import ALLOCATOR, Running, WorkerProcess, start_worker
from tests.support.forking import COUNT, Server

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "FOLKMOOT_TEST_WORKERS"
"""The variable by which processes that tests start find the nursery."""
MEMORY = 8  # bytes in which it is said how much memory a worker may take
END = b"end"
START = "import sys; sys.path[:0] = sys.argv[2:4]; from tests.support.warm_workers import serve; serve(sys.argv[1])"


class Forked:
    """A worker that was forked: it has ended where the nursery has said how."""

    def __init__(self, pid: int, stdin: IO[bytes], stdout: IO[bytes], peer: socket.socket) -> None:
        """Take the ends of its pipes, and the way to the nursery."""
        self.pid, self.stdin, self.stdout, self._peer = pid, stdin, stdout, peer
        self._code: int | None = None

    def kill(self) -> None:
        """Have the nursery end it; it is deaf to this where it has ended."""
        if self._code is None:
            with suppress(OSError):
                self._peer.sendall(END)

    def wait(self, timeout: float | None = None) -> int:
        """Return how it ended; raises subprocess.TimeoutExpired where it has not in so many seconds."""
        if self._code is None:
            self._peer.settimeout(timeout)
            try:
                self._code = _number(self._peer)
            except TimeoutError:
                raise subprocess.TimeoutExpired("worker", timeout or 0.0) from None
            self._peer.close()
        return self._code


def _number(peer: socket.socket) -> int:
    said = peer.recv(COUNT, socket.MSG_WAITALL)
    return int.from_bytes(said, "big", signed=True) if len(said) == COUNT else -signal.SIGKILL


def start_forked(address: str, mark: int, memory: int) -> Running:
    """Start a worker in the nursery at an address."""
    peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    peer.connect(address)
    for_it, to_it = os.pipe()
    from_it, of_it = os.pipe()
    socket.send_fds(peer, [memory.to_bytes(MEMORY, "big")], [for_it, of_it, mark])
    os.close(for_it)
    os.close(of_it)
    return Forked(_number(peer), os.fdopen(to_it, "wb", 0), os.fdopen(from_it, "rb", 0), peer)


def use(address: str) -> None:
    """Fork the workers of this process from the nursery at an address from now on; real ones for other hash seeds."""

    def start(mark: int, memory: int, hash_seed: int) -> Running:
        return start_worker(mark, memory, hash_seed) if hash_seed else start_forked(address, mark, memory)

    WorkerProcess.start = staticmethod(start)


class Workers:
    """The nurseries that forked workers come from, one for each hash seed; they are started when they are needed."""

    def __init__(self) -> None:
        """Have none yet."""
        self._folder = tempfile.mkdtemp(prefix="moot-")
        self._started: dict[int, subprocess.Popen[bytes]] = {}

    def start(self, mark: int, memory: int, hash_seed: int) -> Running:
        """Start a worker as `WorkerProcess.start` does."""
        return start_forked(self.address(hash_seed), mark, memory)

    def address(self, hash_seed: int = 0) -> str:
        """Return where the nursery of a hash seed listens."""
        address = f"{self._folder}/{hash_seed}"
        if hash_seed not in self._started:
            environment = {"PYTHONHASHSEED": str(hash_seed), "LC_ALL": "C.UTF-8", **ALLOCATOR}
            command = [sys.executable, "-s", "-P", "-c", START, address, str(ROOT), str(ROOT / "engine")]
            process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd="/")
            assert process.stdout is not None
            assert process.stdout.readline() == b"ready\n"
            self._started[hash_seed] = process
        return address

    def close(self) -> None:
        """End the nurseries, and the workers with them."""
        for process in self._started.values():
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.close()
            process.stdout.close()
            process.wait(60)
        self._started.clear()
        shutil.rmtree(self._folder, ignore_errors=True)


class Wanted(NamedTuple):
    """What a worker is started with: ends of its pipes and its mark (descriptors), and bytes of memory."""

    streams: list[int]
    memory: int


class Nursery(Server):
    """Forks a worker for each that connects, and says which number it has."""

    def read(self, shim: socket.socket) -> Wanted:
        """Read what a worker is started with."""
        head, streams, _, _ = socket.recv_fds(shim, MEMORY, 3)
        if len(streams) != 3:
            raise ConnectionAbortedError
        return Wanted(streams, int.from_bytes(head, "big"))

    def begun(self, shim: socket.socket, pid: int) -> None:
        """Tell the number of a worker."""
        with suppress(OSError):  # it was killed while it asked
            shim.sendall(pid.to_bytes(COUNT, "big"))


def serve(address: str) -> None:
    """Be the nursery at an address until standard input ends; in its forks, be a worker."""
    from folkmoot.sandbox.program import read_program
    from folkmoot.sandbox.worker import main

    read_program()
    gc.collect()
    gc.freeze()
    waiting = Nursery(address)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    wanted = waiting.serve()
    if wanted is None:
        os._exit(0)
    source, sink, mark = wanted.streams
    kept = 3
    os.dup2(source, 0)
    os.dup2(sink, 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    if mark != kept:
        os.dup2(mark, kept)
    os.closerange(kept + 1, 1024)
    sys.argv[1:] = [str(kept), str(wanted.memory)]
    main()
    os._exit(0)
