"""Writing many files as one: after a kill or a full disk anywhere, the next writer finds the old or the new game.

A log, outside of what git carries, first names what is going to be written. Every new file is brought to the disk
beside its place; then the log comes into force by one rename, which is the only commit point; then the files get
their names, head last, and the log is removed. A writer that finds a log in force finishes the work, one that finds
another undoes it. Who only looks changes nothing, and sees the game as the next writer will find it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.clone_files import FULL, CloneFiles, Kind, is_machines
from folkmoot.core.digest import bytes_digest
from folkmoot.core.fault_points import fault_point
from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.journal.layout import is_of_game

_TOKEN = re.compile("[0-9a-f]{16}")


class Log(Struct, frozen=True):
    """What a transaction does: files (path → digest, in the order of placing) and paths to remove.

    Files beside their places are called by `token`, so that those of a writer that was killed are found again.
    """

    in_force: bool
    token: str
    files: dict[str, str]
    removed: list[str]


class Transactions:
    """The transactions of one game: its files, and the log that lies apart from them."""

    def __init__(self, game: CloneFiles, logs: CloneFiles, log: str) -> None:
        """Take the files of a game, and by its path among other files the log of them."""
        self._game, self._logs, self._log = game, logs, log

    def unfinished(self) -> Log | None:
        """Return the log of a transaction that was cut short, None where none was.

        Raises E-PENDING where it is damaged, or names anything but files of a game.
        """
        found = self._logs.read(self._log)
        if found is None:
            return None
        try:
            log = msgspec.json.decode(found, type=Log)
        except msgspec.MsgspecError:
            raise self._damaged(Position(self._logs.name(self._log))) from None
        if not (_TOKEN.fullmatch(log.token) and all(map(is_of_game, (*log.files, *log.removed)))):
            raise self._damaged(Position(self._logs.name(self._log)))
        return log

    def read(self, log: Log, path: str) -> bytes | None:
        """Return a file as it is once a transaction is finished; raises E-PENDING where what it left is damaged."""
        if not log.in_force or path not in log.files:
            return None if log.in_force and path in log.removed else self._game.read(path)
        data = self._game.prepared(path, log.token)
        data = self._game.read(path) if data is None else data
        if data is None or bytes_digest(data) != log.files[path]:
            raise self._damaged(Position(self._game.name(path)))
        return data

    def listing(self, log: Log, folder: str) -> list[tuple[str, Kind]]:
        """Return what lies in a folder once a transaction is finished (see `CloneFiles.listing`)."""
        found = {name: kind for name, kind in self._game.listing(folder) if not name.endswith(f".{log.token}")}
        start = len(folder) + 1 if folder else 0
        for path in log.files if log.in_force else ():
            if path.startswith(f"{folder}/"[:start]):
                name, below, _ = path[start:].partition("/")
                found.setdefault(name, "folder" if below else "file")
        gone = {path[start:] for path in log.removed if log.in_force and path.startswith(f"{folder}/"[:start])}
        return sorted((name, kind) for name, kind in found.items() if name not in gone)

    def write(self, files: Mapping[str, bytes], removed: Iterable[str], *, durable: bool) -> None:
        """Write `files` (path → bytes) and remove others, all or nothing; the caller holds the lock.

        `durable` waits for the disk; without it a power cut (not a kill) may lose the last transactions.
        Raises E-DISK, whose argument `recorded` says whether the commit point was passed: if not, nothing has changed;
        if so, the next writer finishes the work.
        """
        digests = {path: bytes_digest(data) for path, data in files.items()}
        log = Log(in_force=False, token=os.urandom(8).hex(), files=digests, removed=sorted(removed))
        try:
            self._stage(log, files, durable)
            log = replace(log, in_force=True)
            self._keep(log, durable)
        except (OSError, ProblemError) as error:
            self._undo(log)
            raise self._disk(error, recorded=False) if isinstance(error, OSError) else error from None
        self._place(log, durable=durable)

    def recover(self) -> Log | None:
        """Finish or undo a transaction that was cut short, and return what was finished; the caller holds the lock.

        Raises E-PENDING where what it left is damaged, E-DISK where there is still no room.
        """
        log = self.unfinished()
        if log is None:
            return None
        if not log.in_force:
            self._undo(log)
            return None
        for path in log.files:
            self.read(log, path)
        self._place(log, durable=True)
        return log

    def _stage(self, log: Log, files: Mapping[str, bytes], durable: bool) -> None:
        fault_point("before-stage")
        self._keep(log, durable)
        fault_point("begun")
        for path, data in files.items():
            self._game.prepare(path, data, log.token, durable=durable)
            fault_point("staged")
        fault_point("before-commit")

    def _keep(self, log: Log, durable: bool) -> None:
        self._logs.write(self._log, msgspec.json.encode(log), 0o600, durable=durable)

    def _place(self, log: Log, *, durable: bool) -> None:
        try:
            fault_point("after-commit")
            for path in log.files:
                with suppress(FileNotFoundError):  # it is in its place
                    self._game.place(path, log.token, durable=durable)
                fault_point("placed")
            for path in log.removed:
                self._game.remove(path)
                fault_point("removed")
            fault_point("before-clean")
            self._logs.remove(self._log)
            fault_point("after-clean")
        except OSError as error:
            raise self._disk(error, recorded=True) from None

    def _undo(self, log: Log) -> None:
        for path in log.files:
            self._game.discard(path, log.token)
        with suppress(OSError):
            self._logs.remove(self._log)

    def _damaged(self, place: Position) -> ProblemError:
        hint = f"restore the game's folder from git, and remove {self._logs.name(self._log)}"
        return fail("E-PENDING", "a write was cut short, and what it left is damaged", place, hint)

    def _disk(self, error: OSError, *, recorded: bool) -> ProblemError:
        full = is_machines(error, FULL)
        why = "the disk is full, or a quota" if full else f"the disk refuses: {(error.strerror or str(error)).lower()}"
        state = "what was written is safe, the next act finishes it" if recorded else "nothing was written"
        hint = "make room and try again" if full else ""
        place = Position(self._game.name())
        return ProblemError(Problem("E-DISK", f"{why}; {state}", place, hint, {"recorded": recorded}))
