"""What we read of the answers of GitHub, Forgejo and Gitea alike; everything else in them is passed over."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from folkmoot.core.problems import fail
from folkmoot.forges.vocabulary import Person

GHOST = Person(id="", handle="ghost")
"""Whoever has deleted their account; all of them look the same, so they are nobody in the game."""

T = TypeVar("T")


class User(msgspec.Struct):
    """An account."""

    id: int
    login: str
    type: str = "User"


class Ref(msgspec.Struct):
    """A branch of a repository, and the commit that it stood at."""

    ref: str
    sha: str


class Label(msgspec.Struct):
    """A label of an issue or a pull request."""

    name: str | None = None


class PullRequest(msgspec.Struct):
    """A pull request, as in a list or by itself."""

    number: int
    title: str
    state: str
    created_at: str
    updated_at: str
    html_url: str
    head: Ref
    base: Ref
    body: str | None = None
    user: User | None = None
    draft: bool = False
    closed_at: str | None = None
    merged_at: str | None = None
    merge_commit_sha: str | None = None
    labels: list[Label | str] | None = None
    locked: bool = False

    @property
    def is_draft(self) -> bool:
        """Say whether it is unfinished."""
        return self.draft


class Comment(msgspec.Struct):
    """A comment of an issue or a pull request."""

    id: int
    created_at: str
    updated_at: str
    issue_url: str = ""
    body: str | None = ""
    user: User | None = None

    @property
    def place(self) -> str:
        """Return the address of what it is a comment of."""
        return self.issue_url


class LineComment(msgspec.Struct):
    """A comment on a line of a pull request."""

    id: int
    created_at: str
    updated_at: str
    body: str | None = ""
    user: User | None = None


class Review(msgspec.Struct):
    """A review of a pull request."""

    id: int
    state: str
    body: str | None = None
    user: User | None = None
    commit_id: str | None = None
    submitted_at: str | None = None


class Issue(msgspec.Struct):
    """An issue; `pull_request` is there where it is one."""

    id: int
    number: int
    title: str
    state: str
    created_at: str
    updated_at: str
    html_url: str
    repository_url: str = ""
    body: str | None = None
    user: User | None = None
    closed_at: str | None = None
    labels: list[Label | str] | None = None
    locked: bool = False
    pull_request: dict[str, Any] | None = None


class Standing(msgspec.Struct):
    """Whether an issue or a pull request is open."""

    state: str


class Status(msgspec.Struct):
    """What is shown beside a commit."""

    state: str
    context: str
    description: str | None = None


def labels_of(labelled: PullRequest | Issue) -> list[str]:
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
