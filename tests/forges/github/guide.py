"""What the guide to GitHub is followed in: an emulated GitHub behind real addresses, and a clock that can be put forward.

Nobody waits between two writes, as one would for the real one.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pygit2

from folkmoot import __version__
from tests.forges.github.emulator import TOKEN, Fields
from tests.forges.github.over_http import serving_github
from tests.forges.github.settings import SettledGitHub
from tests.support.forking import Shims
from tests.support.meeting import git
from tests.support.sites import lay_small_site
from tests.workflows.wheels import wheel

PAUSE = 300
"""For how many seconds everybody waits before the referee runs."""
CLOCK = """\
import sys, time
from pathlib import Path
ahead, real, sleep = float(Path({clock!r}).read_text()), time.time, time.sleep
time.time = lambda: real() + ahead
time.sleep = lambda seconds: sleep(min(seconds, 0.05))
sys.argv[0] = "moot"
from folkmoot.cli.main import main
main()
"""


class Hub(SettledGitHub):
    """The repository of the guide, at this machine's time put forward by `ahead` seconds."""

    def __init__(self, hub: Path, now: int) -> None:
        super().__init__(hub, now)
        self.ahead = 0
        self.accounts |= {"annabel": 583231, "bobby": 583232}
        self.collaborators = ["annabel"]

    def _catch_up(self) -> None:
        self.now = max(self.now, int(time.time()) + self.ahead)

    def tick(self) -> str:
        self._catch_up()
        return super().tick()

    def _sent(self, request: httpx.Request, status: int, data: Any, query: dict[str, str]) -> httpx.Response:
        self._catch_up()
        return super()._sent(request, status, data, query)

    def _workflows(self, query: Fields, body: Any) -> tuple[int, Any]:
        """Answer with the workflows that were pushed."""
        main = self.repo.references.get("refs/heads/main")
        tree = self.repo[main.target].peel(pygit2.Tree) if main else None
        folder = tree[".github/workflows"] if tree is not None and ".github" in tree else ()
        self.workflows = {f".github/workflows/{each.name}": "active" for each in folder}  # type: ignore[union-attr]
        return super()._workflows(query, body)


class Surroundings:
    """Where the guide's commands run, and what its people do on GitHub's pages."""

    def __init__(self, folder: Path, shims: Shims, hub: Hub, address: str) -> None:
        self.folder, self.hub, self.root = folder, hub, folder / "hubs"
        settings = folder / "gitconfig"
        for key, value in (
            (f"url.{address}/.insteadOf", "https://github.com/"),
            (f"http.{address}/.extraHeader", f"Authorization: Basic {_basic()}"),
            ("init.defaultBranch", "main"),
        ):
            git(folder, "config", "--file", str(settings), key, value)
        self.variables = {
            "GIT_CONFIG_GLOBAL": str(settings),
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_API_URL": f"{address}/api/v3",
            "FOLKMOOT_TOKEN": TOKEN,
        }
        self.clock = folder / "clock"
        self.clock.write_text("0")
        (folder / "bin").mkdir()
        shims(folder / "bin" / "moot", CLOCK.format(clock=str(self.clock)))
        (folder / "work").mkdir()
        wheel(folder / "work", __version__)

    def before(self, words: str) -> dict[str, str]:
        """Let time pass before the referee runs, and give it what its job is given; return the variables."""
        if "--build" in words:
            shutil.rmtree(self.folder / "work" / "ann" / "site_src")
            lay_small_site(self.folder / "work" / "ann")
        if " referee" not in words:
            return self.variables
        self.hub.ahead += PAUSE
        self.clock.write_text(str(self.hub.ahead))
        return {**self.variables, "FOLKMOOT_CHANCE": self.hub.opened("FOLKMOOT_CHANCE")}

    def happen(self, words: str) -> None:
        """Let people do something on GitHub's pages."""
        verb, person, *rest = words.split()
        deeds: dict[str, Callable[..., Any]] = {
            "fork": self._fork, "open": self._open, "comment": self._comment, "approve": self._approve
        }  # fmt: skip
        deeds[verb](person, *rest)

    def _fork(self, person: str) -> None:
        (self.root / person).mkdir()
        git(self.root, "clone", "--quiet", "--bare", str(self.root / "moot" / "game.git"), f"{person}/game.git")
        git(self.root / person / "game.git", "config", "http.receivepack", "true")

    def _open(self, person: str, branch: str, *title: str) -> None:
        bare = self.root / "moot" / "game.git"
        git(bare, "fetch", "--quiet", str(self.root / person / "game.git"), f"{branch}:refs/forks/{person}")
        head = git(bare, "rev-parse", f"refs/forks/{person}").strip()
        self.hub.open_pull(person, " ".join(title), "", head)

    def _comment(self, person: str, number: str, *body: str) -> None:
        self.hub.comment(person, int(number), " ".join(body))

    def _approve(self, person: str, number: str) -> None:
        self.hub.review(person, int(number), "APPROVED")


def _basic() -> str:
    from base64 import b64encode

    return b64encode(f"x-access-token:{TOKEN}".encode()).decode()


@contextmanager
def on_github(folder: Path, shims: Shims) -> Iterator[Surroundings]:
    """Serve an empty repository while the context lasts."""
    bare = folder / "hubs" / "moot" / "game.git"
    bare.mkdir(parents=True)
    git(folder, "init", "--quiet", "--bare", "--initial-branch=main", str(bare))
    git(bare, "config", "http.receivepack", "true")
    hub = Hub.bare(bare, int(time.time()))
    with serving_github(folder / "hubs", hub, f"x-access-token:{TOKEN}") as server:
        yield Surroundings(folder, shims, hub, server.address)  # type: ignore[arg-type]
