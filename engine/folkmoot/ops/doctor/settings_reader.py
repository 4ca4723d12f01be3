"""Asking a forge about its settings, each once, and knowing what it would not tell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from folkmoot.core.problems import fail
from folkmoot.core.records import Shown
from folkmoot.forges.web.client import MOST_PAGES, Client, Query, RefusedError, Reply

ABSENT = (404, 410)
HIDDEN = (401, 403)
FAILING = 500
"""From this number on an answer says that the forge fails, and nothing of what was asked."""


class Told(Struct, frozen=True):
    """What the forge said: the number of its answer, its data (None unless it answered), its time (Unix seconds)."""

    status: int
    data: Any = None
    at: int = 0

    @property
    def known(self) -> bool:
        """Say whether the forge answered what was asked."""
        return self.status in (200, 201)


class Unseen(Exception):
    """Something could not be looked at; where that is because of the token or the version, it is noted already."""


class Asking:
    """Asks about one repository; `unseen` names what the token may not see, `unasked` what no request is there for."""

    def __init__(self, client: Client, repository: str, kind: str = "github") -> None:
        self.client = client
        self.kind = kind
        self.repository = repository
        self.place = f"repos/{repository}"
        self.unseen: list[str] = []
        self.unasked: list[str] = []
        self._told: dict[str, Told] = {}

    def ask(self, path: str, query: Query | None = None) -> Told:
        """Ask for something; raises E-FORGE where the forge fails, not where it refuses."""
        key = f"{path} {sorted((query or {}).items())}"
        if key not in self._told:
            self._told[key] = self._ask(path, query)
        return self._told[key]

    def _ask(self, path: str, query: Query | None) -> Told:
        try:
            reply = self.client.get(path, query)
        except RefusedError as error:
            return _refused(error)
        return Told(200, reply.data, reply.at)

    def of(self, path: str, what: str, query: Query | None = None) -> Any:
        """Return something of the repository; raises Unseen where it is not there, or may not be seen."""
        found = self.find(path, what, query)
        if found is None:
            raise Unseen
        return found

    def find(self, path: str, what: str, query: Query | None = None) -> Any:
        """Return something of the repository, None where it is not there; raises Unseen where it may not be seen.

        A forge says "not found" of what a token may not see, so that absence is believed only of an administrator.
        """
        told = self.ask(f"{self.place}/{path}", query)
        if self._is_too_new(path, told):
            self.unasked.append(what)
            raise Unseen
        if told.status in HIDDEN or (told.status in ABSENT and not self.administers):
            self.unseen.append(what)
            raise Unseen
        if not told.known and told.status not in ABSENT:
            raise Unseen
        return told.data if told.known else None

    def all(self, path: str, what: str, key: str = "", query: Query | None = None) -> list[Any]:
        """Return all items of a list of the repository; raises Unseen where it may not be seen."""
        name = f"all {path} {sorted((query or {}).items())}"
        if name not in self._told:
            self._told[name] = self._all(path, key, query)
        told = self._told[name]
        if told.known:
            return list(told.data)
        (self.unasked if self._is_too_new(path, told) else self.unseen).append(what)
        raise Unseen

    def _is_too_new(self, path: str, told: Told) -> bool:
        """Say whether the server is older than a request: it knows the repository, and nothing of its jobs."""
        return self.kind == "gitea" and path.startswith("actions/") and told.status in ABSENT and self.administers

    def _all(self, path: str, key: str, query: Query | None) -> Told:
        found: list[Any] = []
        try:
            for page in self._pages(path, query):
                items = page.data[key] if key else page.data
                if not isinstance(items, list):
                    raise fail("E-FORGE", "the forge answers with something else than a list", None, "run it again")
                if not items:
                    break
                found += items
        except RefusedError as error:
            return _refused(error)
        return Told(200, found)

    def _pages(self, path: str, query: Query | None) -> Iterator[Reply]:
        """Yield the pages of a list; Gitea's are asked for by their numbers, until one is empty."""
        if self.kind != "gitea":
            yield from self.client.pages(f"{self.place}/{path}", query)
            return
        for number in range(1, MOST_PAGES):
            yield self.client.get(f"{self.place}/{path}", {**(query or {}), "limit": 50, "page": number})

    @property
    def repo(self) -> Shown:
        """Return what the forge says of the repository, nothing where it does not know it."""
        return dict(self.ask(self.place).data or {})

    @property
    def administers(self) -> bool:
        """Say whether the token is an administrator's of the repository."""
        return bool((self.repo.get("permissions") or {}).get("admin"))


def _refused(error: RefusedError) -> Told:
    """Return a refusal as what was said; raises it where the forge says that it fails itself."""
    if error.status >= FAILING:
        raise error
    return Told(error.status)
