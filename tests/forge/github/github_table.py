"""People round the emulated GitHub: contributions are commits in the real git repository beside it."""

from __future__ import annotations

from pathlib import Path

import pygit2

from engine.forge.github import GitHubForge
from engine.forge.port import RemarkKind
from engine.forge.web.limits import Pacing
from tests.forge.conformance import NOW
from tests.forge.github.emulator import API, TOKEN, GitHub
from tests.forge.local_table import START, git

STATES = {"approve": "APPROVED", "request_changes": "CHANGES_REQUESTED", "comment": "COMMENTED"}


class GitHubTable:
    """An emulated GitHub with its git repository; `remote` is how the referee's git reaches it."""

    def __init__(self, folder: Path, remote: str, hub: Path) -> None:
        self.folder = folder
        self.remote = remote
        self.hub = hub
        self.repo = pygit2.Repository(str(hub))
        self.slept: list[float] = []
        self._made = 0
        self._clones = 0
        self.branch = "refs/heads/main"
        self.repo.create_reference(self.branch, self._commit(self.repo, "Begin", ()))
        self.github = GitHub(hub, NOW - 5_000)
        self.thread = self.github.open_issue("keeper", "Talk about the game", ("game",))
        self.forge: GitHubForge = self.another()

    def another(self) -> GitHubForge:
        self._clones += 1
        path = self.folder / f"clone-{self._clones}"
        git(self.folder, "init", "--quiet", "--bare", str(path))
        return self.at(path)

    def at(self, path: Path) -> GitHubForge:
        """Return the forge as it is seen from a clone."""
        pacing = Pacing(self.slept.append)
        return GitHubForge(
            path, self.remote, "moot/game", TOKEN, api=API, skew=None, transport=self.github.transport(), pacing=pacing
        )

    def id_of(self, person: str) -> str:
        return str((self.github.account(person) or {})["id"])

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
        return self.github.open_pull(person, title, body, self.commit())

    def head(self, number: int) -> str:
        return str(self.repo.references[f"refs/pull/{number}/head"].target)

    def push(self, person: str, number: int) -> str:
        made = self.commit(self.head(number))
        self.github.push(number, made)
        return made

    def comment(self, person: str, number: int, body: str) -> str:
        return f"c{self.github.comment(person, number or self.thread, body)}"

    def review(self, person: str, number: int, kind: RemarkKind, body: str = "") -> str:
        return f"r{self.github.review(person, number, STATES[kind], body)}"

    def edit(self, person: str, number: int, remark: str, body: str) -> None:
        self.github.edit(int(remark[1:]), body)

    def delete(self, person: str, number: int, remark: str) -> None:
        self.github.delete(int(remark[1:]))

    def dismiss(self, person: str, number: int, remark: str) -> None:
        self.github.dismiss(person, int(remark[1:]))

    def close(self, person: str, number: int) -> None:
        self.github.close(person, number)

    def reopen(self, person: str, number: int) -> None:
        self.github.reopen(person, number)

    def state(self, person: str, title: str, body: str, *, labelled: bool = True) -> int:
        return self.github.open_issue(person, title, ("game",) if labelled else (), body)

    def label(self, number: int) -> None:
        self.github.label(number, "game")

    def line(self, person: str, number: int, body: str) -> str:
        return f"l{self.github.line(person, self.github.review(person, number, 'COMMENTED'), body)}"

    def rename(self, person: str, name: str) -> None:
        self.github.accounts[name] = self.github.accounts.pop(person)

    def checks(self, commit: str) -> list[tuple[str, str, str]]:
        found = [each for each in self.github.statuses if each["commit"] == commit]
        return [(each["context"], each["state"], each["description"]) for each in found]

    def spoken(self, number: int) -> list[str]:
        return [each["body"] for each in self.github.said.values() if each["number"] == number]

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
        asked = [f"{each.method} {each.url.path.removeprefix('/repos/moot/game')}" for each in self.github.requests]
        self.github.requests.clear()
        return asked
