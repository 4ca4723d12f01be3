"""People round an emulated Forgejo or Gitea: contributions are commits in the real git repository beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygit2

from engine.forge.gitea import GiteaForge
from engine.forge.port import RemarkKind
from engine.forge.web.limits import Pacing
from tests.forge.conformance import NOW
from tests.forge.gitea.emulator import GITEA, HOME, TOKEN, Generation, Gitea
from tests.forge.local_table import START, git

STATES = {"approve": "APPROVED", "request_changes": "REQUEST_CHANGES", "comment": "COMMENT"}


class GiteaTable:
    """An emulated server with its git repository; `remote` is how the referee's git reaches it."""

    def __init__(self, folder: Path, remote: str, hub: Path, generation: Generation = GITEA) -> None:
        self.folder = folder
        self.remote = remote
        self.hub = hub
        self.repo = pygit2.Repository(str(hub))
        self.slept: list[float] = []
        self._made = 0
        self._clones = 0
        self.branch = "refs/heads/main"
        self.repo.create_reference(self.branch, self._commit(self.repo, "Begin", ()))
        self.gitea = Gitea(hub, NOW - 5_000, generation)
        self.thread = self.gitea.open_issue("keeper", "Talk about the game", ("game",))
        self.forge: GiteaForge = self.another()

    def another(self, **options: Any) -> GiteaForge:
        self._clones += 1
        path = self.folder / f"clone-{self._clones}"
        git(self.folder, "init", "--quiet", "--bare", str(path))
        return self.at(path, **options)

    def at(self, path: Path, **options: Any) -> GiteaForge:
        """Return the forge as it is seen from a clone."""
        given = {"skew": None, "transport": self.gitea.transport(), "pacing": Pacing(self.slept.append, between=0)}
        return GiteaForge(path, self.remote, HOME, "moot/game", TOKEN, **{**given, **options})

    def id_of(self, person: str) -> str:
        return str(self.gitea.account(person)["id"])

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
        return self.gitea.open_pull(person, title, body, self.commit())

    def head(self, number: int) -> str:
        return str(self.repo.references[f"refs/pull/{number}/head"].target)

    def push(self, person: str, number: int) -> str:
        made = self.commit(self.head(number))
        self.gitea.push(number, made)
        return made

    def comment(self, person: str, number: int, body: str) -> str:
        return f"c{self.gitea.comment(person, number or self.thread, body)}"

    def review(self, person: str, number: int, kind: RemarkKind, body: str = "") -> str:
        return f"r{self.gitea.review(person, number, STATES[kind], body)}"

    def edit(self, person: str, number: int, remark: str, body: str) -> None:
        self.gitea.edit(int(remark[1:]), body)

    def delete(self, person: str, number: int, remark: str) -> None:
        self.gitea.delete(int(remark[1:]))

    def dismiss(self, person: str, number: int, remark: str) -> None:
        self.gitea.dismiss(person, int(remark[1:]))

    def close(self, person: str, number: int) -> None:
        self.gitea.close(person, number)

    def reopen(self, person: str, number: int) -> None:
        self.gitea.reopen(person, number)

    def state(self, person: str, title: str, body: str, *, labelled: bool = True) -> int:
        return self.gitea.open_issue(person, title, ("game",) if labelled else (), body)

    def label(self, number: int) -> None:
        self.gitea.label(number, "game")

    def line(self, person: str, number: int, body: str) -> str:
        review = self.gitea.begin(person, number)
        name = self.gitea.remark_on_line(person, review, body)
        self.gitea.submit(review, "COMMENT")
        return f"l{name}"

    def rename(self, person: str, name: str) -> None:
        self.gitea.accounts[name] = self.gitea.accounts.pop(person)

    def checks(self, commit: str) -> list[tuple[str, str, str]]:
        found = [each for each in self.gitea.statuses if each["commit"] == commit]
        return [(each["context"], each["state"], each["description"]) for each in found]

    def spoken(self, number: int) -> list[str]:
        return [each["body"] for each in self.gitea.said.values() if each["number"] == number]

    def played(self, parents: tuple[str, ...] = ()) -> tuple[str, str]:
        repo = self.forge.refs.repo
        git(Path(repo.path), "fetch", "--quiet", str(self.hub), "+refs/*:refs/seen/*")
        before = self.main()
        return before, self._commit(repo, "Play", (before, *parents))

    def push_by_hand(self, parents: tuple[str, ...] = ()) -> str:
        made = self._commit(self.repo, "By hand", (self.main(), *parents))
        self.repo.references[self.branch].set_target(made)
        return made

    def asked(self) -> list[str]:
        """Return what was asked since this was called last."""
        prefix = "/git/api/v1"
        paths = [each.url.path.removeprefix(prefix).removeprefix("/repos/moot/game") for each in self.gitea.requests]
        asked = [f"{each.method} {path}" for each, path in zip(self.gitea.requests, paths, strict=True)]
        self.gitea.requests.clear()
        return asked
