"""Proving a game: its journal chains, replays to exactly the files that lie there, and its draws are right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.chance import check_draws, commitment, epoch_name
from engine.model.values import is_digits
from engine.problems import Position, Problem, ProblemError
from engine.store.chain import OPEN_DICE, Chain
from engine.store.entries import Entry
from engine.store.layout import HEAD, PENDING, Document, document_bytes, document_name, entry_name, entry_seq
from engine.store.record import GameRecord

Replay = Callable[[Iterator[Entry]], Mapping[str, Document]]


@dataclass(slots=True)
class Report:
    """What was proved of a game and what is wrong with it."""

    game: str
    counts: dict[str, int] = field(default_factory=dict)
    facts: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Say whether nothing is wrong."""
        return not self.problems

    def record(self) -> dict[str, Any]:
        """Return the report as plain data for `--json`."""
        problems = [problem.as_record() for problem in self.problems]
        return {
            "game": self.game,
            "sound": self.sound,
            "counts": self.counts,
            "facts": self.facts,
            "problems": problems,
        }

    def prove(self, name: str, count: int, sentence: str) -> None:
        """Note `count` things proved; `{}` in the sentence stands for the number."""
        self.counts[name] = count
        self.facts.append(sentence.format(f"{count:,}"))


def verify(record: GameRecord, replay: Replay) -> Report:
    """Prove everything there is to prove of a game, and return all that is wrong with it.

    `replay` takes the entries in order and returns every derived document by key, or raises a problem at the first
    difference between what an entry records and what it replays to. It is given only entries whose place in the chain
    is proved.
    """
    report = Report(record.name)
    try:
        with record.reading():
            _verify(record, replay, report)
    except ProblemError as error:
        report.problems += error.problems
    return report


def _verify(record: GameRecord, replay: Replay, report: Report) -> None:
    record.expect(["**"])
    names = _names(record, report)
    numbers = {name: seq for name in names if (seq := entry_seq(name))}
    chain = Chain(record, max(numbers.values(), default=0))
    documents = replayed(chain, replay, report)
    report.problems += chain.problems
    if not numbers:
        report.problems.append(problem_at("E-CHAIN", record, entry_name(1), "there is no first entry"))
    elif not chain.problems:
        report.prove("entries", chain.last, "{} entries chain, from the founding to the one that head.yaml names")
        if chain.redactions:
            report.prove("redactions", len(chain.redactions), "{} redacted entries are as their redactions left them")
    derived = {name for name in names if name not in numbers and name != HEAD}
    if documents is None:
        report.facts.append("the derived files were not compared, because the journal is not proved to its end")
    else:
        report.prove("replayed", chain.given, "{} entries replay to the effects and reasons that they record")
        _prove_derived(record, documents, derived, report)
        prove_draws(record, chain, documents, report)
    if report.sound:
        prove_opening(record, documents or {})


def prove_opening(record: GameRecord, documents: Mapping[str, Document]) -> None:
    """Raise what whoever opens the game would meet, now or when asking for what is put away."""
    opened = record.load()
    for key in sorted(documents.keys() - opened.keys()):
        if record.archive(key) is None:
            raise ProblemError(problem_at("E-DERIVED", record, document_name(key), "the file cannot be read"))


def problem_at(code: str, record: GameRecord, name: str, message: str, *, hint: str = "", line: int = 0) -> Problem:
    """Return a problem of a file of the game."""
    return Problem(code, message, Position(record.shown(name), line), hint)


# -- files


def _names(record: GameRecord, report: Report) -> list[str]:
    """Return the paths of all files below the folder in order; report those that no game has."""
    names = []
    for name, kind in sorted(record.walk()):
        if name.startswith(PENDING):
            hint = "run any command that reads the game: it finishes or undoes the write"
            report.problems.append(problem_at("E-PENDING", record, name, "a write was cut short", hint=hint))
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


# -- journal


def replayed(chain: Chain, replay: Replay, report: Report) -> Mapping[str, Document] | None:
    """Replay what chains, then follow the chain to its end; return the documents if all of it was sound."""
    documents: Mapping[str, Document] | None = None
    try:
        documents = replay(chain.proved())
    except ProblemError as error:
        report.problems += [replace(p, position=p.position or _place(chain, p)) for p in error.problems]
    chain.finish()
    return None if chain.problems else documents


def _place(chain: Chain, problem: Problem) -> Position:
    """Return the file of the entry that a replay's problem names, else of the last entry that was replayed."""
    found = re.match(r"entry (\d+)\b", problem.message, re.ASCII)
    return Position(chain.record.shown(entry_name(int(found[1]) if found else chain.given)))


# -- derived files


def _prove_derived(record: GameRecord, documents: Mapping[str, Document], names: set[str], report: Report) -> None:
    expected = {document_name(key): key for key in documents if key != "head"}
    same = 0
    for name, key in sorted(expected.items()):
        wanted = document_bytes(key, documents[key])
        if name not in names:
            report.problems.append(problem_at("E-DERIVED", record, name, "the file is missing"))
        elif (found := record.read(name) or b"") != wanted:
            report.problems.append(difference(record, name, found, wanted))
        else:
            same += 1
    strays = sorted(names - set(expected))
    report.problems += [
        problem_at("E-STRAY", record, name, "nothing in the journal makes this file") for name in strays
    ]
    report.prove("derived", same, "{} derived files equal the replay, byte for byte")


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


def prove_draws(record: GameRecord, chain: Chain, documents: Mapping[str, Document], report: Report) -> None:
    """Prove the draws of a chain that was followed to its end: open ones, and those of epochs whose secret is out."""
    chance = (documents.get("game") or {}).get("chance") or {}
    secrets = {epoch_name(epoch["epoch"]): epoch for epoch in chance.get("opened") or ()}
    proved = sum(_prove_epoch(record, chain, name, epoch, report) for name, epoch in sorted(secrets.items()))
    if secrets:
        report.prove("draws", proved, "{} draws of opened chance epochs are what their secrets give")
    if OPEN_DICE in chain.draws:
        right = _prove_source(record, chain, OPEN_DICE, b"", report)
        report.prove("open_draws", right, "{} draws of open dice are right")
    for seq, source, due in chain.misplaced:
        message = f"a draw comes from '{source}', but the dice of this time are '{due}'"
        report.problems.append(problem_at("E-DRAW", record, entry_name(seq), message))
    lost = {epoch_name(epoch["epoch"]) for epoch in chance.get("lost") or ()}
    unproved = {source: seqs for source, seqs in chain.draws.items() if source.startswith("epoch ")}
    sealed = sum(len(seqs) for source, seqs in unproved.items() if source not in {*secrets, *lost})
    if sealed:
        report.prove("sealed_draws", sealed, "{} draws wait for the secret of their epoch")
    gone = sum(len(seqs) for source, seqs in unproved.items() if source in lost)
    if gone:
        report.prove("lost_draws", gone, "{} draws can never be proved, because the secret of their epoch was lost")


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
