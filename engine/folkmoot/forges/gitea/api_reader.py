"""Asking Forgejo or Gitea what has changed, and for all of one pull request: its reviews and its timeline.

Servers before 1.16 have no timeline; there the comments are asked for, and what else a timeline would say is not known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Set
from itertools import chain
from types import MappingProxyType
from typing import Any

import msgspec

from folkmoot.core.problems import fail
from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.gitea.models import (
    Accounts,
    GiteaComment,
    GiteaIssue,
    GiteaPull,
    GiteaReview,
    GiteaStatus,
    Happening,
    Limits,
    Repository,
    Version,
)
from folkmoot.forges.web.api_reader import OVERLAP, ApiReader, Changes, PullDetails, once
from folkmoot.forges.web.client import MOST_PAGES, Client, Query, RefusedError, Reply, seconds_of, stamp_of
from folkmoot.forges.web.models import Comment, Issue, LineComment, PullRequest, Status, read

STATES = ("APPROVED", "REQUEST_CHANGES", "COMMENT")
"""What a review says; one that is pending is shown to nobody but its author, and perhaps to us: it is none yet."""
PAGE = 50
"""How many items are asked for at once: what servers answer with at most unless they are told otherwise."""
_PAUSES = (0.1, 0.4, 1.5)  # seconds in which a server may come to know a pull request that was just made
_TIMELINE = (1, 16)  # since which version of Gitea there is one; Forgejo names that version too, or its own higher one
_VERSION = re.compile(r"(?:\+gitea-|^v?(?!.*\+gitea-))([0-9]{1,4})\.([0-9]{1,4})")
_SPELT = (1, 25)  # since about which version of Gitea its words for merging are spelt as all the others
_BY_HAND = "manually-merged"
_WHOLE = re.compile(r"/(?:issues|reviews)/[0-9]+/comments\Z")  # lists that have no pages, in all versions up to now
_MOST_EMPTY = 8  # pages of the timeline in which nothing is shown, one after the other


class GiteaReader(ApiReader):
    """Asks for one repository on Forgejo or Gitea."""

    pull_kind = GiteaPull
    comment_kind = GiteaComment
    comments_sorted = MappingProxyType({})

    def __init__(self, client: Client, repository: str, thread: int | str | None) -> None:
        super().__init__(client, repository, thread)
        self._server: Mapping[str, Any] = {}
        self._asked = False
        self._repository: Repository | None = None

    def news(
        self, seen: ForgeCache, heads: Mapping[int, str], awaited: Callable[[], Collection[int]] = tuple
    ) -> Changes:
        """Return what has changed since what was seen, as every such forge does."""
        self._server = seen.standing.get("server", {})
        self._asked, self._repository = False, None
        found = super().news(seen, heads, awaited)
        if self._server != seen.standing.get("server", {}):
            seen.stand(server=dict(self._server))
        return found

    # Pages

    def pages(self, path: str, query: Query | None = None) -> Iterator[Reply]:
        """Yield the pages of a list, counted by ourselves: servers name the next one by an address of their own choice.

        Some do not page at all, some limit more than they are asked to, and some leave items out of a page.
        """
        sifted = path.endswith("/reviews")  # whoever is not meant to see one gets a shorter page
        whole = bool(_WHOLE.search(path))
        names: set[object] = set()
        hidden = 0
        for number in range(1, MOST_PAGES + 1):
            paging = {} if whole and number == 1 else {"page": number, "limit": PAGE}
            reply = self.client.get(path, {**(query or {}), **paging})
            items = _items(reply.data)
            fresh = {item.get("id") if isinstance(item, dict) else None for item in items} - names
            hidden += len(reply.data or ()) - len(items)
            if fresh or number == 1:
                yield Reply(items, reply.at)
            names |= fresh
            got = len(names) + hidden  # an item comes twice where others were put before it meanwhile
            if self._is_last(number, got, reply, sifted=sifted, whole=whole, fresh=bool(fresh)):
                return
        raise fail("E-FORGE", "the forge's lists lead in a circle", None, "run it again")

    def _is_last(self, number: int, got: int, reply: Reply, *, sifted: bool, whole: bool, fresh: bool) -> bool:
        size: int = min(PAGE, self._server.get("size", 0))
        if sifted and reply.total is not None and size:
            return number * size >= reply.total
        if not fresh or (whole and reply.total is None):  # the end, or the same page again, or there is only one
            return True
        if reply.total is not None and not sifted:
            return got >= reply.total
        return not sifted and len(reply.data) < size

    # The server

    def _know_server(self) -> None:
        """Ask which server it is, once a look, before something is read that servers differ in."""
        if self._asked:
            return
        self._asked = True
        version = read(self.client.get("version").data, Version).version
        limits = self.client.find("settings/api")
        size = read(limits.data, Limits).max_response_items if limits is not None else 0
        self._server = {"version": version, "size": size}

    @property
    def has_timeline(self) -> bool | None:
        """Say whether the server has a timeline, by its version; None where that is not told by a number."""
        found = _VERSION.search(str(self._server.get("version", "")))
        return None if found is None else (int(found[1]), int(found[2])) >= _TIMELINE

    def follows(self) -> bool:
        """Say whether the forge may notice that a head was merged by a push; some versions tell."""
        if self._repository is None:
            self._repository = read(self.client.get(self.place).data, Repository)
        return all(value is not False for value in msgspec.structs.astuple(self._repository))

    def merging(self, commit: str) -> tuple[Mapping[str, str], ...]:
        """Return with which words the forge is told that a commit (hex) merged a pull request, the likeliest first."""
        words = [{"Do": _BY_HAND, "MergeCommitID": commit}, {"do": _BY_HAND, "merge_commit_id": commit}]
        found = _VERSION.search(str(self._server.get("version", "")))
        return tuple(reversed(words) if found and (int(found[1]), int(found[2])) >= _SPELT else words)

    # Lists

    def _pulls(self, cursor: int) -> tuple[dict[int, PullRequest], int]:
        """Return the pull requests that were touched last, at least all that were since a time; at first the open ones.

        A deleted comment touches nothing, but is missing in the number of comments.
        """
        found: dict[int, PullRequest] = {}
        at = 0
        asked = {"state": "all" if cursor else "open", "sort": "recentupdate"}
        if not cursor:
            self._know_server()
        for page in self.pages(f"{self.place}/pulls", asked):
            at = at or page.at
            items = read(page.data, list[GiteaPull])
            found |= {item.number: item for item in items if item.number not in found}
            stamps = [seconds_of(item.updated_at) for item in items]
            if stamps and stamps == sorted(stamps, reverse=True) and stamps[-1] < cursor - OVERLAP:
                break
        return found, at

    def _is_new(self, record: Mapping[str, Any] | None, pull: PullRequest, cursor: int) -> bool:
        """Say whether a pull request is to be read; also one whose comments became fewer."""
        if super()._is_new(record, pull, cursor):
            return True
        return record is not None and isinstance(pull, GiteaPull) and record.get("count", 0) != pull.comments

    # One pull request

    def _story(self, number: int, pull: PullRequest | None, record: Mapping[str, Any] | None) -> PullDetails | None:
        """Read all of a pull request; None where there is none, or none yet."""
        self._know_server()
        for pause in (*_PAUSES, 0.0):
            try:
                return self._read(number, pull, (record or {}).get("lines", {}))
            except RefusedError as error:
                if error.status not in (404, 410):
                    raise
            if pause:
                self.client.pacing.pause(pause)
        return None

    def _read(self, number: int, pull: PullRequest | None, lines: Mapping[str, int]) -> PullDetails:
        pull = pull or self.pull(number)
        reviews, at = self.all(f"pulls/{number}/reviews", GiteaReview)
        found = {f"r{review.id}": review for review in reviews if review.state in STATES}
        longer = [review for name, review in found.items() if review.comments_count != lines.get(name, 0)]
        inline = [self.all(f"pulls/{number}/reviews/{review.id}/comments", LineComment)[0] for review in longer]
        events = self._timeline(number, {review.id for review in found.values()})
        return PullDetails(
            at=at,
            comments=self.comments(number),
            reviews=tuple(found.values()),
            events=events or (),
            pull=pull,
            inline=once(chain(*inline)),
            has_timeline=events is not None,
        )

    def _timeline(self, number: int, reviews: Set[int] = frozenset()) -> tuple[Happening, ...] | None:
        """Return what happened to an issue or a pull request, None from a server that does not tell.

        The server leaves out of each page the comments on lines, be it all of them: so an empty page is not the last
        one while some of the reviews are missing.
        """
        if self.has_timeline is False:
            return None
        found: dict[int, Happening] = {}
        missing, empty = set(reviews), 0
        for page in range(1, MOST_PAGES + 1):
            items = self._events(number, page)
            if items is None:
                return None
            empty = 0 if items.keys() - found.keys() else empty + 1
            found |= items
            missing -= {event.review_id for event in items.values() if event.type == "review"}
            if empty > (_MOST_EMPTY if missing else 0):
                break
        return tuple(found.values())

    def _events(self, number: int, page: int) -> dict[int, Happening] | None:
        try:
            reply = self.client.get(f"{self.place}/issues/{number}/timeline", {"page": page, "limit": PAGE})
        except RefusedError as error:
            if error.status != 404 or self.has_timeline:
                raise
            return None
        return {event.id: event for event in read(_items(reply.data), list[Happening])}

    # One issue

    def _issues(self, cursor: int) -> dict[int, Issue]:
        """Return the issues that were touched since a time: at the first look those with the game's label.

        An old server may know no such time, and one that does not know the label lists all: so nothing is left to it.
        """
        asked = {"state": "all", "type": "issues"} | ({"since": stamp_of(cursor - OVERLAP)} if cursor else {})
        asked |= {"labels": self.label} if not cursor or self.has_timeline is False else {}
        found = [i for page in self.pages(f"{self.place}/issues", asked) for i in read(page.data, list[GiteaIssue])]
        for issue in found:
            issue.user = None if issue.original_author else issue.user
        return {issue.number: issue for issue in found if issue.pull_request is None}

    def _labellings(self, number: int) -> tuple[Happening, ...]:
        self._know_server()
        events = self._timeline(number) or ()
        return tuple(e for e in events if e.type == "label" and e.body and e.label and e.label.name == self.label)

    # All the rest

    def all(self, path: str, kind: type[Any]) -> tuple[list[Any], int]:
        """Return a whole list, and the server's time when it was begun; what was brought from elsewhere is nobody's."""
        found, at = super().all(path, GiteaComment if kind is Comment else kind)
        for item in found:
            if isinstance(item, GiteaComment) and item.original_author:
                item.user = None
        return found, at

    def statuses(self, commit: str) -> list[Status]:
        """Return what is shown beside a commit, the newest first."""
        reply = self.client.find(f"{self.place}/commits/{commit}/statuses", {"sort": "recentupdate", "limit": PAGE})
        found = read(_items(reply.data), list[GiteaStatus]) if reply is not None else []
        return [Status(state=each.status, context=each.context, description=each.description) for each in found]

    def handle_of(self, name: str) -> str:
        """Return by which handle somebody is called today, "" for whoever is there no more; `name` is their id."""
        reply = self.client.find("users/search", {"uid": name}) if name.isdigit() else None
        found = read(reply.data, Accounts).data or [] if reply is not None else []
        return next((user.login for user in found if str(user.id) == name), "")


def _items(data: Any) -> list[Any]:
    """Return what stands in a list; a server may write nothing for an empty one, or for an item that it cannot show."""
    return [item for item in data if item is not None] if isinstance(data, list) else ([] if data is None else data)
