"""Two pasts of a game: what another clone or table has is held against what this clone saw, or taken for good."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.repositories import address_of, proof_for, repository_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.forges.cache.refs import Refs
from folkmoot.forges.cache.seen_history import BRANCH, OTHER, SEEN, problem_of, seen_at
from folkmoot.forges.git_transport import Git, failure, without_secrets
from folkmoot.journal.comparison import chain_digest, first_difference
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.tree import GameTree

_MET = "refs/folkmoot/met/"
MOST_NAMED = 40  # people who saw what differs


def accept(terminal: Terminal) -> int:
    """Take what the remote says now for the past of its games, whatever this clone saw before."""
    repo = repository_of(terminal)
    refs = Refs(Path(repo.path), address_of(repo, None), may_ask=True)
    if refs.remote is None:
        raise fail("E-FORGE", "this clone has no remote, so nobody else says what was", None, "nothing is to be done")
    lost = refs.again(refs.accept_past)
    terminal.record({"differences": [problem.message for problem in lost], "kept": OTHER if lost else ""})
    for problem in lost:
        terminal.say(problem.message)
    kept = f" What it saw before stays below {OTHER}." if lost else ""
    place = without_secrets(refs.remote or "", refs.remote or "")
    terminal.say(f"This clone takes the past that {place} has now.{kept}")
    return Exit.OK


def compare(terminal: Terminal, game: str, place: str) -> int:
    """Hold what another clone or table has of a game against what this clone has and saw of it."""
    repo = repository_of(terminal)
    address = address_of(repo, place) or place
    mine = [GameTree(repo, commit, game) for commit in _own(repo)]
    theirs = [GameTree(repo, commit, game) for commit in _brought(repo, address)]
    mine, theirs = ([each for each in some if each.exists] for some in (mine, theirs))
    theirs = [each for each in theirs if mine and chain_digest(each, 1) == chain_digest(mine[0], 1)]
    if not mine or not theirs:
        raise fail("E-NO-GAME", f"the game {game} of this clone is not at {place}", None, "name a clone of it")
    found = {problem.message: problem for ours in mine for each in theirs for problem in _compared(place, ours, each)}
    problems = list(found.values())
    most, there = (max(each.head.seq for each in some) for some in (mine, theirs))
    terminal.record(
        {"game": game, "entries": most, "there": there, "problems": [problem.as_record() for problem in problems]}
    )
    if problems:
        raise ProblemError(*problems)
    terminal.say(f"One past of {game}, of which this clone knows entry {most} and {place} entry {there}.")
    return Exit.OK


def _compared(place: str, ours: GameTree, theirs: GameTree) -> Iterator[Problem]:
    """Yield the first entry that both have and that differs, and whose words vouch for either."""
    found = first_difference(ours, theirs)
    if found is None or found.seq > theirs.head.seq:
        return
    here, there = (", ".join(_vouchers(record, found.seq)) or "nobody" for record in (ours, theirs))
    yield problem_of(place, f"{ours.name}: {found}; what follows it was seen, here by {here}, there by {there}")


def _vouchers(record: GameTree, seq: int) -> list[str]:
    """Return whose words had seen an entry or one after it, as a record says, up to which, and how that is known."""
    found: dict[tuple[str, str], int] = {}
    with suppress(ProblemError):
        for entry in record.entries(seq, having=["seen"]):
            seen = (entry.get("via") or {}).get("seen")
            if seen and seen["seq"] >= seq:
                proof = "by the word of the host" if seen.get("unsigned") else "signed"
                who = str(entry.get("by"))[:40], proof
                found[who] = max(seen["seq"], found.get(who, 0))
    return [f"{by} (entry {last}, {proof})" for (by, proof), last in sorted(found.items())[:MOST_NAMED]]


def _own(repo: pygit2.Repository) -> list[str]:
    """Return the commits that this clone has and saw: what is checked out, and what its remote said last."""
    address = address_of(repo, None)
    seen = seen_at(repo, address).get(BRANCH) if address else None
    return [*([] if repo.head_is_unborn else [str(repo.head.target)]), *([seen] if seen else [])]


def _brought(repo: pygit2.Repository, address: str) -> list[str]:
    """Fetch what is checked out at another place, and what it saw itself; returns the commits."""
    for name in [each for each in repo.references if each.startswith(_MET)]:
        repo.references.delete(name)
    git = Git(Path(repo.path), may_ask=True, variables=proof_for(address))
    complaint = git.fetch(address, [("HEAD", f"{_MET}head"), (f"{SEEN}*", f"{_MET}seen/*")])
    if complaint:
        raise failure(complaint, address, "The other repository cannot be fetched from")
    return [str(repo.references[name].target) for name in repo.references if _is_branch(name)]


def _is_branch(name: str) -> bool:
    return name == f"{_MET}head" or (name.startswith(f"{_MET}seen/") and name.endswith(f"/{BRANCH}"))
