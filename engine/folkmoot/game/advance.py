"""Whether one commit continues the game of another by play: entries that chain and replay, and what they derive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pygit2
from msgspec.structs import replace

from folkmoot.core.digest import bytes_digest
from folkmoot.core.documents import Document
from folkmoot.core.engines import Versions, engine_named, is_same, is_takeover
from folkmoot.core.keys import GAME
from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.core.records import Entry
from folkmoot.core.versions import cannot_replay, other_engine, versions
from folkmoot.core.word_lists import file_of
from folkmoot.game.journal_parts import unproved_problem
from folkmoot.game.verify import Report, difference, odd_entry, place_of, problem_at, prove_draws, replayed_anew, verify
from folkmoot.journal.chain import OPEN_DICE, Chain
from folkmoot.journal.git_objects import FILE, changed_files
from folkmoot.journal.handover import state_digest
from folkmoot.journal.layout import HEAD, JOURNAL, document_bytes, document_name, entry_bytes, entry_name, entry_seq
from folkmoot.journal.record import Head
from folkmoot.journal.tree import GameTree
from folkmoot.kernel.chance import epoch_name
from folkmoot.kernel.redaction import is_redaction, redact_entry
from folkmoot.sandbox.client import Sandbox

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
    return _continued(base, tip, changed, Chain(tip, max(last, proved.seq), proved, _dice(base)))


def _redactions(tip: GameTree, start: int, stop: int) -> list[tuple[int, str]]:
    """Return what new entries redact: number and place; nothing where they are damaged, because the chain says more."""
    try:
        acts = [entry for entry in tip.entries(start, stop, having=["redact"]) if is_redaction(entry)]
    except ProblemError:
        return []
    named = [(with_.get("seq"), with_.get("path")) for act in acts if isinstance(with_ := act.get("with"), dict)]
    return [(seq, path) for seq, path in named if isinstance(seq, int) and isinstance(path, str)]


def _dice(base: GameTree) -> str:
    """Return where draws have to come from after the last entry."""
    chance = base.kept(GAME).get("chance")
    return epoch_name(chance["epoch"]) if chance and chance.get("commitment") else OPEN_DICE


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
        elif found != (due := wanted[name]):
            problems.append(_wrong(tip, name, found, due))
    return problems


def _uncalled(change: tuple[Blob | None, Blob | None]) -> str:
    before, after = change
    done = "added" if before is None else "removed" if after is None else "changed"
    return f"the file was {done}, but nothing that was recorded does so"


def _wrong(tip: GameTree, name: str, found: bytes | None, due: bytes | None) -> Problem:
    if found is None:
        return problem_at("E-DERIVED", tip, name, "the file is missing")
    if due is None:
        return problem_at("E-DERIVED", tip, name, "the file should be gone")
    return difference(tip, name, found, due)
