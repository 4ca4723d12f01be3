"""What comes of acts: entries that are still to be written together, and what is told of each act."""

from __future__ import annotations

from msgspec import Struct, field

from folkmoot.core.calendar import read_moment
from folkmoot.core.documents import Document
from folkmoot.core.records import Arguments, Entry


class Asked(Struct, frozen=True, kw_only=True):
    """An act that is to be judged together with others; `at` is a stamp, or how long after the act before it."""

    by: str | None
    do: str
    with_: Arguments
    as_: str | None = None
    at: str = "+0s"

    def moment(self, before: int) -> int:
        """Return when it was done (Unix seconds), where the act before it was done at a time."""
        return read_moment(self.at, before)


class Done(Struct, frozen=True):
    """What came of an act: its own entry, and those of the timers that fired before it."""

    entry: Entry
    accepted: bool
    before: tuple[Entry, ...] = ()

    @property
    def code(self) -> str:
        """Return the code of a refusal, HELD where the act waits, "" where it was accepted."""
        return str(self.entry.get("code", ""))


class Batch(Struct):
    """Entries that are to be written as one, with the documents as they are after the last of them.

    `written` are those before them that have been written already.
    """

    entries: list[Entry] = field(default_factory=list)
    documents: dict[str, Document | None] = field(default_factory=dict)
    written: list[Entry] = field(default_factory=list)
