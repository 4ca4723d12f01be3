"""What a command printed, printed again as long as nothing that it looked at has changed.

What is shown of a game follows from its files, from the refs of where its players meet, and from the engine. So a
command that only looks keeps what it printed beside the clone's own settings, under a digest of all these, and loads
neither the game nor the law as long as that is the same. Where nobody can tell, it looks anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import folkmoot
from folkmoot.cli.games import root_of
from folkmoot.cli.terminal import Terminal, is_terminal
from folkmoot.core.clone_files import newest_folders, read_text, read_whole, write_whole
from folkmoot.core.problems import ProblemError

if TYPE_CHECKING:
    from folkmoot.forges.git_transport import Git

FILE = "moot-shown.json"
LOOKED = "moot-looked.json"
SECONDS = 5  # that asking the remote repository may take
YOUNG = 2  # seconds in which a file may change again without anybody seeing it from its times
MOST_KEPT = 20  # outputs of one state
LONGEST = 200_000  # characters of one
UNREAD = frozenset(("acts",))  # folders of a game: whatever is new there is in its head too
Look = Callable[..., Any]


def again_if_unchanged(command: Look) -> Look:
    """Let a command that only looks print what it printed last, where nothing has changed since."""

    @wraps(command)
    def looking(terminal: Terminal, /, **given: Any) -> Any:
        kept = _Kept.of(terminal, given)
        if kept is None:
            return command(terminal, **given)
        lines = kept.lines()
        if lines is not None:
            terminal.again(lines)
            return 0
        terminal.kept = []
        try:
            code = command(terminal, **given)
            if not code and terminal.kept is not None:
                kept.keep(terminal.kept, terminal.kept_until)
            return code
        finally:
            terminal.kept = terminal.kept_until = None

    return looking


class _Kept:
    """What is kept beside one clone, for one state of all that is looked at and one way of asking."""

    def __init__(self, file: Path, state: str, asked: str, young: Callable[[], bool]) -> None:
        self.file, self.state, self.asked, self.young = file, state, asked, young

    @classmethod
    def of(cls, terminal: Terminal, given: Mapping[str, Any]) -> _Kept | None:
        """Return what may be kept of a command, None where it cannot be told whether something changed."""
        root = root_of(terminal).resolve()
        git = git_folder(root)
        if git is None:
            return None
        words = {name: str(value) for name, value in sorted(given.items()) if value is not None}
        name = click.get_current_context().info_name
        seen = [shutil.get_terminal_size().columns, is_terminal(sys.stdout), is_terminal(sys.stderr)]
        asked = json.dumps([name, words, terminal.json, *seen])
        state = _state(terminal, root, git, given)
        files = (root / "state", git / "config", git / LOOKED)
        return None if state is None else cls(git / FILE, state, asked, lambda: _is_young(files))

    def lines(self) -> list[tuple[str, bool]] | None:
        """Return what was printed, None where it is not kept, or its time is over."""
        found = self._read().get(self.asked)
        if found is None or (found["until"] is not None and time.time() >= found["until"]):
            return None
        return [(str(text), bool(err)) for text, err in found["lines"]]

    def keep(self, lines: list[tuple[str, bool]], until: int | None) -> None:
        """Keep what was printed for as long as it holds, until a time (Unix seconds) where one is given.

        It is not kept where a file is so young that it may have changed while it was read.
        """
        if sum(len(text) for text, _ in lines) > LONGEST or self.young():
            return
        shown = dict([*self._read().items(), (self.asked, {"lines": lines, "until": until})][-MOST_KEPT:])
        with suppress(OSError):  # then it is looked at anew
            found = {"state": self.state, "seen": self._seen_history(), "shown": shown}
            write_whole(self.file, json.dumps(found).encode())

    def _read(self) -> dict[str, Any]:
        with suppress(OSError, ValueError, TypeError, KeyError):
            found = json.loads(read_whole(self.file) or b"")
            same = found["state"] == self.state and found["seen"] == self._seen_history()
            return dict(found["shown"]) if same else {}
        return {}

    def _seen_history(self) -> list[str]:
        """Return what changes with what other commands have seen of the remote since (see `seen_history`)."""
        return [*stats(self.file.parent / "refs" / "folkmoot")]


def git_folder(root: Path) -> Path | None:
    """Return git's own folder of a repository's root, None where that is none, or lies in the folder of another."""
    if (root / ".git").is_dir():
        return root / ".git"
    return root if (root / "HEAD").is_file() and (root / "refs").is_dir() else None


def _state(terminal: Terminal, root: Path, git: Path, given: Mapping[str, Any]) -> str | None:
    """Return a digest of all that is looked at, None where some of it cannot be known."""
    from folkmoot.forges.git_transport import Git

    try:
        parts = [folkmoot.__version__, *_refs(terminal, Git(root, SECONDS), git, given)]
    except ProblemError:
        return None
    parts += engine_stats()
    parts += [*stats(root / "state"), stat_of(git / "config"), stat_of(git / LOOKED)]
    return hashlib.sha256("\0".join(parts).encode(errors="surrogateescape")).hexdigest()


def _refs(terminal: Terminal, git: Git, folder: Path, given: Mapping[str, Any]) -> Iterator[str]:
    """Yield who looks, what this repository's refs are, and those of where players meet. Raises ProblemError."""
    names = ("GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "EMAIL", "GITHUB_SERVER_URL")
    yield json.dumps([os.environ.get(name) for name in names])
    settings = git.ask(["config", "--list", "--null"])
    yield settings
    for name in (*OWN_REFS, "refs/moot-remote") if given.get("offline") else OWN_REFS:
        yield from stats(folder / name)
    yield from (stat_of(folder / name) for name in ("packed-refs", "reftable/tables.list"))
    yield read_text(folder / "HEAD", errors="replace") or ""
    found = dict(line.split("\n", 1) for line in settings.split("\0") if "\n" in line)
    address = found.get("remote.origin.url", "")
    if given.get("remote") is not None or (not address and any(name.startswith("remote.") for name in found)):
        raise ProblemError
    if address and not given.get("offline"):
        place = address if "://" in address or ":" in address.split("/")[0] else str(git.path / address)
        listing = git.listing(place)
        terminal.listed = place, listing
        yield json.dumps([listing.head, sorted(listing.refs.items())])


OWN_REFS = ("refs/heads", "refs/pull", "refs/moot", "refs/remotes")
"""Where refs lie that are looked at; each is a file that git replaces, and never writes in place."""


@lru_cache(maxsize=1)
def engine_stats() -> tuple[str, ...]:
    """Return what changes with each file of the engine."""
    return (*stats(Path(folkmoot.__file__).parent, ".py", unread=frozenset()),)


def stats(folder: Path | str, ending: str = "", unread: frozenset[str] = UNREAD) -> Iterator[str]:
    """Yield what changes with each file below a folder."""
    if os.path.islink(folder):  # noqa: PTH114 (asked of each folder at which a command looks)
        return
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as found:
        items = sorted(found, key=lambda each: each.name)
        folders = {*newest_folders(item.name for item in items)} - unread - {"__pycache__"}
        for item in items:
            if item.is_dir(follow_symlinks=False):
                if item.name in folders:
                    yield from stats(item.path, ending, unread)
            elif item.name.endswith(ending):
                yield stat_of(item.path)


def stat_of(path: Path | str) -> str:
    """Return what changes with a file: its place, times and size."""
    with suppress(OSError):
        found = os.lstat(path)
        return f"{path} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_size} {found.st_ino}"
    return f"{path} -"


def _is_young(paths: tuple[Path, ...]) -> bool:
    """Say whether a file among or below some was changed so lately that it may change again in the same moment."""
    now = time.time()
    return any(now - _changed(path) < YOUNG for path in paths)


def _changed(path: Path) -> float:
    """Return when a file, or the newest below a folder, was changed (Unix seconds)."""
    newest = 0.0
    with suppress(OSError):
        newest = path.lstat().st_ctime if not path.is_dir() else 0.0
    for line in stats(path) if path.is_dir() else ():
        newest = max(newest, int(line.rsplit(" ", 3)[1]) / 1e9)
    return newest
