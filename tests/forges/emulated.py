"""What emulated forges have in common: the repository `moot/game` in memory, beside a real git repository."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pygit2

from folkmoot.journal.repositories import descends

Fault = Callable[[httpx.Request, Callable[[], httpx.Response]], httpx.Response | None]
Fields = dict[str, Any]


class Emulated:
    """Pull requests, issues and reviews by their numbers, what was `said`, and the timeline of each.

    Times go on by a second with each deed of a person, and stand still otherwise. `robot` is whose the token is, `pages`
    how many items a page has at most; `faults` come between requests and their answers.
    """

    missing: Fields = {"message": "Not Found"}  # noqa: RUF012
    nowhere = refused = (422, {"message": "Validation Failed"})
    open_pull: Any
    edit: Any
    delete: Any
    comment: Any
    answer: Any
    _pull: Any
    _comment: Any

    def __init__(self, hub: Path, now: int, robot: str, pages: int) -> None:
        self.repo = pygit2.Repository(str(hub))
        self.now, self.robot, self.pages = now, robot, pages
        self.accounts: dict[str, int] = {}
        self.pulls: dict[int, Fields] = {}
        self.issues: dict[int, Fields] = {}
        self.said: dict[int, Fields] = {}
        self.reviews: dict[int, Fields] = {}
        self.timeline: dict[int, list[Fields]] = {}
        self.statuses: list[Fields] = []
        self.requests: list[httpx.Request] = []
        self.faults: list[Fault] = []
        self.may_ask_who = True
        self._last = 0

    def item(self, number: int) -> Fields:
        return self.pulls.get(number) or self.issues[number]

    def arrived(self) -> Iterator[tuple[int, str]]:
        """Yield open pull requests whose heads came into their bases, each with the tip of that."""
        for number, pull in self.pulls.items():
            tip = self.repo.references.get(f"refs/heads/{pull['base']}")
            if pull["state"] == "open" and tip is not None:
                main = str(tip.target)
                if main == pull["head"] or descends(self.repo, main, pull["head"]):
                    yield number, main

    def transport(self) -> httpx.MockTransport:
        return httpx.MockTransport(self.handle)

    def handle(self, request: httpx.Request) -> httpx.Response:
        """Answer a request, unless a fault comes between."""
        self.requests.append(request)
        for fault in list(self.faults):
            answer = fault(request, lambda: self.answer(request))
            if answer is not None:
                return answer
        found: httpx.Response = self.answer(request)
        return found

    # -- answers that are alike everywhere

    def _listed(self, query: Fields, *, newest_first: bool) -> tuple[int, Any]:
        state = query.get("state", "open")
        found = [n for n, pull in self.pulls.items() if state in ("all", pull["state"])]
        found.sort(key=lambda n: (self.pulls[n]["updated_at"], n), reverse=newest_first)
        return 200, [self._pull(number, whole=False) for number in found]

    def _post_pull(self, query: Fields, body: Any) -> tuple[int, Any]:
        """Open a pull request of a branch of the repository itself, one at a time."""
        head = self.repo.references.get(f"refs/heads/{body['head']}")
        if head is None or f"refs/heads/{body['base']}" not in self.repo.references:
            return self.nowhere
        if any(pull.get("ref") == body["head"] and pull["state"] == "open" for pull in self.pulls.values()):
            return self.refused
        number = self.open_pull(self.robot, body["title"], body["body"], str(head.target), base=body["base"])
        self.pulls[number]["ref"] = body["head"]
        return 201, self._pull(number, whole=True)

    def _get_pull(self, number: int, query: Fields, body: Any) -> tuple[int, Any]:
        return (200, self._pull(number, whole=True)) if number in self.pulls else (404, self.missing)

    def _get_said(self, number: int, query: Fields, body: Any) -> tuple[int, Any]:
        if number not in self.timeline:
            return 404, self.missing
        return 200, [self._comment(name) for name, said in self.said.items() if said["number"] == number]

    def _get_comment(self, name: int, query: Fields, body: Any) -> tuple[int, Any]:
        return (200, self._comment(name)) if name in self.said else (404, self.missing)

    def _patch_comment(self, name: int, query: Fields, body: Any) -> tuple[int, Any]:
        if name in self.said:
            self.edit(name, body["body"])
        return self._get_comment(name, query, body)

    def _delete_comment(self, name: int, query: Fields, body: Any) -> tuple[int, Any]:
        if name not in self.said:
            return 404, self.missing
        self.delete(name)
        return 204, None
