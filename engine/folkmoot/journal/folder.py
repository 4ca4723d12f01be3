"""A game's record on disk: under a lock, each write a transaction."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from folkmoot.core.problems import Position, fail
from folkmoot.journal.record import GameRecord, Kind
from folkmoot.journal.transaction import recover, unfinished, write_files


class GameFolder(GameRecord):
    """The folder `state/<game>/` on disk.

    Nothing is cached: every question reads the disk, under a lock that keeps half-written games out of sight.
    """

    def __init__(self, path: Path | str, *, durable: bool = True, patience: float = 10) -> None:
        """Take the folder of a game, which is made by the first `append`.

        `durable` waits for the disk at every write; `patience` is how many seconds to wait for another writer.
        """
        self.path = Path(path)
        self._durable = durable
        self._patience = patience
        self._writing = self._reading = False
        self._touched: set[str] = set()

    @property
    def name(self) -> str:
        """Return the short name of the game, which is that of its folder."""
        return self.path.name or self.path.resolve().name

    @property
    def git_dir(self) -> Path | None:
        """Return git's own folder of the repository around the game, None where there is none."""
        folder = self.path.resolve()
        for around in (folder, *folder.parents):
            git = around / ".git"
            if git.is_dir():
                return git
            if git.is_file():
                return around / git.read_text("utf-8").removeprefix("gitdir:").strip()
        return None

    def shown(self, name: str = "") -> str:
        """Return how a file of the game, or its folder, is named in messages."""
        return f"{self.path.as_posix()}/{name}" if name else str(self.path)

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a file by its path inside the game's folder, None where there is none."""
        try:
            with open(f"{self.path}/{name}", "rb", buffering=0) as file:  # noqa: PTH123 (each entry of a long journal)
                return file.read()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def listing(self, folder: str = "") -> list[tuple[str, Kind]]:
        """Return what lies directly in a folder inside the game's: names, and of what kind each is."""
        try:
            with os.scandir(self.path / folder) as found:
                return [(item.name, _kind(item)) for item in found]
        except (FileNotFoundError, NotADirectoryError):
            return []

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Keep writers out; finishes or undoes a write that was cut short first. Raises E-LOCKED after `patience`."""
        if self._writing or self._reading or not self.path.is_dir():
            yield
            return
        if unfinished(self.path):
            with self.writing():
                pass
        with locked(self.path, exclusive=False, patience=self._patience):
            self._reading = True
            try:
                yield
            finally:
                self._reading = False

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Keep other writers out from reading the game to appending to it; raises E-LOCKED after `patience`."""
        if self._writing:
            yield
            return
        self.path.mkdir(parents=True, exist_ok=True)
        with locked(self.path, exclusive=True, patience=self._patience):
            self._recover()
            self._writing = True
            try:
                yield
            finally:
                self._writing = False

    def commit(
        self, message: str, author: str | None = None, at: int | None = None, beside: Iterable[Path] = ()
    ) -> str | None:
        """Commit what was appended to the repository around the folder and return the commit's digest (hex).

        `author` is written `Name <address>`; `at` (Unix seconds) dates the commit, else git's clock does; `beside` are
        files outside the folder to commit too. Returns None outside a repository and where nothing has changed.
        """
        from folkmoot.journal.commit import commit_folder  # loading git takes longer than most commands

        with self.writing():
            digest = commit_folder(self.path, self._touched, message, author, at, beside)
            self._touched.clear()
            return digest

    def wait_until_committable(self) -> None:
        """Look, before anything is recorded, whether git could commit it; raises E-LOCKED or E-GIT if not."""
        from folkmoot.journal.commit import wait_until_committable  # loading git takes longer than most commands

        wait_until_committable(self.path)

    def _recover(self) -> None:
        if unfinished(self.path):
            manifest = recover(self.path)
            self._touched |= {*manifest.files, *manifest.removed} if manifest else set()

    def _write(self, files: Mapping[str, bytes], removed: Sequence[str]) -> None:
        """Write files (path → bytes) and remove others, all or nothing; raises E-DISK."""
        write_files(self.path, files, removed, durable=self._durable)
        self._touched |= {*files, *removed}


def _kind(item: os.DirEntry[str]) -> Kind:
    if item.is_dir(follow_symlinks=False):
        return "folder"
    return "file" if item.is_file(follow_symlinks=False) else "other"


# -- one writer at a time

_POLL = 0.02


@contextmanager
def locked(folder: Path, *, exclusive: bool, patience: float) -> Iterator[None]:
    """Hold the lock of `folder`, which dies with its process: alone to write, shared to read.

    Waits up to `patience` seconds for another process; raises E-LOCKED after that.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        _wait(handle, fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH, folder, time.monotonic() + patience)
        yield
    finally:
        os.close(handle)


def _wait(handle: int, mode: int, folder: Path, deadline: float) -> None:
    while True:
        try:
            return fcntl.flock(handle, mode | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                hint = "wait until it is done, then try again"
                raise fail("E-LOCKED", "another process is writing to this game", Position(str(folder)), hint) from None
            time.sleep(_POLL)
