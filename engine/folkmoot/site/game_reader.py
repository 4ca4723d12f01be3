"""A game read again and again, by one process or the next: what cannot have changed is neither read nor parsed anew.

Two things are kept. Files of the past are known by their time, size and place on the disk. Entries of the journal are
kept by the thousand; the entry behind such a part names the digest of its last one, which commits to all before.
What is kept and fits no longer is as good as nothing.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.msgpack import decode, encode

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.documents import Document
from folkmoot.core.records import Entry
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder, GameRecord
from folkmoot.journal.layout import document_name

IN_A_PART = 1_000
"""Entries of a part of the journal that is kept."""
MOST_KEPT = 1 << 30
"""Bytes of a file that is kept."""
Stamp = tuple[int, int, int]
K = TypeVar("K")


class Past(Struct, array_like=True):
    """Documents of the past by key, each with the stamp of its file."""

    documents: dict[str, tuple[Stamp, Any]]


class Part(Struct, array_like=True):
    """Entries of a full part of a journal; the next entry names `digest`, and the last one was then number `seen`."""

    digest: str
    seen: int
    entries: list[Any]


class GameReader:
    """What was read of a game; `folder` keeps it for the next process, None does not."""

    def __init__(self, folder: Path | None = None) -> None:
        self._files = CloneFiles.around(folder) if folder else None
        self._past: dict[str, tuple[Stamp, Any]] | None = None
        self._entries: list[Entry] = []
        self._head: Document = {}

    def documents(self, session: Session) -> dict[str, Document]:
        """Return the documents of a game that pages show, those of today and of the past."""
        record = session.record
        known = self._kept_past() if self._past is None else self._past
        now, read = dict[str, tuple[Stamp, Any]](), dict[str, Document]()
        with record.reading():  # once for all
            for key in record.archived_keys():
                if key.startswith("acts/"):
                    continue
                stamp, noted = _stamp(record, key), known.get(key)
                if noted is None or stamp is None or noted[0] != stamp:
                    found = record.archive(key)
                    if found is None:
                        continue
                    read[key] = found
                    noted = (stamp or (0, 0, 0), found)
                now[key] = noted
        if read or len(now) != len(known):
            self._keep("past", Past({key: each for key, each in now.items() if each[0] != (0, 0, 0)}))
        self._past = now
        return {**{key: found for key, (_stamp, found) in now.items()}, **session.documents}

    def entries(self, session: Session) -> tuple[Entry, ...]:
        """Return the entries of a game's journal."""
        record, head = session.record, dict(session.documents.get("head") or {})
        last, known = int(head.get("seq") or 0), int(self._head.get("seq") or 0)
        new = [*record.entries(known + 1)] if known and last > known else []
        follows = new[0]["prev"] == self._head["digest"] if new else head == self._head
        if not known or not follows or any(entry.get("do") == "redact" for entry in new):
            self._entries = self._read(record, last)
        else:
            self._entries += new
        self._head = head
        return tuple(self._entries)

    def _read(self, record: GameRecord, last: int) -> list[Entry]:
        """Read the journal: what is no full part from its files, then, backwards, the parts that are kept or not."""
        full = max(last - 1, 0) // IN_A_PART
        entries = [*record.entries(full * IN_A_PART + 1)]
        redacted = max((int(entry["seq"]) for entry in entries if entry.get("do") == "redact"), default=0)
        for number in range(full - 1, -1, -1):
            digest = str(entries[0]["prev"]) if entries else ""
            part = self._kept(_part_name(number), Part)
            if part is None or part.digest != digest or part.seen < redacted or len(part.entries) != IN_A_PART:
                found = [*record.entries(number * IN_A_PART + 1, (number + 1) * IN_A_PART)]
                part = Part(digest, last, _compact(found))
                self._keep(_part_name(number), part)
            redacted = max([redacted, *(int(each["seq"]) for each in part.entries if each.get("do") == "redact")])
            entries[:0] = part.entries
        return entries

    def _kept_past(self) -> dict[str, tuple[Stamp, Any]]:
        found = self._kept("past", Past)
        return found.documents if found else {}

    def _kept(self, name: str, kind: type[K]) -> K | None:
        if self._files is None:
            return None
        try:
            return decode(self._files.read(name, MOST_KEPT) or b"", type=kind)
        except (OSError, msgspec.MsgspecError, ValueError, RecursionError):
            return None

    def _keep(self, name: str, what: Struct) -> None:
        if self._files is None:
            return
        try:
            self._files.write(name, encode(what))
        except (OverflowError, TypeError, ValueError, RecursionError):  # numbers beyond 64 bits, half characters
            self._files.remove(name)


def _part_name(number: int) -> str:
    return f"journal-{number:06}"


def _compact(value: Any) -> Any:
    """Return the same value with equal keys of its maps as one object, which takes far less room; itself if need be."""
    try:
        return decode(encode(value))
    except (OverflowError, TypeError, ValueError, RecursionError):  # as above
        return value


def _stamp(record: GameRecord, key: str) -> Stamp | None:
    """Return what changes when the file of a document is written; None where there is no such file."""
    if not isinstance(record, GameFolder):
        return None
    try:
        found = os.stat(f"{record.path}/{document_name(key)}")  # noqa: PTH116 (asked of every document of a game)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
