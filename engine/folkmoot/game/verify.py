"""Proving a game: its journal chains and replays to exactly its files; and that one commit goes on from another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any, Protocol

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
from folkmoot.journal.git_library import pygit2
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
        """Find what the engine took over (`start`) in the history; return what is wrong where that is another state."""
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
        """Have that engine replay a part up to its end, noting how it was proved or why not; return what is wrong."""


def parts_of(entries: Iterable[Entry]) -> Iterator[tuple[Part, Iterator[Entry]]]:
    """Yield each part with its entries, which are to be taken before the next part; `last` grows as they are."""
    parts: list[Part] = []

    def part_of(entry: Entry) -> Part:
        if not parts or is_takeover(entry):
            parts.append(Part.beginning_with(entry))
        parts[-1].last = entry["seq"]
        return parts[-1]

    return groupby(entries, part_of)


class Derived:
    """The derived files that a replay gives: those that it changed, the others as they were at its start."""

    def __init__(self, documents: Mapping[str, Document | None], start: GameRecord | None = None) -> None:
        """Take documents by key (None: gone), and the record at the start, if that was not the founding."""
        self._start = start
        self._documents = documents
        self._changed = {
            document_name(key): (key, doc) for key, doc in documents.items() if doc is not None and key != "head"
        }
        before = derived_names(start) if start is not None else []
        gone = {document_name(key) for key, document in documents.items() if document is None}
        self.names = sorted({*before, *self._changed} - gone)

    @property
    def chance(self) -> Mapping[str, Any]:
        """Return what the game's own file says of its chance epochs."""
        kept = self._start.archive("game") if self._start is not None else None
        return (self._documents.get("game") or kept or {}).get("chance") or {}

    def read(self, name: str) -> bytes:
        """Return the bytes of a file."""
        if name in self._changed:
            return document_bytes(*self._changed[name])
        return (self._start.read(name) if self._start is not None else None) or b""


# -- a whole game

if TYPE_CHECKING:
    from folkmoot.game.keeper import SealedPast

Replay = Callable[[Iterator[Entry]], Mapping[str, Document]]


def _sealed_past(record: GameRecord) -> SealedPast | None:
    """Return what is sealed in the past of a game, None where nothing is, and nothing could be but in vain."""
    game = record.kept(GAME)
    counters = game.get("counters") or {}
    if not (counters.get("sealed") or counters.get("sealed draws") or game.get("sealing")):
        return None
    from folkmoot.game.keeper import SealedPast

    return SealedPast.of(record)


def replayed_anew(record: GameRecord, progress: Callable[[int], None] = lambda _seq: None) -> Replay:
    """Return what replays the journal of a game from nothing, and returns every document that it derives."""

    def replay(entries: Iterator[Entry]) -> Mapping[str, Document]:
        past = _sealed_past(record)
        with Sandbox(lists=record.archive) as sandbox:
            sandbox.keeper = past.answer if past is not None else None
            sandbox.replay(entries, progress, looking=past is not None)
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
        return {
            "game": self.game,
            "sound": self.sound,
            "counts": self.counts,
            "facts": self.facts,
            "taken_over": self.taken_over,
            "parts": [part.record() for part in self.parts],
            "problems": [problem.as_record() for problem in self.problems],
        }

    def blame(self, code: str, record: GameRecord, name: str, message: str, hint: str = "") -> None:
        """Note a problem of a file of the game."""
        self.problems.append(_problem_at(code, record, name, message, hint=hint))

    def prove(self, name: str, count: int, sentence: str) -> None:
        """Note `count` things proved; `{}` in the sentence stands for the number, `[one|many]` for what fits it."""
        self.counts[name] = count
        fitting = _ONE_OR_MANY.sub(lambda found: found[1 if count == 1 else 2], sentence)
        self.facts.append(fitting.format(f"{count:,}"))


