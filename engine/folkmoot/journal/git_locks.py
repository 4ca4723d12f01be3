"""What bars the way to a commit: locks of git, and what it has begun and not ended (a merge, a rebase, a bisection).

Locks are waited for while somebody holds them, else named with what to type.

A git that is killed leaves its lock behind for ever. Nothing in the file says whose it was, so that age and, where the
system tells, the files that processes hold open decide; nothing is ever deleted here.
"""

from __future__ import annotations

import os
import shlex
import time
from collections.abc import Iterator
from pathlib import Path

import pygit2
from pygit2.enums import RepositoryState as State

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.problems import Position, ProblemError, fail

PATIENCE = 2.0
"""How many seconds a git that is at work gets to finish."""
OLD = 60
"""After how many seconds a lock that nobody is seen to hold is surely a dead one's."""
_POLL = 0.05
_PROCESSES = Path("/proc")


def wait_for_git(repo: pygit2.Repository) -> None:
    """Wait until no lock of git bars the way to a commit on the checked-out branch.

    Raises E-LOCKED after PATIENCE seconds, with the lock and how to be rid of it.
    """
    deadline = time.monotonic() + PATIENCE
    while lock := next(locks_of(repo), None):
        if time.monotonic() >= deadline or _is_dead(lock):
            raise locked_problem(lock)
        time.sleep(_POLL)


def locks_of(repo: pygit2.Repository) -> Iterator[Path]:
    """Yield the lock files that a commit to the checked-out branch would meet: of index, HEAD and branch."""
    own = Path(repo.path)
    head = (CloneFiles(own).read_text("HEAD", errors="replace") or "").removeprefix("ref: ").strip()
    meant = [own / "index.lock", own / "HEAD.lock"]
    if head.startswith("refs/"):
        meant.append(_common(own) / f"{head}.lock")
    yield from (lock for lock in meant if lock.exists())


def _common(own: Path) -> Path:
    """Return the folder that all work trees of a repository share."""
    return own / (CloneFiles(own).read_text("commondir", errors="surrogateescape") or "").strip()


def locked_problem(lock: Path) -> ProblemError:
    """Return what to say of a lock that is not given back: who holds it, or how to take it away."""
    holder = holder_of(lock)
    if holder:
        return fail("E-LOCKED", f"git is at work here (process {holder})", Position(str(lock)), "wait, then try again")
    age = age_of(lock)
    since = f"for {age} seconds" if age >= 0 else "with a date to come"
    message = f"git, or what ran it, was killed and left a lock, which lies there {since}"
    hint = f"if no git runs here: `rm {shlex.quote(str(lock))}`, then do it again"
    return fail("E-LOCKED", message, Position(str(lock)), hint)


def _is_dead(lock: Path) -> bool:
    return age_of(lock) > OLD and not holder_of(lock)


def age_of(lock: Path) -> int:
    """Return for how many seconds a lock has been there; negative where the clock was set back."""
    try:
        return int(time.time() - lock.stat().st_mtime)
    except OSError:
        return 0


def holder_of(lock: Path) -> int:
    """Return the process that has a file open, 0 where the system does not tell or none has."""
    try:
        wanted = lock.stat()
        processes = [each.name for each in _PROCESSES.iterdir() if each.name.isdecimal()]
    except OSError:
        return 0
    return next((int(name) for name in processes if _holds(_PROCESSES / name / "fd", wanted)), 0)


def _holds(handles: Path, wanted: os.stat_result) -> bool:
    try:
        open_files = list(os.scandir(handles))
    except OSError:  # another's process, or one that has just ended
        return False
    return any(_is_same(handle, wanted) for handle in open_files)


def _is_same(handle: os.DirEntry[str], wanted: os.stat_result) -> bool:
    try:
        found = handle.stat()
    except OSError:
        return False
    return (found.st_dev, found.st_ino) == (wanted.st_dev, wanted.st_ino)


# -- what git has begun and not ended

_ENDED_BY = {
    State.MERGE: "merge",
    State.REVERT: "revert",
    State.REVERT_SEQUENCE: "revert",
    State.CHERRYPICK: "cherry-pick",
    State.CHERRYPICK_SEQUENCE: "cherry-pick",
    State.REBASE: "rebase",
    State.REBASE_INTERACTIVE: "rebase",
    State.REBASE_MERGE: "rebase",
    State.APPLY_MAILBOX: "am",
    State.APPLY_MAILBOX_OR_REBASE: "am",
}


def refuse_unfinished(repo: pygit2.Repository) -> None:
    """Raise E-GIT where the checked-out commit is not what its owner means, because git is midway through something."""
    state = State(repo.state())
    if state is State.NONE:
        return
    place = Position(str(repo.workdir or repo.path))
    if state is State.BISECT:
        raise fail("E-GIT", "a bisection goes on here", place, "`git bisect reset` ends it, then run it again")
    word = _ENDED_BY[state]
    hint = f"`git {word} --continue` ends it, `git {word} --abort` takes it back; then run it again"
    raise fail("E-GIT", f"git is midway through `git {word}` here", place, hint)
