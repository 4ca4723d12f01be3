"""`moot` as a process of its own that starts at once: forked from one process that has imported the engine already.

`Forking` starts that process, the *server*, which ends with whoever started it. `shim()` writes a program that stands
for `moot`: it hands its arguments, working folder, environment and descriptors 0 to 2 to the server, waits, and ends as
the fork has ended, by an exit code or a signal. In the fork nothing is imported twice, and everything else is as in a
process that has just begun (but for the system's limits, which are the server's): `main` runs in it as always. Where a variable
differs that Python looks at only when it starts (`AT_START`), the shim starts a real process instead.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import io
import marshal
import os
import pkgutil
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote
from types import TracebackType
from typing import Any

from msgspec import Struct

ROOT = Path(__file__).resolve().parents[2]
AT_START = ("PYTHON", "LC_", "LANG", "LD_", "MALLOC_")
"""How the names of variables begin that a process looks at when it starts, or libraries when they are loaded."""
COUNT = 4
"""In how many bytes a length, or how a process ended, is sent."""
LARGEST = 1 << 20
USUAL = ("folkmoot.cli.main", "click._textwrap", "ruamel.yaml", "folkmoot.journal.damage", "folkmoot.wording.markdown")
"""What commands import when they run."""
BEGUN = 60.0
"""For how many seconds the server may import."""

SHIM = """\
#!{python} -IS
import os, sys
environment = dict(os.environb)
kept = {{name: value for name, value in os.environ.items() if name.startswith({names!r})}}
if kept != {kept!r}:
    os.execve({python!r}, [{python!r}, *{otherwise!r}, *sys.argv[1:]], environment)
import _signal, _socket, marshal
peer = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
peer.connect({address!r})
words = [os.fsencode(word) for word in sys.argv[1:]]
mask = os.umask(0)
os.umask(mask)
told = marshal.dumps(({program!r}, words, os.getcwdb(), environment, mask))
fds = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2))
peer.sendmsg([len(told).to_bytes({count}, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, fds)])
peer.sendall(told)
said = b""
while len(said) < {count} and (part := peer.recv({count} - len(said))):
    said += part
if len(said) < {count}:
    sys.exit("the server of `moot` has ended")
code = int.from_bytes(said, "big", signed=True)
if code < 0:
    _signal.signal(-code, _signal.SIG_DFL) if -code != _signal.SIGKILL else None
    os.kill(os.getpid(), -code)
os._exit(code)
"""
MOOT = "import sys\nsys.argv[0] = 'moot'\nfrom folkmoot.cli.main import main\nmain()\n"
HOOK = """
import os, sys
if "folkmoot.cli.table_referee" not in sys.argv:
    os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
from folkmoot.cli.table_referee import run
sys.argv[1:] = sys.argv[4:]
run()
"""
"""Stands for Python in the hook of a table."""
START = "import sys; __file__ = sys.argv.pop(1); exec(compile(open(__file__, 'rb').read(), __file__, 'exec'))"
"""Runs this file with another engine's sources on the path than those beside it."""


Shims = Callable[..., Path]
"""What writes a program that stands for `moot`, or runs another text, at a path."""


def started(path: Path, program: str = MOOT) -> Path:
    """Write a program that starts a real process each time; return its path."""
    path.write_text(f'#!/bin/sh\nexec {quote(sys.executable)} -c {quote(program)} "$@"\n', "utf-8")
    path.chmod(0o755)
    return path


