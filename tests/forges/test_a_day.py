"""A day on a forge by new users: one founds a game, one proposes, one reviews, and the referee's job runs its command.

Each does it by the commands and pages that the guides name: by `moot` in a clone with a token, and by the forge's own
pages, which are here what the emulator lets a person do.
"""

from __future__ import annotations

import re
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from folkmoot.forges.web.credentials import variable_of
from folkmoot.game.secret_store import TOKENS
from tests.forges.gitea.over_http import serving_gitea
from tests.forges.gitea.settings import SettledGitea
from tests.forges.github.emulator import TOKEN
from tests.forges.github.over_http import serving_github
from tests.forges.github.settings import SettledGitHub
from tests.support.meeting import git
from tests.support.moot import Moot

PEOPLE = ("annabel", "bobby", "cidney")
FORGES: dict[str, tuple[Any, Any, dict[str, str]]] = {
    "github": (SettledGitHub, serving_github, {"approve": "APPROVED", "request": "CHANGES_REQUESTED"}),
    "gitea": (SettledGitea, serving_gitea, {"approve": "APPROVED", "request": "REQUEST_CHANGES"}),
}
COMFORT = """\
title: Comfort
text: |
  Whenever a proposal is adopted, whoever has the fewest lanterns gets one.
script: |
  def on_proposal_adopted(e):
      have = get_all("player", "lanterns")
      award(min(have, key = lambda player: have[player]), "lanterns", 1, why = "comfort")
"""


class Day:
    """A forge with an empty repository, people with accounts there, and the time; only the job may push to it."""

    def __init__(self, kind: str, folder: Path, moot: Moot, patch: pytest.MonkeyPatch, stack: ExitStack) -> None:
        self.kind, self.folder, self.moot, self.patch = kind, folder, moot, patch
        self.now = int(time.time())
        self.bare = folder / "hubs" / "moot" / "game.git"
        self.bare.parent.mkdir(parents=True)
        git(folder, "init", "--quiet", "--bare", "--initial-branch=main", str(self.bare))
        git(self.bare, "config", "http.receivepack", "true")
        emulated, serve, self.states = FORGES[kind]
        self.hub: Any = emulated.bare(self.bare, self.now)
        self.hub.accounts |= {login: 700 + number for number, login in enumerate(PEOPLE)}
        self.robot = self.hub.robot
        server = stack.enter_context(serve(folder / "hubs", self.hub, f"x-access-token:{TOKEN}"))
        self.address, self.home = server.address, getattr(server, "home", server.address)

    # -- what a person does on the forge's pages

    def wait(self, seconds: int = 1) -> None:
        self.now += seconds
        self.hub.now = max(self.hub.now, self.now)

    def comment(self, login: str, number: int, body: str) -> None:
        self.wait()
        self.hub.comment(login, number, body)

    def review(self, login: str, number: int, state: str, reason: str) -> None:
        self.wait()
        self.hub.review(login, number, self.states[state], reason)

    def said(self, number: int) -> str:
        ours = [each for each in self.hub.said.values() if each["number"] == number]
        return "\n".join(each["body"] for each in ours if each.get("user", each.get("person")) == self.robot)

    # -- what runs

    def by(self, login: str, *words: str) -> str:
        """Let somebody run `moot` in their clone, logged in as themselves; return what it says."""
        self.wait()
        self.hub.robot = login
        self.patch.setenv(variable_of(self.home), TOKEN)
        said = self.moot("-C", str(self.folder / login), *words)
        self.patch.delenv(variable_of(self.home), raising=False)
        self.hub.robot = self.robot
        assert said.code == 0, (said.out, said.err)
        return said.out + said.err

    def referee(self) -> str:
        """Let the referee's job run its command minutes later; return what it says."""
        self.wait(300)
        api = f"{self.home}/api/v3" if self.kind == "github" else f"{self.home}/api/v1"
        variables = {"FOLKMOOT_TOKEN": TOKEN, "GITHUB_SERVER_URL": self.home, "GITHUB_API_URL": api}
        with self.patch.context() as job:
            for name, value in variables.items():
                job.setenv(name, value)
            summary, outputs = self.folder / "summary", self.folder / "outputs"
            told = ("--settle", "--summary", str(summary), "--outputs", str(outputs))
            said = self.moot("referee", "--clone", f"{self.home}/moot/game", *told)
        assert (said.code, "awake=true" in outputs.read_text()) == (0, True), (said.out, said.err)
        return said.out


