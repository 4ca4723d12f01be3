"""The state of a game: plain documents, each of which is one derived file, with an undo log for savepoints."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from folkmoot.core.documents import Document
from folkmoot.core.keys import Kept, Key, proposal_key
from folkmoot.core.values import LARGEST_DOCUMENT, SURELY_SHORT, flaw_of_key, size
from folkmoot.kernel.errors import Fault

Archive = Callable[[str], Document | None]

MISSING = object()
REMOVED = object()  # stands in the undo log for the name of what was removed


def is_archived(key: str, document: Document) -> bool:
    """Whether a document is read only when asked for: history, what has been resolved, and what is sealed or was."""
    if key.startswith(("proposals/", "votes/")):
        return "ballots" not in document or bool(document.get("outcome"))
    return key.startswith(("acts/", "history/", "issues/", "pulls/", "boxes/", "sealed/"))


class Documents:
    """Documents by key, each write undoable; those that `archive` does not give are put away in memory as bytes."""

    def __init__(self, documents: dict[str, Document], archive: Archive | None = None) -> None:
        """Take over `documents` (they are changed in place)."""
        self._documents = documents
        self._put_away: dict[str, bytes] = {}
        self._archive: Archive = archive or (lambda _key: None)
        self._keeps = archive is None
        self.fetch_list = self._archive  # a word list, as {words: …}, by `lists/NAME/DIGEST`
        self._absent: set[str] = set()
        self._loose: set[str] = set()
        self._undo: list[tuple[str, dict[str, Any], Any, Any]] = []
        self._orders: dict[int, list[Any]] = {}  # by id of a map from which something is removed: its names before
        self.known: dict[str, Any] = {}  # what was made of a document for scripts, until it changes
        self.touched: set[str] = set()  # keys of the documents written in this transaction
        self._room: dict[str, int] = {}  # how much each may surely grow before it has to be measured
        self.too_large = ""  # key of a document that has grown too large since a savepoint
        self.thing_keys = [key for key in documents if key.startswith("things/")]
        self._in_play: int | None = None  # how large all that is in play surely is at most; None: not measured yet
        self._in_play_before: int | None = None
        self._is_exact = False

    def keep(self) -> None:
        """Put away in memory from now on what is let go of: what changes here stands nowhere else."""
        self._keeps = True

    def get(self, key: Key[Kept]) -> Kept | None:
        """Return a document of a known type, None where there is none."""
        found: Any = self._documents.get(key)  # no cast, which is a call
        if found is None:
            found = self.find(key)
        kept: Kept | None = found
        return kept

    def find(self, key: str) -> Document | None:
        """Return a document or None."""
        found = self._documents.get(key)
        if found is None and key not in self._absent and key.startswith(ARCHIVED):
            stored = self._put_away.get(key)
            found = self._archive(key) if stored is None else msgspec.json.decode(stored)
            if found is None:
                self._absent.add(key)
            else:
                self._documents[key] = found
                self._loose.add(key)
        return found

    def __getitem__(self, key: Key[Kept]) -> Kept:
        """Return a document, an empty new one if there was none."""
        found: Any = self._documents.get(key)
        if found is None:
            found = self.find(key)
        if found is None:
            found = {}
            self.assign(key, self._documents, key, found)
            if key.startswith("things/") and key not in self.thing_keys:
                self.thing_keys.append(key)
        kept: Kept = found
        return kept

    def keys(self, prefix: str = "") -> list[str]:
        """Return the keys of the documents in memory that start with a prefix."""
        return [key for key in self._documents if key.startswith(prefix)]

    def assign(self, key: str, target: Any, name: str, value: Any, added: Any = None, at_most: int = 0) -> None:
        """Set `target[name]`, where `target` is (part of) the document `key`; raises Fault for an ill name.

        `added` is all of the value that was not there before, where that is known: no more than it is measured, and
        nothing at all where its size is `at_most` so much.
        """
        if len(name) > SURELY_SHORT and (flaw := flaw_of_key(name)):
            raise Fault(f"a file of the game cannot hold {flaw}", "E-BOUNDS")
        before = target.get(name, MISSING)
        if before is MISSING and self._orders:
            self._orders.pop(id(target), None)
        self._undo.append((key, target, name, before))
        self.touched.add(key)
        self.known.pop(key, None)
        if key.startswith(ARCHIVED):
            self._loose.add(key)
        target[name] = value
        by = at_most or size(value if added is None else added, 4)
        self._grow(key, name, by, is_new=before is MISSING and target is self._documents)

    def _grow(self, key: str, name: str, by: int, *, is_new: bool) -> None:
        """Count what a document may have grown by, and measure it where it may be too large."""
        grown = by + 120 + len(name)
        if self._in_play is not None and not key.startswith(NEVER_IN_PLAY):
            self._in_play += BYTES_AT_MOST * grown
            self._is_exact = False
        room = self._room.get(key)
        if room is None:
            room = LARGEST_DOCUMENT if is_new else 0
        room -= grown
        if room < 0:
            room = LARGEST_DOCUMENT - size(self._documents.get(key))
            if room < 0:
                self.too_large, room = key, 0
        self._room[key] = room

    def remove(self, key: str, target: Any, name: str) -> None:
        """Delete `target[name]`; undoing it restores the order of the keys too."""
        order = self._orders.get(id(target))
        if order is None:
            order = self._orders[id(target)] = list(target)
        self._undo.append((key, target, REMOVED, (name, target[name], order)))
        self.touched.add(key)
        self.known.pop(key, None)
        self._is_exact = False
        del target[name]

    def begin(self) -> None:
        """Start a transaction: forget the undo log and what was touched."""
        self.too_large = ""
        self._in_play_before = self._in_play
        self._undo.clear()
        self._orders.clear()
        self.touched.clear()

    def mark(self) -> int:
        """Return a savepoint."""
        return len(self._undo)

    def rollback(self, mark: int) -> set[str]:
        """Undo everything since a savepoint and return the keys of the documents concerned."""
        undone: set[str] = set()
        self.too_large = ""
        self._orders.clear()
        turned: dict[int, tuple[dict[str, Any], list[Any]]] = {}
        while len(self._undo) > mark:
            key, target, name, old = self._undo.pop()
            undone.add(key)
            self.known.pop(key, None)
            if name is REMOVED:
                target[old[0]], turned[id(target)] = old[1], (target, old[2])  # its order is that of the first removed
            elif old is MISSING:
                target.pop(name, None)
            else:
                target[name] = old
        for target, order in turned.values():
            kept = dict(target)
            target.clear()
            target.update((name, kept[name]) for name in order if name in kept)
            target.update(kept)
        if mark == 0:
            self.touched.clear()
            self._in_play, self._is_exact = self._in_play_before, False
        return undone

    def measure(self, limit: int) -> None:
        """Know how large all that is in play is at most; where that may be beyond a limit, it is measured."""
        if self._in_play is None or (self._in_play > limit and not self._is_exact):
            self._in_play, self._is_exact = size_in_play(self._documents), True

    def outgrown(self, limit: int) -> int:
        """Return how large all in play has become, where that is beyond a limit and more than before; else 0."""
        before = self._in_play_before or 0
        self.measure(limit)
        now = self._in_play or 0
        return now if now > max(limit, before) else 0

    def snapshot(self) -> bytes:
        """Return everything as bytes, to come back to it with `restore`."""
        return json.dumps([self._documents, {key: kept.decode() for key, kept in self._put_away.items()}]).encode()

    def restore(self, kept: bytes) -> None:
        """Come back to what `snapshot` kept; nothing of it can be undone."""
        documents, put_away = json.loads(kept)
        self._documents.clear()
        self._documents.update(documents)
        self._put_away = {key: stored.encode() for key, stored in put_away.items()}
        self._absent.clear()
        self._loose.clear()
        self._room.clear()
        self.known.clear()
        self._in_play = None
        self.begin()
        self.thing_keys = [key for key in documents if key.startswith("things/")]

    def export(self, keys: set[str]) -> dict[str, Document | None]:
        """Return the named documents as they are now, None for those that are gone."""
        return {key: self._documents.get(key) for key in sorted(keys)}

    def release(self) -> None:
        """Let go of archived documents that were fetched or have become archived, to keep memory bounded."""
        for key in [k for k in self._loose if is_archived(k, self._documents.get(k) or {})]:
            document = self._documents.pop(key, None)
            self._room.pop(key, None)
            self.known.pop(key, None)
            if self._keeps and document is not None:
                self._put_away[key] = _packed(document)
        self._loose.clear()
        self._absent.clear()

    def everything(self) -> dict[str, Document]:
        """Return every document there is, also those put away in memory, by key."""
        found = {key: json.loads(stored) for key, stored in self._put_away.items()} | self._documents
        return {key: found[key] for key in sorted(found)}

    def all(self) -> dict[str, Document]:
        """Return every document in memory."""
        return self._documents


def put_in(documents: dict[str, Document], changed: Mapping[str, Document | None]) -> None:
    """Bring documents up to date with those that changed, of which None are gone."""
    for key, document in changed.items():
        if document is None:
            documents.pop(key, None)
        else:
            documents[key] = document


def size_in_play(documents: Mapping[str, Document]) -> int:
    """Return how many bytes of JSON all takes that acts are judged on: all documents but those of the past."""
    open_ = {proposal_key(identifier) for identifier in (documents.get("game") or {}).get("open") or ()}
    present = (key for key in documents if key in open_ or not key.startswith((*ARCHIVED, "head")))
    return sum(len(_packed(documents[key])) for key in present)


def _packed(document: Document) -> bytes:
    try:
        return msgspec.json.encode(document)
    except (OverflowError, msgspec.MsgspecError):  # integers wider than 64 bits
        return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


NEVER_IN_PLAY = "acts/"
BYTES_AT_MOST = 6  # of JSON, for each character by which a file may have grown
ARCHIVED = ("acts/", "history/", "issues/", "proposals/", "pulls/", "boxes/", "sealed/", "votes/")
