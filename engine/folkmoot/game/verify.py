"""Proving a game: its journal chains, replays to exactly the files that lie there, and its draws are right.

So one commit is proved to go on with the game of another by play alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any, Protocol

import pygit2
from msgspec import Struct, field
from msgspec.structs import replace

from folkmoot.core.calendar import read_stamp
from folkmoot.core.digest import bytes_digest
from folkmoot.core.documents import Document
from folkmoot.core.engines import Versions, engine_named, is_same, is_takeover, shown_engine
from folkmoot.core.keys import GAME, ROSTER
from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.core.records import Entry, Founding, Shown
from folkmoot.core.values import is_digits
from folkmoot.core.versions import cannot_replay, other_engine, versions
from folkmoot.core.word_lists import file_of
from folkmoot.journal.chain import OPEN_DICE, Chain
from folkmoot.journal.git_objects import FILE, changed_files
from folkmoot.journal.handover import Past, derived_names, digest_of_files, state_digest
from folkmoot.journal.layout import (
    HEAD,
    JOURNAL,
    OLD_PENDING,
    document_bytes,
    document_name,
    entry_bytes,
    entry_name,
    entry_seq,
)
from folkmoot.journal.record import GameRecord, Head
from folkmoot.journal.tree import GameTree
from folkmoot.kernel.chance import check_draws, commitment, epoch_name
from folkmoot.kernel.redaction import is_redaction, redact_entry
from folkmoot.sandbox.client import Sandbox

# -- the parts of a journal that different engines recorded, and how each of them is proved

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


# -- a whole game

if TYPE_CHECKING:
    from folkmoot.game.sealing_proof import SealedPast

Replay = Callable[[Iterator[Entry]], Mapping[str, Document]]


def sealed_past(record: GameRecord) -> SealedPast | None:
    """Return what is sealed in the past of a game, None where nothing is, and nothing could be but in vain."""
    game = record.kept(GAME)
    counters = game.get("counters") or {}
    if not (counters.get("sealed") or counters.get("sealed draws") or game.get("sealing")):
        return None
    from folkmoot.game.sealing_proof import SealedPast

    return SealedPast.of(record)


def replayed_anew(record: GameRecord) -> Replay:
    """Return what replays the journal of a game from nothing, and returns every document that it derives."""

    def replay(entries: Iterator[Entry]) -> Mapping[str, Document]:
        past = sealed_past(record)
        with Sandbox(lists=record.archive) as sandbox:
            sandbox.keeper = past.answer if past is not None else None
            sandbox.replay(entries, looking=past is not None)
            return dict(sandbox.documents())

    return replay


_ONE_OR_MANY = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")


class Report(Struct):
    """What was proved of a game and what is wrong with it."""

    game: str
    counts: dict[str, int] = field(default_factory=dict)
    taken_over: int = 0
    facts: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)

    @property
    def unproved(self) -> list[Part]:
        """Return the parts of the journal of which only chain and bytes are proved."""
        return [part for part in self.parts if part.proved == CHAINED]

    @property
    def sound(self) -> bool:
        """Say whether nothing is wrong."""
        return not self.problems

    def record(self) -> Shown:
        """Return the report as plain data for `--json`."""
        problems = [problem.as_record() for problem in self.problems]
        return {
            "game": self.game,
            "sound": self.sound,
            "counts": self.counts,
            "facts": self.facts,
            "taken_over": self.taken_over,
            "parts": [part.record() for part in self.parts],
            "problems": problems,
        }

    def prove(self, name: str, count: int, sentence: str) -> None:
        """Note `count` things proved; `{}` in the sentence stands for the number, `[one|many]` for what fits it."""
        self.counts[name] = count
        fitting = _ONE_OR_MANY.sub(lambda found: found[1 if count == 1 else 2], sentence)
        self.facts.append(fitting.format(f"{count:,}"))


def verify(record: GameRecord, replay: Replay, named: Prover | None = None) -> Report:
    """Prove everything there is to prove of a game, and return all that is wrong with it.

    `replay` takes the entries in order and returns every derived document by key, or raises a problem at the first
    difference between what an entry records and what it replays to. It is given only entries whose place in the chain
    is proved, and only where this engine recorded them. What another engine recorded is proved by those that were
    `named`, else in chain and bytes only.
    """
    report = Report(record.name)
    try:
        with record.reading():
            _verify(record, replay, report, named)
    except ProblemError as error:
        places = {problem.position for problem in report.problems}
        report.problems += [problem for problem in error.problems if problem.position not in places]
    return report


def _verify(record: GameRecord, replay: Replay, report: Report, named: Prover | None) -> None:
    record.expect(["**"])
    names = _names(record, report)
    numbers = {name: seq for name in names if (seq := entry_seq(name))}
    chain = Chain(record, max(numbers.values(), default=0))
    proof = _Proof(record, chain, report, named)
    derived = proof.replay(replay)
    report.problems += chain.problems
    if not numbers:
        report.problems.append(problem_at("E-CHAIN", record, entry_name(1), "there is no first entry"))
    elif not chain.problems:
        report.prove(
            "entries", chain.last, "{} [entry chains|entries chain], from the founding to the one that head.yaml names"
        )
        if chain.redactions:
            report.prove(
                "redactions",
                len(chain.redactions),
                "{} redacted [entry is as its redaction|entries are as their redactions] left [it|them]",
            )
        report.taken_over = _records_of_the_past(record.entry(1)["with"])
        proof.ask_others()
    rest = {name for name in names if name not in numbers and name != HEAD}
    if numbers and not chain.problems:
        rest -= _prove_lists(record, report)
    _prove_files(record, derived, rest, report)
    if not chain.problems:
        prove_draws(record, chain, derived.chance if derived else chain.chance, report)
        prove_sealed(record, report)
        if numbers:
            _tell_vouchers(record, chain, report)
    if report.sound:
        prove_opening(record, derived.names if derived else ())


def _records_of_the_past(given: Founding) -> int:
    """Return how many records a founding takes over from before the game."""
    listed = [*(given.get("history") or {}).values(), *(given.get("rulings") or {}).values()]
    return sum(map(len, [*listed, given.get("decided") or (), given.get("former_players") or ()]))


def _tell_vouchers(record: GameRecord, chain: Chain, report: Report) -> None:
    """Say how many people vouch for how much of the journal: what they had seen of it fits the chain."""
    roster = record.kept(ROSTER)
    for signed, vouchers in chain.vouchers.items():
        seen = [seq for player, seq in vouchers.items() if player in roster]
        what = "letters of" if signed else "by the word of the host alone, votes, pushes and letters of"
        if seen:
            said = f"{len(seen)} of {len(roster)} people vouch for entry {min(seen)} or later"
            report.facts.append(f"{what} {said}; the newest for entry {max(seen)} of {chain.last}")


def _prove_files(record: GameRecord, derived: Derived | None, names: set[str], report: Report) -> None:
    replayed = sum(part.last - part.first + 1 for part in report.parts if part.proved == HERE)
    if replayed and (derived is not None or report.sound):
        report.prove(
            "replayed",
            replayed,
            "{} [entry replays|entries replay] to the effects and reasons that [it records|they record]",
        )
    if derived is not None:
        _prove_derived(record, derived, names, report)
    elif report.sound and report.parts and report.parts[-1].proved == THERE:
        report.prove(
            "derived", len(names), "{} derived [file was|files were] compared by the named engine with its replay"
        )
    elif report.sound:
        report.facts.append("the derived files were not compared, because the last entries were not replayed")
    else:
        report.facts.append("the derived files were not compared, because the journal is not proved to its end")


class _Proof(Struct):
    """The proof of a journal, part by part."""

    record: GameRecord
    chain: Chain
    report: Report
    named: Prover | None

    def replay(self, replay: Replay) -> Derived | None:
        """Replay what this engine recorded of what chains; return the files that come of the last entry, if all of it.

        The chain is followed to its end.
        """
        past, derived = Past(self.record), None
        for part, entries in parts_of(self.chain.proved()):
            if derived is not None and digest_of_files(derived.names, derived.read) != part.state:
                self._blame(part.first, "what it took over is not what the entries before it come to")
            self.report.parts.append(part)
            derived = self._replayed(part, entries, replay, past)
        self.chain.finish()
        return None if self.chain.problems else derived

    def _replayed(self, part: Part, entries: Iterator[Entry], replay: Replay, past: Past) -> Derived | None:
        if part.state and (wrong := part.find_start(past)):
            self._blame(part.first, wrong)
        ours = is_same(part.engine, versions())
        if not ours or (self.named is not None and self.named.knows(part.engine)):
            part.why = "" if ours else f"this is engine {shown_engine(versions())}; name that one with `--engine`"
            return None
        if part.state and part.start is None:
            part.why = f"the state that it took over is not at hand: {part.why}" if part.why else "see what is wrong"
            return None
        try:
            documents = replay(entries) if part.start is None else follow(part.start, entries)
        except ProblemError as error:
            part.why = "it does not replay as it was recorded"
            found = [replace(p, position=p.position or place_of(self.chain, p)) for p in error.problems]
            self.report.problems += found
            return None
        part.proved = HERE
        return Derived(documents, part.start)

    def _blame(self, seq: int, message: str) -> None:
        self.report.problems.append(problem_at("E-DERIVED", self.record, entry_name(seq), message))

    def ask_others(self) -> None:
        """Have the named engines replay what they recorded, each as it stood at the end of its part."""
        parts = self.report.parts
        for part, following in zip(parts, [*parts[1:], None], strict=True):
            if self.named is None or part.proved != CHAINED or not self.named.knows(part.engine):
                continue
            end = self.record if following is None else following.start
            if end is None:
                part.why = f"the state at its end is not at hand: {following.why if following else ''}"
            else:
                self.report.problems += self.named.prove(part, end)


def prove_sealed(record: GameRecord, report: Report) -> None:
    """Hold what was opened of what was sealed against the commitments to it."""
    past = sealed_past(record)
    if past is None:
        return
    report.problems += past.wrong
    for name, count, sentence in past.facts():
        report.prove(name, count, sentence)


def prove_opening(record: GameRecord, names: Iterable[str]) -> None:
    """Raise what whoever opens the game would meet, now or when asking for what is put away."""
    opened = {document_name(key) for key in record.load() if key != "head"}
    for name in sorted(set(names) - opened):
        if record.archive(name.removesuffix(".yaml")) is None:
            raise ProblemError(problem_at("E-DERIVED", record, name, "the file cannot be read"))


def problem_at(code: str, record: GameRecord, name: str, message: str, *, hint: str = "", line: int = 0) -> Problem:
    """Return a problem of a file of the game."""
    return Problem(code, message, Position(record.shown(name), line), hint)


# -- files


def _names(record: GameRecord, report: Report) -> list[str]:
    """Return the paths of all files below the folder in order; report those that no game has."""
    names = []
    for name, kind in sorted(record.walk()):
        if name.partition("/")[0] == OLD_PENDING:
            message = "an engine before 0.3 left this when a write was cut short; no engine reads it any more"
            hint = "remove it, and `git restore` the game's folder"
            report.problems.append(problem_at("E-STRAY", record, name, message, hint=hint))
        elif kind != "file":
            report.problems.append(problem_at("E-STRAY", record, name, "this is not a plain file"))
        elif name.startswith("journal/") and not entry_seq(name):
            report.problems.append(odd_entry(record, name))
        else:
            names.append(name)
    return names


def odd_entry(record: GameRecord, name: str) -> Problem:
    """Return what is wrong with a file below the journal's folder that is not called like an entry."""
    stem = name.rpartition("/")[2].removesuffix(".yaml")
    if is_digits(stem) and int(stem) and name.endswith(".yaml"):
        return problem_at("E-STRAY", record, name, f"the file does not belong here but at {entry_name(int(stem))}")
    return problem_at("E-STRAY", record, name, "no journal has a file of this name")


