"""A day on a forge by new users: one founds a game, one proposes, one reviews, and the referee's job runs its command.

Each does it by the commands and pages that the guides name: by `moot` in a clone with a token, and by the forge's own
pages, which are here what the emulator lets a person do.
"""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
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

PEOPLE = ("annabel", "bobby", "cidney", "dora")
ONLY_READ = """\
#!/bin/sh
while read -r old new ref; do case "$ref" in refs/heads/moot/*) echo "Permission denied" >&2; exit 1;; esac; done
"""
COMFORT = """\
title: Comfort
text: |
  Whenever a proposal is adopted, whoever has the fewest lanterns gets one.
script: |
  def on_proposal_adopted(e):
      have = get_all("player", "lanterns")
      award(min(have, key = lambda player: have[player]), "lanterns", 1, why = "comfort")
"""


class Day(ABC):
    """A forge with an empty repository, people with accounts there, and the time; only the job may push to it."""

    states: dict[str, str]

    def __init__(self, folder: Path, moot: Moot, patch: pytest.MonkeyPatch) -> None:
        self.folder, self.moot, self.patch = folder, moot, patch
        self.now = int(time.time())
        self.bare = folder / "hubs" / "moot" / "game.git"
        self.bare.parent.mkdir(parents=True)
        git(folder, "init", "--quiet", "--bare", "--initial-branch=main", str(self.bare))
        git(self.bare, "config", "http.receivepack", "true")
        self.hub = self.emulated()
        self.hub.accounts |= {login: 700 + number for number, login in enumerate(PEOPLE)}
        self.robot = self.hub.robot

    kind: str
    home: str

    @abstractmethod
    def emulated(self) -> Any:
        """Return the emulated forge."""

    @abstractmethod
    def served(self) -> AbstractContextManager[str]:
        """Serve it while the context lasts, and yield where."""

    def lets_nobody_write(self) -> None:
        """Let players push to their forks alone."""
        hook = self.bare / "hooks" / "pre-receive"
        hook.write_text(ONLY_READ)
        hook.chmod(0o755)

    # -- what a person does on the forge's pages

    def wait(self, seconds: int = 1) -> None:
        """Let time pass."""
        self.now += seconds
        self.hub.now = max(self.hub.now, self.now)

    def fork(self, login: str) -> Path:
        """Fork the repository; return the fork."""
        fork = self.folder / "hubs" / login / "game.git"
        if not fork.exists():
            git(self.folder, "clone", "--quiet", "--bare", str(self.bare), str(fork))
            git(fork, "config", "http.receivepack", "true")
        return fork

    def pencil(self, login: str, file: str, text: str) -> int:
        """Change a file by the pencil on its page, which makes a branch of one's fork, and open the pull request."""
        fork, work = self.fork(login), self.folder / f"pages-{login}"
        git(self.folder, "clone", "--quiet", str(self.bare), str(work))
        (work / "state" / "club" / file).write_text(text, "utf-8")
        git(work, "add", "state")
        person = ("-c", f"user.name={login}", "-c", f"user.email={login}@users.noreply.example")
        git(work, *person, "commit", "--quiet", "--message", f"Update {Path(file).name}")
        git(work, "push", "--quiet", str(fork), "HEAD:refs/heads/patch-1")
        return self.open(login, f"Update {Path(file).name}", f"{login}:patch-1")

    def open(self, login: str, title: str, head: str) -> int:
        """Open a pull request with a branch of a fork, named as the page that compares names it."""
        self.wait()
        owner, _, branch = head.partition(":")
        git(self.bare, "fetch", "--quiet", str(self.fork(owner)), f"+refs/heads/{branch}:refs/forks/{owner}")
        return int(self.hub.open_pull(login, title, "", git(self.bare, "rev-parse", f"refs/forks/{owner}").strip()))

    def comment(self, login: str, number: int, body: str) -> None:
        """Comment on a pull request or an issue."""
        self.wait()
        self.hub.comment(login, number, body)

    def review(self, login: str, number: int, state: str, reason: str) -> None:
        """Approve, or request changes, with a reason."""
        self.wait()
        self.hub.review(login, number, self.states[state], reason)

    def said(self, number: int) -> str:
        """Return all that the referee says on a pull request or an issue."""
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