@pytest.fixture(params=FORGES)
def day(request: Any, tmp_path: Path, moot: Moot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Day]:
    """Yield a day whose people have git, and clones of nothing yet."""
    for name in (*TOKENS, "GITHUB_SERVER_URL", "GITHUB_API_URL", "MOOT_REMOTE"):
        monkeypatch.delenv(name, raising=False)
    sleep = time.sleep
    with ExitStack() as stack:
        day = Day(request.param, tmp_path, moot, monkeypatch, stack)
        monkeypatch.setattr(time, "time", lambda: float(day.now))
        monkeypatch.setattr(time, "sleep", lambda seconds: sleep(min(seconds, 0.01)))
        login = b64encode(f"x-access-token:{TOKEN}".encode()).decode()
        settings, header = tmp_path / "gitconfig", f"Authorization: Basic {login}"
        for key, value in ((f"http.{day.address}/.extraHeader", header), ("user.name", "Somebody")):
            git(tmp_path, "config", "--file", str(settings), key, value)
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
        yield day


def sit_down(day: Day, login: str, owner: str) -> Path:
    git(day.folder, "clone", "--quiet", f"{day.home}/{owner}/game.git", login)
    git(day.folder / login, "config", "user.email", f"{login}@example.org")
    return day.folder / login


def test_a_game_is_founded_proposed_in_reviewed_and_read(day: Day) -> None:
    ann = sit_down(day, "annabel", "moot")
    people = ("-p", "bob", "-p", "ann", "--administrator", "ann", "--login", "ann=annabel", "--login", "bob=bobby")
    where = ("--forge", day.kind, "--home", f"{day.home}/moot/game")
    day.by("annabel", "new", "club", "--ruleset", "lanterns", "--setting", "pace=1440", *where, *people)
    git(ann, "push", "--quiet", "--set-upstream", "origin", "main")
    assert "open the issue that is the game's thread" in day.by("annabel", "init", "--apply", "--yes")
    day.referee()
    assert "@bobby you owe the game" in day.said(1)

    # Bob proposes by `moot`, from a clone of his fork; Cid joins
    git(day.folder, "clone", "--quiet", "--bare", str(day.bare), str(day.bare.parents[1] / "bobby" / "game.git"))
    git(day.bare.parents[1] / "bobby" / "game.git", "config", "http.receivepack", "true")
    day.comment("cidney", 1, "/join")
    day.referee()
    bob = sit_down(day, "bobby", "bobby")
    git(bob, "config", "moot.player", "bob")
    (bob / "comfort.yaml").write_text(COMFORT, "utf-8")
    led = re.findall(r"`git (remote [^`]*|pull)`", day.by("bobby", "status"))
    for words in led:
        git(bob, *words.split())
    assert len(led) == 3
    assert "cidney" in day.by("bobby", "status")
    told = day.by("bobby", "propose", "--rule", "comfort.yaml")
    (first,) = map(int, re.findall(r"Opened pull request (\d+) with the branch moot/comfort", told))
    assert "proposal 1 submitted" in day.referee()
    assert re.search("@annabel @cidney the vote on .* is open", day.said(first))
    assert "Vote for, by approving this in a review or in a comment of one line: `/vote for`" in day.said(first)

    # Bob votes by `moot`, the others review
    assert "Voted for on pull request" in day.by("bobby", "vote", "for", "I like it.")
    day.review("annabel", first, "approve", "It is kind.")
    day.review("cidney", first, "request", "Too much.\nNone would do.")
    assert "proposal 1 adopted: “2 for, 1 against”" in day.referee()
    assert day.hub.pulls[first]["merged_at"]
    for row in ("bob | **for** | I like it.", "ann | **for** | It is kind.", "cidney | **against** | Too much. None"):
        assert row in day.said(first)

    # What everybody reads
    git(ann, "pull", "--quiet")
    assert "The record of club is sound." in day.by("annabel", "verify")
    assert not any(TOKEN in each["body"] for each in day.hub.said.values())