# -- word lists


def _prove_lists(record: GameRecord, report: Report) -> set[str]:
    """Hold word lists against the digests that the founding names; return their paths, also of those that are wrong."""
    lists = record.entry(1)["with"].get("lists") or {}
    found = {file_of(name): (name, record.read(file_of(name)), spec["digest"]) for name, spec in lists.items()}
    for path, (name, data, digest) in found.items():
        if data is None or bytes_digest(data) != digest:
            why = "is missing" if data is None else "is not the one that the game was founded with"
            hint = "put the file back as it was committed first"
            report.problems.append(problem_at("E-LIST", record, path, f"the word list {name} {why}", hint=hint))
    if found and report.sound:
        report.prove("lists", len(found), "{} word [list is the one|lists are those] that the game was founded with")
    return set(found)


# -- journal


def place_of(chain: Chain, problem: Problem) -> Position:
    """Return the file of the entry that a replay's problem names, else of the last entry that was replayed."""
    found = re.match(r"entry (\d+)\b", problem.message, re.ASCII)
    return Position(chain.record.shown(entry_name(int(found[1]) if found else chain.given)))


# -- derived files


def _prove_derived(record: GameRecord, derived: Derived, names: set[str], report: Report) -> None:
    same = 0
    for name in derived.names:
        wanted = derived.read(name)
        if name not in names:
            report.problems.append(problem_at("E-DERIVED", record, name, "the file is missing"))
        elif (found := record.read(name) or b"") != wanted:
            report.problems.append(difference(record, name, found, wanted))
        else:
            same += 1
    strays = sorted(names - set(derived.names))
    report.problems += [
        problem_at("E-STRAY", record, name, "nothing in the journal makes this file") for name in strays
    ]
    report.prove("derived", same, "{} derived [file equals|files equal] the replay, byte for byte")


