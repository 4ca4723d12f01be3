"""The games of the repository around the current folder, which one is meant, and what to type where there is none."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from folkmoot.cli.terminal import Terminal
from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.keys import GAME
from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.values import in_a_row
from folkmoot.journal.layout import HEAD, STATE, games_in

if TYPE_CHECKING:
    import pygit2

EVENING = "folkmoot.demo"
"""The setting of git that keeps the seed of an evening with robots, where `moot demo --play` laid one."""


def root_of(terminal: Terminal) -> Path:
    """Return the folder that holds `state/`: the one asked for, else the nearest around the current folder."""
    if terminal.directory:
        return terminal.directory
    here = Path.cwd()
    around = (folder for folder in (here, *here.parents) if (folder / STATE).is_dir() or (folder / ".git").exists())
    return next(around, here)


def game_folder(terminal: Terminal, name: str | None) -> Path:
    """Return the folder of the game that is meant: by name, by path, or the only one there is.

    Among several it is the only one that is not over, or the only one of those that is played by pull requests.

    Raises E-NO-GAME where no game or more than one may be meant.
    """
    root = root_of(terminal)
    games = games_in(root)
    if name is not None and name not in games and (Path(name) / HEAD).exists():
        return Path(name)
    if not games:
        raise without_games(root, "" if name is None else f"there is no game {name!r}: ")
    if name is not None and name not in games:
        repo = repository_around(root)
        newer = "; `git pull` brings one that the others have" if repo is not None and len(repo.remotes) else ""
        message, meant = f"there is no game {name!r}; here are {in_a_row(games)}", meant_by(name, games) or games[0]
        raise fail("E-NO-GAME", message, None, f"name it: `--game {meant}`{newer}")
    if name is not None or len(games) == 1:
        return root / STATE / (name or games[0])
    from folkmoot.journal import GameFolder

    known = {game: GameFolder(root / STATE / game).kept(GAME) for game in games}
    goes_on = [game for game, about in known.items() if not about.get("over")] or games
    for found in (goes_on, [game for game in goes_on if known[game].get("forge")]):
        if len(found) == 1:
            return root / STATE / found[0]
    raise fail("E-NO-GAME", f"which game? Here are {in_a_row(games)}", None, "name one with `--game`")


def root_with_games(terminal: Terminal) -> Path:
    """Return the folder that holds `state/` with games; raises E-NO-GAME where there is none."""
    root = root_of(terminal)
    if not games_in(root):
        raise without_games(root)
    return root


def require_work_tree(root: Path) -> None:
    """Raise E-NO-GAME in a bare repository, as a table is: what is written there would lie among git's own files."""
    repo = repository_around(root)
    if repo is not None and repo.is_bare:
        message, hint = _bare(repo)
        raise fail("E-NO-GAME", message, None, hint)


def is_repository(folder: Path) -> bool:
    """Say whether a folder lies in a git repository."""
    return any((around / ".git").exists() for around in (folder.resolve(), *folder.resolve().parents))


def repository_around(folder: Path) -> pygit2.Repository | None:
    """Return the git repository in which a folder lies, None where it lies in none."""
    from folkmoot.journal.repositories import find_repository  # which takes longer to load than most commands take

    return find_repository(folder) if folder.exists() else None


# -- where there is none


FOUND = "`moot new NAME` founds one; who plays goes into their clone of it"
MOST_NEAR = 5  # folders that are named


def without_games(root: Path, before: str = "") -> ProblemError:
    """Return the error for a folder that holds no game, with what to do there; `before` is put before its sentence."""
    files = CloneFiles(root)
    for name, _kind in files.listing(STATE):
        files.listing(f"{STATE}/{name}")  # which refuses a link that stands for what should hold a game
    message, hint = _instead(root)
    return fail("E-NO-GAME", before + message, None, hint)


def _instead(root: Path) -> tuple[str, str]:
    """Return what is wrong with a folder without games, and what brings them there where git knows of some."""
    message = f"there is no game below {root / STATE}"
    repo = repository_around(root)
    if repo is None:
        return message, near(root) or FOUND
    if repo.is_bare:
        return _bare(repo)
    games = _games(repo, "HEAD")
    if games:
        message = f"the last commit has {', '.join(games)}, and {root / STATE} does not"
        return message, f"`git checkout HEAD -- {STATE}` brings the files back"
    branches = (name for name in (*repo.branches.local, *repo.branches.remote) if "/HEAD" not in name)
    if branch := next((name for name in branches if _games(repo, name)), ""):
        return f"{message}, but on the branch {branch}", f"`git checkout {branch.removeprefix('origin/')}`"
    return message, near(root) or FOUND


def _bare(repo: pygit2.Repository) -> tuple[str, str]:
    """Return what is wrong with a bare repository, and what to do instead."""
    root = shlex.quote(repo.path.rstrip("/"))
    return f"{root} is a bare repository, which has no files to work with", f"run it in a clone: `git clone {root}`"


def near(root: Path) -> str:
    """Return what to type where folders right below hold games, and this one none; "" where none does."""
    found = [folder.name for folder in sorted(root.glob("*/")) if folder.name != STATE and games_in(folder)]
    several = f" (or {', '.join(found[1:MOST_NEAR])})" if found[1:] else ""
    return f"go into a clone: `cd {shlex.quote(found[0])}`{several}" if found else ""


def _games(repo: pygit2.Repository, name: str) -> list[str]:
    """Return the games of a branch, none where it cannot be read."""
    from folkmoot.journal.git_library import pygit2
    from folkmoot.journal.tree import games_at

    try:
        return games_at(repo, str(repo.revparse_single(name).peel(pygit2.Commit).id))
    except (KeyError, ValueError, pygit2.GitError, ProblemError):
        return []


# -- how it is played


def is_met(terminal: Terminal, game: str | None) -> bool:
    """Say whether the game that is meant is played by pull requests, as the clone has it.

    Raises E-NO-GAME as `game_folder` does; a bare repository has no games in a work tree, and is met by its branch.
    """
    try:
        folder = game_folder(terminal, game)
    except ProblemError:
        repo = repository_around(root_of(terminal))
        if repo is not None and repo.is_bare:
            return True
        raise
    from folkmoot.journal import GameFolder  # which few need

    return bool(GameFolder(folder).kept(GAME).get("forge"))


def is_kept(terminal: Terminal, game: str | None) -> bool:
    """Say whether the game that is meant is here, and one person keeps it."""
    try:
        return not is_met(terminal, game)
    except ProblemError:
        return False
