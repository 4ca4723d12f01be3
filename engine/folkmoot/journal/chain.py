"""Following a journal's chain of digests file by file, and saying which file breaks it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from folkmoot.core.calendar import read_stamp
from folkmoot.core.digest import bytes_digest
from folkmoot.core.problems import Position, Problem, ProblemError
from folkmoot.core.records import Entry
from folkmoot.journal.layout import HEAD, entry_name, may_follow, read_document, read_entry
from folkmoot.journal.record import GameRecord, Head, head_bytes
from folkmoot.kernel.chance import epoch_name
from folkmoot.kernel.redaction import is_redaction

OPEN_DICE = "open"


def _source_after(entry: Entry, source: str) -> str:
    """Return where draws have to come from after an entry, which may open or close a chance epoch."""
    founding = (entry["with"].get("chance") or {}) if entry["do"] == "found" else {}
    if founding.get("commitment"):
        return epoch_name(founding["epoch"])
    for effect in entry.get("effects") or ():
        if effect["effect"] == "epoch":
            source = epoch_name(int(effect["of"])) if "commitment" in effect else OPEN_DICE
    return source


class _Link(Struct):
    """One file of the journal: its digest, the digest it names, and the entry if the file holds it."""

    seq: int
    digest: str
    prev: str
    at: int
    entry: Entry | None = None


class Chain:
    """A journal, read once from its first file, or the one after those that are proved already, to its last.

    `problems` are what is wrong (all of it once `finish` was called), `given` the last entry that was handed out,
    `redacted` the digests of redacted files that the chain does not vouch for, `redactions` those that `redact` entries
    do, `draws` the entries by source of their draws (an entry stands there once for each draw), `misplaced` the draws
    (entry, source, source that was due) from elsewhere than the epoch that was open, `chance` the epochs that entries
    opened to everybody or lost, in the form that `game.yaml` keeps them.
    """

    def __init__(self, record: GameRecord, last: int, proved: Head | None = None, dice: str = OPEN_DICE) -> None:
        """Take the game's record and the number of the last entry in it.

        `proved` is the end of that part of the journal which is proved already (default: nothing is), `dice` where
        draws after it have to come from.
        """
        self.record, self.last = record, last
        self.problems: list[Problem] = []
        self.given = 0
        self.redacted: dict[int, str] = {}
        self.redactions: dict[int, str] = {}
        self.draws: dict[str, list[int]] = {}
        self.misplaced: list[tuple[int, str, str]] = []
        self.chance: dict[str, list[dict[str, Any]]] = {"opened": [], "lost": []}
        self._commitments: dict[str, Any] = {}
        self._due = dice
        self.vouchers: dict[bool, dict[str, int]] = {True: {}, False: {}}
        """The newest entry that each person had seen when they sent something, by their id, signed (True) or not."""
        self._named: dict[int, str] = {}  # the digests of entries by which those after them name them
        self._blamed: set[int] = set()
        self._misfits: list[int] = []
        self._odd: list[tuple[int, str]] = []  # what is wrong even where every digest fits
        self._start = proved or Head()
        self._links = self._follow()

    def proved(self) -> Iterator[Entry]:
        """Yield entries whose place in the chain is proved by what follows; stops for good where it is not."""
        for link in self._links:
            if self.problems or self._misfits or self._odd or link.entry is None:
                return
            self.given = link.seq
            yield link.entry

    def finish(self) -> None:
        """Follow the chain to its end, whoever stopped before, and say which files break it."""
        for _ in self._links:
            pass
        for seq in self._misfits:
            self._accuse(seq)
        self._misfits.clear()
        if not self.problems:
            self._check_redactions()
        for seq, message in self._odd if not self.problems else ():
            self._blame(seq, message)

    def _follow(self) -> Iterator[_Link]:
        """Yield each link once the next one, or the head, has been held against it."""
        start = self._start
        before = _Link(start.seq, start.digest, "", start.at or 0)
        for seq in range(start.seq + 1, self.last + 1):
            link = self._read(seq, before)
            if link is None:
                continue
            self._join(before, link)
            if before.seq > start.seq:
                yield before
            before = link
        if before.seq > start.seq:
            if not self._names_last(before):
                self._misfits.append(before.seq)
            yield before

    # -- one file

    def _read(self, seq: int, before: _Link) -> _Link | None:
        name = entry_name(seq)
        data = self.record.read(name)
        if data is None:
            self._blame(seq, "the entry is missing")
            return None
        link = _Link(seq, bytes_digest(data), "", before.at)
        if b"\r" in data:
            self._blame(seq, "line endings were converted; `state/** -text` in .gitattributes keeps git from it")
            return link
        try:
            entry = read_entry(data, self.record.shown(name))
            link.prev, link.at = str(entry["prev"]), read_stamp(str(entry["at"]))
        except ProblemError as error:
            cut = "; it seems to be cut off" if seq == self.last else ""
            problem = error.problems[0]
            self._blame(seq, f"this is no journal entry{cut}: {problem.message}", problem.position)
            return link
        if entry["seq"] != seq:
            self._blame(seq, f"the file holds entry {entry['seq']}")
        else:
            link.entry = entry
            self._named[seq - 1] = link.prev
            self._note(entry, seq)
            if not may_follow(entry, before.at):
                self._odd.append((seq, "the clock goes backwards: the entry is earlier than the one before"))
        return link

    def _note(self, entry: Entry, seq: int) -> None:
        """Keep what is to be proved of an entry later; what has not the form of it is found by the chain."""
        try:
            if is_redaction(entry):
                self.redactions[int(entry["with"]["seq"])] = str(entry["with"]["digest"])
            for draw in entry.get("draws") or ():
                self._note_draw(seq, str(draw["source"]))
            self._due = _source_after(entry, self._due)
            self._note_epochs(entry)
            self._note_seen(entry, seq)
        except (AttributeError, KeyError, TypeError, ValueError):
            self._odd.append((seq, "draws or arguments of the entry have not the form that an engine writes"))

    def _note_seen(self, entry: Entry, seq: int) -> None:
        """Hold the entry that somebody had seen against the one that stands there."""
        seen = (entry.get("via") or {}).get("seen")
        if seen is None:
            return
        number = int(seen["seq"])
        if 0 < number < self._start.seq and number not in self._named:
            self._named[number] = str(self.record.entry(number + 1)["prev"])
        if self._start.seq and number == self._start.seq:
            self._named[number] = self._start.digest
        if self._named.get(number) != seen["digest"]:
            self._odd.append((seq, f"who sent it had seen another entry {number} than the one that stands here"))
        by = str(entry.get("by") or "")
        vouchers = self.vouchers[not seen.get("unsigned")]
        vouchers[by] = max(number, vouchers.get(by, 0))

    def _note_epochs(self, entry: Entry) -> None:
        founding = (entry["with"].get("chance") or {}) if entry["do"] == "found" else {}
        if founding.get("commitment"):
            self._commitments[str(founding["epoch"])] = founding["commitment"]
        for effect in entry.get("effects") or ():
            if effect["effect"] != "epoch":
                continue
            of = str(effect["of"])
            if "commitment" in effect:
                self._commitments[of] = effect["commitment"]
                continue
            past = {"epoch": int(of), "commitment": self._commitments.get(of)}
            if "secret" in effect:
                self.chance["opened"].append({**past, "secret": bytes.fromhex(effect["secret"]).hex()})
            else:
                self.chance["lost"].append(past)

    def _note_draw(self, seq: int, source: str) -> None:
        self.draws.setdefault(source, []).append(seq)
        if source != self._due:
            self.misplaced.append((seq, source, self._due))

    def _blame(self, seq: int, message: str, position: Position | None = None, code: str = "E-CHAIN") -> None:
        if seq not in self._blamed:
            self._blamed.add(seq)
            self.problems.append(Problem(code, message, position or Position(self.record.shown(entry_name(seq)))))

    # -- two files

    def _join(self, before: _Link, link: _Link) -> None:
        """Hold a link against the one before."""
        if link.prev in ("", before.digest):
            return
        if before.entry is not None and before.entry.get("redacted"):
            self.redacted[before.seq] = before.digest
        else:
            self._misfits.append(before.seq)

    def _accuse(self, seq: int) -> None:
        """Say which of two files that do not fit was changed, unless one of them is known to be wrong already."""
        if seq in self._blamed or seq + 1 in self._blamed:
            return
        if seq == self.last:
            self.problems.append(Problem("E-CHAIN", self._head_message(), Position(self.record.shown(HEAD))))
            return
        next_was_changed = seq + 1 in self._misfits or self.redacted.get(seq + 1) != self.redactions.get(seq + 1)
        changed = seq + 1 if next_was_changed or seq == self._start.seq else seq
        cut = ", perhaps cut off" if changed == self.last else ""
        self._blame(changed, f"the file was changed{cut}: its digest is not the one that the chain names")

    def _check_redactions(self) -> None:
        """Hold redacted files against what the `redact` entries vouch for."""
        for seq in sorted({*self.redacted, *self.redactions}):
            left, vouched = self.redacted.get(seq), self.redactions.get(seq)
            if vouched is None:
                self._blame(seq, "the entry was changed, and no later entry redacts it", code="E-REDACTION")
            elif left is None:
                self._blame(seq, "the entry is redacted in the record, but its file has the text", code="E-REDACTION")
            elif left != vouched:
                self._blame(seq, "the redacted entry is not what the redaction left", code="E-REDACTION")

    # -- the head

    def _names_last(self, last: _Link) -> bool:
        return last.entry is not None and self.record.read(HEAD) == head_bytes(Head(last.seq, last.digest, last.at))

    def _head_message(self) -> str:
        """Say how `head.yaml` and the last entry disagree."""
        data = self.record.read(HEAD)
        if data is None:
            return "the file is missing"
        try:
            head = read_document("head", data, HEAD)
        except ProblemError as error:
            return f"the file does not name the last entry: {error.problems[0].message}"
        if head.get("seq") != self.last:
            return f"the file names entry {head.get('seq')} as the last one, but the journal ends with {self.last}"
        return f"the file does not fit the last entry: it or {entry_name(self.last)} was changed or cut off"
