"""What git has begun in a repository and not ended: a merge, a rebase, a bisection; and how each is ended."""

from __future__ import annotations

import pygit2
from pygit2.enums import RepositoryState as State

from folkmoot.core.problems import Position, fail

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
