"""A game's record, wherever its files lie: load documents, read the journal, append entries with what they change."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.calendar import read_stamp, write_stamp
from folkmoot.core.clone_files import Kind
from folkmoot.core.digest import bytes_digest
from folkmoot.core.documents import Document
from folkmoot.core.events import FOUNDING_DIGEST
from folkmoot.core.keys import GAME, LAW, ROSTER, Kept, Key, proposal_key, rule_key
from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.core.records import Entry, HeadDocument
from folkmoot.core.word_lists import LISTS, file_of
from folkmoot.files.canonical import UnwritableError, write_yaml
from folkmoot.journal.layout import (
    HEAD,
    JOURNAL,
    check_entry,
    document_name,
    entry_bytes,
    entry_name,
    entry_time,
    is_of_game,
    may_follow,
    read_entry,
    read_file,
)
from folkmoot.journal.wide_documents import WideDocuments

READ_WHEN_ASKED = "sealed/"
"""Where the keys of documents begin of which there are ever more, and of which hardly any are looked at."""


class LoadedDocuments(dict[str, Document]):
    """Documents by key, as a game has them that was loaded; `get` and `[]` also read what is sealed, and remember it.

    Going through them yields what was loaded and what has changed since, whatever was read meanwhile.
    """

    def __init__(self, documents: Mapping[str, Document], archive: Callable[[str], Document | None]) -> None:
        """Begin with what was loaded; `archive(key)` reads another document, None where there is none."""
        super().__init__(documents)
        self._archive = archive
        self._read: dict[str, Document | None] = {}

    def get(self, key: str, default: Any = None) -> Any:
        """Return a document by its key, `default` where there is none."""
        found = super().get(key)
        return found if found is not None or (found := self._asked_for(key)) is not None else default

    def __missing__(self, key: str) -> Document:
        """Return a document that is not among those in memory; raises KeyError where there is none."""
        found = self._asked_for(key)
        if found is None:
            raise KeyError(key)
        return found

    def _asked_for(self, key: str) -> Document | None:
        if not key.startswith(READ_WHEN_ASKED):
            return None
        if key not in self._read:
            self._read[key] = self._archive(key)
        return self._read[key]


VERIFY = "run `moot verify` to see what else is wrong"


def _hints(own: str) -> str:
    return f"{own}; {VERIFY}" if own else VERIFY


class Head(Struct, frozen=True):
    """The end of a journal: number, digest and time (Unix seconds) of its last entry; number 0 before the founding."""

    seq: int = 0
    digest: str = FOUNDING_DIGEST
    at: int | None = None

    def record(self) -> HeadDocument:
        """Return what `head.yaml` holds."""
        return {"seq": self.seq, "digest": self.digest, "at": write_stamp(self.at or 0)}


ALWAYS = (GAME, LAW, ROSTER)
"""The documents that every game has."""
"""What is loaded of every game, beside its last entry and what is open."""


class GameRecord(ABC):
    """The files below `state/<game>/`, on disk or in git.

    A kind of record says how to read a file, list a folder and write files; all else is the same for every kind.
    """

    _wide: WideDocuments | None = None

    # -- what a kind of record says

    @property
    @abstractmethod
    def name(self) -> str:
        """Return the short name of the game, which is that of its folder."""

    @property
    @abstractmethod
    def git_dir(self) -> Path | None:
        """Return git's own folder of the repository around the game, None where there is none."""

    @abstractmethod
    def shown(self, name: str = "") -> str:
        """Return how a file of the game, or its folder, is named in messages."""

    @abstractmethod
    def read(self, name: str) -> bytes | None:
        """Return the bytes of a file by its path inside the game's folder, None where there is none."""

    @abstractmethod
    def listing(self, folder: str = "") -> list[tuple[str, Kind]]:
        """Return what lies directly in a folder inside the game's: names, and of what kind each is."""

    @abstractmethod
    def _write(self, files: Mapping[str, bytes], removed: Sequence[str]) -> None:
        """Write files (path → bytes) and remove others, all or nothing."""

    @abstractmethod
    def commit(self, message: str, author: str | None = None, at: int | None = None) -> str | None:
        """Commit what was appended and return the commit's digest (hex), None where there is nothing to commit.

        `author` is written `Name <address>`, `at` (Unix seconds) dates the commit; git's configuration and clock say
        what is not given.
        """

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Keep writers out."""
        yield

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Keep other writers out from reading the game to appending to it."""
        yield

    # -- reading

    def walk(self, folder: str = "") -> Iterator[tuple[str, Kind]]:
        """Yield the paths of all that lies below a folder but folders, and of what kind each is."""
        for name, kind in self.listing(folder):
            path = f"{folder}/{name}" if folder else name
            if kind == "folder":
                yield from self.walk(path)
            else:
                yield path, kind

    @property
    def exists(self) -> bool:
        """Say whether a game was founded here."""
        with self.reading():
            return self.read(HEAD) is not None

    @property
    def head(self) -> Head:
        """Return the end of the journal; raises E-CHAIN where `head.yaml` is damaged or missing."""
        with self.reading():
            return self._head()

    def damage(self) -> list[Problem]:
        """Return what is wrong with the files that play goes on from, as far as that is found out at little cost."""
        return []

    def load(self) -> LoadedDocuments:
        """Return the derived documents by key, all but those that `archive` gives, and nothing of the past.

        What is known of sealed values is read from there when it is asked for.

        Raises E-NO-GAME where there is no game, E-CHAIN where the last entry is not the one that `head.yaml` names.
        """
        with self.reading():
            head = self._head()
            if not head.seq:
                raise fail("E-NO-GAME", "there is no game in this folder", Position(self.shown()))
            self._check_last(head)
            documents: dict[str, Document] = {
                key: self._document(key) for key in sorted({*self.current_keys(), *ALWAYS})
            }
            documents["head"] = {"seq": head.seq, "digest": head.digest, "at": head.at}
            in_force = (uid for uid, meta in (documents.get("law") or {}).get("rules", {}).items() if meta["in_force"])
            named = [*map(rule_key, in_force), *map(proposal_key, documents["game"].get("open") or ())]
            documents |= {key: self._document(key) for key in named if key not in documents}
            return LoadedDocuments(documents, self.archive)

    def archive(self, key: str) -> Any:
        """Return one document by key (older revisions, resolved proposals, word lists), None where there is none."""
        if key.startswith(LISTS):
            return self._word_list(file_of(key.split("/")[1]))
        try:
            name = document_name(key)
        except ProblemError:
            return None
        with self.reading():
            data = self.read(name)
            return None if data is None else self._parsed(key, data)

    def _parsed(self, key: str, data: bytes) -> Document:
        """Return the document in the bytes of its file; raises E-DERIVED where it cannot be read."""
        return self._whole(key, data, document_name(key), "E-DERIVED")

    def _whole(self, key: str, data: bytes, name: str, code: str) -> Document:
        """Return what the bytes of a file hold; raises by this code what is wrong first: all of it is for `verify`."""
        try:
            return read_file(key, data, self.shown(name))
        except ProblemError as error:
            first = error.problems[0]
            raise ProblemError(replace(first, code=code, hint=_hints(first.hint))) from None

    def kept(self, key: Key[Kept]) -> Kept:
        """Return a document of a known type, an empty one where there is none (see `archive`).

        Raises E-DERIVED where it is missing, and every game has one.
        """
        found = self.archive(key)
        return cast(Kept, self._document(key) if found is None and key in ALWAYS and self.head.seq else found or {})

    def _word_list(self, name: str) -> Document | None:
        """Return the words of a list by its path, as {words: …}, None where it cannot be read."""
        with self.reading(), suppress(UnicodeDecodeError):
            data = self.read(name)
            return None if data is None else {"words": data.decode()}
        return None

    def archived_keys(self) -> list[str]:
        """Return the keys of all documents that `load` leaves to `archive`, in order."""
        with self.reading():
            loaded = set(self.current_keys()) | {"head"}
            loaded |= {proposal_key(id_) for id_ in self._document("game").get("open") or ()}
            folders = [name for name, kind in self.listing() if kind == "folder" and name != JOURNAL]
            found = self._keys_below(folders)
            return sorted(key for key in found if key not in loaded)

    @property
    def founding(self) -> str:
        """Return the digest of the founding as it was recorded, which tells this game from all others.

        The entry after it goes on naming that where something of the founding was redacted.
        """
        later = self.read(entry_name(2))
        if later is None:
            return bytes_digest(self._entry_file(1))
        return read_entry(later, self.shown(entry_name(2)))["prev"]

    def entry(self, seq: int) -> Entry:
        """Return one journal entry by number; raises E-CHAIN where its file is missing or damaged."""
        return self._read_entry(seq, self._entry_file(seq))

    def entries(
        self,
        start: int = 1,
        stop: int | None = None,
        having: Sequence[str] = (),
        known: dict[int, Entry] | None = None,
    ) -> Iterator[Entry]:
        """Yield the entries from `start` to `stop` (included; the last one by default), one file at a time.

        With `having`, only entries whose text contains each of these words are read at all. What is `known` already,
        by number, is not read again, and what is read becomes known.
        """
        words = [word.encode() for word in having]
        for seq in range(start, (self.head.seq if stop is None else stop) + 1):
            data = self._entry_file(seq)
            if all(word in data for word in words):
                entry = (known or {}).get(seq) or self._read_entry(seq, data)
                if known is not None:
                    known[seq] = entry
                yield entry

    def _read_entry(self, seq: int, data: bytes) -> Entry:
        name = entry_name(seq)
        return cast(Entry, self._whole(name, data, name, "E-CHAIN"))

    def _head(self) -> Head:
        data = self.read(HEAD)
        if data is None:
            if self.read(entry_name(1)) is not None:
                raise self._broken(HEAD, "the file is missing, though there is a journal")
            return Head()
        try:
            record = msgspec.convert(read_file("head", data, self.shown(HEAD)), HeadDocument)
            return Head(record["seq"], record["digest"], read_stamp(record["at"]))
        except (msgspec.ValidationError, ProblemError) as error:
            raise self._broken(HEAD, "the file does not name the last entry") from error

    def _check_last(self, head: Head) -> None:
        """Raise E-CHAIN unless the last entry is there, is the one that `head.yaml` names, and is the last."""
        data = self._entry_file(head.seq)
        if bytes_digest(data) != head.digest:
            raise self._broken(entry_name(head.seq), "the last entry is not the one that head.yaml names")
        if self.read(entry_name(head.seq + 1)) is not None:
            raise self._broken(entry_name(head.seq + 1), "the entry lies beyond the last one that head.yaml names")

    def _entry_file(self, seq: int) -> bytes:
        data = self.read(entry_name(seq))
        if data is None:
            raise self._broken(entry_name(seq), "the entry is missing")
        return data

    def _broken(self, name: str, message: str) -> ProblemError:
        return fail("E-CHAIN", message, Position(self.shown(name)), VERIFY)

    def current_keys(self) -> list[str]:
        """Return the keys of the documents that `load` reads, but for the head and proposals, in order."""
        top = [name for name, kind in self.listing() if kind != "folder" and name != HEAD]
        return sorted([*_keys(top), *self._keys_below(("rules", "things"))])

    def _keys_below(self, folders: Iterable[str]) -> list[str]:
        return _keys(name for folder in folders for name, _ in self.walk(folder))

    def _document(self, key: str) -> Document:
        name = document_name(key)
        data = self.read(name)
        if data is None:
            raise fail("E-DERIVED", "the file is missing", Position(self.shown(name)), VERIFY)
        document = self._parsed(key, data)
        self._wide_documents().note(key, data, document)
        return document

    # -- writing

    def append(
        self,
        entries: Sequence[Entry],
        documents: Mapping[str, Document | None],
        rewritten: Mapping[int, Entry] | None = None,
        lists: Mapping[str, str] | None = None,
    ) -> Head:
        """Write new entries and the documents that they change (None: no longer derived), all or nothing.

        `seq` and `prev` of an entry may be left out; given, they must continue the journal. `rewritten` replaces old
        entries (number → entry) and is for redactions alone, `lists` are word lists by name that come with a founding.
        Files whose bytes stay the same are not touched; without entries, documents are brought to what they should be.

        Returns the new head. Raises E-MOVED where the journal went on since the entries were judged, E-CLOCK where time
        runs backwards, E-FAULT where what is to be written cannot be read back, and what writing raises (E-LOCKED,
        E-DISK).
        """
        with self.writing():
            head, files = self._chain(entries)
            files |= {entry_name(seq): self._entry_bytes(seq, entry) for seq, entry in (rewritten or {}).items()}
            files |= {file_of(name): text.encode() for name, text in (lists or {}).items()}
            changed, removed = self._differing(documents)
            files |= changed
            if entries:
                files[HEAD] = head_bytes(head)
            if files or removed:
                self._write(files, removed)
            return head

    def _chain(self, entries: Iterable[Entry]) -> tuple[Head, dict[str, bytes]]:
        """Return the head after `entries` and their files, each naming the digest of the one before."""
        head, files = self._head(), {}
        for entry in entries:
            numbered: Entry = {"seq": head.seq + 1, "prev": head.digest, **entry}
            self._check_next(numbered, head)
            data = self._entry_bytes(head.seq + 1, numbered)
            head = Head(head.seq + 1, bytes_digest(data), entry_time(numbered))
            files[entry_name(head.seq)] = data
        return head, files

    def _differing(self, documents: Mapping[str, Document | None]) -> tuple[dict[str, bytes], list[str]]:
        """Return the files whose bytes these documents change, and those that they end."""
        changed, removed = {}, []
        for key, document in documents.items():
            if key == "head":
                continue
            name = document_name(key)
            before = self.read(name)
            if document is None:
                removed += [name] if before is not None else []
            elif before != (data := self._document_bytes(key, document, before)):
                changed[name] = data
        return changed, removed

    def _entry_bytes(self, seq: int, entry: Entry) -> bytes:
        """Return the bytes of an entry, which are read back first; raises E-FAULT where it is not what comes out."""
        file = self.shown(entry_name(seq))
        data = _written(lambda: entry_bytes(entry), file)
        check_entry(entry, data, file)
        return data

    def _document_bytes(self, key: str, document: Document, before: bytes | None) -> bytes:
        """Return the bytes of a document, which are read back where they are not those of before; raises E-FAULT."""
        file = self.shown(document_name(key))
        return _written(lambda: self._wide_documents().bytes_of(key, document, before, file), file)

    def _wide_documents(self) -> WideDocuments:
        if self._wide is None:
            self._wide = WideDocuments()
        return self._wide

    def _check_next(self, entry: Entry, head: Head) -> None:
        place = Position(self.shown(entry_name(int(entry["seq"]))))
        if (entry["seq"], entry["prev"]) != (head.seq + 1, head.digest):
            message = f"the journal stands at entry {head.seq}, which is not what this was judged by"
            raise fail("E-MOVED", message, place, "read the game again and judge again")
        if head.at is not None and not may_follow(entry, head.at):
            message = f"the clock went backwards: {write_stamp(entry_time(entry))} is before {write_stamp(head.at)}"
            raise fail("E-CLOCK", message, place, "set the clock right, or give a later time")


def _written(write: Callable[[], bytes], file: str) -> bytes:
    """Return what a writer makes of a value; raises E-FAULT where it cannot be written."""
    try:
        return write()
    except UnwritableError as error:
        hint = "report this input as a fault of the engine; the game stands as before"
        raise fail("E-FAULT", f"nothing was written, because {error}", Position(file), hint) from None


def head_bytes(head: Head) -> bytes:
    """Return the exact bytes of `head.yaml`."""
    return write_yaml(head.record()).encode()


def _keys(names: Iterable[str]) -> list[str]:
    return [name.removesuffix(".yaml") for name in names if name.endswith(".yaml") and is_of_game(name)]
