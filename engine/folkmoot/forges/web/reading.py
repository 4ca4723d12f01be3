"""Asking a forge what has changed since the last look, and writing it down as facts that stay as they were first seen.

Three lists tell of everything: pull requests and issues by when they were last touched, and comments. What was touched
after it was read is read again. What was not touched costs nothing. Comments and reviews keep their first words and
their stamps; what becomes of them is noted beside.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.calendar import write_stamp
from folkmoot.core.problems import fail
from folkmoot.forges import port
from folkmoot.forges.cache.forge_cache import THREAD, ForgeCache, Place
from folkmoot.forges.port import Person, Pull, Push, Remark, RemarkKind
from folkmoot.forges.signatures import signing_key
from folkmoot.forges.web import comments as ours
from folkmoot.forges.web.client import Client, Query, Reply, seconds_of

GHOST = Person(id="", handle="ghost")
"""Whoever has deleted their account; all of them look the same, so they are nobody in the game."""

T = TypeVar("T")


class User(msgspec.Struct):
    """An account."""

    id: int
    login: str
    type: str = "User"


class Ref(msgspec.Struct):
    """A branch, and the commit that it stood at; its repository, of many fields, is missing where the fork is gone."""

    ref: str
    sha: str
    repo: dict[str, Any] | None = None


class Label(msgspec.Struct):
    """A label of an issue or a pull request."""

    name: str | None = None


class Written(msgspec.Struct, kw_only=True):
    """What somebody wrote; what was brought from another forge names its author there, and is nobody's here."""

    body: str | None = None
    user: User | None = None
    original_author: str | None = ""

    def __post_init__(self) -> None:
        """Take whoever brought it for nobody."""
        self.user = None if self.original_author else self.user


class Opened(Written, kw_only=True):
    """An issue or a pull request; `is_locked` is the word of Forgejo and Gitea for `locked`."""

    number: int
    title: str
    state: str
    created_at: str
    updated_at: str
    html_url: str
    closed_at: str | None = None
    labels: list[Label | str] | None = None
    locked: bool = False
    is_locked: bool = False


class PullRequest(Opened, kw_only=True):
    """A pull request; `comments` says how many there are of them, where a list says so."""

    head: Ref
    base: Ref
    draft: bool = False
    merged_at: str | None = None
    merge_commit_sha: str | None = None
    comments: int = 0


class Comment(Written, kw_only=True):
    """A comment of an issue or a pull request, or on a line of one."""

    id: int
    created_at: str
    updated_at: str
    issue_url: str | None = ""
    pull_request_url: str | None = ""


class Review(msgspec.Struct):
    """A review of a pull request; Forgejo and Gitea say of one beside its state that it was `dismissed`."""

    id: int
    state: str
    body: str | None = None
    user: User | None = None
    commit_id: str | None = None
    submitted_at: str | None = None
    dismissed: bool = False
    html_url: str = ""
    comments_count: int = 0


class Issue(Opened, kw_only=True):
    """An issue; `pull_request` is there where it is one."""

    id: int
    repository_url: str = ""
    pull_request: dict[str, Any] | None = None


class Event(msgspec.Struct, kw_only=True):
    """Something in the timeline of an issue or a pull request; each kind has fields of its own."""

    event: str = ""
    actor: User | None = None
    created_at: str | None = None
    label: Label | None = None


def labels_of(labelled: Opened) -> list[str]:
    """Return the names of labels, in order.

    >>> labels_of(read({**dict.fromkeys(["title", "state", "created_at", "updated_at", "html_url"], ""), "id": 1,
    ...                 "number": 1, "labels": ["b", {"name": "a"}, {"name": None}]}, Issue))
    ['a', 'b']
    """
    names = [label if isinstance(label, str) else label.name for label in labelled.labels or ()]
    return sorted({name for name in names if name})