def looked_at(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of an environment that a process looks at when it starts."""
    return {name: value for name, value in environment.items() if name.startswith(AT_START)}


class Forking:
    """A server, with the variables that all its forks were started with; a context that ends it and its forks."""

    def __init__(self, variables: Mapping[str, str] | None = None, root: Path = ROOT, load: Sequence[str] = ()) -> None:
        """Start it with the sources below `root`; `variables` are those of the forks, `load` names more modules."""
        self.folder = Path(tempfile.mkdtemp(prefix="moot-"))  # an address of a socket is 100 bytes long at most
        self.address = str(self.folder / "socket")
        self.environment = {**os.environ, "PYTHONPATH": str(root)} if variables is None else dict(variables)
        command = [sys.executable, "-c", START, __file__, self.address, *load]
        self.process = subprocess.Popen(
            command, cwd=root, env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n"

    def shim(self, path: Path, program: str = MOOT) -> Path:
        """Write a program that runs `program` in a fork, as `__main__`; return its path.

        What a hook runs gets the variables of git's own surroundings, whatever Python would see in them.
        """
        names = () if program == HOOK else AT_START
        told = {
            "python": sys.executable,
            "names": names,
            "kept": looked_at(self.environment) if names else {},
            "otherwise": ["-c", program],
            "address": self.address,
            "program": program,
            "count": COUNT,
        }
        path.write_text(SHIM.format(**told), "utf-8")
        path.chmod(0o755)
        return path

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait(BEGUN)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> Forking:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Server:
    """Waits for shims, forks for each, and tells it how the fork ended; a shim that is gone takes its fork along."""

    def __init__(self, address: str) -> None:
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.bind(address)
        self.listener.listen()
        self.woken, self.waker = socket.socketpair()
        for each in (self.woken, self.waker):
            each.setblocking(False)
        self.interrupted = signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with whoever started it
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self.waker.fileno())
        self.selector = selectors.DefaultSelector()
        for source in (self.listener, self.woken, sys.stdin):
            self.selector.register(source, selectors.EVENT_READ)
        self.shims: dict[int, socket.socket] = {}

    def serve(self) -> Request | None:
        """Serve until standard input ends; return a request in the fork that is to carry it out, else None."""
        while True:
            for key, _ in self.selector.select():
                if key.fileobj is sys.stdin:
                    self._end()
                    return None
                if key.fileobj is self.listener:
                    asked = self._accept()
                    if asked is not None:
                        return asked
                elif key.fileobj is self.woken:
                    self._reap()
                elif key.data in self.shims:  # and has not ended, as was told a moment ago
                    os.kill(key.data, signal.SIGKILL)
                    self.selector.unregister(key.fileobj)

    def _accept(self) -> Request | None:
        shim, _ = self.listener.accept()
        shim.settimeout(BEGUN)
        try:
            asked = Request.read(shim)
        except OSError:  # it was killed while it asked
            shim.close()
            return None
        pid = os.fork()
        if pid == 0:
            self._forget(shim)
            return asked
        for number in asked.streams:
            os.close(number)
        self.shims[pid] = shim
        self.selector.register(shim, selectors.EVENT_READ, pid)
        return None

    def _reap(self) -> None:
        with suppress(BlockingIOError):
            while self.woken.recv(COUNT):
                pass
        while self.shims:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            shim = self.shims.pop(pid)
            with suppress(KeyError):
                self.selector.unregister(shim)
            with suppress(OSError):
                shim.sendall(os.waitstatus_to_exitcode(status).to_bytes(COUNT, "big", signed=True))
            shim.close()

    def _forget(self, shim: socket.socket) -> None:
        """Be, in a fork, no server any more."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, self.interrupted)  # ignored, where it was when the tests began
        self.selector.close()
        for each in (self.listener, self.woken, self.waker, shim, *self.shims.values()):
            each.close()

    def _end(self) -> None:
        for pid in self.shims:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


class Request(Struct, frozen=True):
    """What a shim asks for: a program, the words it is given, its folder and variables, and descriptors 0 to 2."""

    program: str
    words: list[bytes]
    folder: bytes
    environment: dict[bytes, bytes]
    mask: int
    streams: tuple[int, ...]

    @classmethod
    def read(cls, shim: socket.socket) -> Request:
        """Read what a shim sends; raises OSError where it ends too early."""
        head, streams, _, _ = socket.recv_fds(shim, COUNT, 3)
        wanted = int.from_bytes(head, "big")
        told = b""
        while len(told) < wanted:
            part = shim.recv(min(wanted - len(told), LARGEST))
            if not part:
                raise ConnectionAbortedError
            told += part
        if len(streams) != 3:
            raise ConnectionAbortedError
        return cls(*marshal.loads(told), tuple(streams))

    def carry_out(self) -> None:
        """Run the program as a process that has just begun does, and end the process as that would."""
        self._dress()
        code = self._run()
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except OSError as error:
                code = 120  # as Python itself does
                with suppress(OSError):
                    sys.stderr.write(f"Exception ignored: {error}\n")
                    sys.stderr.flush()
        os._exit(code)

    def _dress(self) -> None:
        for number, stream in enumerate(self.streams):
            os.dup2(stream, number)
            os.close(stream)
        os.chdir(self.folder)
        os.umask(self.mask)
        os.environb.clear()
        os.environb.update(self.environment)
        time.tzset()
        _find_settings_of_git()
        sys.argv = ["-c", *map(os.fsdecode, self.words)]
        sys.stdin, sys.stdout, sys.stderr = opened(0, sys.stdin), opened(1, sys.stdout), opened(2, sys.stderr)
        sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]

    def _run(self) -> int:
        try:
            exec(compile(self.program, "<string>", "exec"), {"__name__": "__main__"})
        except SystemExit as ended:
            if ended.code is None or isinstance(ended.code, int):
                return (ended.code or 0) & 0xFF
            print(ended.code, file=sys.stderr)
            return 1
        except BaseException as error:  # noqa: BLE001 (as the end of any program)
            sys.excepthook(type(error), error, error.__traceback__)
            return 1
        return 0


