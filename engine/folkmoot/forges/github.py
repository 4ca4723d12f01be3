"""GitHub as the referee sees it: what is asked of it, how that is written down, and where heads came when."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

import httpx
import msgspec
from msgspec.structs import replace

from folkmoot.core.problems import fail
from folkmoot.forges.cache.forge_cache import Place
from folkmoot.forges.cache.refs import Refs
from folkmoot.forges.port import Person, Remark, RemarkKind
from folkmoot.forges.web.client import Client, Pacing, seconds_of
from folkmoot.forges.web.credentials import credentials
from folkmoot.forges.web.forge import SKEW, WebForge
from folkmoot.forges.web.reading import (
    GHOST,
    ApiReader,
    CacheWriter,
    Comment,
    Label,
    LineComment,
    Places,
    PullDetails,
    PullRequest,
    Review,
    User,
    once,
    read,
)
from folkmoot.journal.git_library import pygit2

# -- what only GitHub's answers hold


_GHOST = 10137  # the account that github.com shows for whoever has deleted theirs


class Dismissed(msgspec.Struct):
    """What a dismissed review said before."""

    state: str
    review_id: int


class Event(msgspec.Struct):
    """Something in the timeline of a pull request; each kind has fields of its own."""

    event: str = ""
    actor: User | None = None
    created_at: str | None = None
    commit_id: str | None = None
    dismissed_review: Dismissed | None = None
    label: Label | None = None


class Run(msgspec.Struct):
    """A run of a workflow."""

    head_sha: str
    created_at: str


class Runs(msgspec.Struct):
    """Some runs of workflows."""

    workflow_runs: list[Run]


def person(user: User | None) -> Person:
    """Return whom an account belongs to.

    >>> person(User(id=7, login="ann")).id, person(User(id=9, login="ci[bot]", type="Bot")).robot, person(None).handle
    ('7', True, 'ghost')
    """
    if user is None or user.id == _GHOST:
        return GHOST
    return Person(id=str(user.id), handle=user.login, robot=user.type != "User")


# -- asking for all of one pull request: reviews and comments, and what else is needed to tell what they mean


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
        if unclear or is_closed_anew(place, pull) or any(review.state == "DISMISSED" for review in reviews):
            events = tuple(self.all(f"issues/{number}/timeline", Event)[0])
        if (unclear and forced_at(events, pull.head.sha) is None) or is_new_to_us(place, pull):
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


def is_new_to_us(place: Place | None, pull: PullRequest) -> bool:
    """Say whether something happened to a pull request before we saw it first: who came first decides in some games."""
    seen = place is not None and bool(place.head)
    return not seen and seconds_of(pull.updated_at) > seconds_of(pull.created_at)


def is_closed_anew(place: Place | None, pull: PullRequest) -> bool:
    """Say whether a pull request was closed, and it is to be found out by whom."""
    return pull.state != "open" and not pull.merged_at and (place is None or place.state == "open")


def forced_at(events: Sequence[Event], head: str) -> int | None:
    """Return when a head arrived by a forced push, None if it did not; of no other push GitHub says when it was."""
    found = [e.created_at for e in events if e.event == "head_ref_force_pushed" and e.commit_id == head]
    return seconds_of(found[-1]) if found and found[-1] else None


# -- writing down what GitHub says: who people are, when heads arrived, and what its reviews mean


_KINDS: dict[str, RemarkKind] = {"APPROVED": "approve", "CHANGES_REQUESTED": "request_changes", "COMMENTED": "comment"}


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
        since = before.pull.head.at if before and before.pull and before.head else opened
        reviewed = [seconds_of(r.submitted_at) for r in story.reviews if r.commit_id == head and r.submitted_at]
        return min([touched + 1, *(at for at in reviewed if at >= since)])

    def _reviews(self, story: PullDetails, places: Places) -> Iterator[Remark]:
        dismissals = {e.dismissed_review.review_id: e for e in story.events if e.dismissed_review is not None}
        for review in story.reviews:
            name = f"r{review.id}"
            dismissal = dismissals.get(review.id)
            kind = _KINDS.get(review.state.upper())
            taken_back: Person | None = None
            if review.state.upper() == "DISMISSED":
                before = dismissal.dismissed_review if dismissal is not None else None
                kind = places[name][1].kind if name in places else _KINDS.get(before.state.upper() if before else "")
                taken_back = person(dismissal.actor) if dismissal else GHOST
            if kind is None or review.submitted_at is None or (kind == "comment" and not review.body):
                continue
            remark = self._remark(name, kind, review.user, seconds_of(review.submitted_at), review.body)
            yield replace(remark, commit=review.commit_id or "", dismissed_by=taken_back)

    def _labelled_at(self, story: PullDetails) -> int:
        labelled = [seconds_of(e.created_at) for e in story.events if e.event == "labeled" and e.created_at]
        return max(labelled, default=0) if story.issue is not None else 0

    def _closer(self, events: tuple[Event, ...]) -> Person:
        closings = [event for event in events if event.event == "closed"]
        return self.person(closings[-1].actor) if closings else GHOST


# -- the forge


API = "https://api.github.com"
_HEADERS = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+\Z")
_ACTIONS = "github-actions[bot]"  # writes with the token of a workflow, which may not ask who it is


class GitHubForge(WebForge):
    """A repository on GitHub, or on a GitHub Enterprise Server.

    Args:
        path: the repository that holds the objects, bare or not.
        remote: the address by which git reaches the repository on GitHub.
        repository: `owner/name`.
        token: proves who we are, to the API and to git; it is sent to their hosts only.
        api: where the API is reached.
        thread: the issue where the game is talked about: its number, or the label by which it is found.
        skew: by how many seconds our clock may be off the forge's; None: it is not compared.
        transport: carries the requests in tests.
        pacing: how long to wait for what.
        repo: the repository at `path`, where it is open already: what is fetched must be seen by all who read it.
    """

    name = "github"
    recording = GitHubWriter

    def __init__(
        self,
        path: Path | str,
        remote: str,
        repository: str,
        token: str,
        *,
        api: str = API,
        thread: int | str | None = "game",
        skew: int | None = SKEW,
        transport: httpx.BaseTransport | None = None,
        pacing: Pacing | None = None,
        repo: pygit2.Repository | None = None,
    ) -> None:
        if not _REPOSITORY.match(repository) or repository.rpartition("/")[2].strip(".") == "":
            raise fail("E-FORGE", "that is no name of a repository on GitHub", None, "write it as OWNER/NAME")
        client = Client(api, {"Authorization": f"Bearer {token}", **_HEADERS}, transport=transport, pacing=pacing)
        refs = Refs(Path(path), remote, variables=credentials(remote, home_of(api), token))
        refs.repo = repo or refs.repo
        super().__init__(refs, GitHubReader(client, repository, thread), skew=skew)

    def is_a_job(self, user: User) -> bool:
        """Say whether an account is the one that writes with the token of a workflow."""
        return user.type == "Bot" and user.login == _ACTIONS


def home_of(api: str) -> str:
    """Return the server whose API is reached at an address.

    >>> home_of("https://api.github.com"), home_of("https://ghe.example/api/v3")
    ('https://github.com', 'https://ghe.example')
    """
    place = urlsplit(api)
    return f"{place.scheme}://{place.netloc.removeprefix('api.')}"
