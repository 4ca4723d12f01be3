"""What a clone has seen of a game stays: where a remote shows another past, that is told, and both pasts are kept.

    refs/folkmoot/seen/PLACE/branch      the tip of the game's branch, as it was last found to go on from what was seen
    refs/folkmoot/seen/PLACE/forge       the same of what a referee saw there (`refs/moot/forge`)
    refs/folkmoot/game/FOUNDING          a tip of any remote that has the most of a game, by the digest of its founding
    refs/folkmoot/other/COMMIT           a past that is not held against what a remote says: proof, or given up

PLACE is a digest of the remote's address. What counts are entries, not commits: a history that was written anew with
the same entries is the same past. What git itself fetched before is known from the log of its own ref for the branch.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path

from folkmoot.core.calendar import write_stamp
from folkmoot.core.keys import GAME, forge_kind
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.cache.untrusted_objects import find_commit
from folkmoot.forges.git_transport import without_secrets
from folkmoot.journal.comparison import chain_digest, first_difference
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.repositories import descends, holds, remote_addresses
from folkmoot.journal.tree import GameTree, games_at

SEEN, GAME_TIP, OTHER = "refs/folkmoot/seen/", "refs/folkmoot/game/", "refs/folkmoot/other/"
_ALL, OURS = "refs/*:refs/*", "^refs/folkmoot/*"
BRANCH, OBSERVATION = "branch", "forge"
MOST_FETCHED = 5  # of git's own fetches of the branch that are looked at again
HINT = (
    "both pasts stay here, below refs/folkmoot/; compare with what others saw (`moot verify --against THEIR-CLONE`); "
    "who knows why the past is another one now takes it for good with `moot verify --accept-past`"
)

Tips = Mapping[str, str]
"""What a remote says now, by BRANCH and OBSERVATION: commits (hex), "" where there is no such ref any more.