def read(data: Any, kind: type[T]) -> T:
    """Return an answer as what it should be. Raises E-FORGE where it is something else."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        where = str(error).partition(" - at ")[2].strip("`") or "the answer"
        hint = "run it again; if it stays so, the forge is none that this version knows"
        raise fail("E-FORGE", f"the forge's answer is not understood, at {where}", None, hint) from None


def part(reply: Reply | None, name: str, kind: type[T]) -> T | None:
    """Return a field of an answer as what it should be, None where it is not there. Raises E-FORGE."""
    data = reply.data if reply is not None else None
    value = data.get(name) if isinstance(data, dict) else data
    return None if value is None else read(value, kind)


OVERLAP = 30  # by how many seconds each look begins before the newest of what was seen: lists may lag behind
MOST_AT_ONCE = 150
"""How many pull requests one look reads: a token has so many requests an hour, and the next look reads the rest."""
_DOUBT = 10  # what was touched less than so many seconds before it was read may have been touched again unseen


class PullDetails(Struct, frozen=True):
    """All that a forge says of one pull request, of an issue or of the game's thread, read at a time of the server's.

    `built` is when it last began to build the head for this or another pull request (Unix seconds), 0 if unknown;
    `inline` are the comments on lines of it, where they were asked for. An issue that is `gone` was deleted, or moved
    to another repository. Without a timeline (`has_timeline`) nothing is known but what was said.
    """

    at: int
    comments: tuple[Comment, ...]
    reviews: tuple[Review, ...] = ()
    events: tuple[Any, ...] = ()
    pull: PullRequest | None = None
    built: int = 0
    issue: Issue | None = None
    gone: bool = False
    inline: tuple[Any, ...] | None = None
    has_timeline: bool = True


class Changes(Struct, frozen=True):
    """What has changed: `stories` by number (0: the thread), until when all was seen, what is to be read `again`."""

    stories: Mapping[int, PullDetails]
    cursor: int
    thread: int
    server_time: int
    again: tuple[int, ...] = ()


class ApiReader(ABC):
    """Asks for one repository.

    `thread` is the number or the label of the issue where the game is talked about; every other issue with `label` is a
    statement to the game.
    """

    pulls_sorted: Mapping[str, str] = MappingProxyType({"sort": "updated", "direction": "desc"})
    issues_sorted: Mapping[str, str] = MappingProxyType({"sort": "created", "direction": "asc"})
    comments_sorted: Mapping[str, str] = MappingProxyType({"sort": "updated", "direction": "asc"})
    closing: Mapping[str, str] = MappingProxyType({})  # what is sent beside the state when an issue is closed

    def __init__(self, client: Client, repository: str, thread: int | str | None) -> None:
        self.client = client
        self.place = f"repos/{repository}"
        self.thread = thread
        self.label = thread if isinstance(thread, str) and thread else "game"
        self._home = ""

    def news(self, seen: ForgeCache, heads: Mapping[int, str], awaited: Callable[[], Collection[int]]) -> Changes:
        """Return what has changed since what was seen.

        `heads` say where git says that pull requests stand, `awaited` which of them are read first: it is asked only
        where not all that has changed is read.
        """
        standing = seen.standing
        cursor = standing.cursor
        pulls, at = self._pulls(cursor)
        since = {"since": write_stamp(cursor - OVERLAP)} if cursor else {"labels": self.label}
        touched = self.pages(f"{self.place}/issues", {"state": "all", **self.issues_sorted, **since})
        found = [issue for page in touched for issue in read(page.data, list[Issue])]
        issues = {issue.number: issue for issue in found if issue.pull_request is None}
        thread = self._thread(standing.thread, issues)
        comments = self._comments(cursor) if cursor else {}
        changed = {n for n, pull in pulls.items() if self._is_new(seen.pull(n), pull, cursor)}
        changed |= {n for n, when in comments.items() if (place := seen.pull(n)) and _touched(place, when)}
        changed |= {n for n in seen.listed if is_elsewhere(seen.pull(n), heads.get(n, ""))} | set(standing.again)
        waiting = {n for n in changed if seen.place(n).issue is None}
        turn = _in_turn(waiting, pulls, seen, awaited() if len(waiting) > MOST_AT_ONCE else ())
        left = turn[MOST_AT_ONCE:]
        stories = {
            number: story
            for number in turn[:MOST_AT_ONCE]
            if (story := self._story(number, pulls.get(number), seen.pull(number)))
        }
        again = tuple(sorted((changed & pulls.keys() - stories.keys()) | set(left)))
        stories |= self._issue_stories(seen, issues, changed - pulls.keys(), thread, cursor)
        if thread and _touched(seen.place(0), comments.get(thread, 0 if cursor else 1)):
            stories[0] = self._thread_story(thread)
        newest = [seconds_of(pull.updated_at) for pull in pulls.values()] + list(comments.values())
        newest += [seconds_of(issue.updated_at) for issue in issues.values()]
        return Changes(stories, max([cursor, *newest]) or at, thread, at, again)

    def pages(self, path: str, query: Query | None = None) -> Iterator[Reply]:
        """Yield the pages of a list, the first to the last. Raises E-FORGE where one of them cannot be had."""
        return self.client.pages(path, query)

    def _pulls(self, cursor: int) -> tuple[dict[int, PullRequest], int]:
        """Return the pull requests that were touched last, at least all that were since a time; at first the open ones.

        A deleted comment touches nothing on some forges, but is missing in the number of comments.
        """
        found: dict[int, PullRequest] = {}
        at = 0
        asked = {"state": "all" if cursor else "open", **self.pulls_sorted}
        for page in self.pages(f"{self.place}/pulls", asked):
            at = at or page.at
            items = read(page.data, list[PullRequest])
            found |= {item.number: item for item in items if item.number not in found}
            stamps = [seconds_of(item.updated_at) for item in items]
            if stamps and stamps == sorted(stamps, reverse=True) and stamps[-1] < cursor - OVERLAP:
                break
        return found, at

    def _comments(self, cursor: int) -> dict[int, int]:
        """Return which issues and pull requests had comments made or edited since a time, and when last."""
        found: dict[int, int] = {}
        asked = {**self.comments_sorted, "since": write_stamp(cursor - OVERLAP)}
        for page in self.pages(f"{self.place}/issues/comments", asked):
            for comment in read(page.data, list[Comment]):
                number = (comment.issue_url or comment.pull_request_url or "").rpartition("/")[2]
                if number.isdigit():
                    found[int(number)] = max(found.get(int(number), 0), seconds_of(comment.updated_at))
        return found

    def _thread(self, known: int, issues: Mapping[int, Issue]) -> int:
        """Return the number of the issue that is the game's thread, 0 if there is none.

        A label is given by those who keep the repository, a title by anybody: so a label is what it is found by. What a
        form was filled in with begins with a heading and is a statement, however old it is.
        """
        if isinstance(self.thread, int):
            return self.thread
        if known or not self.thread:
            return known
        labelled = [issue for issue in issues.values() if self.label in labels_of(issue)]
        people = [issue for issue in labelled if issue.user is None or issue.user.type != "Bot"]
        return min((issue.number for issue in people if not (issue.body or "").startswith("### ")), default=0)

    def _issue_stories(
        self, seen: ForgeCache, issues: Mapping[int, Issue], changed: set[int], thread: int, cursor: int
    ) -> dict[int, PullDetails]:
        """Read the statements that have changed: the labelled ones that are new, and those that were seen before."""
        wanted = {number for number in changed if seen.place(number).issue is not None}
        for number, issue in issues.items():
            place = seen.pull(number)
            if place is None:
                since = cursor - OVERLAP if cursor else 1 << 62  # what was closed before we looked is over
                closed = seconds_of(issue.closed_at) if issue.closed_at else 0
                was_over = issue.state != "open" and closed < since
                is_wanted = self.label in labels_of(issue) and not was_over
            else:
                is_wanted = place.issue is not None and _touched(place, seconds_of(issue.updated_at))
            wanted |= {number} if is_wanted else set()
        return {number: self._issue_story(number, issues.get(number)) for number in sorted(wanted - {thread})}

    def _issue_story(self, number: int, issue: Issue | None) -> PullDetails:
        """Read all of an issue; only what is left of it where it is in this repository no more."""
        if issue is None:
            reply = self.client.find(f"{self.place}/issues/{number}")
            issue = read(reply.data, Issue) if reply is not None else None
            if reply is None or issue is None or not self._is_here(issue):
                return PullDetails(reply.at if reply is not None else 0, (), gone=True)
        return replace(self._thread_story(number), events=self._labellings(number), issue=issue)

    def _is_here(self, issue: Issue) -> bool:
        """Say whether an issue is one of this repository, whatever its name is now."""
        place = issue.repository_url.rpartition("/repos/")[2].lower()
        if not place or f"repos/{place}" == self.place.lower():
            return True
        if not self._home:
            self._home = str(self.client.get(self.place).data.get("full_name", "")).lower()
        return place == self._home

    @abstractmethod
    def _labellings(self, number: int) -> tuple[Event, ...]:
        """Return the events by which an issue got the game's label; none where the forge does not tell."""

    def handle_of(self, name: str) -> str:
        """Return by which handle somebody is called today, "" for whoever is there no more; `name` is their id."""
        reply = self.client.find(f"user/{name}") if name.isdigit() else None
        user = read(reply.data, User) if reply is not None else None
        return user.login if user is not None and str(user.id) == name else ""

    def _is_new(self, place: Place | None, pull: PullRequest, cursor: int) -> bool:
        """Say whether one is to be read: not if it was over before we looked, but if its comments became fewer."""
        if place is None and cursor and pull.closed_at is not None and seconds_of(pull.closed_at) < cursor - OVERLAP:
            return False
        return _touched(place, seconds_of(pull.updated_at)) or (place is not None and place.count != pull.comments)

    @abstractmethod
    def _story(self, number: int, pull: PullRequest | None, place: Place | None) -> PullDetails | None:
        """Read all of a pull request; None where there is none any more."""

    def _thread_story(self, number: int) -> PullDetails:
        comments, at = self.all(f"issues/{number}/comments", Comment)
        return PullDetails(at, once(comments))

    def follows(self) -> bool:
        """Say whether the forge may notice that a head was merged by a push."""
        return True

    def merging(self, commit: str) -> dict[str, str]:  # noqa: ARG002 (forges that can be told need it)
        """Return with which words the forge is told that a commit (hex) merged a pull request; none if it cannot be."""
        return {}

    def pull(self, number: int) -> PullRequest:
        """Return how a pull request stands."""
        return read(self.client.get(f"{self.place}/pulls/{number}").data, PullRequest)

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


