"""A game read again and again: what stayed as it was is neither read nor made anew, and stays the same object.

Files that are not written again keep their time and size, and entries of a journal are chained: whoever knows the
digest of the last one knows that all before are what they were, but for texts that were redacted since.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from folkmoot.core.documents import Document
from folkmoot.core.records import Entry
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder, GameRecord
from folkmoot.journal.layout import document_name
from folkmoot.site.changed_facts import digest_of
from folkmoot.site.parallel_reading import read_all

IN_A_PART = 50
"""How many files are read one after the other where they are read by several processes."""
Stamp = tuple[int, int, int]


class Reading:
    """What was read of a game."""

    def __init__(self) -> None:
        self._archived: dict[str, tuple[Stamp | None, Document]] = {}
        self._present: dict[str, tuple[bytes, Document]] = {}
        self._entries: tuple[Entry, ...] = ()
        self._head: Document = {}

    def documents(self, session: Session) -> dict[str, Document]:
        """Return the documents of a game that pages show, those of today and of the past."""
        record = session.record
        with record.reading():  # once for all
            keys = [key for key in record.archived_keys() if not key.startswith("acts/")]
            stamps = {key: _stamp(record, key) for key in keys}
            new = [key for key in keys if not self._is_known(key, stamps[key])]
            read = _documents(record, new)
        past = {key: (stamps[key], read[key]) if key in read else self._archived[key] for key in keys}
        self._archived = {key: (stamp, found) for key, (stamp, found) in past.items() if found is not None}
        self._present = {key: self._as_before(key, found) for key, found in session.documents.items()}
        return {key: found for part in (self._archived, self._present) for key, (_, found) in part.items()}

    def _is_known(self, key: str, stamp: Stamp | None) -> bool:
        return stamp is not None and key in self._archived and self._archived[key][0] == stamp

    def _as_before(self, key: str, found: Document) -> tuple[bytes, Document]:
        """Return a document with its digest; the object that it was, where it says the same."""
        data = digest_of(found)
        known = self._present.get(key)
        return known if known is not None and known[0] == data else (data, found)

    def entries(self, session: Session) -> tuple[Entry, ...]:
        """Return the entries of a game's journal."""
        record, head, known = session.record, session.documents.get("head") or {}, self._head
        if known and int(head.get("seq") or 0) >= int(known["seq"]):
            new = tuple(record.entries(int(known["seq"]) + 1))
            follows = new[0]["prev"] == known["digest"] if new else head == known
            if follows and not any(entry.get("do") == "redact" for entry in new):
                self._entries, self._head = (*self._entries, *new), head
                return self._entries
        self._entries, self._head = tuple(_entries(record)), head
        return self._entries


def _documents(record: GameRecord, keys: Sequence[str]) -> dict[str, Document | None]:
    """Return documents of the past by key, None where there is none."""
    parts = [keys[at : at + IN_A_PART] for at in range(0, len(keys), IN_A_PART)]
    read = read_all(parts, lambda part: {key: record.archive(key) for key in part})
    return {key: found for part in read for key, found in part.items()}


def _entries(record: GameRecord) -> Iterator[Entry]:
    last = record.head.seq
    parts = range(1, last + 1, IN_A_PART)
    return chain.from_iterable(read_all(parts, lambda at: [*record.entries(at, min(at + IN_A_PART - 1, last))]))


def _stamp(record: GameRecord, key: str) -> Stamp | None:
    """Return what changes when the file of a document is written; None where there is no such file."""
    if not isinstance(record, GameFolder):
        return None
    try:
        found: Any = os.stat(f"{record.path}/{document_name(key)}")  # noqa: PTH116 (asked of every document of a game)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
