"""What is examined: a repository on this machine, its games, and where it lies on a forge."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from folkmoot.core.documents import GameDocument, Roster
from folkmoot.core.keys import GAME, ROSTER, forge_home, forge_kind
from folkmoot.core.problems import ProblemError
from folkmoot.journal import GameFolder
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.layout import STATE, games_in
from folkmoot.kernel.names import account_on


class Game(Struct, frozen=True):
    """A game as it lies here: its name, its settings (game.yaml) and its people."""

    name: str
    settings: GameDocument
    roster: Roster

    @property
    def kind(self) -> str:
        """Return by which forge its acts come, "" where one person keeps it."""
        return forge_kind(self.settings)

    @property
    def home(self) -> str:
        """Return where it says that it lies on its forge, "" where it does not."""
        return forge_home(self.settings)

    @property
    def awake(self) -> bool:
        """Say whether it is neither paused nor over."""
        return self.settings.get("paused") is None and not self.settings.get("over")


class Place(Struct, frozen=True, kw_only=True):
    """A repository and where it lies.

    `address` is that of its remote ("" if none), `host` and `repository` where that leads (`https://github.com`,
    `ann/game`), `api` where the forge's API is reached, `branch` the one that is checked out, `kind` the forge's.
    """

    root: Path
    repo: pygit2.Repository | None
    games: tuple[Game, ...] = ()
    address: str = ""
    host: str = ""
    repository: str = ""
    api: str = ""
    branch: str = ""
    kind: str = ""

    @property
    def home(self) -> str:
        """Return the address of the repository on its forge as people open it."""
        return f"{self.host}/{self.repository}" if self.host and self.repository else ""

    @property
    def met(self) -> tuple[Game, ...]:
        """Return the games that are played by pull requests."""
        return tuple(game for game in self.games if game.kind)


def games_below(root: Path, *, whole: bool = False) -> tuple[Game, ...]:
    """Return the games of a folder, those that can be read; `whole` raises what is wrong with one that cannot."""
    found = []
    for name in games_in(root):
        folder = GameFolder(root / STATE / name)
        try:
            found.append(Game(name, folder.kept(GAME), folder.kept(ROSTER)))
        except ProblemError:  # a damaged game is for `moot verify`
            if whole:
                raise
    return tuple(found)


def administrators(game: Game) -> list[str]:
    """Return who administers a game."""
    return [str(each) for each in game.settings.get("administrators") or ()]


def maintainers(game: Game) -> list[str]:
    """Return who may approve changes of engine, workflows and site: as named, else the administrators."""
    named = game.settings.get("maintainers")
    return [str(each) for each in named] if named else administrators(game)


def handle(game: Game, who: str, kind: str) -> str:
    """Return how somebody is called on a forge now, "" where the game does not know."""
    if who.startswith(f"{kind}:"):
        return ""
    known = account_on(game.roster, who, kind)
    return known["login"] if known else ""


def branch_of(repo: pygit2.Repository | None) -> str:
    """Return the name of the branch that is checked out, "" where none is."""
    if repo is None or repo.head_is_detached:
        return ""
    try:
        target = repo.lookup_reference("HEAD").target
    except KeyError:
        return ""
    return str(target).removeprefix("refs/heads/")
