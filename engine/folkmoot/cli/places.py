"""Where the games are: the repository around the current folder, and the game that is meant."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from folkmoot.cli.terminal import Terminal
from folkmoot.core.problems import ProblemError, fail
from folkmoot.journal import GameFolder

STATE = "state"
HEAD = "head.yaml"


def root_of(terminal: Terminal) -> Path:
    """Return the folder that holds `state/`: the one asked for, else the nearest around the current folder."""
    if terminal.directory:
        return terminal.directory
    here = Path.cwd()
    around = (folder for folder in (here, *here.parents) if (folder / STATE).is_dir() or (folder / ".git").exists())
    return next(around, here)


def games_in(root: Path) -> list[str]:
    """Return the names of the games of a repository in order."""
    return sorted(path.parent.name for path in (root / STATE).glob(f"*/{HEAD}"))


def game_folder(terminal: Terminal, name: str | None) -> Path:
    """Return the folder of the game that is meant: by name, by path, or the only one there is.

    Among several it is the only one that is played by pull requests, if there is just one of those.

    Raises E-NO-GAME where no game or more than one may be meant.
    """
    root = root_of(terminal)
    games = games_in(root)
    if name is None:
        if len(games) == 1:
            return root / STATE / games[0]
        if not games:
            raise without_games(root)
        met = [game for game in games if (GameFolder(root / STATE / game).archive("game") or {}).get("forge")]
        if len(met) == 1:
            return root / STATE / met[0]
        raise fail("E-NO-GAME", f"which game? Here are {', '.join(games)}", None, "name one with `--game`")
    if name not in games and (Path(name) / HEAD).exists():
        return Path(name)
    if name not in games:
        if not games:
            raise without_games(root, f"there is no game {name!r}: ")
        near = next(iter(get_close_matches(name, games, 1)), games[0])
        message = f"there is no game {name!r}; here are {', '.join(games)}"
        raise fail("E-NO-GAME", message, None, f"name it: `--game {near}`")
    return root / STATE / name


def root_with_games(terminal: Terminal) -> Path:
    """Return the folder that holds `state/` with games; raises E-NO-GAME where there is none."""
    root = root_of(terminal)
    if not games_in(root):
        raise without_games(root)
    return root


def without_games(root: Path, before: str = "") -> ProblemError:
    """Return the error for a folder that holds no game, with what to do there; `before` is put before its sentence."""
    from folkmoot.cli.no_game import no_game  # asking git takes longer than most commands

    problem = no_game(root, STATE)
    return fail("E-NO-GAME", before + problem.message, None, problem.hint)


def is_repository(folder: Path) -> bool:
    """Say whether a folder lies in a git repository."""
    return any((around / ".git").exists() for around in (folder.resolve(), *folder.resolve().parents))
