"""Asking GitHub for all of one pull request: reviews and comments, and what else is needed to tell what they mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from folkmoot.forges.github.models import Event, Runs
from folkmoot.forges.web.api_reader import ApiReader, PullDetails, once
from folkmoot.forges.web.client import seconds_of
from folkmoot.forges.web.models import Comment, LineComment, PullRequest, Review, read

_LONG = 900  # seconds


class GitHubReader(ApiReader):
    """Asks for one repository on GitHub."""

    closing = MappingProxyType({"state_reason": "completed"})

    def _story(self, number: int, pull: PullRequest | None, record: Mapping[str, Any] | None) -> PullDetails | None:
        """Read all of a pull request; None where there is none any more."""
        if pull is None:
            reply = self.client.find(f"{self.place}/pulls/{number}")
            if reply is None:
                return None
            pull = read(reply.data, PullRequest)
        reviews, at = self.all(f"pulls/{number}/reviews", Review)
        comments, _ = self.all(f"issues/{number}/comments", Comment)
        events, built = (), 0
        unclear = is_unclear(record, pull, reviews, comments)
        if unclear or is_closed_anew(record, pull) or any(review.state == "DISMISSED" for review in reviews):
            events = tuple(self.all(f"issues/{number}/timeline", Event)[0])
        if (unclear and forced_at(events, pull.head.sha) is None) or is_new_to_us(record, pull):
            built = self._built(pull.head.sha)
        inline = None
        if any(review.submitted_at for review in reviews):  # every comment on a line comes with a review
            inline = once(self.all(f"pulls/{number}/comments", LineComment)[0])
        return PullDetails(at, once(comments), once(reviews), events, pull, built, inline=inline)

    def _labellings(self, number: int) -> tuple[Event, ...]:
        events = self.all(f"issues/{number}/timeline", Event)[0]
        return tuple(e for e in events if e.event == "labeled" and e.label is not None and e.label.name == self.label)

    def _built(self, head: str) -> int:
        """Return when the last check of a head was started, 0 where none was or we may not know.

        GitHub keeps no other stamp of an ordinary push. The last is the safe one: the same commit may have been
        checked before, for another pull request.
        """
        reply = self.client.find(f"{self.place}/actions/runs", {"head_sha": head, "event": "pull_request"})
        runs = read(reply.data, Runs).workflow_runs if reply is not None else []
        return max((seconds_of(run.created_at) for run in runs if run.head_sha == head), default=0)


def is_unclear(
    record: Mapping[str, Any] | None, pull: PullRequest, reviews: Sequence[Review], comments: Sequence[Comment]
) -> bool:
    """Say whether it is to be found out when the head arrived.

    It matters where something was said since the last look that is no review of this very head, or where much time went
    by since; otherwise it is enough that the head came before its first review, or before the last touch.
    """
    pushes = record["pushes"] if record else []
    opened, touched = seconds_of(pull.created_at), seconds_of(pull.updated_at)
    if (pushes and pushes[-1]["commit"] == pull.head.sha) or (not pushes and touched == opened):
        return False
    since = record.get("read_at", 0) if record else 0
    said = [comment.updated_at for comment in comments]
    said += [review.submitted_at for review in reviews if review.commit_id != pull.head.sha and review.submitted_at]
    return any(seconds_of(at) >= since for at in said) or (bool(pushes) and touched - since > _LONG)


def is_new_to_us(record: Mapping[str, Any] | None, pull: PullRequest) -> bool:
    """Say whether something happened to a pull request before we saw it first: who came first decides in some games."""
    seen = record is not None and bool(record["pushes"])
    return not seen and seconds_of(pull.updated_at) > seconds_of(pull.created_at)


def is_closed_anew(record: Mapping[str, Any] | None, pull: PullRequest) -> bool:
    """Say whether a pull request was closed, and it is to be found out by whom."""
    return pull.state != "open" and not pull.merged_at and (record is None or record["state"] == "open")


def forced_at(events: Sequence[Event], head: str) -> int | None:
    """Return when a head arrived by a forced push, None if it did not; of no other push GitHub says when it was."""
    found = [e.created_at for e in events if e.event == "head_ref_force_pushed" and e.commit_id == head]
    return seconds_of(found[-1]) if found and found[-1] else None