def verify(record: GameRecord, replay: Replay, named: Prover | None = None) -> Report:
    """Prove everything there is to prove of a game, and return all that is wrong with it.

    `replay` takes those entries that chain and that this engine recorded, and returns every derived document by key, or
    raises a problem. What another engine recorded is proved by those that were `named`, else in chain and bytes only.
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
    names = _names(record, report)
    numbers = {name: seq for name in names if (seq := entry_seq(name))}
    chain = Chain(record, max(numbers.values(), default=0))
    proof = _Proof(record, chain, report, named)
    derived = proof.replay(replay)
    report.problems += chain.problems
    if not numbers:
        report.blame("E-CHAIN", record, entry_name(1), "there is no first entry")
    elif not chain.problems:
        chained = "{} [entry chains|entries chain], from the founding to the one that head.yaml names"
        report.prove("entries", chain.last, chained)
        if chain.redactions:
            left = "{} redacted [entry is as its redaction|entries are as their redactions] left [it|them]"
            report.prove("redactions", len(chain.redactions), left)
        given: Founding = record.entry(1)["with"]
        listed = [*(given.get("history") or {}).values(), *(given.get("rulings") or {}).values()]
        listed += [given.get("decided") or [], given.get("former_players") or []]
        report.taken_over = sum(map(len, listed))
        proof.ask_others()
    rest = {name for name in names if name not in numbers and name != HEAD}
    if numbers and not chain.problems:
        rest -= _prove_lists(record, report)
    _prove_files(record, derived, rest, report)
    if not chain.problems:
        _prove_draws(record, chain, derived.chance if derived else chain.chance, report)
        if past := _sealed_past(record):
            report.problems += past.wrong
            for name, count, sentence in past.facts():
                report.prove(name, count, sentence)
        if numbers:
            _tell_vouchers(record, chain, report)
    if report.sound:
        _prove_opening(record, derived.names if derived else (), report)


def _prove_opening(record: GameRecord, names: Iterable[str], report: Report) -> None:
    """Meet what whoever opens the game would, now or when asking for what is put away."""
    opened = {document_name(key) for key in record.load() if key != "head"}
    for name in sorted(set(names) - opened):
        if record.archive(name.removesuffix(".yaml")) is None:
            report.blame("E-DERIVED", record, name, "the file cannot be read")


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
        to_what = "{} [entry replays|entries replay] to the effects and reasons that [it records|they record]"
        report.prove("replayed", replayed, to_what)
    if derived is not None:
        found = {name: (record.read(name) or b"") if name in names else None for name in derived.names}
        wrong = [_difference(record, name, data, derived.read(name)) for name, data in found.items()]
        report.problems += filter(None, wrong)
        for name in sorted(names - set(derived.names)):
            report.blame("E-STRAY", record, name, "nothing in the journal makes this file")
        report.prove("derived", wrong.count(None), "{} derived [file equals|files equal] the replay, byte for byte")
    elif report.sound and report.parts and report.parts[-1].proved == THERE:
        compared = "{} derived [file was|files were] compared by the named engine with its replay"
        report.prove("derived", len(names), compared)
    else:
        why = "the last entries were not replayed" if report.sound else "the journal is not proved to its end"
        report.facts.append(f"the derived files were not compared, because {why}")


class _Proof(Struct):
    """The proof of a journal, part by part."""

    record: GameRecord
    chain: Chain
    report: Report
    named: Prover | None

    def replay(self, replay: Replay) -> Derived | None:
        """Replay what this engine recorded, following the whole chain; return the files, if it recorded the last."""
        past, derived = Past(self.record), None
        for part, entries in parts_of(self.chain.proved()):
            if derived is not None and digest_of_files(derived.names, derived.read) != part.state:
                self._blame(part, "what it took over is not what the entries before it come to")
            self.report.parts.append(part)
            derived = self._replayed(part, entries, replay, past)
        self.chain.finish()
        return None if self.chain.problems else derived

    def _replayed(self, part: Part, entries: Iterator[Entry], replay: Replay, past: Past) -> Derived | None:
        if part.state and (wrong := part.find_start(past)):
            self._blame(part, wrong)
        ours = is_same(part.engine, versions())
        if not ours or (self.named is not None and self.named.knows(part.engine)):
            part.why = "" if ours else f"this is engine {shown_engine(versions())}; name that one with `--engine`"
            return None
        if part.state and part.start is None:
            part.why = f"the state that it took over is not at hand: {part.why}" if part.why else "see what is wrong"
            return None
        try:
            if part.start is None:
                documents: Mapping[str, Document | None] = replay(entries)
            else:
                with Sandbox(part.start.load, part.start.archive) as sandbox:
                    documents = sandbox.follow(entries)
        except ProblemError as error:
            part.why = "it does not replay as it was recorded"
            self.report.problems += _placed_in(self.chain, error)
            return None
        part.proved = HERE
        return Derived(documents, part.start)

    def _blame(self, part: Part, message: str) -> None:
        self.report.blame("E-DERIVED", self.record, entry_name(part.first), message)

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


def _problem_at(code: str, record: GameRecord, name: str, message: str, *, hint: str = "", line: int = 0) -> Problem:
    """Return a problem of a file of the game."""
    return Problem(code, message, Position(record.shown(name), line), hint)


# -- files


def _names(record: GameRecord, report: Report) -> list[str]:
    """Return the paths of all files below the folder in order; report those that no game has."""
    names = []
    for name, kind in sorted(record.walk()):
        if name.partition("/")[0] == OLD_PENDING:
            message = "an engine before 0.3 left this when a write was cut short; no engine reads it any more"
            report.blame("E-STRAY", record, name, message, "remove it, and `git restore` the game's folder")
        elif kind != "file":
            report.blame("E-STRAY", record, name, "this is not a plain file")
        elif name.startswith(f"{JOURNAL}/") and not entry_seq(name):
            report.problems.append(_odd_entry(record, name))
        else:
            names.append(name)
    return names


def _odd_entry(record: GameRecord, name: str) -> Problem:
    """Return what is wrong with a file below the journal's folder that is not called like an entry."""
    stem = name.rpartition("/")[2].removesuffix(".yaml")
    if is_digits(stem) and int(stem) and name.endswith(".yaml"):
        return _problem_at("E-STRAY", record, name, f"the file does not belong here but at {entry_name(int(stem))}")
    return _problem_at("E-STRAY", record, name, "no journal has a file of this name")


