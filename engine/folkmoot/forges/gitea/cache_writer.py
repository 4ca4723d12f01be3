"""Writing down what Forgejo or Gitea says: who people are, when heads and reviews arrived, and what reviews mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.cache.records import SeenRemark, person_record
from folkmoot.forges.gitea.models import GiteaPull, GiteaReview, head_of, person
from folkmoot.forges.vocabulary import Person
from folkmoot.forges.web.api_reader import PullDetails
from folkmoot.forges.web.cache_writer import CacheWriter, Places
from folkmoot.forges.web.client import seconds_of
from folkmoot.forges.web.models import GHOST, User

_KINDS = {"APPROVED": "approve", "REQUEST_CHANGES": "request_changes", "COMMENT": "comment"}
_PLACE = re.compile(r"#issuecomment-([0-9]{1,18})\Z")
_DOUBT = 10  # what was begun less than so many seconds before a reading may have been missed by it


class GiteaWriter(CacheWriter):
    """Writes down what Forgejo or Gitea says."""

    def __init__(self, seen: ForgeCache, at: int, is_ours: Callable[[User | None], bool]) -> None:
        super().__init__(seen, at, is_ours)
        self._ranks: dict[str, int] = {}
        self._read_before = 0

    def person(self, user: User | None) -> Person:
        """Return whom an account belongs to."""
        return person(user)

    def pull(self, number: int, story: PullDetails, head: str) -> None:
        """Write down a pull request whose head stands at a commit (hex) that is here."""
        self._read_before = (self.seen.pull(number) or {}).get("read_at", 0)
        self._ranks = {f"r{review.id}": _place(review) for review in _reviews_of(story)}
        super().pull(number, story, head)
        record = self.seen.pull(number) or {}
        assert isinstance(story.pull, GiteaPull)
        lines = {f"r{review.id}": review.comments_count for review in _reviews_of(story) if review.comments_count}
        if (record.get("count", 0), record.get("lines", {})) != (story.pull.comments, lines):
            self.seen.keep_pull(number, {**record, "count": story.pull.comments, "lines": lines})

    def _closer(self, events: tuple[Any, ...]) -> Person:
        closings = [event for event in events if event.type == "close"]
        return person(closings[-1].user) if closings else GHOST

    def _labelled_at(self, story: PullDetails) -> int:
        """Return when an issue got the game's label, 0 where nobody says: before that it was no statement."""
        return max((seconds_of(event.created_at) for event in story.events), default=0) if story.issue else 0

    # When what arrived

    def _arrival(self, story: PullDetails, head: str, *, first: bool) -> int:
        """Return when a head arrived, rather late than early: no vote may be bound to content that came after it.

        The timeline has a stamp for every push. Without one, a head arrived no later than when the pull request was
        last touched, after all that was said in that second; nor later than when the repository that it lies in was.
        """
        assert isinstance(story.pull, GiteaPull)
        pull, opened = story.pull, seconds_of(story.pull.created_at)
        if pull.head.sha != head:
            return self.at
        pushes = [event for event in story.events if event.type == "pull_push"]
        found = [push for push in pushes if head_of(push, head)]
        if found:
            return max(seconds_of(found[-1].created_at), opened)
        touched = seconds_of(pull.updated_at)
        if not first or pushes:
            return touched + 1
        stored = pull.head.repo.updated_at if pull.head.repo is not None else None
        latest = min(touched, max(seconds_of(stored), opened)) if stored else touched
        return opened if story.has_timeline or latest == opened else latest + 1

    def _submitted(self, story: PullDetails, review: GiteaReview) -> int:
        """Return when a review arrived; the server's own stamp is of when it was begun, unseen by anybody.

        Without a timeline: not before the comments that have lower numbers, for reviews are numbered with them; nor
        before the last reading, which would have seen it. Where a timeline does not show it, it counts as late.
        """
        begun = seconds_of(review.submitted_at or "")
        said = [event for event in story.events if event.type == "review" and event.review_id == review.id]
        if said:
            return max(begun, seconds_of(said[-1].created_at))
        before = [seconds_of(comment.created_at) for comment in story.comments if comment.id < _place(review)]
        if (story.has_timeline or begun < self._read_before - _DOUBT) and story.pull is not None:
            before.append(seconds_of(story.pull.updated_at))
        return max([begun, *before])

    def _rank(self, name: str) -> tuple[int, str, int]:
        return self._ranks.get(name, 0) or int(name[1:]), name[0], int(name[1:])

    # Reviews

    def _inline(self, story: PullDetails, places: Places) -> Iterator[SeenRemark]:
        """Yield the comments on lines; those of reviews that have no more of them than before are as they were."""
        found = {record["id"]: record for record in super()._inline(story, places)}
        known = {name: record for name, (_, record) in places.items() if name[0] == "l" and not record.get("deleted")}
        yield from (known | found).values()

    def _reviews(self, story: PullDetails, places: Places) -> Iterator[SeenRemark]:  # noqa: ARG002
        """Yield the reviews that say something; whoever has no right to write reviews as well as anybody."""
        dismissals = {event.review_id: event for event in story.events if event.type == "dismiss_review"}
        for review in _reviews_of(story):
            kind = _KINDS.get(review.state)
            if kind is None or review.submitted_at is None or (kind == "comment" and not review.body):
                continue
            at = self._submitted(story, review)
            fields = self._remark(f"r{review.id}", kind, review.user, at, review.body)
            fields |= {"commit": review.commit_id} if review.commit_id else {}
            if review.dismissed:
                by = dismissals.get(review.id)
                fields["dismissed_by"] = person_record(person(by.user) if by else GHOST)
            yield fields


def _reviews_of(story: PullDetails) -> list[GiteaReview]:
    return [review for review in story.reviews if isinstance(review, GiteaReview)]


def _place(review: GiteaReview) -> int:
    """Return the number of a review among the comments, 0 where the server does not tell."""
    found = _PLACE.search(review.html_url)
    return int(found[1]) if found else 0
