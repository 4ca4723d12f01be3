"""The files of an observation as the facts of the port, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NotRequired, TypedDict, cast

import msgspec

from folkmoot.forges.vocabulary import Person, PullState, RemarkKind

if TYPE_CHECKING:
    from folkmoot.forges.port import Issue, Pull, Push, Remark


class SeenPerson(TypedDict):
    """Somebody as they are written down (see `Person`)."""

    id: str
    handle: str
    robot: NotRequired[bool]


class SeenPush(TypedDict):
    """A push as it is written down (see `Push`)."""

    commit: str
    at: int
    author: SeenPerson
    key: NotRequired[str]


class RefusedPart(TypedDict):
    """A part of an answer that the forge would not take: a mark of what it was, and when that was tried."""

    what: str
    at: int


class SeenPull(TypedDict, total=False):
    """A pull request, an `issue`, or (0) the game's thread, as it was seen; the thread has only what counts remarks.

    `count` and `lines` are how many remarks the forge counted, of all and of each review; `read_at` when that was.
    `remarks` and `changes` count what was seen, `settled` the changes that a referee has acknowledged. `said_id` is
    our comment, `calls` those of our calls by their keys, `refused` what the forge would not take, with when.
    """

    author: SeenPerson
    title: str
    body: str
    state: PullState
    base: str
    opened_at: int
    remarks: int
    changes: int
    settled: int
    pushes: list[SeenPush]
    issue: bool
    gone: bool
    draft: bool
    locked: bool
    link: str
    labels: list[str]
    closed_at: int
    closed_by: SeenPerson
    merge_commit: str
    followed: bool
    after: str
    said_id: int
    calls: dict[str, int]
    refused: dict[str, RefusedPart]
    read_at: int
    count: int
    lines: dict[str, int]


class SeenRemark(TypedDict):
    """What was said, as it is written down (see `Remark`)."""

    id: str
    kind: RemarkKind
    author: SeenPerson
    at: int
    order: NotRequired[int]
    body: NotRequired[str]
    commit: NotRequired[str]
    key: NotRequired[str]
    game: NotRequired[str]
    seen: NotRequired[str]
    edited: NotRequired[bool]
    deleted: NotRequired[bool]
    dismissed_by: NotRequired[SeenPerson]


class LetterPlace(TypedDict):
    """Where a letter stands: in which pull request, and if it is a remark, at which place of it and in which chain."""

    pull: int
    place: NotRequired[int]
    ref: NotRequired[str]


class SeenStanding(TypedDict, total=False):
    """What stands of the whole: `known` commit, `highest` pull request, `next` place of a remark, what is `listed`."""

    known: str
    highest: int
    next: int
    listed: list[int]
    doubled: list[int]
    unfetched: dict[str, Any]
    publisher: str
    writer: str
    wakes: bool
    server: dict[str, Any]
    cursor: int
    thread: int
    again: list[int]
    late: list[str]
    withheld: list[str]


class SeenFact(TypedDict):
    """Something that somebody wrote: where (`pull 7`, `issue 3`, `thread`), and when it arrived (Unix seconds)."""

    fact: str
    place: str
    at: int


class ToldAnswer(SeenFact):
    """What became of something that somebody wrote (see `Heard`); what would be empty is left out."""

    game: NotRequired[str]
    what: NotRequired[str]
    state: str
    code: NotRequired[str]
    why: NotRequired[str]
    rule: NotRequired[str]
    seq: NotRequired[int]


class OddRef(TypedDict):
    """A ref that nothing came of: what it is called, why, and the command that `removes` it."""

    ref: str
    why: str
    removes: str


def person_record(person: Person) -> SeenPerson:
    """Return a person as they are written down."""
    if person.robot:
        return {"id": person.id, "handle": person.handle, "robot": True}
    return {"id": person.id, "handle": person.handle}


def push_record(push: Push) -> SeenPush:
    """Return a push as it is written down."""
    seen: SeenPush = {"commit": push.commit, "at": push.at, "author": person_record(push.author)}
    if push.key:
        seen["key"] = push.key
    return seen


def pull_of(number: int, record: SeenPull) -> Pull:
    """Return a pull request as it was written down."""
    from folkmoot.forges.port import Pull  # which who only looks does without

    return msgspec.convert({**record, "number": number}, Pull)


def merged(record: SeenPull, at: int, commit: str) -> SeenPull:
    """Return a pull request as one that was merged (at a time in Unix seconds) by a commit (hex)."""
    kept = open_again(record)
    return {**kept, "state": "merged", "closed_at": at, "merge_commit": commit}


def open_again(record: SeenPull) -> SeenPull:
    """Return a pull request without when and by whom it was closed."""
    return cast(SeenPull, {name: value for name, value in record.items() if not name.startswith("closed_")})


def issue_of(number: int, record: SeenPull) -> Issue:
    """Return a statement made without git as it was written down."""
    from folkmoot.forges.port import Issue

    return msgspec.convert({**record, "number": number}, Issue)


def remark_of(pull: int, record: SeenRemark) -> Remark:
    """Return what was said as it was written down."""
    from folkmoot.forges.port import Remark

    return msgspec.convert({**record, "pull": pull}, Remark)


def last_head(record: SeenPull | None) -> str:
    """Return the commit (hex) that was seen last as a pull request's head, "" where none was: an issue has none."""
    pushes = (record or {}).get("pushes") or ()
    return str(pushes[-1]["commit"]) if pushes else ""