def difference(record: GameRecord, name: str, found: bytes, wanted: bytes) -> Problem:
    """Return where a derived file first differs from what it should be."""
    ours, theirs = wanted.split(b"\n"), found.split(b"\n")
    pairs = zip(ours, theirs, strict=False)
    line = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(ours), len(theirs)))
    message = f"the file has {_shown(theirs, line)} where the replay gives {_shown(ours, line)}"
    converted = found.replace(b"\r", b"") == wanted
    hint = "the line endings were changed; keep git from converting them" if converted else ""
    return problem_at("E-DERIVED", record, name, message, hint=hint, line=line + 1)


def _shown(lines: list[bytes], number: int) -> str:
    return repr(lines[number].decode(errors="replace"))[:80] if number < len(lines) else "nothing"


# -- draws


def prove_draws(record: GameRecord, chain: Chain, chance: Mapping[str, Any], report: Report) -> None:
    """Prove the draws of a chain that was followed to its end: open ones, and those of epochs whose secret is out.

    `chance` has the epochs that were `opened` to everybody and those that were `lost`, as `game.yaml` does.
    """
    secrets = {epoch_name(epoch["epoch"]): epoch for epoch in chance.get("opened") or ()}
    proved = sum(_prove_epoch(record, chain, name, epoch, report) for name, epoch in sorted(secrets.items()))
    if secrets:
        report.prove(
            "draws",
            proved,
            "{} [draw of an opened chance epoch is what its secret gives|draws of opened chance epochs are what their "
            "secrets give]",
        )
    if OPEN_DICE in chain.draws:
        right = _prove_source(record, chain, OPEN_DICE, b"", report)
        report.prove("open_draws", right, "{} [draw of open dice is|draws of open dice are] right")
    for seq, source, due in chain.misplaced:
        message = f"a draw comes from '{source}', but the dice of this time are '{due}'"
        report.problems.append(problem_at("E-DRAW", record, entry_name(seq), message))
    lost = {epoch_name(epoch["epoch"]) for epoch in chance.get("lost") or ()}
    unproved = {source: seqs for source, seqs in chain.draws.items() if source.startswith("epoch ")}
    sealed = sum(len(seqs) for source, seqs in unproved.items() if source not in {*secrets, *lost})
    if sealed:
        report.prove(
            "sealed_draws", sealed, "{} [draw waits for the secret of its|draws wait for the secret of their] epoch"
        )
    gone = sum(len(seqs) for source, seqs in unproved.items() if source in lost)
    if gone:
        report.prove(
            "lost_draws", gone, "{} [draw|draws] can never be proved, because the secret of [its|their] epoch was lost"
        )


