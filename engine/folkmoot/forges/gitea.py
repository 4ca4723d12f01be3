"""Forgejo and Gitea as the referee sees them: what is asked of them, and how that is written down."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from itertools import chain
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import replace

from folkmoot.core.problems import ProblemError, fail
from folkmoot.forges.cache.forge_cache import THREAD, Place
from folkmoot.forges.port import Person, Remark, RemarkKind
from folkmoot.forges.web.client import MOST_PAGES, Query, RefusedError, Reply, seconds_of
from folkmoot.forges.web.forge import WebForge
from folkmoot.forges.web.reading import (
    GHOST,
    ApiReader,
    CacheWriter,
    Comment,
    Event,
    Places,
    PullDetails,
    PullRequest,
    Review,
    User,
    is_elsewhere,
    once,
    part,
    read,
)

ACTIONS = -2  # the account that writes with the token of a workflow
_NOBODY = (0, -1)  # the accounts that stand for whoever has deleted theirs


class Happening(Event, kw_only=True):
    """Something in the timeline of an issue or a pull request, a comment among others."""

    id: int
    event: str = msgspec.field(name="type")
    actor: User | None = msgspec.field(name="user", default=None)
    body: str | None = ""
    review_id: int | None = 0


class Pushed(msgspec.Struct):
    """What the timeline says of a push: its commits, or for a forced one the heads before and after."""

    is_force_push: bool = False
    commit_ids: list[str] | None = None


def head_of(push: Happening, head: str) -> bool:
    """Say whether a push brought a head."""
    try:
        said = msgspec.json.decode(push.body or "{}", type=Pushed)
    except msgspec.DecodeError:
        return False
    commits = said.commit_ids or []
    return head in (commits[-1:] if said.is_force_push else commits)


STATES = ("APPROVED", "REQUEST_CHANGES", "COMMENT")
"""What a review says; one that is pending is shown to nobody but its author, and perhaps to us: it is none yet."""
PAGE = 50  # how many items are asked for at once: what servers answer with at most unless they are told otherwise
_PAUSES = (0.1, 0.4, 1.5)  # seconds in which a server may come to know a pull request that was just made
_WHOLE = re.compile(r"/(?:issues|reviews)/[0-9]+/comments\Z")  # lists that have no pages, in all versions up to now
_FEWEST = 10  # items that any server shows on a page, if there are so many
_MOST_EMPTY = 8  # pages of the timeline in which nothing is shown, one after the other


class GiteaReader(ApiReader):
    """Asks for one repository on Forgejo or Gitea."""

    pulls_sorted = MappingProxyType({"sort": "recentupdate"})
    issues_sorted = MappingProxyType({"type": "issues"})
    comments_sorted = MappingProxyType({})

    def pages(self, path: str, query: Query | None = None) -> Iterator[Reply]:
        """Yield the pages of a list, counted by ourselves: servers name the next one by an address of their own choice.

        Some do not page at all, some limit more than they are asked to, and some leave items out of a page.
        """
        whole = bool(_WHOLE.search(path))
        names: set[object] = set()
        hidden = most = 0
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
            most, sifted = max(most, len(reply.data or ())), path.endswith("/reviews")  # of these some may be hidden
            if sifted and reply.total is not None and most:
                is_last = number * most >= reply.total  # a whole page of them, too
            else:
                short = whole or (got < _FEWEST and not sifted)
                is_last = not fresh or (short if reply.total is None else got >= reply.total)
            if is_last:
                return
        raise fail("E-FORGE", "the forge's lists lead in a circle", None, "run it again")

    def follows(self) -> bool:
        """Say whether the forge may notice that a head was merged by a push; some versions tell."""
        setup = self.client.get(self.place)
        return all(part(setup, n, bool) is not False for n in ("has_pull_requests", "autodetect_manual_merge"))

    def merging(self, commit: str) -> dict[str, str]:
        """Return with which words the forge is told that a commit (hex) merged a pull request, in either spelling."""
        words = "manually-merged"
        return {"Do": words, "do": words, "MergeCommitID": commit, "merge_commit_id": commit}

    def _story(self, number: int, pull: PullRequest | None, place: Place | None) -> PullDetails | None:
        """Read all of a pull request; None where there is none, or none yet."""
        for pause in (*_PAUSES, 0.0):
            try:
                return self._read(number, pull, place or THREAD)
            except RefusedError as error:
                if error.status not in (404, 410):
                    raise
            if pause:
                self.client.pacing.pause(pause)
        return None

    def _read(self, number: int, pull: PullRequest | None, place: Place) -> PullDetails:
        """Read all of one; what happened to it, by which stamps are told, only where something is to be stamped.

        What was merely answered by us since is read without that.
        """
        pull, lines = pull or self.pull(number), place.lines
        reviews, at = self.all(f"pulls/{number}/reviews", Review)
        found = {f"r{review.id}": review for review in reviews if review.state in STATES}
        longer = [review for name, review in found.items() if review.comments_count != lines.get(name, 0)]
        inline = [self.all(f"pulls/{number}/reviews/{review.id}/comments", Comment)[0] for review in longer]
        known = not is_elsewhere(place, pull.head.sha) and place.state == pull.state and found.keys() <= lines.keys()
        is_same = known and bool(place.head) and not any(review.dismissed for review in found.values())
        events = () if is_same else self._timeline(number, {review.id for review in found.values()})
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
        """Return what happened to an issue or a pull request, None from a server so old that it does not tell.

        The server leaves out of each page the comments on lines, be it all of them: so an empty page is not the last
        one while some of the reviews are missing.
        """
        found: dict[int, Happening] = {}
        missing, empty = set(reviews), 0
        for page in range(1, MOST_PAGES + 1):
            try:
                reply = self.client.get(f"{self.place}/issues/{number}/timeline", {"page": page, "limit": PAGE})
            except RefusedError as error:
                if error.status != 404:
                    raise
                return None
            items = {event.id: event for event in read(_items(reply.data), list[Happening])}
            empty = 0 if items.keys() - found.keys() else empty + 1
            found |= items
            missing -= {event.review_id for event in items.values() if event.event == "review"}
            if empty > (_MOST_EMPTY if missing else 0):
                break
        return tuple(found.values())

    def _labellings(self, number: int) -> tuple[Happening, ...]:
        events = self._timeline(number) or ()
        return tuple(e for e in events if e.event == "label" and e.body and e.label and e.label.name == self.label)

    def handle_of(self, name: str) -> str:
        """Return by which handle somebody is called today, "" for whoever is there no more; `name` is their id."""
        reply = self.client.find("users/search", {"uid": name}) if name.isdigit() else None
        found = part(reply, "data", list[User]) or []
        return next((user.login for user in found if str(user.id) == name), "")


def _items(data: Any) -> list[Any]:
    """Return what stands in a list; a server may write nothing for an empty one, or for an item that it cannot show."""
    return [item for item in data if item is not None] if isinstance(data, list) else ([] if data is None else data)


_KINDS: dict[str, RemarkKind] = {"APPROVED": "approve", "REQUEST_CHANGES": "request_changes", "COMMENT": "comment"}
_PLACE = re.compile(r"#issuecomment-([0-9]{1,18})\Z")
_DOUBT = 10  # what was begun less than so many seconds before a reading may have been missed by it


class GiteaWriter(CacheWriter):
    """Writes down what Forgejo or Gitea says."""

    closing = "close"
    drafts = ("WIP:", "[WIP]")
    _ranks: Mapping[str, int] = MappingProxyType({})
    _read_before = 0

    @staticmethod
    def person(user: User | None) -> Person:
        """Return whom an account belongs to.

        >>> who = GiteaWriter.person
        >>> who(User(id=7, login="ann")).id, who(User(id=-2, login="forgejo-actions")).robot
        ('7', True)
        >>> who(User(id=-1, login="Ghost")) == who(None) == GHOST
        True
        """
        if user is None or user.id in _NOBODY:
            return GHOST
        return Person(id=str(user.id), handle=user.login, robot=user.id == ACTIONS)

    def pull(self, number: int, story: PullDetails, head: str) -> None:
        """Write down a pull request whose head stands at a commit (hex) that is here."""
        self._read_before = self.seen.place(number).read_at
        self._ranks = {f"r{review.id}": _place(review) for review in story.reviews}
        super().pull(number, story, head)
        place = self.seen.place(number)
        assert story.pull is not None
        lines = {f"r{review.id}": review.comments_count for review in story.reviews}
        if (place.count, place.lines) != (story.pull.comments, lines):
            self.seen.keep_pull(number, replace(place, count=story.pull.comments, lines=lines))

    def _arrival(self, story: PullDetails, head: str, *, first: bool) -> int:
        """Return when a head arrived, rather late than early: no vote may be bound to content that came after it.

        The timeline has a stamp for every push. Without one, a head arrived no later than when the pull request was
        last touched, after all that was said in that second; nor later than when the repository that it lies in was.
        """
        assert story.pull is not None
        pull, opened = story.pull, seconds_of(story.pull.created_at)
        if pull.head.sha != head:
            return self.at
        pushes = [event for event in story.events if event.event == "pull_push"]
        found = [push for push in pushes if head_of(push, head)]
        if found:
            return max(seconds_of(found[-1].created_at), opened)
        touched = seconds_of(pull.updated_at)
        if not first or pushes:
            return touched + 1
        stored = read((pull.head.repo or {}).get("updated_at") or "", str)
        latest = min(touched, max(seconds_of(stored), opened)) if stored else touched
        return opened if story.has_timeline or latest == opened else latest + 1

    def _submitted(self, story: PullDetails, review: Review) -> int:
        """Return when a review arrived; the server's own stamp is of when it was begun, unseen by anybody.

        Without a timeline: not before the comments that have lower numbers, for reviews are numbered with them; nor
        before the last reading, which would have seen it. Where a timeline does not show it, it counts as late.
        """
        begun = seconds_of(review.submitted_at or "")
        said = [event for event in story.events if event.event == "review" and event.review_id == review.id]
        if said:
            return max(begun, seconds_of(said[-1].created_at))
        before = [seconds_of(comment.created_at) for comment in story.comments if comment.id < _place(review)]
        if (story.has_timeline or begun < self._read_before - _DOUBT) and story.pull is not None:
            before.append(seconds_of(story.pull.updated_at))
        return max([begun, *before])

    def _rank(self, name: str) -> tuple[int, str, int]:
        return self._ranks.get(name, 0) or int(name[1:]), name[0], int(name[1:])

    def _inline(self, story: PullDetails, places: Places) -> list[Remark]:
        """Return the comments on lines; those of reviews that have no more of them than before are as they were."""
        found = {remark.id: remark for remark in super()._inline(story, places)}
        known = {name: remark for name, (_, remark) in places.items() if name[0] == "l" and not remark.deleted}
        return [*(known | found).values()]

    def _verdict(
        self,
        story: PullDetails,
        review: Review,
        before: Remark | None,  # noqa: ARG002
    ) -> tuple[RemarkKind | None, Person | None]:
        dismissals = {event.review_id: event for event in story.events if event.event == "dismiss_review"}
        by = dismissals.get(review.id)
        taken_back = (self.person(by.actor) if by else GHOST) if review.dismissed else None
        return _KINDS.get(review.state), taken_back


def _place(review: Review) -> int:
    """Return the number of a review among the comments, 0 where the server does not tell."""
    found = _PLACE.search(review.html_url)
    return int(found[1]) if found else 0


_ADDRESS = re.compile(r"[!-;=?A-~]{1,64}@[!-;=?A-~]{1,255}\Z")


class GiteaForge(WebForge):
    """A repository on a Forgejo or Gitea."""

    name = "gitea"
    reader, writer = GiteaReader, GiteaWriter
    headers = MappingProxyType({"Accept": "application/json"})
    scheme = "token"
    between = 0.0

    def is_a_job(self, user: User) -> bool:
        """Say whether an account is the one that writes with the token of a workflow."""
        return user.id == ACTIONS

    def author(self) -> str:
        """Return our own account: whoever the address of a merge's author belongs to has merged, else the owner."""
        try:
            address = str(self._account().get("email") or "")
        except ProblemError:
            return ""
        return f"Folkmoot <{address}>" if _ADDRESS.match(address) else ""
