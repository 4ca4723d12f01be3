"""Whether somebody changed a game by hand; and how such a change is taken back, or put on record."""

from __future__ import annotations

from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.game.session import Done, Session
from folkmoot.game.verify import replayed_anew, unproved_problem, validate_advance, verify
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.git_objects import Content, changed_files, make_commit, signature, write_tree
from folkmoot.journal.tree import GameTree
from folkmoot.referee.content import read_content

REPAIRER = "Folkmoot repair <referee@folkmoot.invalid>"
"""Not the referee's name: somebody's repair wakes the referee, its own pushes do not."""


def hand_edits(repo: pygit2.Repository, known: str, main: str, name: str) -> tuple[Problem, ...]:
    """Return what other hands than a referee's changed in a game between two commits (hex).

    Entries that chain and replay are play, whoever pushed them. Without a commit that a referee knows (`known` is "",
    or the game was founded since), the whole record is proved, which takes as long as its replay. What other engines
    recorded is then proved in chain and bytes only where nobody knows any commit, because whoever begins with a
    repository vouches for it, and not at all in a game founded since.
    """
    tip = GameTree(repo, main, name)
    try:
        base = GameTree(repo, known, name) if known and known in repo else None
        if base is not None and base.exists:
            return tuple(validate_advance(base, tip))
        report = verify(tip, replayed_anew(tip))
        unproved = [unproved_problem(part) for part in report.unproved] if base is not None else []
        return tuple(report.problems or unproved)
    except ProblemError as error:
        return error.problems


def revert(repo: pygit2.Repository, known: str, main: str, name: str, at: int) -> str:
    """Return a commit on top of the branch (hex) in which a game is as a referee last left it (`known`)."""
    message = f"{name}: Take back what was changed by hand\n\nThe game is as it was in {known[:12]}.\n"
    return _with_game_of(repo, main, known, name, message, at)


def _with_game_of(repo: pygit2.Repository, base: str, other: str, name: str, message: str, at: int) -> str:
    """Return a commit (hex) on top of `base` in which a game is as in another one, and everything else stays."""
    here, there = (repo[commit].peel(pygit2.Tree).id for commit in (base, other))
    changes: dict[str, Content] = {
        path: after[0] if after else None
        for path, _before, after in changed_files(repo, here, there)
        if path.startswith(f"state/{name}/")
    }
    by, made_by = signature(repo, "AUTHOR", REPAIRER, at), signature(repo, "COMMITTER", REPAIRER, at)
    return make_commit(repo, write_tree(repo, here, changes), [base], message, by, made_by)


def keep(repo: pygit2.Repository, known: str, main: str, name: str, *, by: str, why: str, now: int) -> tuple[str, Done]:
    """Put rules that were changed by hand on record as an administrator's repair; return the new commit and the entry.

    Raises E-NO-SUCH where no rule was changed, E-FOREIGN where more than rules was: then take all of it back, and
    `correct` what has to be.
    """
    content = read_content(repo, known, _with_game_of(repo, known, main, name, "By hand\n", 0))
    mine = content.of(name)
    if content.problems:
        raise ProblemError(*content.problems)
    if mine is None or not mine.changes:
        hint = "`moot verify --repair revert` takes back the rest"
        raise fail("E-NO-SUCH", "no rule was changed by hand", None, hint)
    record = GameTree(repo, revert(repo, known, main, name, now), name)
    with Session.on(record) as session:
        done = session.act(by, "repair", {"changes": list(mine.changes), "why": why}, at=max(now, session.at))
        message = f"{name}: Put on record what was changed by hand\n"
        return record.commit(message, REPAIRER, session.at, committer=REPAIRER), done
