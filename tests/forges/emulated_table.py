"""People round an emulated forge with an API: contributions are commits in the real git repository beside it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pygit2

from folkmoot.forges.port import Forge, RemarkKind
from tests.forges.local_table import START
from tests.forges.objects import bring, repository


class EmulatedTable(ABC):
    """An emulated server, `web`, with its git repository; `remote` is how the referee's git reaches it.

    `states` are the forge's words for reviews, `api` is where its paths begin.
    """

    states: Mapping[str, str]
    token: str
    api: str = ""

    def __init__(self, folder: Path, remote: str, hub: Path, web: Any) -> None:
        self.folder = folder
        self.remote = remote
        self.hub = hub
        self.repo = pygit2.Repository(str(hub))
        self.slept: list[float] = []
        self._made = 0
        self._clones = 0
        self.branch = "refs/heads/main"
        self.repo.create_reference(self.branch, self._commit(self.repo, "Begin", ()))
        self.web = web
        self.thread = self.web.open_issue("keeper", "Talk about the game", ("game",))
        self.forge: Any = self.another()

    def another(self, **options: Any) -> Any:
        self._clones += 1
        path = self.folder / f"clone-{self._clones}"
        repository(path)
        return self.at(path, **options)

    @abstractmethod
    def at(self, path: Path, **options: Any) -> Forge:
        """Return the forge as it is seen from a clone."""

    def another_process(self) -> Any:
        return self.at(Path(self.forge.refs.repo.path))

    def id_of(self, person: str) -> str:
        return str((self.web.account(person) or {})["id"])

    def _commit(self, repo: pygit2.Repository, message: str, parents: tuple[str, ...]) -> str:
        self._made += 1
        made = repo.create_blob(f"{self._made}\n".encode())
        before = repo[parents[0]].tree if parents else None
        builder = repo.TreeBuilder(before) if before is not None else repo.TreeBuilder()
        builder.insert(f"file-{self._made}", made, pygit2.enums.FileMode.BLOB)
        who = pygit2.Signature("Somebody", "somebody@x.org", START + self._made, 0)
        return str(repo.create_commit(None, who, who, message, builder.write(), list(parents)))

    def main(self) -> str:
        return str(self.repo.references[self.branch].target)

    def commit(self, parent: str = "") -> str:
        """Make a commit on top of another, of the branch if not given."""
        return self._commit(self.repo, "Change", (parent or self.main(),))

    def open(self, person: str, title: str, body: str = "") -> int:
        return int(self.web.open_pull(person, title, body, self.commit()))

    def head(self, number: int) -> str:
        return str(self.repo.references[f"refs/pull/{number}/head"].target)

    def push(self, person: str, number: int) -> str:
        made = self.commit(self.head(number))
        self.web.push(number, made)
        return made

    def comment(self, person: str, number: int, body: str) -> str:
        return f"c{self.web.comment(person, number or self.thread, body)}"

    def review(self, person: str, number: int, kind: RemarkKind, body: str = "") -> str:
        return f"r{self.web.review(person, number, self.states[kind], body)}"

    def edit(self, person: str, number: int, remark: str, body: str) -> None:
        self.web.edit(int(remark[1:]), body)

    def delete(self, person: str, number: int, remark: str) -> None:
        self.web.delete(int(remark[1:]))

    def dismiss(self, person: str, number: int, remark: str) -> None:
        self.web.dismiss(person, int(remark[1:]))

    def close(self, person: str, number: int) -> None:
        self.web.close(person, number)

    def reopen(self, person: str, number: int) -> None:
        self.web.reopen(person, number)

    def state(self, person: str, title: str, body: str, *, labelled: bool = True) -> int:
        return int(self.web.open_issue(person, title, ("game",) if labelled else (), body))

    def label(self, number: int) -> None:
        self.web.label(number, "game")

    @abstractmethod
    def line(self, person: str, number: int, body: str) -> str:
        """Comment on a line of a pull request; return the comment's id."""

    def rename(self, person: str, name: str) -> None:
        self.web.accounts[name] = self.web.accounts.pop(person)

    def checks(self, commit: str) -> list[tuple[str, str, str]]:
        found = [each for each in self.web.statuses if each["commit"] == commit]
        return [(each["context"], each["state"], each["description"]) for each in found]

    def spoken(self, number: int) -> list[str]:
        return [each["body"] for each in self.web.said.values() if each["number"] == number]

    def played(self, parents: tuple[str, ...] = ()) -> tuple[str, str]:
        repo = self.forge.refs.repo
        before = self.main()
        bring(self.repo, repo, before, *parents)
        return before, self._commit(repo, "Play", (before, *parents))

    def push_by_hand(self, parents: tuple[str, ...] = ()) -> str:
        made = self._commit(self.repo, "By hand", (self.main(), *parents))
        self.repo.references[self.branch].set_target(made)
        return made

    def asked(self) -> list[str]:
        """Return what was asked since this was called last."""
        places = [each.url.path.removeprefix(self.api).removeprefix("/repos/moot/game") for each in self.web.requests]
        asked = [f"{each.method} {place}" for each, place in zip(self.web.requests, places, strict=True)]
        self.web.requests.clear()
        return asked
