"""How tests of forges speak: people round one, whatever forge it is, and what a look at it showed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import pygit2

from folkmoot.forges.port import Pull, Remark, RemarkKind, Snapshot
from tests.forges.objects import bring

START = 1_700_000_000
NOW = 1_800_000_000
"""When the tests begin; each look is a little later."""


class OnPages:
    """What people do to what there is, on the pages of an emulated forge, `web`."""

    web: Any

    def edit(self, person: str, number: int, remark: str, body: str) -> None:
        self.web.edit(int(remark[1:]), body)

    def delete(self, person: str, number: int, remark: str) -> None:
        self.web.delete(int(remark[1:]))

    def dismiss(self, person: str, number: int, review: str) -> None:
        self.web.dismiss(person, int(review[1:]))

    def close(self, person: str, number: int) -> None:
        self.web.close(person, number)

    def reopen(self, person: str, number: int) -> None:
        self.web.reopen(person, number)


class Table(ABC):
    """People round a forge, who act for themselves as they would on it. Persons are named by a word; commits by their hex.

    `repo` is the shared repository, which lies in the folder `hub`; `remote` is how git reaches it. `forge` is what the
    referee sees. A forge that `tells_who` names who closed or dismissed something.
    """

    forge: Any
    tells_who = True
    branch = "refs/heads/main"

    def __init__(self, folder: Path, remote: str | None, hub: Path) -> None:
        self.folder, self.remote, self.hub = folder, remote, hub
        self.repo = pygit2.Repository(str(hub))
        self._made = self._clones = 0
        if self.branch not in self.repo.references:
            self.repo.create_reference(self.branch, self.made_in(self.repo, "Begin", ()))

    @abstractmethod
    def another(self) -> Any:
        """Return the same forge as another process on another machine sees it."""

    @abstractmethod
    def id_of(self, person: str) -> str:
        """Return the id by which the forge knows a person."""

    @abstractmethod
    def open(self, person: str, title: str, body: str = "") -> int:
        """Open a pull request with some content; return its number."""

    @abstractmethod
    def push(self, person: str, number: int) -> str:
        """Push other content to a pull request; return its new head."""

    @abstractmethod
    def comment(self, person: str, number: int, body: str) -> str:
        """Comment on a pull request, or (0) in the game's own thread; return the comment's id."""

    @abstractmethod
    def review(self, person: str, number: int, kind: RemarkKind, body: str = "") -> str:
        """Review a pull request as its head stands; return the review's id."""

    # -- commits

    def made_in(self, repo: pygit2.Repository, message: str, parents: tuple[str, ...], person: str = "somebody") -> str:
        """Make a commit that nobody has made yet, with one more file than its first parent has."""
        self._made += 1
        before = repo[parents[0]].tree if parents else None
        builder = repo.TreeBuilder(before) if before is not None else repo.TreeBuilder()
        builder.insert(f"file-{self._made}", repo.create_blob(f"{self._made}\n".encode()), pygit2.enums.FileMode.BLOB)
        who = pygit2.Signature(person.capitalize(), f"{person.capitalize()}@x.org", START + self._made, 0)
        return str(repo.create_commit(None, who, who, message, builder.write(), list(parents)))

    def main(self) -> str:
        return str(self.repo.references[self.branch].target)

    def head(self, number: int) -> str:
        """Return the commit that a pull request's head stands at."""
        return str(self.repo.references[f"refs/pull/{number}/head"].target)

    def played(self, parents: tuple[str, ...] = ()) -> tuple[str, str]:
        """Make a commit on top of the branch, with more parents perhaps; return the tip and the commit. Moves nothing."""
        repo, before = self.forge.refs.repo, self.main()
        if self.remote is not None:
            bring(self.repo, repo, before, *parents)
        return before, self.made_in(repo, "Play", (before, *parents))

    def push_by_hand(self, parents: tuple[str, ...] = ()) -> str:
        made = self.made_in(self.repo, "By hand", (self.main(), *parents))
        self.repo.references[self.branch].set_target(made)
        return made


def pull(snapshot: Snapshot, number: int) -> Pull:
    (found,) = [each for each in snapshot.pulls if each.number == number]
    return found


def bodies(snapshot: Snapshot, number: int) -> list[str]:
    """Return what was said of a pull request, in order."""
    return [remark.body for remark in snapshot.remarks.get(number, ())]


def remark(snapshot: Snapshot, number: int, name: str) -> Remark:
    """Return what was said by its id."""
    (found,) = [each for each in snapshot.remarks[number] if each.id == name]
    return found