def _prove_epoch(record: GameRecord, chain: Chain, name: str, epoch: Mapping[str, Any], report: Report) -> int:
    secret = bytes.fromhex(epoch["secret"])
    if commitment(secret) != epoch.get("commitment"):
        message = f"the secret of {name} is not the one that was committed to"
        report.problems.append(problem_at("E-DRAW", record, "game.yaml", message))
    return _prove_source(record, chain, name, secret, report)


def _prove_source(record: GameRecord, chain: Chain, source: str, secret: bytes, report: Report) -> int:
    seqs = chain.draws.get(source, [])
    wrong = [(seq, problem) for seq in sorted(set(seqs)) for problem in check_draws(secret, record.entry(seq), source)]
    report.problems += [replace(p, position=Position(record.shown(entry_name(seq)))) for seq, p in wrong]
    return len(seqs) - len(wrong)


# -- whether one commit continues the game of another by play

Blob = tuple[pygit2.Oid, int]  # id and mode
Changed = Mapping[str, tuple[Blob | None, Blob | None]]  # path inside the game's folder → before, after


def validate_advance(base: GameTree, tip: GameTree) -> list[Problem]:
    """Return why what became of a game from one commit to another is not play: nothing where it is.

    Play is: new entries that chain on to those of `base`, that replay from its documents to what they record, whose
    draws are right where that can be known, and that derive every file that differs, byte for byte. `base` is taken as
    proved, both as they are committed. The cost follows what changed; only a redaction makes everything be replayed.
    """
    if base.tree_id == tip.tree_id:
        return []
    if tip.tree_id is None:
        return [Problem("E-CHAIN", f"the game in {tip.shown()} was removed")]
    listed = changed_files(tip.repo, base.tree_id, tip.tree_id)
    changed = {name: (before, after) for name, before, after in listed}
    try:
        return _problems(base, tip, changed, base.head)
    except ProblemError as error:
        return list(error.problems)


