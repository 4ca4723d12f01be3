"""Commits that strangers may have made: found and followed without trusting what they are, and checked by git itself.

Git makes commits that it does not read again, of a time zone that there is none of or with a byte that ends its
message. A history that holds one of them cannot be fetched by whoever has git check what it fetches.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence

from folkmoot.core.problems import ProblemError
from folkmoot.forges.git_transport import Git
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.repositories import parents_of

MORE_THAN_ANY = 1 << 62
_LARGEST_COMMIT = 1 << 20  # bytes


def find_commit(repo: pygit2.Repository, name: str) -> pygit2.Commit | None:
    """Return a commit by its name (hex), None where that is something else, not here, or of a monstrous size."""
    if size_of(repo, name, pygit2.enums.ObjectType.COMMIT) > _LARGEST_COMMIT:
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


def size_of(repo: pygit2.Repository, name: str | pygit2.Oid, kind: pygit2.enums.ObjectType) -> int:
    """Return the size of an object in bytes, which is not read for that; more than any where it is of another kind."""
    try:
        found, size = repo.odb.read_header(name)
    except (KeyError, ValueError, pygit2.GitError):
        return MORE_THAN_ANY
    return size if found == kind else MORE_THAN_ANY


_FAULT = re.compile(r"object [0-9a-f]{7,64}: (\w+)")
_UNREADABLE = re.compile(r"bad object|bad tree object|unable to (?:read|parse)|Could not read|missing", re.IGNORECASE)


def unsound(git: Git, folder: str, commits: Sequence[str], known: Sequence[str]) -> dict[str, str]:
    """Return those commits (hex) that lead to something that git's own check refuses, with what that says.

    Only commits are checked, for what is wrong with files is told where they are read, and of these only what no
    `known` one leads to, all at once where all is well.
    """
    if not commits:
        return {}
    fault = _fault(git, folder, commits, known)
    if not fault:
        return {}
    if len(commits) == 1:
        return {commits[0]: fault}
    half = len(commits) // 2
    return unsound(git, folder, commits[:half], known) | unsound(git, folder, commits[half:], known)


def _fault(git: Git, folder: str, commits: Sequence[str], known: Sequence[str]) -> str:
    """Return what git's check says of what is new, "" where it has nothing to say; raises E-FORGE where it fails.

    The pack lies beside the repository's objects, because git moves it there and cannot do so between two disks.
    """
    lines = "".join(f"{name}\n" for name in (*commits, *(f"^{name}" for name in known)))
    try:
        new = git.ask(["rev-list", "--stdin"], lines.encode())
    except ProblemError as error:
        return _blamed(error)
    with tempfile.TemporaryDirectory(dir=folder, prefix="moot-check-") as scratch:
        try:
            words = ["pack-objects", "--quiet", "--window=0", f"{scratch}/new"]
            digest = git.ask(words, f"{new}\n".encode()) if new else ""
            if digest:
                pack = f"{scratch}/new-{digest}.pack"
                git.ask(["index-pack", "--strict", "-o", f"{scratch}/checked.idx", pack])
        except ProblemError as error:
            return _blamed(error)
    return ""


def _blamed(error: ProblemError) -> str:
    """Return what git has against what was pushed; raises the error where nobody's commit is to blame for it."""
    said = error.problems[0].message
    found = _FAULT.search(said)
    if found is None and not _UNREADABLE.search(said):
        raise error  # a disk that is full, say
    return found[1] if found else said
