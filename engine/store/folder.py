"""A game's folder: load the documents, read the journal, append entries with all that they change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.calendar import read_stamp, write_stamp
from engine.digest import bytes_digest
from engine.model.events import FOUNDING_DIGEST
from engine.model.keys import proposal_key
from engine.problems import Position, ProblemError, fail
from engine.store.entries import Entry, entry_bytes, entry_time, read_entry
from engine.store.layout import (
    HEAD,
    Document,
    document_bytes,
    document_name,
    entry_name,
    read_document,
)
from engine.store.lock import locked
from engine.store.transaction import recover, unfinished, write_files
from engine.text import write_yaml


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a journal: number, digest and time (Unix seconds) of its last entry; number 0 before the founding."""

    seq: int = 0
    digest: str = FOUNDING_DIGEST
    at: int | None = None

    def record(self) -> dict[str, Any]:
        """Return what `head.yaml` holds."""
        return {"seq": self.seq, "digest": self.digest, "at": write_stamp(self.at or 0)}


class GameFolder:
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
        self._writing = False
        self._touched: set[str] = set()

    @property
    def name(self) -> str:
        """Return the short name of the game, which is that of its folder."""
        return self.path.name

    def shown(self, name: str) -> str:
        """Return how a file of the game is named in messages."""
        return f"{self.path.as_posix()}/{name}"

    @property
    def exists(self) -> bool:
        """Say whether a game was founded here."""
        with self.reading():
            return (self.path / HEAD).exists()

    @property
    def head(self) -> Head:
        """Return the end of the journal; raises E-CHAIN where `head.yaml` is damaged or missing."""
        with self.reading():
            return self._head()

    def load(self) -> dict[str, Document]:
        """Return the derived documents by key, all but those that `archive` gives, and nothing of the past.

        Raises E-NO-GAME where there is no game, E-CHAIN where the last entry is not the one that `head.yaml` names.
        """
        with self.reading():
            head = self._head()
            if not head.seq:
                raise fail("E-NO-GAME", "there is no game in this folder", Position(str(self.path)))
            self._check_last(head)
            documents = {key: self._document(key) for key in self._current_keys()}
            documents["head"] = {"seq": head.seq, "digest": head.digest, "at": head.at}
            for id_ in documents["game"].get("open") or ():
                documents[proposal_key(id_)] = self._document(proposal_key(id_))
            return documents

    def archive(self, key: str) -> Document | None:
        """Return one document by key (older revisions, resolved proposals), None where there is none."""
        try:
            name = document_name(key)
        except ProblemError:
            return None
        with self.reading():
            return self._document(key) if (self.path / name).exists() else None

    def archived_keys(self) -> list[str]:
        """Return the keys of all documents on disk that `load` leaves to `archive`, in order."""
        with self.reading():
            loaded = set(self._current_keys()) | {"head"}
            loaded |= {proposal_key(id_) for id_ in self._document("game").get("open") or ()}
            found = (path.relative_to(self.path).as_posix() for path in self.path.rglob("*.yaml"))
            return sorted(name[:-5] for name in found if not name.startswith("journal/") and name[:-5] not in loaded)

    def last_entry(self) -> Entry | None:
        """Return the last journal entry, None before the founding; raises E-CHAIN where it is damaged."""
        with self.reading():
            head = self._head()
            return self._check_last(head) if head.seq else None

    def entry(self, seq: int) -> Entry:
        """Return one journal entry by number; raises E-CHAIN where its file is missing or damaged."""
        return read_entry(self._entry_file(seq), self.shown(entry_name(seq)))

    def entries(self, start: int = 1, stop: int | None = None, having: Sequence[str] = ()) -> Iterator[Entry]:
        """Yield the entries from `start` to `stop` (included; the last one by default), one file at a time.

        With `having`, only entries whose text contains each of these words are read at all.
        """
        words = [word.encode() for word in having]
        for seq in range(start, (self.head.seq if stop is None else stop) + 1):
            data = self._entry_file(seq)
            if all(word in data for word in words):
                yield read_entry(data, self.shown(entry_name(seq)))

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Keep writers out; finishes or undoes a write that was cut short first. Raises E-LOCKED after `patience`."""
        if self._writing or not self.path.is_dir():
            yield
            return
        if unfinished(self.path):
            with self.writing():
                pass
        with locked(self.path, exclusive=False, patience=self._patience):
            yield

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

    def append(
        self,
        entries: Sequence[Mapping[str, Any]],
        documents: Mapping[str, Document | None],
        rewritten: Mapping[int, Mapping[str, Any]] | None = None,
    ) -> Head:
        """Write new entries and the documents that they change (None: no longer derived), all or nothing.

        `seq` and `prev` of an entry may be left out; given, they must continue the journal. `rewritten` replaces old
        entries (number → entry) and is for redactions alone. Files whose bytes stay the same are not touched; without
        entries, documents are brought to what they should be.

        Returns the new head. Raises E-MOVED where the journal went on since the entries were judged, E-CLOCK where time
        runs backwards, E-LOCKED, E-DISK.
        """
        with self.writing():
            head, files = self._chain(entries)
            files |= {entry_name(seq): entry_bytes(entry) for seq, entry in (rewritten or {}).items()}
            changed, removed = self._changes(documents)
            files |= changed
            if entries:
                files[HEAD] = write_yaml(head.record()).encode()
            if files or removed:
                write_files(self.path, files, removed, durable=self._durable)
            self._touched |= {*files, *removed}
            return head

    def commit(
        self, message: str, author: str | None = None, at: int | None = None, beside: Iterable[Path] = ()
    ) -> str | None:
        """Commit what was appended to the repository around the folder and return the commit's digest (hex).

        `author` is written `Name <address>`; `at` (Unix seconds) dates the commit, else git's clock does; `beside` are
        files outside the folder that go with it. Returns None outside a repository and where nothing has changed.
        """
        from engine.store.commit import commit_folder  # loading git takes longer than most commands

        with self.writing():
            digest = commit_folder(self.path, self._touched, message, author, at, beside)
            self._touched.clear()
            return digest

    # -- reading

    def _recover(self) -> None:
        if unfinished(self.path):
            manifest = recover(self.path)
            self._touched |= {*manifest.files, *manifest.removed} if manifest else set()

    def _head(self) -> Head:
        if not (self.path / HEAD).exists():
            if (self.path / entry_name(1)).exists():
                raise self._broken(HEAD, "the file is missing, though there is a journal")
            return Head()
        try:
            record = read_document("head", (self.path / HEAD).read_bytes(), self.shown(HEAD))
            return Head(int(record["seq"]), str(record["digest"]), read_stamp(record["at"]))
        except (KeyError, TypeError, ValueError, ProblemError) as error:
            raise self._broken(HEAD, "the file does not name the last entry") from error

    def _check_last(self, head: Head) -> Entry:
        data = self._entry_file(head.seq)
        if bytes_digest(data) != head.digest:
            raise self._broken(entry_name(head.seq), "the last entry is not the one that head.yaml names")
        if (self.path / entry_name(head.seq + 1)).exists():
            raise self._broken(entry_name(head.seq + 1), "the entry lies beyond the last one that head.yaml names")
        return read_entry(data, self.shown(entry_name(head.seq)))

    def _entry_file(self, seq: int) -> bytes:
        try:
            return (self.path / entry_name(seq)).read_bytes()
        except FileNotFoundError:
            raise self._broken(entry_name(seq), "the entry is missing") from None

    def _broken(self, name: str, message: str) -> ProblemError:
        return fail("E-CHAIN", message, Position(self.shown(name)), "run `moot verify` to see what else is wrong")

    def _current_keys(self) -> list[str]:
        top = (path for path in self.path.glob("*.yaml") if path.name != HEAD)
        below = (path for folder in ("rules", "things") for path in (self.path / folder).rglob("*.yaml"))
        return sorted(path.relative_to(self.path).as_posix()[:-5] for path in (*top, *below))

    def _document(self, key: str) -> Document:
        name = document_name(key)
        try:
            return read_document(key, (self.path / name).read_bytes(), self.shown(name))
        except FileNotFoundError:
            hint = "run `moot verify` to see what else is wrong"
            raise fail("E-DERIVED", "the file is missing", Position(self.shown(name)), hint) from None

    def _holds(self, name: str, data: bytes) -> bool:
        path = self.path / name
        return path.exists() and path.read_bytes() == data

    # -- writing

    def _chain(self, entries: Iterable[Mapping[str, Any]]) -> tuple[Head, dict[str, bytes]]:
        """Return the head after `entries` and their files, each naming the digest of the one before."""
        head, files = self._head(), {}
        for entry in entries:
            numbered = {"seq": head.seq + 1, "prev": head.digest, **entry}
            self._check_next(numbered, head)
            data = entry_bytes(numbered)
            head = Head(head.seq + 1, bytes_digest(data), entry_time(numbered))
            files[entry_name(head.seq)] = data
        return head, files

    def _changes(self, documents: Mapping[str, Document | None]) -> tuple[dict[str, bytes], list[str]]:
        """Return the files whose bytes these documents change, and those that they end."""
        changed, removed = {}, []
        for key, document in documents.items():
            if key == "head":
                continue
            name = document_name(key)
            if document is None:
                removed += [name] if (self.path / name).exists() else []
            elif not self._holds(name, data := document_bytes(key, document)):
                changed[name] = data
        return changed, removed

    def _check_next(self, entry: Mapping[str, Any], head: Head) -> None:
        place = Position(self.shown(entry_name(int(entry["seq"]))))
        if (entry["seq"], entry["prev"]) != (head.seq + 1, head.digest):
            message = f"the journal stands at entry {head.seq}, which is not what this was judged by"
            raise fail("E-MOVED", message, place, "read the game again and judge again")
        if head.at is not None and entry_time(entry) < head.at:
            message = f"the clock went backwards: {write_stamp(entry_time(entry))} is before {write_stamp(head.at)}"
            raise fail("E-CLOCK", message, place, "set the clock right, or give a later time")
