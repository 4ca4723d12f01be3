"""Asking GitHub for all of one pull request, with three requests: reviews, comments, timeline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.forge.github.models import Event, Runs
from engine.forge.web.client import seconds_of
from engine.forge.web.models import Comment, PullRequest, Review, read
from engine.forge.web.reading import Reading, Story, once


class GitHubReading(Reading):
    """Asks for one repository on GitHub."""

    def _story(self, number: int, pull: PullRequest | None, record: Mapping[str, Any] | None) -> Story | None:
        """Read all of a pull request; None where there is none any more."""
        if pull is None:
            reply = self.client.find(f"{self.place}/pulls/{number}")
            if reply is None:
                return None
            pull = read(reply.data, PullRequest)
        reviews, at = self.all(f"pulls/{number}/reviews", Review)
        comments, _ = self.all(f"issues/{number}/comments", Comment)
        events, _ = self.all(f"issues/{number}/timeline", Event)
        built = self._built(pull.head.sha) if is_dated_by_builds(record, pull, events) else 0
        return Story(at, once(comments), once(reviews), tuple(events), pull, built)

    def _built(self, head: str) -> int:
        """Return when the last check of a head was started, 0 where none was or we may not know.

        GitHub keeps no other stamp of an ordinary push. The last is the safe one: the same commit may have been
        checked before, for another pull request.
        """
        reply = self.client.find(f"{self.place}/actions/runs", {"head_sha": head, "event": "pull_request"})
        runs = read(reply.data, Runs).workflow_runs if reply is not None else []
        return max((seconds_of(run.created_at) for run in runs if run.head_sha == head), default=0)


def is_dated_by_builds(record: Mapping[str, Any] | None, pull: PullRequest, events: Sequence[Event]) -> bool:
    """Say whether when the head arrived is to be found out by what was built."""
    pushes = record["pushes"] if record else []
    if pushes:
        return bool(pushes[-1]["commit"] != pull.head.sha) and forced_at(events, pull.head.sha) is None
    return pull.updated_at > pull.created_at and forced_at(events, pull.head.sha) is None


def forced_at(events: Sequence[Event], head: str) -> int | None:
    """Return when a head arrived by a forced push, None if it did not; of no other push GitHub says when it was."""
    found = [e.created_at for e in events if e.event == "head_ref_force_pushed" and e.commit_id == head]
    return seconds_of(found[-1]) if found and found[-1] else None
