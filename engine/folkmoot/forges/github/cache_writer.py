"""Writing down what GitHub says: who people are, when heads arrived, and what its reviews mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from folkmoot.forges.cache.records import SeenRemark, person_record
from folkmoot.forges.github.api_reader import forced_at
from folkmoot.forges.github.models import Event, person
from folkmoot.forges.vocabulary import Person
from folkmoot.forges.web.api_reader import PullDetails
from folkmoot.forges.web.cache_writer import CacheWriter, Places
from folkmoot.forges.web.client import seconds_of
from folkmoot.forges.web.models import GHOST, User

_KINDS = {"APPROVED": "approve", "CHANGES_REQUESTED": "request_changes", "COMMENTED": "comment"}


class GitHubWriter(CacheWriter):
    """Writes down what GitHub says."""

    def person(self, user: User | None) -> Person:
        """Return whom an account belongs to."""
        return person(user)

    def _arrival(self, story: PullDetails, head: str, *, first: bool) -> int:
        """Return when a head arrived, rather late than early: no vote may be bound to content that came after it.

        Where nothing says when, it was no later than when the pull request was last touched, after all that was said
        in that second, nor than the first review of it. The order in which the timeline shows commits proves nothing:
        their authors date them.
        """
        pull = story.pull
        assert pull is not None
        opened = seconds_of(pull.created_at)
        if pull.head.sha != head:
            return self.at
        found = forced_at(story.events, head) or story.built
        if found:
            return max(found, opened)
        touched, before = seconds_of(pull.updated_at), self.seen.pull(pull.number)
        if first and touched == opened:
            return opened
        since = before["pushes"][-1]["at"] if before and before.get("pushes") else opened
        reviewed = [seconds_of(r.submitted_at) for r in story.reviews if r.commit_id == head and r.submitted_at]
        return min([touched + 1, *(at for at in reviewed if at >= since)])

    def _reviews(self, story: PullDetails, places: Places) -> Iterator[SeenRemark]:
        dismissals = {e.dismissed_review.review_id: e for e in story.events if e.dismissed_review is not None}
        for review in story.reviews:
            name = f"r{review.id}"
            dismissal = dismissals.get(review.id)
            kind = _KINDS.get(review.state.upper())
            taken_back: dict[str, Any] = {}
            if review.state.upper() == "DISMISSED":
                before = dismissal.dismissed_review if dismissal is not None else None
                kind = places[name][1]["kind"] if name in places else _KINDS.get(before.state.upper() if before else "")
                taken_back = {"dismissed_by": person_record(person(dismissal.actor) if dismissal else GHOST)}
            if kind is None or review.submitted_at is None or (kind == "comment" and not review.body):
                continue
            fields = self._remark(name, kind, review.user, seconds_of(review.submitted_at), review.body)
            on = {"commit": review.commit_id} if review.commit_id else {}
            yield cast(SeenRemark, {**fields, **on, **taken_back})

    def _labelled_at(self, story: PullDetails) -> int:
        labelled = [seconds_of(e.created_at) for e in story.events if e.event == "labeled" and e.created_at]
        return max(labelled, default=0) if story.issue is not None else 0

    def _closer(self, events: tuple[Event, ...]) -> Person:
        closings = [event for event in events if event.event == "closed"]
        return self.person(closings[-1].actor) if closings else GHOST
