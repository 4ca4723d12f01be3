"""Writing down what a forge says, as facts that stay what they were when they were first seen.

Comments and reviews keep their first words and their stamps; what becomes of them is noted beside.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, cast

from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.cache.records import SeenPull, SeenPush, SeenRemark, person_record, push_record
from folkmoot.forges.port import Push
from folkmoot.forges.signatures import signing_key
from folkmoot.forges.vocabulary import Person
from folkmoot.forges.web import comments as ours
from folkmoot.forges.web.api_reader import Comment, Issue, PullDetails, PullRequest, User, labels_of
from folkmoot.forges.web.client import seconds_of

Places = Mapping[str, tuple[int, SeenRemark]]
"""What was said before: by its id the place, and how it was written down."""


class CacheWriter(ABC):
    """Writes stories down in one observation; how a forge tells people, reviews and arrivals apart is its own.

    Args:
        seen: what was seen before.
        at: when this look is made, in Unix seconds.
        is_ours: says whether an account is the one that we write as.
    """

    def __init__(self, seen: ForgeCache, at: int, is_ours: Callable[[User | None], bool]) -> None:
        self.seen = seen
        self.at = at
        self.is_ours = is_ours
        self._added: list[tuple[int, tuple[int, str, int], int, int]] = []

    # What each forge says in its own way

    @abstractmethod
    def person(self, user: User | None) -> Person:
        """Return whom an account belongs to."""

    @abstractmethod
    def _arrival(self, story: PullDetails, head: str, *, first: bool) -> int:
        """Return when a head arrived, rather late than early: no vote may be bound to content that came after it."""

    @abstractmethod
    def _reviews(self, story: PullDetails, places: Places) -> Iterator[SeenRemark]:
        """Yield the reviews that say something."""

    def _labelled_at(self, story: PullDetails) -> int:  # noqa: ARG002
        """Return when an issue got the game's label, 0 where nobody says: before that it was no statement."""
        return 0

    @abstractmethod
    def _closer(self, events: tuple[Any, ...]) -> Person:
        """Return who closed a pull request last."""

    def _rank(self, name: str) -> tuple[int, str, int]:
        """Return what puts remarks in order that arrived in the same second."""
        return 0, name[0], int(name[1:])

    # Pull requests

    def thread(self, story: PullDetails) -> None:
        """Write down what was said in the game's own thread."""
        self.seen.keep_pull(0, {**(self.seen.pull(0) or {}), "read_at": story.at})
        self._remarks(0, story)

    def pull(self, number: int, story: PullDetails, head: str) -> None:
        """Write down a pull request whose head stands at a commit (hex) that is here, "" where it cannot be fetched."""
        pull = story.pull
        assert pull is not None
        known = self.seen.pull(number)
        record: SeenPull = known.copy() if known is not None else {**self._new(pull), "pushes": []}
        fields = self._fields(record, pull, story.events)
        fields["pushes"] = self._pushes(record, story, head)
        self._keep(number, record, fields, ("title", "body", "state", "base", "draft", "pushes"), story)
        self._remarks(number, story)

    def _keep(
        self, number: int, record: SeenPull, fields: dict[str, Any], watched: Iterable[str], story: PullDetails
    ) -> None:
        """Keep what is seen of a pull request or an issue; what it refused before may be tried again if it changed."""
        fields = self.seen.storable(fields)
        if any(fields.get(name) != record.get(name) for name in watched):
            record["changes"] += 1
            record.pop("refused", None)
        if bool(fields.get("locked")) != bool(record.get("locked")):
            record.pop("refused", None)
        kept = cast(SeenPull, {name: value for name, value in {**record, **fields}.items() if value is not None})
        self.seen.keep_pull(number, {**kept, "read_at": max(story.at, record.get("read_at", 0))})

    def issue(self, number: int, story: PullDetails) -> None:
        """Write down an issue: its text is the first that was said there."""
        issue, known = story.issue, self.seen.pull(number)
        if issue is None:
            if known is not None:
                gone = {"state": "closed", "closed_at": known.get("closed_at", self.at), "gone": True}
                self._keep(number, known.copy(), gone, ("gone",), story)
                self._remarks(number, story)
            return
        since = max(seconds_of(issue.created_at), self._labelled_at(story))
        record: SeenPull = known.copy() if known is not None else {**self._new(issue, since), "issue": True}
        over = issue.state != "open"
        fields = {
            "title": issue.title,
            "state": "closed" if over else "open",
            "link": issue.html_url,
            "labels": labels_of(issue) or None,
            "locked": issue.locked or None,
            "closed_at": seconds_of(issue.closed_at or issue.updated_at) if over else None,
            "gone": None,
        }
        self._keep(number, record, fields, ("title", "state", "gone"), story)
        self._remarks(number, story)

    def _own_text(self, story: PullDetails) -> Iterator[SeenRemark]:
        """Yield the text of an issue; where it may have been changed before we saw it, it is as old as that."""
        issue = story.issue
        if issue is not None:
            created, touched = seconds_of(issue.created_at), seconds_of(issue.updated_at)
            at = max(created, touched, self._labelled_at(story))
            yield self._remark(f"i{issue.id}", "comment", issue.user, at, issue.body)

    def _fields(self, record: SeenPull, pull: PullRequest, events: tuple[Any, ...]) -> dict[str, Any]:
        plain = {
            "title": pull.title,
            "body": text_of(pull.body),
            "base": pull.base.ref,
            "draft": pull.is_draft,
            "link": pull.html_url,
            "labels": labels_of(pull) or None,
            "locked": pull.locked or None,
        }
        state = "merged" if pull.merged_at else pull.state
        if record["state"] == "merged":  # as git shows, or as we said because the forge did not follow
            return {**plain, "state": "merged", **({"followed": True} if pull.merged_at else {})}
        if state == record["state"]:
            return {**plain, "state": state}
        if state == "open":
            return {**plain, "state": state, "closed_at": None, "closed_by": None}
        over = seconds_of(pull.merged_at or pull.closed_at or pull.updated_at)
        if state == "merged":
            return {**plain, "state": state, "closed_at": over, "merge_commit": pull.merge_commit_sha, "followed": True}
        return {**plain, "state": state, "closed_at": over, "closed_by": person_record(self._closer(events))}

    def _pushes(self, record: SeenPull, story: PullDetails, head: str) -> list[SeenPush]:
        pull, pushes = story.pull, list(record["pushes"])
        assert pull is not None
        if not head or (pushes and pushes[-1]["commit"] == head):
            return pushes
        at = max([self._arrival(story, head, first=not pushes), *(push["at"] for push in pushes[-1:])])
        push = Push(commit=head, at=at, author=self.person(pull.user), key=signing_key(self.seen.repo, head))
        return [*pushes, push_record(push)]

    # Remarks

    def _remarks(self, number: int, story: PullDetails) -> None:
        places = {record["id"]: (place, record) for place, record in enumerate(self.seen.remarks(number))}
        told = [c for c in story.comments if ours.said(c.body or "") is not None and self._is_ours(c)]
        calls = [c for c in story.comments if ours.call_key(c.body or "") and self._is_ours(c)]
        self._said(number, told)
        self._called(number, calls)
        self._doubled(told, calls)
        said = [*self._comments(story), *self._reviews(story, places), *self._inline(story, places)]
        said.sort(key=lambda each: (each["at"], *self._rank(each["id"])))
        since = self._labelled_at(story)
        found: list[SeenRemark] = [*self._own_text(story)]
        found += [{**each, "at": max(each["at"], since)} for each in said]
        for fields in map(self.seen.storable, found):
            if fields["id"] in places:
                self._again(number, *places[fields["id"]], fields)
            else:
                rank = (0, "", 0) if fields["id"].startswith("i") else self._rank(fields["id"])
                self._added.append((fields["at"], rank, number, self.seen.add_remark(number, fields)))
        there = {fields["id"] for fields in found}
        for name, (place, record) in places.items():
            if name not in there and not record.get("deleted"):
                self.seen.change_remark(number, place, deleted=True)

    def put_in_order(self) -> None:
        """Put what arrived in one second in several places into the order of the server's own numbers."""
        orders = sorted(self.seen.remark(number, place)["order"] for *_, number, place in self._added)
        for order, (_, _, number, place) in zip(orders, sorted(self._added), strict=True):
            if self.seen.remark(number, place)["order"] != order:
                self.seen.change_remark(number, place, order=order)

    def _is_ours(self, comment: Comment) -> bool:
        """Say whether a comment is one that we made: it bears our mark, and our name."""
        body = comment.body or ""
        return (ours.said(body) is not None or ours.call_key(body) is not None) and self.is_ours(comment.user)

    def _called(self, number: int, calls: list[Comment]) -> None:
        """Note which calls were made, be it by a run that could not write it down any more."""
        record = self.seen.pull(number) or {}
        made = {ours.call_key(comment.body or "") or "": comment.id for comment in reversed(calls)}
        known = record.get("calls") or {}
        if made.keys() - known.keys():
            self.seen.keep_pull(number, {**record, "calls": {**made, **known}})

    def _doubled(self, told: list[Comment], calls: list[Comment]) -> None:
        """Note which of our comments say what an older one says: two referees at once may make one each."""
        first: dict[str, int] = {}
        for comment in sorted([*told, *calls], key=lambda comment: comment.id):
            first.setdefault(ours.call_key(comment.body or "") or "", comment.id)
        doubled = {comment.id for comment in (*told, *calls)} - set(first.values())
        known = self.seen.standing.get("doubled", [])
        if doubled.difference(known):
            self.seen.stand(doubled=sorted(doubled.union(known)))

    def _inline(self, story: PullDetails, places: Places) -> Iterator[SeenRemark]:
        """Yield the comments on lines; those that were not asked for are as they were."""
        if story.inline is None:
            yield from (record for name, (_, record) in places.items() if _stays(name, record))
        for comment in story.inline or ():
            at = max(seconds_of(comment.created_at), seconds_of(comment.updated_at))
            yield self._remark(f"l{comment.id}", "comment", comment.user, at, comment.body)

    def _said(self, number: int, said: list[Comment]) -> None:
        """Note what our comment says now: the oldest, if there are several."""
        record = self.seen.pull(number) or {}
        first = min(said, key=lambda comment: comment.id, default=None)
        if first is None:
            if "said_id" in record:
                self.seen.keep_pull(number, cast(SeenPull, {k: v for k, v in record.items() if k != "said_id"}))
                self.seen.say(number, "")
            return
        text = ours.said(first.body or "") or ""
        if record.get("said_id") != first.id:
            self.seen.keep_pull(number, {**record, "said_id": first.id})
        if ours.fitting(self.seen.said(number) or "") != text:
            self.seen.say(number, text)

    def _comments(self, story: PullDetails) -> Iterator[SeenRemark]:
        """Yield the comments; one that was changed before we saw it arrived when it was changed."""
        for comment in story.comments:
            if not self._is_ours(comment):
                at = max(seconds_of(comment.created_at), seconds_of(comment.updated_at))
                yield self._remark(f"c{comment.id}", "comment", comment.user, at, comment.body)

    def _again(self, number: int, place: int, before: SeenRemark, now: SeenRemark) -> None:
        """Note what became of something that was seen before."""
        changed: dict[str, Any] = {}
        if now.get("body", "") != before.get("body", "") and not before.get("edited"):
            changed["edited"] = True
        if before.get("deleted"):
            changed["deleted"] = False
        if "dismissed_by" in now and "dismissed_by" not in before:
            changed["dismissed_by"] = now["dismissed_by"]
        if changed:
            self.seen.change_remark(number, place, **changed)

    def _new(self, opened: PullRequest | Issue, at: int = 0) -> SeenPull:
        return {
            "author": person_record(self.person(opened.user)),
            "state": "open",
            "opened_at": at or seconds_of(opened.created_at),
            "remarks": 0,
            "changes": 0,
            "settled": 0,
        }

    def _remark(self, name: str, kind: str, user: User | None, at: int, body: str | None) -> SeenRemark:
        text = text_of(body)
        fields = {"id": name, "kind": kind, "author": person_record(self.person(user)), "at": at}
        return cast(SeenRemark, fields | ({"body": text} if text else {}))


def _stays(name: str, record: SeenRemark) -> bool:
    return name[0] == "l" and not record.get("deleted")


def text_of(body: str | None) -> str:
    """Return a text with the line ends that it was written with."""
    return (body or "").replace("\r\n", "\n")
