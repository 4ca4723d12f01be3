"""Commits that strangers may have made: found and followed without trusting what they are."""

from __future__ import annotations

from collections.abc import Iterator

import pygit2
from pygit2.enums import ObjectType

from folkmoot.journal.repositories import parents_of

MORE_THAN_ANY = 1 << 62
_LARGEST_COMMIT = 1 << 20  # bytes


def find_commit(repo: pygit2.Repository, name: str) -> pygit2.Commit | None:
    """Return a commit by its name (hex), None where that is something else, not here, or of a monstrous size."""
    if size_of(repo, name, ObjectType.COMMIT) > _LARGEST_COMMIT:
        return None
    try:
        found: object = repo[name]
    except (KeyError, ValueError, pygit2.GitError):
        return None
    return found if isinstance(found, pygit2.Commit) else None


def chain(repo: pygit2.Repository, tip: str) -> Iterator[str]:
    """Yield the commits of a chain, newest first, by first parents; ends where it cannot be followed."""
    while tip:
        yield tip
        tip = next(iter(parents_of(repo, tip)), "")


def size_of(repo: pygit2.Repository, name: str | pygit2.Oid, kind: ObjectType) -> int:
    """Return the size of an object in bytes, which is not read for that; more than any where it is of another kind."""
    try:
        found, size = repo.odb.read_header(name)
    except (KeyError, ValueError, pygit2.GitError):
        return MORE_THAN_ANY
    return size if found == kind else MORE_THAN_ANY
