"""What we read of the answers of GitHub, Forgejo and Gitea alike; everything else in them is passed over."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from engine.forge.port import Person
from engine.problems import fail

GHOST = Person(id="", handle="ghost")
"""Whoever has deleted eir account; all of them look the same, so e is nobody in the game."""

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


class Comment(msgspec.Struct):
    """A comment of an issue or a pull request."""

    id: int
    created_at: str
    updated_at: str
    issue_url: str = ""
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

    number: int
    pull_request: dict[str, Any] | None = None


def read(data: Any, kind: type[T]) -> T:
    """Return an answer as what it should be. Raises E-FORGE where it is something else."""
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        where = str(error).partition(" - at ")[2].strip("`") or "the answer"
        hint = "run it again; if it stays so, the forge is none that this version knows"
        raise fail("E-FORGE", f"the forge's answer is not understood, at {where}", None, hint) from None