def _problems(base: GameTree, tip: GameTree, changed: Changed, proved: Head) -> list[Problem]:
    odd = [name for name, (_, after) in changed.items() if after is not None and after[1] != FILE]
    if odd:
        return [problem_at("E-STRAY", tip, name, "this is not a plain file") for name in odd]
    numbers = {name: seq for name in changed if (seq := entry_seq(name))}
    base.expect(changed)
    tip.expect(changed)
    last = max((seq for name, seq in numbers.items() if changed[name][1]), default=0)
    redactions = _redactions(tip, proved.seq + 1, last)
    problems = _old_entries(base, tip, {seq for seq in numbers.values() if seq <= proved.seq}, redactions)
    if problems:
        return problems
    if redactions:
        report = verify(tip, replayed_anew(tip))
        return report.problems or [unproved_problem(part) for part in report.unproved if part.last > proved.seq]
    chance = base.kept(GAME).get("chance")
    dice = epoch_name(chance["epoch"]) if chance and chance.get("commitment") else OPEN_DICE
    return _continued(base, tip, changed, Chain(tip, max(last, proved.seq), proved, dice))


def _redactions(tip: GameTree, start: int, stop: int) -> list[tuple[int, str]]:
    """Return what new entries redact: number and place; nothing where they are damaged, because the chain says more."""
    try:
        acts = [entry for entry in tip.entries(start, stop, having=["redact"]) if is_redaction(entry)]
    except ProblemError:
        return []
    named = [(with_.get("seq"), with_.get("path")) for act in acts if isinstance(with_ := act.get("with"), dict)]
    return [(seq, path) for seq, path in named if isinstance(seq, int) and isinstance(path, str)]


# -- the journal as it was


def _old_entries(base: GameTree, tip: GameTree, changed: set[int], redactions: list[tuple[int, str]]) -> list[Problem]:
    """Hold the entries that were there before against what they were and what redactions make of them."""
    wanted = {seq: base.entry(seq) for seq in changed}
    for seq, path in redactions:
        if seq in wanted:
            wanted[seq] = redact_entry(wanted[seq], path)
    problems = []
    for seq in sorted(changed):
        name = entry_name(seq)
        found = tip.read(name)
        if found is None:
            problems.append(problem_at("E-CHAIN", tip, name, "the entry was removed"))
        elif found != entry_bytes(wanted[seq]):
            problems.append(problem_at("E-CHAIN", tip, name, "the entry was changed after it was recorded"))
    return problems


