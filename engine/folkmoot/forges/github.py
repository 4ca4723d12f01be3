"""GitHub as the referee sees it: what is asked of it, how that is written down, and where heads came when."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

import msgspec

from folkmoot.forges.cache.forge_cache import THREAD, Place
from folkmoot.forges.port import Person, Remark, RemarkKind
from folkmoot.forges.web.client import seconds_of
from folkmoot.forges.web.forge import WebForge
from folkmoot.forges.web.reading import (
    GHOST,
    ApiReader,
    CacheWriter,
    Comment,
    Event,
    PullDetails,
    PullRequest,
    Review,
    User,
    once,
    part,
    read,
)

_GHOST = 10137  # the account that github.com shows for whoever has deleted theirs


class Dismissed(msgspec.Struct):
    """What a dismissed review said before."""

    state: str
    review_id: int


class GitHubEvent(Event, kw_only=True):
    """Something in the timeline of a pull request."""

    commit_id: str | None = None
    dismissed_review: Dismissed | None = None


class Run(msgspec.Struct):
    """A run of a workflow."""

    head_sha: str
    created_at: str


_LONG = 900  # seconds


class GitHubReader(ApiReader):
    """Asks for one repository on GitHub."""

    closing = MappingProxyType({"state_reason": "completed"})

    def _story(self, number: int, pull: PullRequest | None, place: Place | None) -> PullDetails | None:
        """Read all of a pull request; None where there is none any more."""
        if pull is None:
            reply = self.client.find(f"{self.place}/pulls/{number}")
            if reply is None:
                return None
            pull = read(reply.data, PullRequest)
        reviews, at = self.all(f"pulls/{number}/reviews", Review)
        comments, _ = self.all(f"issues/{number}/comments", Comment)
        events, built = (), 0
        unclear = is_unclear(place, pull, reviews, comments)
        before = place or THREAD
        is_closed_anew = pull.state != "open" and not pull.merged_at and before.state == "open"
        if unclear or is_closed_anew or any(review.state == "DISMISSED" for review in reviews):
            events = tuple(self.all(f"issues/{number}/timeline", GitHubEvent)[0])
        is_new = not before.head and seconds_of(pull.updated_at) > seconds_of(pull.created_at)
        if (unclear and forced_at(events, pull.head.sha) is None) or is_new:  # who came first decides in some games
            built = self._built(pull.head.sha)
        inline = None
        if any(review.submitted_at for review in reviews):  # every comment on a line comes with a review
            inline = once(self.all(f"pulls/{number}/comments", Comment)[0])
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
        runs = part(reply, "workflow_runs", list[Run]) or []
        return max((seconds_of(run.created_at) for run in runs if run.head_sha == head), default=0)


def is_unclear(place: Place | None, pull: PullRequest, reviews: Sequence[Review], comments: Sequence[Comment]) -> bool:
    """Say whether it is to be found out when the head arrived.

    It matters where something was said since the last look that is no review of this very head, or where much time went
    by since; otherwise it is enough that the head came before its first review, or before the last touch.
    """
    last = place.head if place else ""
    opened, touched = seconds_of(pull.created_at), seconds_of(pull.updated_at)
    if (last and last == pull.head.sha) or (not last and touched == opened):
        return False
    since = place.read_at if place else 0
    said = [comment.updated_at for comment in comments]
    said += [review.submitted_at for review in reviews if review.commit_id != pull.head.sha and review.submitted_at]
    return any(seconds_of(at) >= since for at in said) or (bool(last) and touched - since > _LONG)


def forced_at(events: Sequence[GitHubEvent], head: str) -> int | None:
    """Return when a head arrived by a forced push, None if it did not; of no other push GitHub says when it was."""
    found = [e.created_at for e in events if e.event == "head_ref_force_pushed" and e.commit_id == head]
    return seconds_of(found[-1]) if found and found[-1] else None


_KINDS: dict[str, RemarkKind] = {"APPROVED": "approve", "CHANGES_REQUESTED": "request_changes", "COMMENTED": "comment"}


class GitHubWriter(CacheWriter):
    """Writes down what GitHub says."""

    closing = "closed"

    @staticmethod
    def person(user: User | None) -> Person:
        """Return whom an account belongs to.

        >>> GitHubWriter.person(User(id=7, login="ann")).id, GitHubWriter.person(None).handle
        ('7', 'ghost')
        """
        if user is None or user.id == _GHOST:
            return GHOST
        return Person(id=str(user.id), handle=user.login, robot=user.type != "User")

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
        since = before.pull.head.at if before and before.pull and before.head else opened
        reviewed = [seconds_of(r.submitted_at) for r in story.reviews if r.commit_id == head and r.submitted_at]
        return min([touched + 1, *(at for at in reviewed if at >= since)])

    def _verdict(
        self, story: PullDetails, review: Review, before: Remark | None
    ) -> tuple[RemarkKind | None, Person | None]:
        if review.state.upper() != "DISMISSED":
            return _KINDS.get(review.state.upper()), None
        events = (e for e in story.events if e.dismissed_review and e.dismissed_review.review_id == review.id)
        dismissal = next(events, None)
        said = dismissal.dismissed_review.state.upper() if dismissal is not None else ""
        return before.kind if before else _KINDS.get(said), self.person(dismissal.actor) if dismissal else GHOST


_ACTIONS = "github-actions[bot]"  # writes with the token of a workflow, which may not ask who it is


class GitHubForge(WebForge):
    """A repository on GitHub, or on a GitHub Enterprise Server."""

    name = "github"
    reader, writer = GitHubReader, GitHubWriter
    headers = MappingProxyType({"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"})
    scheme = "Bearer"

    def is_a_job(self, user: User) -> bool:
        """Say whether an account is the one that writes with the token of a workflow."""
        return user.type == "Bot" and user.login == _ACTIONS