class OnGitHub(Day):
    kind = "github"
    states = {"approve": "APPROVED", "request": "CHANGES_REQUESTED"}  # noqa: RUF012

    def emulated(self) -> SettledGitHub:
        return SettledGitHub.bare(self.bare, self.now)

    @contextmanager
    def served(self) -> Iterator[str]:
        with serving_github(self.folder / "hubs", self.hub, f"x-access-token:{TOKEN}") as server:
            self.home = server.address
            yield server.address


class OnGitea(Day):
    kind = "gitea"
    states = {"approve": "APPROVED", "request": "REQUEST_CHANGES"}  # noqa: RUF012

    def emulated(self) -> SettledGitea:
        return SettledGitea.bare(self.bare, self.now)

    @contextmanager
    def served(self) -> Iterator[str]:
        with serving_gitea(self.folder / "hubs", self.hub, f"x-access-token:{TOKEN}") as server:
            self.home = server.home
            yield server.address


@pytest.fixture(params=[OnGitHub, OnGitea])
def day(request: Any, tmp_path: Path, moot: Moot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Day]:
    """Yield a day whose people have git, and clones of nothing yet."""
    for name in (*TOKENS, "GITHUB_SERVER_URL", "GITHUB_API_URL", "MOOT_REMOTE"):
        monkeypatch.delenv(name, raising=False)
    day: Day = request.param(tmp_path, moot, monkeypatch)
    sleep = time.sleep
    monkeypatch.setattr(time, "time", lambda: float(day.now))
    monkeypatch.setattr(time, "sleep", lambda seconds: sleep(min(seconds, 0.01)))
    with day.served() as address:
        login = b64encode(f"x-access-token:{TOKEN}".encode()).decode()
        settings = tmp_path / "gitconfig"
        for key, value in (
            (f"http.{address}/.extraHeader", f"Authorization: Basic {login}"),
            ("user.name", "Somebody"),
        ):
            git(tmp_path, "config", "--file", str(settings), key, value)
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
        yield day


def sit_down(day: Day, login: str, owner: str) -> Path:
    """Clone the repository, or a fork of it, as somebody."""
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
    day.lets_nobody_write()
    day.referee()
    assert "@bobby you owe the game" in day.said(1)

    # Bob proposes by `moot`, from a clone of his fork; a stranger by the pencil; Cid joins
    day.fork("bobby")
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
    opened = re.search(rf"  {re.escape(day.home)}/moot/game/compare/main\.\.\.([^?\s]+)", told)
    assert opened is not None, told
    first = day.open("bobby", "Comfort", opened[1])
    strange = day.pencil("dora", "rules/new-rule.yaml", "title: Tea\ntext: There is tea at four.\n")
    assert "proposal 1 submitted" in day.referee()
    assert re.search("@annabel @cidney the vote on .* is open", day.said(first))
    assert "Vote for, by approving this in a review or in a comment of one line: `/vote for`" in day.said(first)
    assert "dora is no player of this game" in day.said(strange)
    assert "would fail" not in day.said(strange)

    # Bob votes by `moot`, the others review
    assert "Voted for on pull request" in day.by("bobby", "vote", "for", "I like it.")
    day.review("annabel", first, "approve", "It is kind.")
    day.review("cidney", first, "request", "Too much.\nNone would do.")
    assert "proposal 1 adopted: “2 for, 1 against”" in day.referee()
    assert day.hub.pulls[first]["merged_at"]
    for row in ("bob | **for** | I like it.", "ann | **for** | It is kind.", "cidney | **against** | Too much. None"):
        assert row in day.said(first)

    # Ann amends it by the pencil, and the others review; the rule was in force meanwhile
    second = day.pencil(
        "annabel", "rules/11.yaml", git(day.bare, "show", "main:state/club/rules/11.yaml") + "tags: [x]\n"
    )
    day.referee()
    assert "It amends rule 11" in day.said(second)
    day.review("annabel", second, "approve", "Mine.")
    for login in ("bobby", "cidney"):
        day.review(login, second, "request", "")
    assert "proposal 2 defeated" in day.referee()
    assert (day.hub.pulls[second]["state"], day.hub.pulls[second]["merged_at"]) == ("closed", None)

    # What everybody reads
    git(ann, "pull", "--quiet")
    assert "The record of club is sound." in day.by("annabel", "verify")
    assert "for “comfort” by rule 11" in day.by("annabel", "log")
    if day.kind != "github":  # whose guide builds its site
        day.by("annabel", "serve", "--build")
        assert "None would do." in (ann / "site" / "club" / "proposals" / "1.html").read_text("utf-8")
    assert not any(TOKEN in each["body"] for each in day.hub.said.values())
