"""Where no game is found: what a person may have meant by the folder they stand in, and what to type there."""

from __future__ import annotations

from pathlib import Path

import pygit2

from folkmoot.core.problems import Problem, ProblemError
from folkmoot.journal.tree import games_at

FOUND = "`moot new NAME` founds one"


def no_game(root: Path, state: str) -> Problem:
    """Return the problem of a folder without games, with what brings them there where git knows of some."""
    found = pygit2.discover_repository(str(root))
    repo = pygit2.Repository(found) if found else None
    if repo is None:
        return Problem("E-NO-GAME", f"there is no game below {root / state}", None, FOUND)
    if repo.is_bare:
        message = f"{root} is a bare repository, which has no files to work with"
        return Problem("E-NO-GAME", message, None, f"run it in a clone: `git clone {root}`")
    games = _games(repo, "HEAD")
    if games:
        message = f"the last commit has {', '.join(games)}, and {root / state} does not"
        return Problem("E-NO-GAME", message, None, f"`git checkout HEAD -- {state}` brings the files back")
    return _elsewhere(repo, root, state)


def _elsewhere(repo: pygit2.Repository, root: Path, state: str) -> Problem:
    """Return the error where this branch has no game, and perhaps another that was fetched."""
    message = f"there is no game below {root / state}"
    if repo.head_is_unborn and len(repo.remotes):
        message = f"nothing is checked out in {root}"
        return Problem("E-NO-GAME", message, None, f"`git pull` brings what the others have; {FOUND}")
    with_games = [name for name in repo.branches if "/HEAD" not in name and _games(repo, name)]
    if with_games:
        branch = min(with_games, key=len)
        return Problem("E-NO-GAME", f"{message}, but on the branch {branch}", None, f"`git checkout {branch}`")
    return Problem("E-NO-GAME", message, None, FOUND)


def _games(repo: pygit2.Repository, name: str) -> list[str]:
    """Return the games of a branch, none where it cannot be read."""
    try:
        return games_at(repo, str(repo.revparse_single(name).peel(pygit2.Commit).id))
    except (KeyError, ValueError, pygit2.GitError, ProblemError):
        return []
