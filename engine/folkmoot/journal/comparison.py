"""Whether one record of a game holds another: the first entry in which two records in git differ."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from msgspec import Struct

from folkmoot.core.problems import ProblemError
from folkmoot.core.records import Entry, SeenEntry
from folkmoot.core.values import told
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.layout import JOURNAL, entry_seq
from folkmoot.journal.record import GameRecord
from folkmoot.journal.tree import GameTree


class Difference(Struct, frozen=True):
    """The first entry of one record that another does not hold; `theirs` is what stands there instead, if anything."""

    seq: int
    ours: Entry | None
    theirs: Entry | None

    def __str__(self) -> str:
        """Return the entry with its day and what it was, and what is the matter with it there."""
        instead = f"is another one there, {_gist(self.theirs)}" if self.theirs else "is missing there"
        return f"entry {self.seq}, {_gist(self.ours)}, {instead}"


def _gist(entry: Entry | None) -> str:
    if entry is None:
        return "which cannot be read"
    by = f" by {str(entry['by'])[:40]}" if entry.get("by") else ""
    return f"{told(str(entry['do'])[:40])}{by} of {str(entry['at'])[:10]}"


def chain_digest(record: GameRecord, seq: int) -> str:
    """Return the digest by which the chain names an entry, also where its text was redacted since. Raises E-CHAIN."""
    head = record.head
    return head.digest if seq == head.seq else str(record.entry(seq + 1)["prev"])


def entry_seen(record: GameTree, commit: str) -> SeenEntry | None:
    """Return the last entry of a game that a commit has, None where it has none of a record's."""
    with suppress(KeyError, ValueError, ProblemError, pygit2.GitError):
        head = GameTree(record.repo, commit, record.name).head
        if 0 < head.seq <= record.head.seq and chain_digest(record, head.seq) == head.digest:
            return {"seq": head.seq, "digest": head.digest}
    return None


def first_difference(old: GameTree, new: GameTree) -> Difference | None:
    """Return the first entry of a record that another record in the same repository does not hold.

    A redacted entry is the same entry where both chains name it so. The cost follows what differs.
    """
    found = next((seq for seq in _changed(old, new) if not _is_redacted(old, new, seq)), None)
    return None if found is None else Difference(found, _entry(old, found), _entry(new, found))


def _changed(old: GameTree, new: GameTree) -> Iterator[int]:
    """Yield the numbers of a record's entries whose files are not the same, or not there, in another, in order."""
    before, after = old.ids(JOURNAL), new.ids(JOURNAL)
    for name in sorted(name for name, id_ in before.items() if after.get(name) != id_):
        theirs = new.ids(f"{JOURNAL}/{name}")
        files = sorted(file for file, id_ in old.ids(f"{JOURNAL}/{name}").items() if theirs.get(file) != id_)
        yield from (seq for file in files if (seq := entry_seq(f"{JOURNAL}/{name}/{file}")))


def _is_redacted(old: GameTree, new: GameTree, seq: int) -> bool:
    """Say whether an entry differs because one of two records lacks words of it that the other has."""
    try:
        redacted = any(record.entry(seq).get("redacted") for record in (old, new))
        return redacted and chain_digest(old, seq) == chain_digest(new, seq)
    except ProblemError:
        return False


def _entry(record: GameTree, seq: int) -> Entry | None:
    try:
        return record.entry(seq)
    except ProblemError:
        return None
