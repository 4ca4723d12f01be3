"""People round a local forge: each has a clone, two keepers have one, and a bare repository may lie between them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pygit2

from folkmoot.forges.cache.refs import pull_ref
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import Letter
from folkmoot.forges.local.players_repository import Author, PlayersRepository
from folkmoot.forges.port import RemarkKind
from tests.forges.objects import bring, repository

START = 1_700_000_000
ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Somebody",
    "GIT_AUTHOR_EMAIL": "somebody@x.org",
    "GIT_COMMITTER_NAME": "Somebody",
    "GIT_COMMITTER_EMAIL": "somebody@x.org",
    "GIT_AUTHOR_DATE": f"@{START} +0000",
    "GIT_COMMITTER_DATE": f"@{START} +0000",
}


def git(folder: Path, *words: str, data: str | None = None, **variables: str) -> str:
    """Run git as a person would; returns what it prints."""
    done = subprocess.run(
        ["git", *words],
        cwd=folder,
        env=ENVIRONMENT | variables,
        input=data,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout.strip()


class LocalTable:
    """A local forge in a folder; `remote` is how everybody reaches it, None where all share one repository."""

    def __init__(self, folder: Path, remote: str | None, hub: Path) -> None:
        self.folder = folder
        self.remote = remote
        self.hub = hub
        self.repo = pygit2.Repository(str(hub))
        self._made = 0
        self._clones = 0
        self._seats: dict[str, PlayersRepository] = {}
        self.branch = "refs/heads/main"
        if not self.repo.references.get(self.branch):
            self.repo.create_reference(self.branch, self._commit(self.repo, "Begin", ()))
        self.forge: LocalForge = self.another()

    def place(self, *, sharing: bool = False) -> Path:
        """Return a repository of somebody's own; the shared one where there is only that.

        Where it is `sharing` objects, all that is in the hub is there, too.
        """
        if self.remote is None:
            return self.hub
        self._clones += 1
        path = self.folder / f"clone-{self._clones}"
        repository(path, self.hub if sharing else None)
        return path

    def another(self) -> LocalForge:
        return LocalForge(self.place(), self.remote)

    def another_process(self) -> LocalForge:
        """Return the forge as the keeper's next process sees it."""
        return LocalForge(self.forge.refs.git.path, self.remote)

    def author(self, person: str) -> Author:
        return Author(person.capitalize(), f"{person.capitalize()}@x.org")

    def id_of(self, person: str) -> str:
        return f"{person}@x.org"

    def seat(self, person: str) -> PlayersRepository:
        if person not in self._seats:
            self._seats[person] = PlayersRepository(self.place(sharing=True), self.remote)
        return self._seats[person]

    def _commit(self, repo: pygit2.Repository, message: str, parents: tuple[str, ...], person: str = "keeper") -> str:
        """Make a commit that nobody has made yet, with one more file than its first parent has."""
        self._made += 1
        made = repo.create_blob(f"{self._made}\n".encode())
        before = repo[parents[0]].tree if parents else None
        builder = repo.TreeBuilder(before) if before is not None else repo.TreeBuilder()
        builder.insert(f"file-{self._made}", made, pygit2.enums.FileMode.BLOB)
        author = self.author(person)
        signature = pygit2.Signature(author.name, author.mail, START + self._made, 0)
        return str(repo.create_commit(None, signature, signature, message, builder.write(), list(parents)))

    def main(self) -> str:
        return str(self.repo.references[self.branch].target)

    def content(self, person: str, message: str, parent: str = "") -> tuple[PlayersRepository, str]:
        """Make a commit on top of another (of the branch, if not given) in a person's repository."""
        seat = self.seat(person)
        above = parent or self.main()
        bring(self.repo, seat.refs.repo, above)
        return seat, self._commit(seat.refs.repo, message, (above,), person)

    def open(self, person: str, title: str, body: str = "") -> int:
        seat, commit = self.content(person, f"{title}\n\n{body}\n" if body else title)
        return seat.open_pull(commit)

    def head(self, number: int) -> str:
        return str(self.repo.references[pull_ref(number)].target)

    def push(self, person: str, number: int) -> str:
        before = self.head(number)
        seat, commit = self.content(person, "More", before)
        assert seat.push_pull(number, commit, before)
        return commit

    def send(self, person: str, **fields: Any) -> str:
        return self.seat(person).send(Letter(**fields), self.author(person), START)

    def comment(self, person: str, number: int, body: str) -> str:
        return self.send(person, pull=number, kind="comment", body=body)

    def review(self, person: str, number: int, kind: RemarkKind, body: str = "") -> str:
        return self.send(person, pull=number, kind=kind, body=body, head=self.head(number))

    def edit(self, person: str, number: int, remark: str, body: str) -> None:
        self.send(person, pull=number, kind="edit", of=remark, body=body)

    def delete(self, person: str, number: int, remark: str) -> None:
        self.send(person, pull=number, kind="delete", of=remark)

    def dismiss(self, person: str, number: int, remark: str) -> None:
        self.send(person, pull=number, kind="dismiss", of=remark)

    def close(self, person: str, number: int) -> None:
        self.send(person, pull=number, kind="close")

    def reopen(self, person: str, number: int) -> None:
        self.send(person, pull=number, kind="reopen")

    def played(self, parents: tuple[str, ...] = ()) -> tuple[str, str]:
        before = self.main()
        repo = self.forge.refs.repo
        if self.remote is not None:
            bring(self.repo, repo, before, *parents)
        return before, self._commit(repo, "Play", (before, *parents))

    def push_by_hand(self, parents: tuple[str, ...] = ()) -> str:
        made = self._commit(self.repo, "By hand", (self.main(), *parents))
        self.repo.references[self.branch].set_target(made)
        return made

    def force(self, ref: str, commit: str) -> None:
        """Set or delete ("") a ref of the shared repository as somebody who may do everything there."""
        if commit:
            self.repo.references.create(ref, commit, force=True)
        else:
            self.repo.references[ref].delete()

    def observation(self) -> str:
        """Return the tip of what was seen."""
        return str(self.repo.references["refs/moot/forge"].target)


def bare(folder: Path) -> Path:
    """Make an empty bare repository as a place to meet."""
    hub = folder / "hub.git"
    made = pygit2.init_repository(str(hub), bare=True, initial_head="main")
    made.config["http.receivepack"] = "true"
    made.config["receive.autogc"] = "false"
    return hub