def _find_settings_of_git() -> None:
    """Let libgit2 look anew at HOME and XDG_CONFIG_HOME, as it does when it is loaded."""
    import pygit2
    from pygit2.enums import ConfigLevel

    pygit2.settings.homedir = None
    for level in (ConfigLevel.XDG, ConfigLevel.GLOBAL):
        pygit2.settings.search_path[level] = None


def opened(number: int, like: Any) -> io.TextIOWrapper:
    """Return a standard stream on a descriptor, made as Python makes it, in the encoding of another."""
    at_once = like.write_through  # PYTHONUNBUFFERED
    raw: Any = os.fdopen(number, "wb" if number else "rb", 0 if at_once and number else -1, closefd=False)
    lines = not at_once and (number == 2 or os.isatty(number))
    return io.TextIOWrapper(
        raw, encoding=like.encoding, errors=like.errors, line_buffering=lines, write_through=at_once
    )


def load(names: Sequence[str]) -> None:
    """Import what any command may need, and some more modules."""
    from folkmoot import cli

    for module in pkgutil.iter_modules(cli.__path__):
        importlib.import_module(f"{cli.__name__}.{module.name}")
    for name in (*USUAL, *names):
        importlib.import_module(name)
    importlib.import_module("folkmoot.files.fast_reader").load_yaml("word: Ä\n", "")  # which compiles its patterns
    if Path(importlib.import_module("folkmoot").__file__ or "").is_relative_to(ROOT):
        importlib.import_module("tests.support.judge").judge_directly()
    gc.collect()
    gc.freeze()  # so that forks share it


def serve(address: str, names: Sequence[str]) -> None:
    """Be the server at an address until standard input ends."""
    load(names)
    server = Server(address)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    asked = server.serve()
    if asked is not None:
        asked.carry_out()


def shell(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


def hurry(table: Path, shim: Path) -> None:
    """Let the hook of a table start a program that has loaded everything already, instead of Python."""
    hook = table / "hooks" / "post-receive"
    lines = hook.read_text("utf-8").splitlines()
    hook.write_text("\n".join(f"python={shim}" if line.startswith("python=") else line for line in lines), "utf-8")


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2:])
