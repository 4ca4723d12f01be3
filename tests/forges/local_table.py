"""People round a local forge: each has a clone, two keepers have one, and a bare repository may lie between them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pygit2

from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import Letter
from folkmoot.forges.local.players_repository import Author, PlayersRepository
from folkmoot.forges.port import RemarkKind
from tests.forges.conformance import START, Table
from tests.forges.objects import bring, direct, repository

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{role}_NAME": "Somebody" for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_EMAIL": "somebody@x.org" for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_DATE": f"@{START} +0000" for role in ("AUTHOR", "COMMITTER")},
}


def git(folder: Path, *words: str, data: str | None = None, **variables: str) -> str:
    """Run git as a person would; returns what it prints."""
    environment = ENVIRONMENT | variables
    done = subprocess.run(
        ["git", *words], cwd=folder, env=environment, input=data, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout.strip()


class LocalTable(Table):
    """A local forge in a folder; `remote` is None where all share one repository.

    Those who use git's `processes` may race each other, or meet what git itself must judge.
    """

    def __init__(self, folder: Path, remote: str | None, hub: Path, *, processes: bool = False) -> None:
        super().__init__(folder, remote, hub)
        self.processes = processes
        self._seats: dict[str, PlayersRepository] = {}
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
        forge = LocalForge(self.place(), self.remote)
        return forge if self.processes else direct(forge)

    def author(self, person: str) -> Author:
        return Author(person.capitalize(), f"{person.capitalize()}@x.org")

    def id_of(self, person: str) -> str:
        return f"{person}@x.org"

    def seat(self, person: str) -> PlayersRepository:
        if person not in self._seats:
            seat = PlayersRepository(self.place(sharing=True), self.remote)
            self._seats[person] = seat if self.processes else direct(seat)
        return self._seats[person]

    def content(self, person: str, message: str, parent: str = "") -> tuple[PlayersRepository, str]:
        """Make a commit on top of another (of the branch, if not given) in a person's repository."""
        seat = self.seat(person)
        above = parent or self.main()
        bring(self.repo, seat.refs.repo, above)
        return seat, self.made_in(seat.refs.repo, message, (above,), person)

    def open(self, person: str, title: str, body: str = "") -> int:
        seat, commit = self.content(person, f"{title}\n\n{body}\n" if body else title)
        return seat.open_pull(commit)

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

    def close(self, person: str, number: int) -> None:
        self.send(person, pull=number, kind="close")

    def force(self, ref: str, commit: str) -> None:
        """Set or delete ("") a ref of the shared repository as somebody who may do everything there."""
        if commit:
            self.repo.references.create(ref, commit, force=True)
        else:
            self.repo.references[ref].delete()

    def ignored(self, person: str) -> dict[str, str]:
        """Return why letters and pushes of a person were ignored, by their commits."""
        answers = ForgeCache(self.repo, self.observation()).answers(self.id_of(person))
        return {each.fact: each.why for each in answers if each.state == "ignored"}

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
