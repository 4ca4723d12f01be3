"""What bars the way to a commit: locks of git, and what it has begun and not ended (a merge, a rebase, a bisection).

Locks are waited for a while, then named with what to type. A git that is killed leaves its lock behind for ever, and
nothing in the file says whose it was; nothing is ever deleted here.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator
from pathlib import Path

import pygit2
from pygit2.enums import RepositoryState as State

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.problems import Position, fail
from folkmoot.journal.git_folder import common_folder

PATIENCE = 2.0
"""How many seconds a git that is at work gets to finish."""
_POLL = 0.05


def wait_for_git(repo: pygit2.Repository) -> None:
    """Wait until no lock of git bars the way to a commit on the checked-out branch.

    Raises E-LOCKED after PATIENCE seconds, with the lock and how to be rid of it.
    """
    deadline = time.monotonic() + PATIENCE
    while lock := next(_locks_of(repo), None):
        if time.monotonic() >= deadline:
            message = "git is at work here, or it, or what ran it, was killed and left a lock"
            hint = f"wait, then do it again; if no git runs here, before that: `rm {shlex.quote(str(lock))}`"
            raise fail("E-LOCKED", message, Position(str(lock)), hint)
        time.sleep(_POLL)


def _locks_of(repo: pygit2.Repository) -> Iterator[Path]:
    """Yield the lock files that a commit to the checked-out branch would meet: of index, HEAD and branch."""
    own = Path(repo.path)
    head = (CloneFiles(own).read_text("HEAD", errors="replace") or "").removeprefix("ref: ").strip()
    meant = [own / "index.lock", own / "HEAD.lock"]
    if head.startswith("refs/"):
        meant.append(common_folder(own) / f"{head}.lock")
    yield from (lock for lock in meant if lock.exists())


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
