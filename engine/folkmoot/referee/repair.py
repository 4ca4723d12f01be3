"""After somebody changed a game by hand: the change is taken back, or put on record."""

from __future__ import annotations

from typing import Any

import pygit2

from folkmoot.core.problems import ProblemError, fail
from folkmoot.game.session import Done, Session
from folkmoot.journal.git_objects import Content, changed_files, make_commit, signature, write_tree
from folkmoot.journal.tree import GameTree
from folkmoot.referee.content import read_content

REPAIRER = "Folkmoot repair <referee@folkmoot.invalid>"
"""Not the referee's name: somebody's repair wakes the referee, its own pushes do not."""


def revert(repo: pygit2.Repository, known: str, main: str, name: str, at: int) -> str:
    """Return a commit on top of the branch (hex) in which a game is as a referee last left it (`known`)."""
    now, then = (repo[commit].peel(pygit2.Tree).id for commit in (main, known))
    prefix = f"state/{name}/"
    back: dict[str, Content] = {
        path: after[0] if after else None
        for path, _now, after in changed_files(repo, now, then)
        if path.startswith(prefix)
    }
    by, made_by = signature(repo, "AUTHOR", REPAIRER, at), signature(repo, "COMMITTER", REPAIRER, at)
    message = f"{name}: Take back what was changed by hand\n\nThe game is as it was in {known[:12]}.\n"
    return make_commit(repo, write_tree(repo, now, back), [main], message, by, made_by)


def _alone(repo: pygit2.Repository, known: str, main: str, name: str) -> str:
    """Return a commit (hex) on top of `known` in which this game alone is as on the branch."""
    then, now = (repo[commit].peel(pygit2.Tree).id for commit in (known, main))
    prefix = f"state/{name}/"
    changes: dict[str, Content] = {
        path: after[0] if after else None
        for path, _then, after in changed_files(repo, then, now)
        if path.startswith(prefix)
    }
    by = signature(repo, "AUTHOR", REPAIRER, 0)
    return make_commit(repo, write_tree(repo, then, changes), [known], "By hand\n", by, by)


def keep(repo: pygit2.Repository, known: str, main: str, name: str, *, by: str, why: str, now: int) -> tuple[str, Done]:
    """Put rules that were changed by hand on record as an administrator's repair; return the new commit and the entry.

    Raises E-NO-SUCH where no rule was changed, E-FOREIGN where more than rules was: then take all of it back, and
    `correct` what has to be.
    """
    content = read_content(repo, known, _alone(repo, known, main, name))
    mine = next((game for game in content.games if game.game == name), None)
    if content.problems:
        raise ProblemError(*content.problems)
    if mine is None or not mine.changes:
        raise fail("E-NO-SUCH", "no rule was changed by hand", None, "`moot repair --revert` takes back the rest")
    record = GameTree(repo, revert(repo, known, main, name, now), name)
    with Session.on(record) as session:
        with_: dict[str, Any] = {"changes": list(mine.changes), "why": why}
        done = session.act(by, "repair", with_, at=max(now, session.at))
        return record.commit(
            f"{name}: Put on record what was changed by hand\n", REPAIRER, session.at, committer=REPAIRER
        ), done