def _in_turn(
    numbers: Iterable[int], pulls: Mapping[int, PullRequest], seen: ForgeCache, awaited: Collection[int]
) -> list[int]:
    """Return pull requests in the order in which they are read: `awaited`, then answered ones, then everybody's oldest.

    So nobody waits for another's second before their own first is read.
    """
    counted: Counter[str] = Counter()
    ranks: dict[int, tuple[bool, bool, int, int]] = {}
    for number in sorted(numbers):
        pull, place = pulls.get(number), seen.pull(number)
        known = place.opened.author.id if place and place.opened else ""
        author = str(pull.user.id) if pull and pull.user else known
        ranks[number] = (number not in awaited, not seen.said(number), counted[author], number)
        counted[author] += 1
    return sorted(ranks, key=lambda number: ranks[number])


def once(items: Iterable[Any]) -> tuple[Any, ...]:
    """Return each item once, as it was read last: while one reads, pages may move on."""
    return tuple({item.id: item for item in items}.values())


def _touched(place: Place | None, at: int) -> bool:
    """Say whether something was touched after it was read."""
    return place is None or at > place.read_at - _DOUBT


def is_elsewhere(place: Place | None, head: str) -> bool:
    """Say whether a pull request stands at another head than the one that was read last."""
    return place is not None and place.pull is not None and bool(head) and place.head != head