def _prove_lists(record: GameRecord, report: Report) -> set[str]:
    """Hold word lists against the digests that the founding names; return their paths, also of those that are wrong."""
    lists = record.entry(1)["with"].get("lists") or {}
    for name, spec in lists.items():
        data = record.read(file_of(name))
        if data is None or bytes_digest(data) != spec["digest"]:
            why = "is missing" if data is None else "is not the one that the game was founded with"
            message, hint = f"the word list {name} {why}", "put the file back as it was committed first"
            report.blame("E-LIST", record, file_of(name), message, hint)
    if lists and report.sound:
        report.prove("lists", len(lists), "{} word [list is the one|lists are those] that the game was founded with")
    return set(map(file_of, lists))


def _placed_in(chain: Chain, error: ProblemError) -> Iterator[Problem]:
    """Yield a replay's problems, each in the file of the entry that it names, else of the last that was replayed."""
    for problem in error.problems:
        found = re.match(r"entry (\d+)\b", problem.message, re.ASCII)
        place = Position(chain.record.shown(entry_name(int(found[1]) if found else chain.given)))
        yield replace(problem, position=problem.position or place)


def _difference(record: GameRecord, name: str, found: bytes | None, wanted: bytes | None) -> Problem | None:
    """Return where a derived file first differs from what it should be, both None where there is none."""
    if found == wanted:
        return None
    if found is None or wanted is None:
        message = "the file is missing" if found is None else "the file should be gone"
        return _problem_at("E-DERIVED", record, name, message)
    ours, theirs = wanted.split(b"\n"), found.split(b"\n")
    pairs = zip(ours, theirs, strict=False)
    line = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(ours), len(theirs)))
    message = f"the file has {_shown(theirs, line)} where the replay gives {_shown(ours, line)}"
    converted = found.replace(b"\r", b"") == wanted
    hint = "the line endings were changed; keep git from converting them" if converted else ""
    return _problem_at("E-DERIVED", record, name, message, hint=hint, line=line + 1)


def _shown(lines: list[bytes], number: int) -> str:
    return repr(lines[number].decode(errors="replace"))[:80] if number < len(lines) else "nothing"


# -- draws


def _prove_draws(record: GameRecord, chain: Chain, chance: Mapping[str, Any], report: Report) -> None:
    """Prove the draws of a whole chain that are open, or of epochs of which `chance`, as in `game.yaml`, tells."""
    secrets = {epoch_name(epoch["epoch"]): epoch for epoch in chance.get("opened") or ()}
    proved = 0
    for name, epoch in sorted(secrets.items()):
        secret = bytes.fromhex(epoch["secret"])
        if commitment(secret) != epoch.get("commitment"):
            report.blame("E-DRAW", record, "game.yaml", f"the secret of {name} is not the one that was committed to")
        proved += _prove_source(record, chain, name, secret, report)
    if secrets:
        one = "draw of an opened chance epoch is what its secret gives"
        many = "draws of opened chance epochs are what their secrets give"
        report.prove("draws", proved, f"{{}} [{one}|{many}]")
    if OPEN_DICE in chain.draws:
        right = _prove_source(record, chain, OPEN_DICE, b"", report)
        report.prove("open_draws", right, "{} [draw of open dice is|draws of open dice are] right")
    for seq, source, due in chain.misplaced:
        message = f"a draw comes from '{source}', but the dice of this time are '{due}'"
        report.blame("E-DRAW", record, entry_name(seq), message)
    lost = {epoch_name(epoch["epoch"]) for epoch in chance.get("lost") or ()}
    unproved = {source: seqs for source, seqs in chain.draws.items() if source.startswith("epoch ")}
    sealed = sum(len(seqs) for source, seqs in unproved.items() if source not in {*secrets, *lost})
    if sealed:
        waiting = "{} [draw waits for the secret of its|draws wait for the secret of their] epoch"
        report.prove("sealed_draws", sealed, waiting)
    gone = sum(len(seqs) for source, seqs in unproved.items() if source in lost)
    if gone:
        never = "{} [draw|draws] can never be proved, because the secret of [its|their] epoch was lost"
        report.prove("lost_draws", gone, never)