# -- its continuation


def _continued(base: GameTree, tip: GameTree, changed: Changed, chain: Chain) -> list[Problem]:
    report = Report(tip.name)
    documents = base.load() if base.exists else {}
    derived = _followed(base, documents, chain, report)
    report.problems += chain.problems
    names = [name for name in changed if not entry_seq(name)]
    report.problems += [odd_entry(tip, name) for name in names if name.startswith(f"{JOURNAL}/")]
    if derived is None:
        return report.problems
    if HEAD in changed and chain.given == 0:
        report.problems.append(problem_at("E-CHAIN", tip, HEAD, "the file was changed, though nothing was recorded"))
    rest = {name for name in names if name != HEAD and not name.startswith(f"{JOURNAL}/")}
    report.problems += _derived(tip, derived, changed, rest - _sound_lists(tip, {**documents, **derived}))
    game = {**documents, **derived}.get("game") or {}
    prove_draws(tip, chain, game.get("chance") or {}, report)
    return report.problems


def _followed(
    base: GameTree, documents: dict[str, Document], chain: Chain, report: Report
) -> Mapping[str, Document | None] | None:
    """Replay what chains on to a base; return the documents that it changed if all of it was sound."""
    derived: Mapping[str, Document | None] | None = None
    judging = (documents.get("game") or {}).get("engine") or {}
    try:
        with Sandbox(documents, base.archive) as sandbox:
            derived = sandbox.follow(_by_this_engine(chain, base, judging))
    except ProblemError as error:
        report.problems += [replace(p, position=p.position or place_of(chain, p)) for p in error.problems]
    chain.finish()
    return None if chain.problems else derived


def _by_this_engine(chain: Chain, base: GameTree, judging: Versions) -> Iterator[Entry]:
    """Yield entries, all of which this engine recorded; raises E-ENGINE for one that another did.

    At a take-over the state has to be the one that its entry names.
    """
    for entry in chain.proved():
        if entry["seq"] == 1 or is_takeover(entry):
            judging = engine_named(entry)
        if not is_same(judging, versions()):
            raise fail("E-ENGINE", f"entry {entry['seq']}: {cannot_replay(judging)}", None, other_engine(judging))
        if is_takeover(entry) and (entry["seq"] != base.head.seq + 1 or entry["with"]["state"] != state_digest(base)):
            why = "what it took over is not the state of the game before it"
            raise fail("E-DERIVED", f"entry {entry['seq']}: {why}")
        yield entry


def _sound_lists(tip: GameTree, documents: Mapping[str, Document | None]) -> set[str]:
    """Return the files of word lists that are what the game was founded with."""
    lists = (documents.get("game") or {}).get("lists") or {}
    found = {file_of(name): (tip.read(file_of(name)), spec["digest"]) for name, spec in lists.items()}
    return {path for path, (data, digest) in found.items() if data is not None and bytes_digest(data) == digest}


def _derived(
    tip: GameTree, documents: Mapping[str, Document | None], changed: Changed, rest: set[str]
) -> list[Problem]:
    """Hold the derived files that differ against the documents that the new entries change."""
    wanted = {
        document_name(key): None if document is None else document_bytes(key, document)
        for key, document in documents.items()
        if key != "head"
    }
    problems = []
    for name in sorted({*wanted, *rest}):
        found = tip.read(name)
        if name not in wanted:
            problems.append(problem_at("E-DERIVED", tip, name, _uncalled(changed[name])))
        elif found == (due := wanted[name]):
            continue
        elif found is None or due is None:
            why = "is missing" if found is None else "should be gone"
            problems.append(problem_at("E-DERIVED", tip, name, f"the file {why}"))
        else:
            problems.append(difference(tip, name, found, due))
    return problems


def _uncalled(change: tuple[Blob | None, Blob | None]) -> str:
    before, after = change
    done = "added" if before is None else "removed" if after is None else "changed"
    return f"the file was {done}, but nothing that was recorded does so"