Places = Mapping[str, tuple[int, Remark]]  # what was said before: by its id the place, and how it was written down


class CacheWriter(ABC):
    """Writes stories down in one observation; how a forge tells people, reviews and arrivals apart is its own.

    The look is made `at` a time (Unix seconds); `is_ours` says whether an account is the one that we write as.
    """

    def __init__(self, seen: ForgeCache, at: int, is_ours: Callable[[User | None], bool]) -> None:
        self.seen = seen
        self.at = at
        self.is_ours = is_ours
        self.doubled: list[int] = []  # comments of ours that say what an older one says
        self._added: list[tuple[int, tuple[int, str, int], int, int]] = []

    closing: str  # how the event is called by which something is closed
    drafts: tuple[str, ...] = ()  # how titles of drafts begin, where the forge goes by that

    @staticmethod
    @abstractmethod
    def person(user: User | None) -> Person:
        """Return whom an account belongs to."""

    @abstractmethod
    def _arrival(self, story: PullDetails, head: str, *, first: bool) -> int:
        """Return when a head arrived, rather late than early: no vote may be bound to content that came after it."""

    @abstractmethod
    def _verdict(
        self, story: PullDetails, review: Review, before: Remark | None
    ) -> tuple[RemarkKind | None, Person | None]:
        """Return what a review says, None where it says nothing (yet), and who took it back."""

    def _submitted(self, story: PullDetails, review: Review) -> int:  # noqa: ARG002
        """Return when a review arrived."""
        return seconds_of(review.submitted_at or "")

    def _labelled_at(self, story: PullDetails) -> int:
        """Return when an issue got the game's label, 0 where nobody says: before that it was no statement."""
        labellings = story.events if story.issue is not None else ()
        return max((seconds_of(event.created_at) for event in labellings if event.created_at), default=0)

    def _rank(self, name: str) -> tuple[int, str, int]:
        """Return what puts remarks in order that arrived in the same second."""
        return 0, name[0], int(name[1:])

    def thread(self, story: PullDetails) -> None:
        """Write down what was said in the game's own thread."""
        self.seen.keep_pull(0, replace(self.seen.place(0), read_at=story.at))
        self._remarks(0, story)

    def pull(self, number: int, story: PullDetails, head: str) -> None:
        """Write down a pull request whose head stands at a commit (hex) that is here, "" where it cannot be fetched."""
        pull = story.pull
        assert pull is not None
        known = self.seen.pull(number)
        first = Pull(
            number=number, author=self.person(pull.user), title="", body="", state="open", base="", pushes=(),
            opened_at=seconds_of(pull.created_at),
        )  # fmt: skip
        before = known.pull if known is not None and known.pull is not None else first
        now = replace(self._now(before, pull, story.events), pushes=self._pushes(before, story, head))
        place = replace(known or THREAD, pull=now, locked=pull.locked or pull.is_locked)
        place = replace(place, followed=True) if pull.merged_at and now.state == "merged" else place
        self._keep(number, known, place, ("title", "body", "state", "base", "draft", "pushes"), story)
        self._remarks(number, story)

    def _keep(self, number: int, known: Place | None, now: Place, watched: Iterable[str], story: PullDetails) -> None:
        """Keep what is seen of a pull request or an issue; what it refused before may be tried again if it changed."""
        now = self.seen.storable(now)
        before = known or THREAD
        changed = before.gone != now.gone or before.opened is None
        changed |= any(getattr(before.opened, name, None) != getattr(now.opened, name) for name in watched)
        refused = {} if changed or before.locked != now.locked else now.refused
        now = replace(now, changes=now.changes + changed, refused=refused, read_at=max(story.at, now.read_at))
        self.seen.keep_pull(number, now)

    def issue(self, number: int, story: PullDetails) -> None:
        """Write down an issue: its text is the first that was said there."""
        issue, known = story.issue, self.seen.pull(number)
        if issue is None:
            if known is not None:
                self._keep(number, known, replace(known.ended("closed", self.at), gone=True), (), story)
                self._remarks(number, story)
            return
        since = max(seconds_of(issue.created_at), self._labelled_at(story))
        before = known.issue if known is not None else None
        now = port.Issue(
            number=number,
            author=before.author if before else self.person(issue.user),
            title=issue.title,
            state="closed" if issue.state != "open" else "open",
            opened_at=before.opened_at if before else since,
            link=issue.html_url,
            labels=tuple(labels_of(issue)),
        )
        place = replace(known or THREAD, issue=now, locked=issue.locked or issue.is_locked, gone=False)
        self._keep(number, known, place, ("title", "state"), story)
        self._remarks(number, story)

    def _now(self, before: Pull, pull: PullRequest, events: tuple[Any, ...]) -> Pull:
        """Return a pull request as the forge has it now, but for its contents."""
        now = replace(
            before,
            title=pull.title,
            body=text_of(pull.body),
            base=pull.base.ref,
            draft=pull.draft or pull.title.upper().startswith(self.drafts),
            link=pull.html_url,
        )
        state = "merged" if pull.merged_at else pull.state
        if before.state in (state, "merged"):  # as git shows, or as we said where it did not follow
            return now
        if state == "open":
            return replace(now, state="open", closed_at=None, closed_by=None)
        over = seconds_of(pull.merged_at or pull.closed_at or pull.updated_at)
        if state == "merged":
            return replace(now, state="merged", closed_at=over, merge_commit=pull.merge_commit_sha or "")
        closings = [event for event in events if event.event == self.closing]
        by = self.person(closings[-1].actor) if closings else GHOST
        return replace(now, state="closed", closed_at=over, closed_by=by)

    def _pushes(self, before: Pull, story: PullDetails, head: str) -> tuple[Push, ...]:
        pull, pushes = story.pull, before.pushes
        assert pull is not None
        if not head or (pushes and pushes[-1].commit == head):
            return pushes
        at = max([self._arrival(story, head, first=not pushes), *(push.at for push in pushes[-1:])])
        return (*pushes, Push(commit=head, at=at, author=self.person(pull.user), key=signing_key(self.seen.repo, head)))

    def _remarks(self, number: int, story: PullDetails) -> None:
        places = {remark.id: (place, remark) for place, remark in enumerate(self.seen.remarks(number))}
        self._ours(number, [comment for comment in story.comments if self._is_ours(comment)])
        said = [self._worded(f"c{each.id}", each) for each in story.comments if not self._is_ours(each)]
        said += [*self._reviews(story, places), *self._inline(story, places)]
        said.sort(key=lambda each: (each.at, *self._rank(each.id)))
        since = self._labelled_at(story)
        own = [self._worded(f"i{story.issue.id}", story.issue)] if story.issue is not None else []
        found = [replace(each, at=max(each.at, since)) for each in (*own, *said)]
        for remark in map(self.seen.storable, found):
            if remark.id in places:
                self._again(number, *places[remark.id], remark)
            else:
                rank = (0, "", 0) if remark.id.startswith("i") else self._rank(remark.id)
                self._added.append((remark.at, rank, number, self.seen.add_remark(number, remark)))
        there = {remark.id for remark in found}
        for name, (place, remark) in places.items():
            if name not in there and not remark.deleted:
                self.seen.change_remark(number, place, deleted=True)

    def put_in_order(self) -> None:
        """Put what arrived in one second in several places into the order of the server's own numbers."""
        orders = sorted(self.seen.remark(number, place).order for *_, number, place in self._added)
        for order, (_, _, number, place) in zip(orders, sorted(self._added), strict=True):
            if self.seen.remark(number, place).order != order:
                self.seen.change_remark(number, place, order=order)

    def _is_ours(self, comment: Comment) -> bool:
        """Say whether a comment is one that we made: it bears our mark, and our name."""
        body = comment.body or ""
        return (ours.said(body) is not None or ours.call_key(body) is not None) and self.is_ours(comment.user)

    def _ours(self, number: int, mine: list[Comment]) -> None:
        """Note what our comment says now, and which calls were made, be it by a run that could not write it down.

        Of several comments that are one, as two referees at once may make them, the oldest counts.
        """
        place = self.seen.place(number)
        first: dict[str, Comment] = {}
        for comment in sorted(mine, key=lambda comment: comment.id):
            if first.setdefault(ours.call_key(comment.body or "") or "", comment) is not comment:
                self.doubled.append(comment.id)
        told = first.pop("", None)
        calls = {key: comment.id for key, comment in first.items()} | place.calls
        wanted = replace(place, said_id=told.id if told else 0, calls=calls)
        if wanted != place:
            self.seen.keep_pull(number, wanted)
        text = (ours.said(told.body or "") if told else None) or ""
        if (told or place.said_id) and ours.fitting(self.seen.said(number) or "") != text:
            self.seen.say(number, text)

    def _reviews(self, story: PullDetails, places: Places) -> Iterator[Remark]:
        """Yield the reviews that say something; whoever has no right to write reviews as well as anybody."""
        for review in story.reviews:
            name = f"r{review.id}"
            kind, dismissed_by = self._verdict(story, review, places[name][1] if name in places else None)
            if kind is None or review.submitted_at is None or (kind == "comment" and not review.body):
                continue
            remark = self._remark(name, kind, review.user, self._submitted(story, review), review.body)
            yield replace(remark, commit=review.commit_id or "", dismissed_by=dismissed_by)

    def _inline(self, story: PullDetails, places: Places) -> list[Remark]:
        """Return the comments on lines; those that were not asked for are as they were."""
        if story.inline is None:
            return [remark for name, (_, remark) in places.items() if name[0] == "l" and not remark.deleted]
        return [self._worded(f"l{comment.id}", comment) for comment in story.inline]

    def _again(self, number: int, place: int, before: Remark, now: Remark) -> None:
        """Note what became of something that was seen before."""
        edited, by = before.edited or now.body != before.body, before.dismissed_by or now.dismissed_by
        if (before.edited, before.deleted, before.dismissed_by) != (edited, False, by):
            self.seen.change_remark(number, place, edited=edited, deleted=False, dismissed_by=by)

    def _worded(self, name: str, said: Comment | Issue) -> Remark:
        """Return what a comment or an issue says; one that was changed before we saw it arrived when it was changed."""
        at = max(seconds_of(said.created_at), seconds_of(said.updated_at))
        return self._remark(name, "comment", said.user, at, said.body)

    def _remark(self, name: str, kind: RemarkKind, user: User | None, at: int, body: str | None) -> Remark:
        return Remark(id=name, pull=0, kind=kind, author=self.person(user), at=at, body=text_of(body))


def text_of(body: str | None) -> str:
    """Return a text with the line ends that it was written with."""
    return (body or "").replace("\r\n", "\n")
