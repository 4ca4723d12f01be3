"""Worlds between which a game moves: one it is founded in, and others that are empty until it comes."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pygit2
import pytest

from folkmoot.cli.main import main
from folkmoot.forges.web.credentials import variable_of
from folkmoot.game.secret_store import TOKENS
from folkmoot.game.session import Session
from folkmoot.game.verify import verify
from tests.forges.endtoend import world as worlds
from tests.forges.endtoend.gitea_world import GiteaWorld
from tests.forges.endtoend.github_world import GitHubWorld
from tests.forges.endtoend.local_world import LocalWorld
from tests.forges.endtoend.troubled import TroubledWorld
from tests.forges.endtoend.world import World
from tests.forges.gitea.emulator import TOKEN as GITEA_TOKEN
from tests.forges.github.emulator import TOKEN as GITHUB_TOKEN
from tests.support.moot import Said
from tests.support.quick import replayed

WORLDS: dict[str, type[World]] = {"local": LocalWorld, "github": GitHubWorld, "gitea": GiteaWorld}
TOKEN_OF = {"github": GITHUB_TOKEN, "gitea": GITEA_TOKEN}


class Journey:
    """A game that goes from world to world; `here` is the one that it is in, `clone` the administrator's."""

    def __init__(
        self, folder: Path, kind: str, law: Mapping[str, Any], players: tuple[str, ...], capsys: Any, stack: ExitStack
    ) -> None:
        self.folder = folder
        self.capsys = capsys
        self.stack = stack
        self.players = players
        self.law = law
        self._made = 0
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(worlds, "FORGES", (kind,))
            self.here = self._world(kind, players)
        self.clone = folder / "keeper"
        subprocess.run(["git", "clone", "--quiet", str(self.here.hub), str(self.clone)], check=True)
        self._at_home(self.here)
        for name, value in (("user.name", "Ann"), ("user.email", "ann@x.org")):
            subprocess.run(["git", "-C", str(self.clone), "config", name, value], check=True)

    # -- worlds

    def another(self, kind: str) -> World:
        """Return an empty world."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(WORLDS[kind], "_found", lambda *_: None)
            return self._world(kind, self.players)

    def _world(self, kind: str, players: tuple[str, ...]) -> World:
        self._made += 1
        made = WORLDS[kind](self.folder / f"{kind}-{self._made}", self.law, players)
        if isinstance(made, TroubledWorld):
            self.stack.enter_context(made.served())
        return made

    def _at_home(self, world: World) -> None:
        """Let the clone be one of a world, and its game say where it lies there."""
        self._git("remote", "set-url", "origin", self.address(world))
        home = self.home(world)
        if home:
            record = world.game()
            with closing(Session(record, record.load(), record.head)) as session:
                done = session.act(self.players[0], "use_forge", {"forge": world.kind, "home": home}, at=world.now)
                assert done.accepted
            made = record.commit("Say where it lies", "Root <root@x.org>", world.now, committer="Root <root@x.org>")
            world.repo.references[worlds.MAIN].set_target(made)

    def _git(self, *words: str) -> None:
        subprocess.run(["git", "-C", str(self.clone), *words], check=True)

    @staticmethod
    def address(world: World) -> str:
        """Return by which address git reaches a world."""
        return world.remote if isinstance(world, TroubledWorld) else str(world.hub)

    @staticmethod
    def home(world: World) -> str:
        """Return where people open a world's repository, "" for plain git."""
        return f"{world.address}/moot/game" if isinstance(world, TroubledWorld) else ""

    # -- commands

    def moot(self, *words: str, world: World | None = None, there: World | None = None) -> Said:
        """Run `moot` in the administrator's clone at a world's time, with the tokens of it and of the other."""
        with self._environment(world or self.here, there):
            self.capsys.readouterr()
            with pytest.raises(SystemExit) as ended:
                main(["-C", str(self.clone), *words])
        said = self.capsys.readouterr()
        return Said(int(ended.value.code or 0), said.out, said.err)

    @contextmanager
    def _environment(self, world: World, there: World | None) -> Iterator[None]:
        clock = SimpleNamespace(time=lambda: world.now)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("folkmoot.cli.forges.time", clock)
            patch.setattr("folkmoot.cli.options.time", clock)
            patch.setattr("folkmoot.cli.init.time", clock)
            for name in (*TOKENS, "GITHUB_SERVER_URL", "GITHUB_API_URL"):
                patch.delenv(name, raising=False)
            for each in filter(None, (world, there)):
                each.now = world.now
                if isinstance(each, TroubledWorld):
                    each.environment()  # which sets the forge's clock, too
            for each in filter(None, (world, there)):
                if isinstance(each, TroubledWorld):
                    patch.setenv(variable_of(each.address), TOKEN_OF[each.kind])
            yield

    def words(self, there: World) -> list[str]:
        """Return what is typed to move the game to a world."""
        logins = [f"--login={who}={who}" for who in self.players]
        return ["init", "--move", "--forge", there.kind, "--home", self.home(there), *logins]

    def move(self, there: World) -> Said:
        """Move the game, tell both places, and go on in the new world."""
        said = self.moot(*self.words(there), "--json", there=there)
        assert said.code == 0, (said.out, said.err)
        there.now = self.here.now
        for world in (self.here, there):
            self._git("push", "--quiet", str(world.hub), "HEAD:main")
        self._git("remote", "set-url", "origin", self.address(there))
        self.here = there
        return said

    def tip(self) -> str:
        """Return the newest commit of the administrator's clone."""
        return str(pygit2.Repository(str(self.clone)).head.target)

    # -- what must be so

    def sound(self) -> None:
        """Say whether the record proves itself, and holds nothing twice."""
        assert verify(self.here.game(), replayed).problems == []
        ways = [entry.get("via") or {} for entry in self.here.game().entries()]
        facts = Counter((via["forge"], via.get("stay"), via.get("pull"), via["fact"]) for via in ways if via)
        assert max(facts.values()) == 1, facts
