"""People round an emulated forge with an API: contributions are commits in the real git repository beside it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from folkmoot.forges.gitea import GiteaForge
from folkmoot.forges.github import GitHubForge
from folkmoot.forges.port import RemarkKind
from folkmoot.forges.web.client import Pacing
from tests.forges.conformance import NOW, OnPages, Table
from tests.forges.gitea import emulator as of_gitea
from tests.forges.github import emulator as of_github
from tests.forges.objects import direct, repository


class EmulatedTable(OnPages, Table):
    """An emulated server, `web`, with its git repository.

    `states` are the forge's words for reviews, `api` is where its paths begin.
    """

    kind: str
    states: Mapping[str, str]
    token: str
    api = ""

    def __init__(self, folder: Path, remote: str, hub: Path, web: Any) -> None:
        super().__init__(folder, remote, hub)
        self.slept: list[float] = []
        self.web = web
        self.thread = self.web.open_issue("keeper", "Talk about the game", ("game",))
        self.forge = self.another()

    def another(self, **options: Any) -> Any:
        self._clones += 1
        path = self.folder / f"clone-{self._clones}"
        repository(path)
        return self.at(path, **options)

    @abstractmethod
    def at(self, path: Path, **options: Any) -> Any:
        """Return the forge as it is seen from a clone."""

    def wait(self, seconds: int = 60) -> None:
        """Let time pass: by default so long that what was read last is known to be all."""
        self.web.now += seconds

    def id_of(self, person: str) -> str:
        return str((self.web.account(person) or {})["id"])

    def commit(self, parent: str = "") -> str:
        return self.made_in(self.repo, "Change", (parent or self.main(),))

    def open(self, person: str, title: str, body: str = "") -> int:
        return int(self.web.open_pull(person, title, body, self.commit()))

    def push(self, person: str, number: int) -> str:
        made = self.commit(self.head(number))
        self.web.push(number, made)
        return made

    def comment(self, person: str, number: int, body: str) -> str:
        return f"c{self.web.comment(person, number or self.thread, body)}"

    def review(self, person: str, number: int, kind: RemarkKind, body: str = "") -> str:
        return f"r{self.web.review(person, number, self.states[kind], body)}"

    @abstractmethod
    def line(self, person: str, number: int, body: str) -> str:
        """Comment on a line of a pull request; return the comment's id."""

    def state(self, person: str, title: str, body: str, *, labelled: bool = True) -> int:
        """Open an issue, with the game's label or without; return its number."""
        return int(self.web.open_issue(person, title, ("game",) if labelled else (), body))

    def label(self, number: int) -> None:
        self.web.label(number, "game")

    def rename(self, person: str, name: str) -> None:
        self.web.accounts[name] = self.web.accounts.pop(person)

    def checks(self, commit: str) -> list[tuple[str, str, str]]:
        """Return what was set beside a commit, oldest first: context, state, text."""
        found = [each for each in self.web.statuses if each["commit"] == commit]
        return [(each["context"], each["state"], each["description"]) for each in found]

    def spoken(self, number: int) -> list[str]:
        """Return all comments on an issue or a pull request."""
        return [each["body"] for each in self.web.said.values() if each["number"] == number]

    def asked(self) -> list[str]:
        """Return what was asked since this was called last."""
        places = [each.url.path.removeprefix(self.api).removeprefix("/repos/moot/game") for each in self.web.requests]
        asked = [f"{each.method} {place}" for each, place in zip(self.web.requests, places, strict=True)]
        self.web.requests.clear()
        return asked


class GitHubTable(EmulatedTable):
    """An emulated GitHub with its git repository."""

    kind, states, token = "github", of_github.STATES, of_github.TOKEN

    def __init__(self, folder: Path, remote: str, hub: Path) -> None:
        super().__init__(folder, remote, hub, of_github.GitHub(hub, NOW - 5_000))

    def at(self, path: Path, **options: Any) -> GitHubForge:
        given = {"skew": None, "transport": self.web.transport(), "pacing": Pacing(self.slept.append)}
        forge = GitHubForge(path, self.remote, "moot/game", self.token, of_github.API, **{**given, **options})
        return direct(forge)

    def line(self, person: str, number: int, body: str) -> str:
        return f"l{self.web.line(person, self.web.review(person, number, 'COMMENTED'), body)}"


class GiteaTable(EmulatedTable):
    """An emulated Forgejo or Gitea of a `generation` with its git repository."""

    kind, states, token = "gitea", of_gitea.STATES, of_gitea.TOKEN
    api = "/git/api/v1"

    def __init__(self, folder: Path, remote: str, hub: Path, generation: of_gitea.Generation) -> None:
        self.tells_who = generation.new
        super().__init__(folder, remote, hub, of_gitea.Gitea(hub, NOW - 5_000, generation))

    def at(self, path: Path, **options: Any) -> GiteaForge:
        given = {"skew": None, "transport": self.web.transport(), "pacing": Pacing(self.slept.append, between=0)}
        forge = GiteaForge(path, self.remote, "moot/game", self.token, of_gitea.API, **{**given, **options})
        return direct(forge)

    def line(self, person: str, number: int, body: str) -> str:
        review = self.web.begin(person, number)
        name = self.web.remark_on_line(person, review, body)
        self.web.submit(review, "COMMENT")
        return f"l{name}"
