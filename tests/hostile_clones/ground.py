"""The ground on which hostile clones lie: decoys of a home and of neighbours, traps, and `moot` that is watched."""

from __future__ import annotations

import ast
import hashlib
import os
import shutil
import signal
import socket
import stat
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct, field

from tests.support.forking import MOOT, Forking, looked_at

GAME = "dragons"
CANARY = "private-words-of-the-victim"
"""What stands in every decoy: no screen, page or letter may repeat it."""
TOKENS = (
    *("FOLKMOOT_TOKEN", "FOLKMOOT_OLD_TOKEN", "GITHUB_TOKEN", "GH_TOKEN", "GITEA_TOKEN", "FORGEJO_TOKEN"),
    *("FOLKMOOT_CHANCE", "FOLKMOOT_SEALING"),
)
TOKEN = "gho_canary0123456789"
DECOYS = (
    "browser curl editor emacs gpg hg less more nano node notify-send pager perl python python3 "
    "sensible-browser ssh ssh-add ssh-keygen svn vi vim wget xdg-open"
).split()
"""Programs that lie on the path before all others; none of them is for `moot` to start because a clone says so."""
MEMORY = 4 << 30
SECONDS = 20
"""Of the processor."""
PATIENCE = 60.0
"""For how many seconds a run may wait, on a machine that does other things."""
LONGEST = 100_000
"""Characters that a run prints at most."""
OURS = (".cache/folkmoot", ".config/folkmoot", ".local/share/folkmoot", ".local/state/folkmoot")
"""Where `moot` may keep something in a home."""
PROTECTED = ("HEAD", "commondir", "config", "config.worktree", "description", "hooks", "info", "objects/info")
"""What of git's own folder no command changes."""
BY_LOOKS = ("index", "refs/heads")
"""And what no command that looks does."""
WATCHED = """\
import os, resource, signal, sys
resource.setrlimit(resource.RLIMIT_AS, ({memory}, {memory}))
resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds} + 1))
_log = os.open(os.environ.pop("HOSTILE_LOG"), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
os.write(_log, b"%d\\n" % os.getpid())
def _heard(event, arguments, names=frozenset({events!r})):
    if event in names:
        told = [str(each) for each in arguments if not hasattr(each, "fileno")][:2]
        os.write(_log, (repr((event, told)) + chr(10)).encode("utf-8", "backslashreplace"))
sys.addaudithook(_heard)
signal.signal(signal.SIGINT, signal.default_int_handler)  # whatever began the tests may have it ignored
"""
EVENTS = ("os.exec", "os.posix_spawn", "os.system", "pty.spawn", "socket.connect", "subprocess.Popen")


class Said(Struct, frozen=True):
    """How a run of `moot` ended: what it printed, which programs it started and whither it connected."""

    code: int
    out: str
    length: int
    started: list[str]
    connected: list[str]


