"""Trees of files kept as git objects: read at a commit, changed in memory, written without a work tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pygit2
from pygit2.enums import FileMode, ObjectType

from folkmoot.journal.partial_clone import parents_of

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


def write_tree(
    repo: pygit2.Repository, old: pygit2.Tree | None, files: Mapping[str, bytes | None]
) -> pygit2.Oid | None:
    """Store the tree that `old` becomes when files are set (bytes) or removed (None).

    Returns its name, None where nothing is left in it.
    """
    builder = repo.TreeBuilder(old) if old is not None else repo.TreeBuilder()
    folders: dict[str, dict[str, bytes | None]] = {}
    for path, data in files.items():
        name, _, rest = path.partition("/")
        if rest:
            folders.setdefault(name, {})[rest] = data
        else:
            _set(builder, name, None if data is None else repo.create_blob(data), FileMode.BLOB)
    for name, inside in folders.items():
        below = old[name] if old is not None and name in old else None
        _set(builder, name, write_tree(repo, below if isinstance(below, pygit2.Tree) else None, inside), FileMode.TREE)
    return builder.write() if len(builder) else None


def _set(builder: pygit2.TreeBuilder, name: str, made: pygit2.Oid | None, mode: FileMode) -> None:
    if made is not None:
        builder.insert(name, made, mode)
    elif builder.get(name) is not None:
        builder.remove(name)