def _prove_source(record: GameRecord, chain: Chain, source: str, secret: bytes, report: Report) -> int:
    seqs = chain.draws.get(source, [])
    wrong = [(seq, problem) for seq in sorted(set(seqs)) for problem in check_draws(secret, record.entry(seq), source)]
    report.problems += [replace(p, position=Position(record.shown(entry_name(seq)))) for seq, p in wrong]
    return len(seqs) - len(wrong)


# -- whether one commit continues the game of another by play

Blob = tuple[pygit2.Oid, int]  # id and mode
Changed = Mapping[str, tuple[Blob | None, Blob | None]]  # path inside the game's folder → before, after


def validate_advance(base: GameTree, tip: GameTree) -> list[Problem]:
    """Return why what became of a game from one commit, which is taken as proved, to another is not play.

    Play is: new entries that chain, that replay to what they record, whose draws are right where that can be known, and
    that derive every file that differs. The cost follows what changed; only a redaction makes everything be replayed.
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
        return [_problem_at("E-STRAY", tip, name, "this is not a plain file") for name in odd]
    numbers = {name: seq for name in changed if (seq := entry_seq(name))}
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


def _old_entries(base: GameTree, tip: GameTree, changed: set[int], redactions: list[tuple[int, str]]) -> list[Problem]:
    """Hold the entries that were there before against what they were and what redactions make of them."""
    wanted = {seq: base.entry(seq) for seq in changed}
    for seq, path in redactions:
        if seq in wanted:
            wanted[seq] = redact_entry(wanted[seq], path)
    problems = []
    for seq in sorted(changed):
        found = tip.read(entry_name(seq))
        if found != entry_bytes(wanted[seq]):
            done = "removed" if found is None else "changed after it was recorded"
            problems.append(_problem_at("E-CHAIN", tip, entry_name(seq), f"the entry was {done}"))
    return problems


def _continued(base: GameTree, tip: GameTree, changed: Changed, chain: Chain) -> list[Problem]:
    """Replay what chains on to a base, and hold what it derives against what was committed."""
    report = Report(tip.name)
    documents = base.load() if base.exists else {}
    derived: Mapping[str, Document | None] | None = None
    judging = (documents.get("game") or {}).get("engine") or {}
    try:
        with Sandbox(documents, base.archive) as sandbox:
            derived = sandbox.follow(_by_this_engine(chain, base, judging))
    except ProblemError as error:
        report.problems += _placed_in(chain, error)
    chain.finish()
    report.problems += chain.problems
    names = [name for name in changed if not entry_seq(name)]
    report.problems += [_odd_entry(tip, name) for name in names if name.startswith(f"{JOURNAL}/")]
    if derived is None or chain.problems:
        return report.problems
    if HEAD in changed and chain.given == 0:
        report.blame("E-CHAIN", tip, HEAD, "the file was changed, though nothing was recorded")
    game = {**documents, **derived}.get("game") or {}
    lists = {file_of(name): spec["digest"] for name, spec in (game.get("lists") or {}).items()}
    sound = {path for path, digest in lists.items() if bytes_digest(tip.read(path) or b"") == digest}
    rest = {name for name in names if name != HEAD and not name.startswith(f"{JOURNAL}/")}
    due = {document_name(key): (key, document) for key, document in derived.items() if key != "head"}
    for name in sorted({*due, *(rest - sound)}):
        if name in due:
            key, document = due[name]
            wanted = None if document is None else document_bytes(key, document)
            report.problems += filter(None, [_difference(tip, name, tip.read(name), wanted)])
        else:
            before, after = changed[name]
            done = "added" if before is None else "removed" if after is None else "changed"
            report.blame("E-DERIVED", tip, name, f"the file was {done}, but nothing that was recorded does so")
    _prove_draws(tip, chain, game.get("chance") or {}, report)
    return report.problems


def _by_this_engine(chain: Chain, base: GameTree, judging: Versions) -> Iterator[Entry]:
    """Yield entries that this engine recorded on the states that they name; raises E-ENGINE for any other."""
    for entry in chain.proved():
        if entry["seq"] == 1 or is_takeover(entry):
            judging = engine_named(entry)
        if not is_same(judging, versions()):
            raise fail("E-ENGINE", f"entry {entry['seq']}: {cannot_replay(judging)}", None, other_engine(judging))
        if is_takeover(entry) and (entry["seq"] != base.head.seq + 1 or entry["with"]["state"] != state_digest(base)):
            why = "what it took over is not the state of the game before it"
            raise fail("E-DERIVED", f"entry {entry['seq']}: {why}")
        yield entry