class Clone(Struct, frozen=True):
    """A clone in which something is planted: its work tree, git's own folder, and the ground around it."""

    root: Path
    ground: Ground

    @property
    def git(self) -> Path:
        """Return git's own folder."""
        own = self.root / ".git"
        return own if own.is_dir() else self.root

    @property
    def game(self) -> Path:
        """Return the folder of the game."""
        return self.root / "state" / GAME

    def write(self, name: str, data: str | bytes) -> Path:
        """Write a file, in place of whatever is there."""
        path = self.clear(name)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    def link(self, name: str, target: Path | str) -> None:
        """Put a link in place of whatever is there."""
        self.clear(name).symlink_to(target)

    def clear(self, name: str) -> Path:
        """Take away what is at a path, make the folders above, and return it."""
        path = self.root / name
        if path.is_symlink() or path.is_file():
            path.unlink()
        elif path.is_dir():
            shutil.rmtree(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def commit(self) -> None:
        """Commit everything, as somebody does who wants it to be in every clone; a table gets it too."""
        if self.git == self.root:
            return
        git(self.root, "add", "--all", "--force", "--sparse", ".", check=False)
        git(self.root, "commit", "--quiet", "--allow-empty", "--message", "A harmless title")
        if (self.ground.folder / "table.git").exists() and "origin" in git(self.root, "remote"):
            git(self.root, "push", "--quiet", "--force", "origin", "HEAD:main", check=False)

    def settings(self, text: str) -> None:
        """Add to the clone's settings of git."""
        with (self.git / "config").open("a") as config:
            config.write(text)

    def trap(self, name: str) -> str:
        """Return the path of a program that leaves a mark when anybody runs it."""
        return self.ground.trap(name)


class Kind(Struct, frozen=True):
    """A kind of hostile clone: what plants it; `asked` where it names the listener as what `moot` is to speak to.

    `answers` are exit codes with which commands may end beside those of all kinds, as what it leaves is another game.
    """

    plant: Callable[[Clone], None]
    asked: bool = False
    answers: frozenset[int] = frozenset()
    own: tuple[str, ...] = ()
    """Which programs of the person's own `moot` may start on the way that the kind prescribes."""
    root: bool = False
    """Whether only root can make it."""
    large: bool = False
    """Whether it takes long to copy, so that few commands are tried on it."""


def git(where: Path, *words: str, check: bool = True) -> str:
    """Run git without anybody's settings and hooks, and return what it printed."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("GIT_")},
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        **{f"GIT_{who}_{what}": "ann" for who in ("AUTHOR", "COMMITTER") for what in ("NAME",)},
        **{f"GIT_{who}_EMAIL": "ann@x.org" for who in ("AUTHOR", "COMMITTER")},
    }
    command = ["git", "-c", "core.hooksPath=/dev/null", "-c", "gc.auto=0", "-C", str(where), *words]
    done = subprocess.run(command, capture_output=True, env=environment, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == 0 or not check, done.stderr.decode(errors="replace")
    return done.stdout.decode(errors="replace").strip()


class Listener:
    """Listens on loopback and notes what anybody says there."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                peer, _ = self._socket.accept()
            except OSError:
                return
            with peer, suppress(OSError):
                peer.settimeout(2)
                self.heard.append(b"")
                self.heard[-1] = peer.recv(65_536)
                peer.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    def close(self) -> None:
        """End it."""
        self._socket.close()


class Picture(Struct, frozen=True):
    """Everything in a folder: path → what it is."""

    parts: dict[str, tuple[object, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: Path, without: Sequence[str] = ()) -> Picture:
        """Take one, following no link, without some paths."""
        left = {str(folder / name) for name in without}
        found: dict[str, tuple[object, ...]] = {}
        for entry in _walk(str(folder), left):
            status = entry.stat(follow_symlinks=False)
            what: tuple[object, ...] = (stat.S_IFMT(status.st_mode), stat.S_IMODE(status.st_mode))
            if entry.is_symlink():
                what += (str(Path(entry.path).readlink()),)
            elif stat.S_ISREG(status.st_mode):
                what += (status.st_size, status.st_mtime_ns if status.st_size > 1 << 20 else _digest(entry.path))
            found[os.path.relpath(entry.path, folder)] = what
        return cls(found)

    def differences(self, other: Picture) -> list[str]:
        """Return the paths that differ."""
        names = sorted({*self.parts, *other.parts})
        return [name for name in names if self.parts.get(name) != other.parts.get(name)]


def _walk(folder: str, left: set[str]) -> Iterator[os.DirEntry[str]]:
    waiting = [folder]
    while waiting:
        try:
            entries = list(os.scandir(waiting.pop()))
        except OSError:  # deeper than a path can be
            continue
        for entry in entries:
            if entry.path in left:
                continue
            yield entry
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)


def _digest(path: str) -> str:
    return hashlib.blake2b(Path(path).read_bytes(), digest_size=16).hexdigest()


class Ground:
    """A folder with clones in it, decoys around them, and what is needed to run `moot` there."""

    def __init__(self, folder: Path, forking: Forking, listener: Listener) -> None:
        """Make it in a folder: `here` is where runs take place, and everything that they may not touch."""
        self.top = folder
        self.folder = folder / "here"
        self.marks = folder / "marks"
        self.traps = folder / "traps"
        self.listener = listener
        self._log = folder / "log"
        self._environment = dict(forking.environment)
        program = WATCHED.format(memory=MEMORY, seconds=SECONDS, events=EVENTS) + MOOT
        for each in (self.folder, self.marks, self.traps):
            each.mkdir(parents=True)
        self.moot = str(forking.shim(folder / "moot", program))
        self.programs = folder / "programs"
        self.programs.mkdir()
        for name in DECOYS:
            shutil.copy2(self.trap(name), self.programs / name)
        (self.programs / "git").symlink_to(shutil.which("git") or "/usr/bin/git")
        self._furnish()

    def _furnish(self) -> None:
        """Lay out the decoys."""
        for name in (".bashrc", ".ssh/id_ed25519", "notes/precious.md", "notes/203.yaml", "target", ".gitconfig-not"):
            path = self.home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"title: {CANARY}\n", "utf-8")
        for name in ("tmp", *(f"home/{Path(each).parent}" for each in OURS)):
            (self.folder / name).mkdir(parents=True)
        neighbour = self.folder / "neighbour"
        neighbour.mkdir()
        git(neighbour, "init", "--quiet", "--initial-branch=main", ".")
        (neighbour / "secret.txt").write_text(f"{CANARY}\n", "utf-8")
        git(neighbour, "add", ".")
        git(neighbour, "commit", "--quiet", "--message", CANARY)

    @property
    def home(self) -> Path:
        """Return the decoy of a home."""
        return self.folder / "home"

    @property
    def neighbour(self) -> Path:
        """Return a repository of somebody else's beside the clones."""
        return self.folder / "neighbour"

    @property
    def address(self) -> str:
        """Return where the listener listens."""
        return f"http://127.0.0.1:{self.listener.port}"

    def trap(self, name: str) -> str:
        """Write a program that leaves a mark when anybody runs it; return its path."""
        path = self.traps / name
        path.write_text(
            f"#!/bin/sh\necho \"$0 $*\" >> '{self.marks}/{name}'\ncat > /dev/null 2>&1 < /dev/null\n", "utf-8"
        )
        path.chmod(0o755)
        return str(path)

    def sprung(self) -> list[str]:
        """Return which traps were sprung since this was last asked."""
        found = sorted(self.marks.iterdir())
        said = [path.name for path in found]
        for path in found:
            path.unlink()
        return said

    def environment(self) -> dict[str, str]:
        """Return the environment of somebody with tokens, a home, and programs of their own."""
        home = str(self.home)
        kept = {
            **looked_at(self._environment),
            **{n: v for n, v in self._environment.items() if n.startswith("FOLKMOOT_TEST")},
        }
        return {
            **kept,
            **dict.fromkeys(TOKENS[:6], TOKEN),
            "HOME": home,
            "TMPDIR": str(self.folder / "tmp"),
            "HOSTILE_LOG": str(self._log),
            "TZ": "UTC",
            "XDG_CONFIG_HOME": f"{home}/.config",
            "XDG_CACHE_HOME": f"{home}/.cache",
            "XDG_DATA_HOME": f"{home}/.local/share",
            "XDG_STATE_HOME": f"{home}/.local/state",
            "PATH": f"{self.programs}:/usr/local/bin:/usr/bin:/bin",
            "TERM": "dumb",
            "COLUMNS": "80",
            "EDITOR": str(self.programs / "editor"),
            "PAGER": str(self.programs / "pager"),
            "BROWSER": str(self.programs / "browser"),
            "GIT_TERMINAL_PROMPT": "0",
        }

    def run(
        self,
        where: Path,
        words: Sequence[str],
        *,
        until: str = "",
        completing: bool = False,
        patience: float = PATIENCE,
    ) -> Said:
        """Run `moot`, or let it complete the last word; what goes on is interrupted once it has printed a word."""
        typed = {
            "_MOOT_COMPLETE": "bash_complete",
            "COMP_WORDS": f"moot {' '.join(words)}",
            "COMP_CWORD": str(len(words)),
        }
        self._log.unlink(missing_ok=True)
        out = self.top / "out"
        with out.open("wb") as sink:
            process = subprocess.Popen(
                [self.moot, *([] if completing else words)],
                cwd=where,
                env=self.environment() | (typed if completing else {}),
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
            )
            code = self._wait(process, out, until, patience)
        with out.open("rb") as printed:
            data = printed.read(LONGEST * 4)
        log = [ast.literal_eval(line) for line in self._noted()[1:]]
        started = [str(told) for event, told in log if event != "socket.connect"]
        connected = [str(told) for event, told in log if event == "socket.connect"]
        return Said(code, data.decode(errors="replace"), out.stat().st_size, started, connected)

    def _noted(self) -> list[str]:
        """Return what the run noted of itself: its number, then each event."""
        return self._log.read_text("utf-8").splitlines() if self._log.exists() else []

    def _wait(self, process: subprocess.Popen[bytes], out: Path, until: str, patience: float) -> int:
        until_then = time.monotonic() + patience
        while time.monotonic() < until_then:
            with suppress(subprocess.TimeoutExpired):
                return process.wait(0.05)
            if until and until in out.read_text("utf-8", "replace"):
                os.kill(int(self._noted()[0]), signal.SIGINT)
                until = ""  # a second one would end it in the middle of its last words
        process.kill()
        process.wait()
        self._end_all()
        return HANGS

    def _end_all(self) -> None:
        """End what a run has started and left behind: every process that names this ground."""
        for each in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if os.fsencode(self.folder) in (each / "cmdline").read_bytes() and int(each.name) != os.getpid():
                    os.kill(int(each.name), signal.SIGKILL)


HANGS = -999
"""The code of a run that never ended."""


@contextmanager
def listening() -> Iterator[Listener]:
    """Listen while the context lasts."""
    listener = Listener()
    try:
        yield listener
    finally:
        listener.close()


def copy(source: Path, target: Path, *names: str) -> None:
    """Copy folders as they are: links, pipes, devices, holes; what was there before goes."""
    for name in names:
        shutil.rmtree(target / name, ignore_errors=True)
    there = [str(source / name) for name in names if (source / name).exists()]
    subprocess.run(["cp", "-a", *there, str(target)], check=True)
