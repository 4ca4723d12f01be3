"""Where the past of a game is not what it was: changes by hand are taken back or put on record, others' pasts compared.

What the remote says now can be taken for good, too.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

import click

from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.forges import forge_of
from folkmoot.cli.outcomes import here_of, show_refusal, told
from folkmoot.cli.repositories import address_of, proof_for, repository_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.core.values import in_a_row
from folkmoot.forges.cache.refs import Refs
from folkmoot.forges.cache.seen_history import BRANCH, OTHER, SEEN, problem_of, seen_at
from folkmoot.forges.git_transport import Git, failure, without_secrets
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.journal.comparison import chain_digest, first_difference
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.layout import STATE
from folkmoot.journal.tree import GameTree, games_at
from folkmoot.kernel.act_declarations import SET_CLOCK
from folkmoot.referee.hand_edits import REPAIRER, hand_edits, keep, revert

_MET = "refs/folkmoot/met/"
MOST_NAMED = 40  # people who saw what differs
MOST_BEFORE = 20  # commits, in which a game that nobody refereed may have been sound


# -- what somebody changed by hand


def repair(terminal: Terminal, game: str | None, how: str, by: str | None, why: str | None, remote: str | None) -> int:
    """Say what was changed in a game by hand since a referee last left it, and put it right if `how` says so."""
    if how in ("record", "clock") and not (by and why):
        raise click.UsageError(f"Say who answers for --repair {how}, and why: --by PLAYER --why TEXT.")
    who, reason = str(by), str(why)
    repo = repository_of(terminal)
    forge = forge_of(repo, remote)
    now = int(time.time())
    seen = forge.look(now)
    name = _game(sorted({*games_at(repo, seen.main), *(games_at(repo, seen.known) if seen.known else ())}), game)
    problems = hand_edits(repo, seen.known, seen.main, name)
    clock = how == "clock" and not problems
    if not clock and (not problems or how not in ("revert", "record")):
        return _tell(terminal, repo, name, problems)
    known = seen.known or ("" if clock else _last_sound(repo, seen.main, name))
    if not clock and not known:
        said = "no commit of late has this game sound and with all that was recorded since"
        raise fail("E-CHAIN", said, None, f"take what is right out of git: `git log -- state/{name}`")
    if how == "revert":
        made, lines = revert(repo, known, seen.main, name, now), [f"{name} is as it was in {known[:12]}."]
    else:
        if clock:
            record = GameTree(repo, seen.main, name)
            with Session.on(record) as session:
                done = session.act(who, SET_CLOCK, {"why": reason}, at=now)
                said = f"{name}: Take the clock back\n"
                made = record.commit(said, REPAIRER, session.at, committer=REPAIRER) if done.accepted else ""
        else:
            made, done = keep(repo, known, seen.main, name, by=who, why=reason, now=now)
        if not done.accepted:
            return show_refusal(terminal, done)
        with Session.on(GameTree(repo, made, name)) as session:
            lines = told(here_of(session, [done.entry]), done.entry)
    if not forge.publish(seen.main, made, proved=False):  # there may be other games; the referee proves them all
        raise fail("E-MOVED", "the branch moved meanwhile", None, f"look at it again: `moot verify --repair {how}`")
    terminal.record({"game": name, "commit": made, "problems": [problem.as_record() for problem in problems]})
    for line in lines:
        terminal.say(line)
    if seen.known and not clock:
        terminal.say("Next: `moot referee` goes on with the game.")
    return Exit.OK


def _last_sound(repo: pygit2.Repository, main: str, name: str) -> str:
    """Return the newest commit in which a game that nobody refereed is sound, with the same entries, "" for none."""
    head = GameTree(repo, main, name).head
    for commit in islice(repo.walk(main, pygit2.enums.SortMode.TOPOLOGICAL), 1, MOST_BEFORE):
        before = GameTree(repo, str(commit.id), name)
        if not before.exists or before.head != head:
            break
        if not hand_edits(repo, "", str(commit.id), name):
            return str(commit.id)
    return ""


def _game(games: list[str], wanted: str | None) -> str:
    """Return the game that is meant; raises E-NO-GAME where that is not clear."""
    if wanted in games:
        return str(wanted)
    if wanted is None and len(games) == 1:
        return games[0]
    raise fail("E-NO-GAME", f"which game? Here are {in_a_row(games) or 'none'}", None, "name one with `--game`")


def _tell(terminal: Terminal, repo: pygit2.Repository, name: str, problems: tuple[Problem, ...]) -> int:
    terminal.record({"game": name, "problems": [problem.as_record() for problem in problems]})
    if not problems and repo.workdir and (damage := GameFolder(Path(repo.workdir) / STATE / name).damage()):
        terminal.problems(damage)
        terminal.say(f"Next: `git checkout -- {STATE}/{name}` takes back what was changed and not committed.")
        return Exit.DAMAGED
    if not problems:
        terminal.say(f"{name} is as its referees left it: nothing to repair.")
        return Exit.OK
    if not terminal.json:
        terminal.problems(problems)
    terminal.say("Next: `moot verify --repair revert` takes it back, `--repair record` puts changed rules on record.")
    return Exit.DAMAGED


# -- what others have, or had


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
    own = address_of(repo, None)
    seen = seen_at(repo, own).get(BRANCH) if own else None
    known = [*([] if repo.head_is_unborn else [str(repo.head.target)]), *([seen] if seen else [])]
    mine = [GameTree(repo, commit, game) for commit in known]
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


def _brought(repo: pygit2.Repository, address: str) -> list[str]:
    """Fetch what is checked out at another place, and what it saw itself; returns the commits."""
    for name in [each for each in repo.references if each.startswith(_MET)]:
        repo.references.delete(name)
    git = Git(Path(repo.path), may_ask=True, variables=proof_for(address))
    complaint = git.fetch(address, [("HEAD", f"{_MET}head"), (f"{SEEN}*", f"{_MET}seen/*")])
    if complaint:
        raise failure(complaint, address, "The other repository cannot be fetched from")
    heads = [each for each in repo.references if each.startswith(f"{_MET}seen/") and each.endswith(f"/{BRANCH}")]
    return [str(repo.references[name].target) for name in (f"{_MET}head", *heads) if name in repo.references]
