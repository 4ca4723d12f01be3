"""Asking a forge what has changed since the last look, and reading that in full.

Two lists tell of everything: pull requests by when they were last touched, and comments. What was touched after it was
read is read again. What was not touched costs nothing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.forge.observed.observation import Observation
from engine.forge.web.client import Client, Query, Reply, seconds_of, stamp_of
from engine.forge.web.models import Comment, Issue, PullRequest, Review, read

OVERLAP = 30
"""By how many seconds each look begins before the newest of what was seen: lists may lag behind."""
_DOUBT = 10  # what was touched less than so many seconds before it was read may have been touched again unseen


@dataclass(frozen=True, slots=True)
class Story:
    """All that a forge says of one pull request or of the game's thread, read at a time of the server's.

    `built` is when it last began to build the head for this or another pull request (Unix seconds), 0 if unknown.
    """

    at: int
    comments: tuple[Comment, ...]
    reviews: tuple[Review, ...] = ()
    events: tuple[Any, ...] = ()
    pull: PullRequest | None = None
    built: int = 0


@dataclass(frozen=True, slots=True)
class News:
    """What has changed: `stories` by number (0: the game's thread), and up to when everything was seen.

    `again` are the pull requests that are there but cannot be read yet.
    """

    stories: Mapping[int, Story]
    cursor: int
    thread: int
    server_time: int
    again: tuple[int, ...] = ()


class Reading(ABC):
    """Asks for one repository; `thread` is the number or the label of the issue where the game is talked about."""

    pull_kind: type[PullRequest] = PullRequest

    def __init__(self, client: Client, repository: str, thread: int | str | None) -> None:
        self.client = client
        self.place = f"repos/{repository}"
        self.thread = thread

    def news(self, seen: Observation, heads: Mapping[int, str]) -> News:
        """Return what has changed since what was seen; `heads` are where git says that pull requests stand."""
        standing = seen.standing
        cursor: int = standing.get("cursor", 0)
        pulls, at = self._pulls(cursor)
        thread = self._thread(int(standing.get("thread", 0)))
        comments = self._comments(cursor) if cursor else {}
        changed = {n for n, pull in pulls.items() if self._is_new(seen.pull(n), pull, cursor)}
        changed |= {n for n, when in comments.items() if (record := seen.pull(n)) and _touched(record, when)}
        changed |= {n for n in seen.listed if _moved(seen.pull(n), heads.get(n, ""))} | set(standing.get("again", ()))
        stories = {
            number: story
            for number in sorted(changed)
            if (story := self._story(number, pulls.get(number), seen.pull(number)))
        }
        again = tuple(sorted(changed & pulls.keys() - stories.keys()))
        if thread and (not seen.pull(0) or _touched(seen.pull(0), comments.get(thread, 0 if cursor else 1))):
            stories[0] = self._thread_story(thread)
        newest = [seconds_of(pull.updated_at) for pull in pulls.values()] + list(comments.values())
        return News(stories, max([cursor, *newest]) or at, thread, at, again)

    def pages(self, path: str, query: Query | None = None) -> Iterator[Reply]:
        """Yield the pages of a list, the first to the last. Raises E-FORGE where one of them cannot be had."""
        return self.client.pages(path, query)

    # Lists

    def _pulls(self, cursor: int) -> tuple[dict[int, PullRequest], int]:
        """Return the pull requests that were touched since a time, all open ones at the first look."""
        found: dict[int, PullRequest] = {}
        at = 0
        asked = {"state": "all" if cursor else "open", "sort": "updated", "direction": "desc"}
        for page in self.pages(f"{self.place}/pulls", asked):
            at = at or page.at
            items = read(page.data, list[PullRequest])
            found |= {item.number: item for item in items if item.number not in found}
            if items and seconds_of(items[-1].updated_at) < cursor - OVERLAP:
                break
        return {n: pull for n, pull in found.items() if seconds_of(pull.updated_at) >= cursor - OVERLAP}, at

    def _comments(self, cursor: int) -> dict[int, int]:
        """Return which issues and pull requests had comments made or edited since a time, and when last."""
        found: dict[int, int] = {}
        asked = {"sort": "updated", "direction": "asc", "since": stamp_of(cursor - OVERLAP)}
        for page in self.pages(f"{self.place}/issues/comments", asked):
            for comment in read(page.data, list[Comment]):
                number = comment.issue_url.rpartition("/")[2]
                if number.isdigit():
                    found[int(number)] = max(found.get(int(number), 0), seconds_of(comment.updated_at))
        return found

    def _thread(self, known: int) -> int:
        """Return the number of the issue that is the game's thread, 0 if there is none.

        A label is given by those who keep the repository, a title by anybody: so a label is what it is found by.
        """
        if isinstance(self.thread, int):
            return self.thread
        if known or not self.thread:
            return known
        asked = {"labels": self.thread, "state": "all", "sort": "created", "direction": "asc"}
        issues = [issue for page in self.pages(f"{self.place}/issues", asked) for issue in _issues(page.data)]
        return min((issue.number for issue in issues if issue.pull_request is None), default=0)

    def _is_new(self, record: Mapping[str, Any] | None, pull: PullRequest, cursor: int) -> bool:
        """Say whether a pull request is to be read; one that was over before we looked is not."""
        if record is None and cursor and pull.closed_at is not None and seconds_of(pull.closed_at) < cursor - OVERLAP:
            return False
        return _touched(record, seconds_of(pull.updated_at))

    # One pull request

    @abstractmethod
    def _story(self, number: int, pull: PullRequest | None, record: Mapping[str, Any] | None) -> Story | None:
        """Read all of a pull request; None where there is none any more."""

    def _thread_story(self, number: int) -> Story:
        comments, at = self.all(f"issues/{number}/comments", Comment)
        return Story(at, once(comments))

    def pull(self, number: int) -> PullRequest:
        """Return how a pull request stands."""
        return read(self.client.get(f"{self.place}/pulls/{number}").data, self.pull_kind)

    def comments(self, number: int) -> tuple[Comment, ...]:
        """Return the comments on an issue or a pull request."""
        return once(self.all(f"issues/{number}/comments", Comment)[0])

    def all(self, path: str, kind: type[Any]) -> tuple[list[Any], int]:
        """Return a whole list, and the server's time when it was begun."""
        found: list[Any] = []
        at = 0
        for page in self.pages(f"{self.place}/{path}"):
            at = at or page.at
            found += read(page.data, list[kind])  # type: ignore[valid-type]
        return found, at


def _issues(data: Any) -> list[Issue]:
    return read(data, list[Issue])


def once(items: Iterable[Any]) -> tuple[Any, ...]:
    """Return each item once, as it was read last: while one reads, pages may move on."""
    return tuple({item.id: item for item in items}.values())


def _touched(record: Mapping[str, Any] | None, at: int) -> bool:
    """Say whether something was touched after it was read."""
    return record is None or at > record.get("read_at", 0) - _DOUBT


def _moved(record: Mapping[str, Any] | None, head: str) -> bool:
    return bool(record and head and record["pushes"] and record["pushes"][-1]["commit"] != head)
