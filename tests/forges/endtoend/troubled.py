"""A world whose forge is reached over HTTP, in all weathers: what is the same for every such forge."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import time
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx
import pygit2

from folkmoot.core.fault_points import fault_hook
from folkmoot.core.problems import ProblemError
from folkmoot.forges.web.client import Pacing
from folkmoot.journal.git_objects import make_commit, write_tree
from tests.forges.endtoend.weather import Killed, Trouble, Weather, clone_of, open_to, spoilt, stormy
from tests.forges.endtoend.world import MAIN, World
from tests.forges.smart_http import Server
from tests.support.forking import Forking

MOST_TRIES = 60
SOURCES = Path(__file__).parents[3]
RUNNER = "tests.forges.endtoend.runner"


@contextmanager
def forked_referees() -> Iterator[Forking]:
    """Provide what forks `moot referee` with little of the environment."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    with Forking(kept | {"PYTHONPATH": str(SOURCES)}, load=(RUNNER,)) as referees:
        yield referees


class TroubledWorld(World):
    """Referees of this world are interrupted, and try again until one gets through.

    `seed` is where all that goes wrong is drawn from; `rough` how much of it, 0: nothing. Where it is not `wired`, the
    API is asked without a network, and git reads and writes the folder: the same faults, in a fraction of the time.
    `referees` forks those that are processes of their own.
    """

    referees: Forking

    def __init__(
        self,
        folder: Path,
        law: Mapping[str, Any],
        players: tuple[str, ...],
        *,
        seed: int = 0,
        rough: float = 0,
        wired: bool = True,
        kept: bool = False,
    ) -> None:
        super().__init__(folder, law, players, kept=kept)
        self.wired = wired
        for name, value in (("http.receivepack", True), ("receive.autogc", False), ("gc.auto", 0)):
            self.repo.config[name] = value
        self.chance = random.Random(seed)
        self.rough = rough
        self.address = ""
        self.weather = Weather(random.Random(seed + 1), 0.09 * rough)
        self.met: Counter[str] = self.weather.met
        others = {"another referee": self._another, "a push": self._push_by_hand, "a chat": self._chat}
        self.trouble = Trouble(self.chance, 0.05 * rough, self.met, others)
        self.clone = clone_of(folder)
        self.second = folder / "second"
        self.attempts = 0
        self.slept = 0.0

    def pacing(self) -> Pacing:
        """Return what waits without waiting."""
        return Pacing(self._sleep)

    def _sleep(self, seconds: float) -> None:
        self.slept += seconds

    def bare(self, place: Path) -> Path:
        """Return an empty bare repository at a place, made if it is not there."""
        if not place.exists():
            pygit2.init_repository(str(place), bare=True, initial_head="main").config["gc.auto"] = 0
        return place

    def deed(self) -> Any:
        """Let somebody do something; now and then a referee looks already, and may fail at it."""
        if self.rough and self.chance.random() < 0.1 * self.rough:
            self._worsen(2)
            with suppress(ProblemError, Killed):
                self._try()
        return super().deed()

    def _settle(self) -> None:
        self._worsen(6)
        last: BaseException | None = None
        for _ in range(MOST_TRIES):
            try:
                if not self._try().more:
                    break
            except (ProblemError, Killed) as error:
                self.now += self.chance.randrange(1, 20)
                last = error
        else:
            raise AssertionError(f"the referee never got through: {last!r}, {self.met}")
        self.weather.left = self.trouble.left = 0
        for _ in range(MOST_TRIES):  # what a storm kept git from fetching is tried again, ever more seldom
            if not any("could not be fetched" in said for word in self.pulls for said in self.ours(word)):
                break
            self.now += 1_800
            self._try()

    def _worsen(self, most: int) -> None:
        self.weather.worsen(most if self.rough else 0)
        self.trouble.left = 3 if self.rough else 0

    def _try(self) -> Any:
        """Let a referee try to get through; who died comes back with the same clone, or with none."""
        self.attempts += 1
        if self.rough and self.chance.random() < 0.1:
            self.clone = clone_of(self.folder)
        with fault_hook(self.trouble):
            return self.run(self.forge(self.clone))

    # -- what others do meanwhile

    def _another(self) -> None:
        with suppress(ProblemError):
            self.run(self.forge(self.second))

    def _push_by_hand(self) -> None:
        """Push to main what is no game's."""
        tip, who = self.main(), pygit2.Signature("Root", "root@x.org", self.now, 0)
        tree = write_tree(self.repo, self.repo[tip].peel(pygit2.Tree).id, {"readme.md": f"{len(self.met)}\n".encode()})
        self.repo.references.create(MAIN, make_commit(self.repo, tree, [tip], "By the way\n", who, who), force=True)

    def _chat(self) -> None:
        """Say something that is no act, as somebody who is no player."""
        word = self.chance.choice(["", *self.pulls])
        self._say("mal", self.pulls.get(word, 0), "How is it going?")

    # -- referees in processes of their own

    @abstractmethod
    def environment(self) -> dict[str, str]:
        """Return the variables by which `moot referee` finds its forge."""

    @property
    def remote(self) -> str:
        """Return the address of the repository."""
        return f"{self.address}/moot/game.git" if self.wired else str(self.hub)

    @contextmanager
    def served(self) -> Iterator[None]:
        """Serve the API and git while the context lasts, where they are asked over a network."""
        if not self.wired:
            yield
            return
        server, handler = self.server()
        with open_to(server, stormy(handler, self.weather)):
            self.address = server.address
            yield

    @abstractmethod
    def server(self) -> tuple[Server, type[BaseHTTPRequestHandler]]:
        """Return what serves the API and git, and how it handles a request."""

    def transport(self, handle: Callable[[httpx.Request], httpx.Response]) -> httpx.BaseTransport | None:
        """Return what carries requests to an emulator, None where that is the network."""
        return None if self.wired else spoilt(self.weather, handle)

    def process(self, kill_at: int = 0) -> subprocess.Popen[bytes]:
        """Start `moot referee`; it kills itself at the fault point of a number (counted from 1)."""
        place = clone_of(self.folder)
        subprocess.run(["git", "clone", "--quiet", "--bare", str(self.hub), str(place)], check=True)
        told = {"NOW": str(self.now), "KILL_AT": str(kill_at), "MOOT_REMOTE": self.remote}
        return subprocess.Popen(
            [self.referees.shim(place / "referee", f"import {RUNNER}; {RUNNER}.run()")],
            cwd=place,
            env=self.referees.environment | told | self.environment() | self.secrets,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def killed(self, seconds: float = 0, kill_at: int = 0) -> bool:
        """Let `moot referee` run until it is killed, after so many seconds or at a point; say whether it was."""
        process = self.process(kill_at)
        if seconds:
            time.sleep(seconds)
            process.send_signal(signal.SIGKILL)
        process.communicate(timeout=300)
        return process.returncode == -signal.SIGKILL
