"""Opening the pull requests in which proposals go on at the new forge: each once, however often it is tried."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any

import pygit2
from msgspec import Struct

from folkmoot.core.fault_points import fault_point
from folkmoot.core.problems import ProblemError, fail
from folkmoot.forges.cache.ref_names import BRANCHES
from folkmoot.forges.cache.refs import Refs
from folkmoot.forges.git_transport import Move
from folkmoot.forges.local import PlayersRepository
from folkmoot.forges.web.client import RefusedError, UncertainError
from folkmoot.forges.web.forge import WebForge

_PAUSES = (0.2, 1.0, 3.0, 0.0)  # seconds in which a server may come to know a branch that was just pushed
_EARLY = (404, 409, 422, 500)  # what servers answer that do not know it yet


class Removal(Struct, frozen=True, kw_only=True):
    """An undecided proposal on its way: `commit` (hex) has its content, `text` (Markdown) says what it is."""

    game: str
    identifier: str
    title: str
    commit: str
    text: str

    @property
    def branch(self) -> str:
        """Return the branch of the new repository that holds it."""
        return f"moved/{self.game}/{self.identifier.replace('/', '-')}"


class Landing(ABC):
    """The new forge: its refs, and how a pull request is opened there."""

    kind: str
    refs: Refs

    @abstractmethod
    def open(self, removal: Removal, base: str) -> int:
        """Open the pull request of a proposal to a branch, or find it where it is open; return its number."""


class LocalLanding(Landing):
    """A table of plain git: the head of a pull request is a ref."""

    kind = "local"

    def __init__(self, repo: pygit2.Repository, remote: str | None) -> None:
        self.players = PlayersRepository(repo.path, remote)
        self.refs = self.players.refs
        self.refs.repo = repo

    def open(self, removal: Removal, base: str) -> int:  # noqa: ARG002 (there is one branch)
        """Push the commit to the next pull request, or find the one that has it."""
        fault_point("before-open")
        number = self.players.open_pull(removal.commit)
        fault_point("opened")
        return number


class WebLanding(Landing):
    """A forge on the web: a branch is pushed, and the pull request is opened by its API."""

    def __init__(self, forge: WebForge) -> None:
        self.forge = forge
        self.kind = forge.name
        self.refs = forge.refs

    def open(self, removal: Removal, base: str) -> int:
        """Push the branch and open the pull request; what was done already is found."""
        self.refs.again(lambda: self._pushed(removal))
        fault_point("before-open")
        found = self._found(removal) or self._opened(removal, base)
        fault_point("opened")
        return found

    def _pushed(self, removal: Removal) -> bool | None:
        ref = BRANCHES + removal.branch
        before = self._standing(ref)
        return True if before == removal.commit else self.refs.move([Move(ref, before, removal.commit)]) or None

    def _standing(self, ref: str) -> str:
        listing = self.refs.git.listing(self.refs.remote or "")
        return listing.refs.get(ref, "")

    def _opened(self, removal: Removal, base: str) -> int:
        body = {"title": removal.title, "body": removal.text, "head": removal.branch, "base": base}
        for pause in _PAUSES:
            try:
                made = self.forge.client.write("POST", f"{self.forge.reading.place}/pulls", body)
                return int(made.data["number"])
            except (UncertainError, RefusedError) as error:
                found = self._found(removal)
                if found:
                    return found
                if not pause or (isinstance(error, RefusedError) and error.status not in _EARLY):
                    raise self._refused(removal, error) from None
            self.forge.client.pacing.pause(pause)
        raise AssertionError("the last try ends it")

    def _refused(self, removal: Removal, error: ProblemError) -> ProblemError:
        hint = "look whether the token may open pull requests there; run the same again, nothing is done twice"
        return fail("E-FORGE", f"no pull request of {removal.branch}: {error.problems[0].message}", None, hint)

    def _found(self, removal: Removal) -> int:
        """Return the number of the open pull request of a branch of the repository itself, 0 where there is none."""
        return next((int(pull["number"]) for pull in self._pulls() if self._is_of(pull, removal)), 0)

    def _pulls(self) -> Iterator[Mapping[str, Any]]:
        for page in self.forge.reading.pages(f"{self.forge.reading.place}/pulls", {"state": "open"}):
            yield from page.data

    def _is_of(self, pull: Mapping[str, Any], removal: Removal) -> bool:
        head = pull.get("head") or {}
        owner = str((head.get("repo") or {}).get("full_name") or "").lower()
        own = f"repos/{owner}" == self.forge.reading.place.lower()
        return own and head.get("ref") == removal.branch and head.get("sha") == removal.commit
