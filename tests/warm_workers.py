"""Workers of the sandbox that start at once: forked from one process that has loaded their program already.

`Workers` starts that process, the *nursery*, which ends with whoever started it. A worker that is forked there is
confined, watched and ended like one that was started anew: only loading its program, a sixth of a second, is saved.
Tests of how workers start and die start real ones (`REAL` in conftest), as does everything outside of the tests.
"""

from __future__ import annotations

import gc
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO

from folkmoot.sandbox.worker_process import ALLOCATOR, Running, WorkerProcess, start_worker

ROOT = Path(__file__).resolve().parents[1]
ADDRESS = "FOLKMOOT_TEST_WORKERS"
"""The variable by which processes that tests start find the nursery."""
NUMBER = 4  # bytes of a number on the way
END = b"end"
START = "import sys; sys.path[:0] = sys.argv[2:4]; from tests.warm_workers import serve; serve(sys.argv[1])"


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
    said = peer.recv(NUMBER, socket.MSG_WAITALL)
    return int.from_bytes(said, "big", signed=True) if len(said) == NUMBER else -signal.SIGKILL


def start_forked(address: str, mark: int, memory: int) -> Running:
    """Start a worker in the nursery at an address."""
    peer = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    peer.connect(address)
    for_it, to_it = os.pipe()
    from_it, of_it = os.pipe()
    socket.send_fds(peer, [memory.to_bytes(8, "big")], [for_it, of_it, mark])
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


class Nursery:
    """Forks a worker for each that connects, tells how it ended, and ends those that nobody waits for any more."""

    def __init__(self, address: str) -> None:
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(address)
        self.listener.listen(64)
        self.woken, self.waker = socket.socketpair()
        for each in (self.woken, self.waker):
            each.setblocking(False)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self.waker.fileno())
        self.selector = selectors.DefaultSelector()
        for source in (self.listener, self.woken, sys.stdin):
            self.selector.register(source, selectors.EVENT_READ)
        self.peers: dict[int, socket.socket] = {}

    def serve(self) -> tuple[list[int], int] | None:
        """Serve until standard input ends; return descriptors and memory in the fork that is to be a worker."""
        while True:
            for key, _ in self.selector.select():
                if key.fileobj is sys.stdin:
                    return None  # they end with this process
                if key.fileobj is self.listener:
                    asked = self._accept()
                    if asked is not None:
                        return asked
                elif key.fileobj is self.woken:
                    self._reap()
                elif key.data in self.peers:
                    os.kill(key.data, signal.SIGKILL)
                    self.selector.unregister(key.fileobj)

    def _accept(self) -> tuple[list[int], int] | None:
        peer, _ = self.listener.accept()
        head, streams, _, _ = socket.recv_fds(peer, 8, 3)
        pid = os.fork() if len(streams) == 3 else -1
        if pid == 0:
            return streams, int.from_bytes(head, "big")
        for number in streams:
            os.close(number)
        if pid > 0:
            peer.sendall(pid.to_bytes(NUMBER, "big"))
            self.peers[pid] = peer
            self.selector.register(peer, selectors.EVENT_READ, pid)
        return None

    def _reap(self) -> None:
        with suppress(BlockingIOError):
            while self.woken.recv(NUMBER):
                pass
        while self.peers:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            peer = self.peers.pop(pid)
            with suppress(KeyError):
                self.selector.unregister(peer)
            with suppress(OSError):
                peer.sendall(os.waitstatus_to_exitcode(status).to_bytes(NUMBER, "big", signed=True))
            peer.close()


def serve(address: str) -> None:
    """Be the nursery at an address until standard input ends; in its forks, be a worker."""
    from folkmoot.sandbox.worker import main
    from folkmoot.scenarios import check_files  # noqa: F401  which a worker imports when it is asked to check

    gc.collect()
    gc.freeze()
    waiting = Nursery(address)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    asked = waiting.serve()
    if asked is None:
        os._exit(0)
    (source, sink, mark), memory = asked
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    kept = 3
    os.dup2(source, 0)
    os.dup2(sink, 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    if mark != kept:
        os.dup2(mark, kept)
    os.closerange(kept + 1, 1024)
    sys.argv[1:] = [str(kept), str(memory)]
    main()
    os._exit(0)
