"""The parts of a journal that different engines recorded, and how each of them is proved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, Protocol

from msgspec import Struct, field

from folkmoot.core.calendar import read_stamp
from folkmoot.core.documents import Document
from folkmoot.core.engines import Versions, engine_named, is_takeover, shown_engine
from folkmoot.core.problems import Problem
from folkmoot.core.records import Entry, Shown
from folkmoot.journal.handover import Past, derived_names, state_digest
from folkmoot.journal.layout import document_bytes, document_name
from folkmoot.journal.record import GameRecord, Head
from folkmoot.journal.tree import GameTree
from folkmoot.sandbox.client import Sandbox

HERE = "replayed here"
THERE = "replayed by the named engine"
CHAINED = "chain and bytes only"


class Part(Struct, eq=False):
    """Entries `first` to `last`, which one engine recorded, and how they were proved.

    `state` is the digest of what the engine took over ("" at the founding), `before` the end of the journal then; `why`
    says why less was proved than could be.
    """

    first: int
    engine: Versions
    state: str = ""
    before: Head = field(default_factory=Head)
    last: int = 0
    proved: str = CHAINED
    why: str = ""
    start: GameTree | None = None

    @classmethod
    def beginning_with(cls, entry: Entry) -> Part:
        """Return the part that begins with an entry: the founding, or a take-over."""
        seq, engine = entry["seq"], engine_named(entry)
        if not is_takeover(entry):
            return cls(seq, engine)
        return cls(seq, engine, entry["with"]["state"], Head(seq - 1, entry["prev"], read_stamp(entry["at"])))

    def record(self) -> Shown:
        """Return the part as plain data for `--json`."""
        entries = [self.first, self.last]
        return {"entries": entries, "engine": dict(self.engine), "proved": self.proved, "why": self.why}

    @property
    def shown(self) -> str:
        """Return which entries these are: `entries 1 to 121`."""
        return f"entry {self.first}" if self.first == self.last else f"entries {self.first} to {self.last}"

    @property
    def engine_shown(self) -> str:
        """Return the engine as it is told."""
        return shown_engine(self.engine) if self.engine else "not named"

    def find_start(self, past: Past) -> str:
        """Find what the engine took over (`start`) in the history, where it is there.

        Returns what is wrong where the history has that moment, but not that state; "" else, and `why` says more.
        """
        found = None
        for found in past.at(self.before):
            if state_digest(found) == self.state:
                self.start = found
                return ""
        self.why = self.why or past.why
        if found is None:
            return ""
        at = f"commit {found.commit_id[:12]} has the game as it stood after entry {self.before.seq}"
        return f"{at}, but its files are not those that entry {self.first} took over: one was changed by hand"


def unproved_problem(part: Part) -> Problem:
    """Return what to say where a part should have been replayed and was not."""
    return Problem("E-ENGINE", f"{part.shown}, recorded by engine {part.engine_shown}, cannot be replayed: {part.why}")


class Prover(Protocol):
    """Engines that a verifier named."""

    def knows(self, engine: Versions) -> bool:
        """Say whether one of them is the engine that recorded a part."""

    def prove(self, part: Part, end: GameRecord) -> list[Problem]:
        """Have that engine replay a part whose end is given; notes in the part how it was proved, or why not.

        Returns what it found wrong.
        """


def parts_of(entries: Iterable[Entry]) -> Iterator[tuple[Part, Iterator[Entry]]]:
    """Yield each part with its entries, which are to be taken before the next part; `last` grows as they are."""
    parts: list[Part] = []

    def part_of(entry: Entry) -> Part:
        if not parts or is_takeover(entry):
            parts.append(Part.beginning_with(entry))
        parts[-1].last = entry["seq"]
        return parts[-1]

    return groupby(entries, part_of)


def follow(start: GameRecord, entries: Iterator[Entry]) -> dict[str, Document | None]:
    """Replay entries from a state; return the documents that they changed, None for those that are gone."""
    with Sandbox(start.load, start.archive) as sandbox:
        return sandbox.follow(entries)


class Derived:
    """The derived files that a replay gives: those that it changed, the others as they were at its start."""

    def __init__(self, documents: Mapping[str, Document | None], start: GameRecord | None = None) -> None:
        """Take documents by key (None: gone), and the record at the start, if that was not the founding."""
        self._start = start
        self._documents = documents
        self._changed = {document_name(key): (key, document) for key, document in documents.items() if key != "head"}
        kept = derived_names(start) if start is not None else []
        self.names = sorted({*kept, *self._changed} - {n for n, (_, doc) in self._changed.items() if doc is None})

    @property
    def chance(self) -> Mapping[str, Any]:
        """Return what the game's own file says of its chance epochs."""
        kept = self._start.archive("game") if self._start is not None else None
        return (self._documents.get("game") or kept or {}).get("chance") or {}

    def read(self, name: str) -> bytes:
        """Return the bytes of a file."""
        if name in self._changed:
            key, document = self._changed[name]
            assert document is not None, "what is gone has no name here"
            return document_bytes(key, document)
        assert self._start is not None
        return self._start.read(name) or b""