What is not known, or not here yet, is left out.
"""


def seen_at(repo: pygit2.Repository, place: str) -> dict[str, str]:
    """Return what was last seen of a remote, by its path or URL."""
    folder = _folder(place)
    found = {name: _commit_at(repo, folder + name) for name in (BRANCH, OBSERVATION)}
    return {name: commit for name, commit in found.items() if commit}


def check_past(repo: pygit2.Repository, place: str, branch: str, now: Tips, *, judging: bool = False) -> None:
    """Note what a remote says of a branch; raises E-PAST, and keeps the proof, where that lacks what was seen.

    Whoever is `judging` finds by themselves, and can repair, what is lost of what a referee had proved.
    """
    found = list(_contradictions(repo, place, branch, now, judging=judging))
    if found:
        _set_aside(repo, {now[name] for name, _, _ in found})  # what goes on from what was seen is no other past
        raise ProblemError(*(problem for _, _, problem in found))
    _note(repo, place, now)


def accept_past(repo: pygit2.Repository, place: str, branch: str, now: Tips) -> list[Problem]:
    """Take what a remote says now for its past; returns what that lacks of what was seen, which stays below OTHER."""
    found = list(_contradictions(repo, place, branch, now))
    _set_aside(repo, [commit for _, commit, _ in found])
    _note(repo, place, now)
    return [problem for _, _, problem in found]


def _note(repo: pygit2.Repository, place: str, now: Tips) -> None:
    known = seen_at(repo, place)
    wanted = {_folder(place) + name: tip for name, tip in now.items() if tip != known.get(name, "")}
    if now.get(OBSERVATION) and _known(repo, now[OBSERVATION]) is None:
        wanted.pop(_folder(place) + OBSERVATION, "")  # it is to be set back to what was seen before it was damaged
    if now.get(BRANCH) and now[BRANCH] != known.get(BRANCH):
        wanted |= {ref: now[BRANCH] for ref, tip, lags in _tips(repo, now[BRANCH]) if not lags or _is_other(repo, tip)}
    with suppress(pygit2.GitError, OSError, KeyError, ValueError):  # settings that are none, or cannot be written
        for remote in repo.remotes:  # none that is mirrored gives us refs like these, nor does git prune ours for it
            if f"+{_ALL}" in remote.fetch_refspecs and OURS not in remote.fetch_refspecs:
                repo.remotes.add_fetch(str(remote.name), OURS)
    with suppress(pygit2.GitError, OSError):  # a clone that cannot be written to remembers nothing
        for name, tip in wanted.items():
            if tip:
                repo.references.create(name, tip, force=True)
            else:
                repo.references.delete(name)
        for tip in now.values():
            if tip and _is_other(repo, tip):
                repo.references.delete(OTHER + tip)


def _set_aside(repo: pygit2.Repository, commits: Iterable[str]) -> None:
    with suppress(pygit2.GitError, OSError):
        for commit in commits:
            if commit:
                repo.references.create(OTHER + commit, commit, force=True)


def _is_other(repo: pygit2.Repository, commit: str) -> bool:
    return repo.references.get(OTHER + commit) is not None


def _commit_at(repo: pygit2.Repository, ref: str) -> str:
    """Return the commit that a ref names, "" where it names none that is here."""
    found = repo.references.get(ref)
    name = str(found.target) if found is not None else ""
    return name if _is_here(repo, name) else ""


def _is_here(repo: pygit2.Repository, name: str) -> bool:
    """Say whether something is a commit that can be read here; a ref that leads to anything else shows no past."""
    return holds(repo, name) and find_commit(repo, name) is not None


def _folder(place: str) -> str:
    return f"{SEEN}{hashlib.sha256(place.encode(errors='surrogateescape')).hexdigest()[:16]}/"


def _tips(repo: pygit2.Repository, now: str) -> Iterator[tuple[str, str, bool]]:
    """Yield for each game of a commit the ref of its tip, where that stands ("": nowhere), and whether it has more."""
    for name in games_at(repo, now):
        new = GameTree(repo, now, name)
        with suppress(ProblemError):
            ref = f"{GAME_TIP}{chain_digest(new, 1)[:16]}"
            tip = _commit_at(repo, ref)
            yield ref, tip, bool(tip) and first_difference(GameTree(repo, tip, name), new) is not None


def _contradictions(
    repo: pygit2.Repository, place: str, branch: str, now: Tips, *, judging: bool = False
) -> Iterator[tuple[str, str, Problem]]:
    """Yield which tips lack something, each with the commit in which it was seen, and what it is."""
    known = seen_at(repo, place)
    if BRANCH in now:
        tip = now[BRANCH]
        here = [known[BRANCH]] if BRANCH in known else []
        here += _fetched(repo, place, branch)
        elsewhere = [each for _, each, _ in _tips(repo, tip) if each] if tip and tip != known.get(BRANCH) else []
        known_good = proved(repo, now) if judging else ""
        for commit in dict.fromkeys([*here, *elsewhere]):
            if commit == tip or not _is_here(repo, commit) or _is_other(repo, commit):
                continue
            for name, lost in _lost(repo, commit, tip, known, here=commit in here):
                if not known_good or _holds_all(repo, known_good, tip, name):
                    yield BRANCH, commit, problem_of(place, lost)
    seen = known.get(OBSERVATION, "")
    newest = now.get(OBSERVATION, seen)
    is_other = bool(seen) and newest != seen and not _is_other(repo, seen)
    if is_other and not (newest and descends(repo, newest, seen)):
        stamp = write_stamp(repo[seen].peel(pygit2.Commit).commit_time)[:10]
        what = f"What a referee saw there on {stamp} ({seen[:12]}) is missing: refs/moot/forge"
        yield OBSERVATION, seen, problem_of(place, f"{what} {'does not go on from that' if newest else 'is gone'}")


def _fetched(repo: pygit2.Repository, place: str, branch: str) -> Iterator[str]:
    """Yield where the branch stood when git itself fetched or pushed it lately."""
    base = Path(repo.workdir or repo.path)
    for name, address in remote_addresses(repo).items():
        tracking = repo.references.get(f"refs/remotes/{name}/{branch}")
        if tracking is not None and place in (address, str((base / address).resolve())):
            yield str(tracking.target)
            for line in islice(tracking.log(), MOST_FETCHED):
                yield from (str(each) for each in (line.oid_new, line.oid_old) if any(each.raw))


def _lost(repo: pygit2.Repository, seen: str, now: str, known: Tips, *, here: bool) -> Iterator[tuple[str, str]]:
    """Yield the games of a commit that was seen `here`, or at another place, each with what is lost of it.

    Another place may not have all of a game that one person keeps, or that has moved on from there.
    """
    left = games_at(repo, now) if now else []
    for name in games_at(repo, seen):
        old, new = GameTree(repo, seen, name), GameTree(repo, now, name)
        if name not in left:
            if here and not (now and descends(repo, now, seen)):
                yield name, f"The whole game {name} is missing there, up to entry {old.head.seq}"
            continue
        if not here and chain_digest(old, 1) != chain_digest(new, 1):
            continue
        found = first_difference(old, new)
        if found is not None and found.theirs is None and not here:
            game = old.kept(GAME)
            found = None if not forge_kind(game) or game.get("left") else found
        if found is not None and not _was_taken_back(repo, seen, now, name, known):
            yield name, f"{name}: {found}"


def _holds_all(repo: pygit2.Repository, old: str, new: str, name: str) -> bool:
    return first_difference(GameTree(repo, old, name), GameTree(repo, new, name)) is None


def _was_taken_back(repo: pygit2.Repository, seen: str, now: str, name: str, known: Tips) -> bool:
    """Say whether what is lost was no play but put there by hand, and taken back by a commit on top of it."""
    base = proved(repo, known)
    if not base or not descends(repo, now, seen) or not _holds_all(repo, base, now, name):
        return False
    from folkmoot.game.verify import validate_advance  # which starts a sandbox

    return bool(validate_advance(GameTree(repo, base, name), GameTree(repo, seen, name)))


def proved(repo: pygit2.Repository, tips: Tips) -> str:
    """Return the commit that a referee had proved last, "" where that cannot be known."""
    found = _known(repo, tips.get(OBSERVATION, "")) or ""
    return found if _is_here(repo, found) else ""


def _known(repo: pygit2.Repository, observation: str) -> str | None:
    """Return what is known by what a referee saw, None where that is damaged."""
    try:
        return ForgeCache(repo, observation).standing.known
    except (ProblemError, ValueError, pygit2.GitError):
        return None


def problem_of(place: str, what: str) -> Problem:
    """Return the problem that a place lacks, or has otherwise, what this clone saw."""
    place = without_secrets(place, place)
    return Problem("E-PAST", f"{place} shows another past than this clone saw. {what}", None, HINT)
