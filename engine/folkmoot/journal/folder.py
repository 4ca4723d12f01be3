"""A game's record on disk: under a lock, each write a transaction."""

from __future__ import annotations

import fcntl
import hashlib
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from folkmoot.core.clone_files import CloneFiles, Kind
from folkmoot.core.problems import Position, Problem, fail
from folkmoot.core.settings_folder import settings_folder
from folkmoot.journal.git_folder import find_git_folder
from folkmoot.journal.layout import OLD_PENDING
from folkmoot.journal.record import GameRecord
from folkmoot.journal.transaction import Log, Transactions

_POLL = 0.02  # seconds


class GameFolder(GameRecord):
    """The folder `state/<game>/` on disk.

    Nothing is cached: every question reads the disk, under a lock that keeps half-written games out of sight.
    """

    def __init__(self, path: Path | str, *, durable: bool = True, patience: float = 10) -> None:
        """Take the folder of a game, which is made by the first `append`.

        `durable` waits for the disk at every write; `patience` is how many seconds to wait for another writer.
        """
        self.path = Path(path)
        self.files = CloneFiles.around(path)
        self._durable = durable
        self._patience = patience
        self._writing = self._reading = False
        self._touched: set[str] = set()
        self._log: Log | None = None

    @property
    def name(self) -> str:
        """Return the short name of the game, which is that of its folder."""
        return self.path.name or self.path.resolve().name

    @property
    def git_dir(self) -> Path | None:
        """Return git's own folder of the repository around the game, None where there is none."""
        return find_git_folder(Path(self.files.name()))

    def shown(self, name: str = "") -> str:
        """Return how a file of the game, or its folder, is named in messages."""
        return f"{self.path.as_posix()}/{name}" if name else str(self.path)

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a file by its path inside the game's folder, None where there is none."""
        return self.files.read(name) if self._log is None else self._transactions().read(self._log, name)

    def listing(self, folder: str = "") -> list[tuple[str, Kind]]:
        """Return what lies directly in a folder inside the game's: names, and of what kind each is."""
        return self.files.listing(folder) if self._log is None else self._transactions().listing(self._log, folder)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Keep writers out; raises E-LOCKED after `patience`, E-PENDING where what a killed writer left is damaged."""
        if self._writing or self._reading:
            yield
            return
        with self.files.folder() as folder:
            if folder is None:
                yield
                return
            with self._locked(folder, fcntl.LOCK_SH), self.files.held():
                self._log = self._transactions().unfinished()
                self._reading = True
                try:
                    yield
                finally:
                    self._reading = False

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Keep other writers out from reading the game to appending to it; finishes a write that was cut short first.

        Raises E-LOCKED after `patience`.
        """
        if self._writing:
            yield
            return
        self.files.make_folder()
        with self.files.folder() as folder:
            assert folder is not None
            with self._locked(folder, fcntl.LOCK_EX):
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

    def damage(self) -> list[Problem]:
        """Return what is wrong with the files that play goes on from, as far as that is found out at little cost."""
        from folkmoot.journal.damage import damage_of  # loading git takes longer than most commands

        return damage_of(self, self.files)

    def wait_until_committable(self) -> None:
        """Look, before anything is recorded, whether git could commit it; raises E-LOCKED or E-GIT if not."""
        from folkmoot.journal.commit import wait_until_committable  # loading git takes longer than most commands

        wait_until_committable(self.path)

    def _transactions(self) -> Transactions:
        """Return how the game is written: the log lies in git's own folder, or with the user's settings."""
        git = self.git_dir
        place = os.path.relpath(self.files.name(), self.files.root) if git else os.path.realpath(self.path)
        logs = CloneFiles(git or settings_folder(), "folkmoot/pending")
        return Transactions(self.files, logs, hashlib.sha256(os.fsencode(place)).hexdigest())

    def _recover(self) -> None:
        """Finish what a writer left that was killed; raises E-STRAY where an older engine's left it, to be undone."""
        if self.files.kind(OLD_PENDING) is not None:
            message = "an engine before 0.3 left this when a write was cut short, and no engine reads it any more"
            hint = "remove it, and `git restore` the game's folder"
            raise fail("E-STRAY", message, Position(self.shown(OLD_PENDING)), hint)
        log, self._log = self._transactions().recover(), None
        self._touched |= {*log.files, *log.removed} if log else set()

    def _write(self, files: Mapping[str, bytes], removed: Sequence[str]) -> None:
        """Write files (path → bytes) and remove others, all or nothing; raises E-DISK."""
        self._transactions().write(files, removed, durable=self._durable)
        self._touched |= {*files, *removed}

    @contextmanager
    def _locked(self, folder: int, mode: int) -> Iterator[None]:
        """Hold the lock of the game's folder, which dies with its process: alone to write, shared to read."""
        deadline = time.monotonic() + self._patience
        while True:
            try:
                fcntl.flock(folder, mode | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    hint = "wait until it is done, then try again"
                    place = Position(self.shown())
                    raise fail("E-LOCKED", "another process is writing to this game", place, hint) from None
                time.sleep(_POLL)
        try:
            yield
        finally:
            fcntl.flock(folder, fcntl.LOCK_UN)
