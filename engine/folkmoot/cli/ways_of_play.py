"""Whether the game that is meant is played by pull requests, or one person keeps it."""

from __future__ import annotations

from folkmoot.cli.games import game_folder, repository_around, root_of
from folkmoot.cli.terminal import Terminal
from folkmoot.core.keys import GAME
from folkmoot.core.problems import ProblemError


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
