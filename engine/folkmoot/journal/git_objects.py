"""Trees and commits of git made straight from what changed: no work tree, no index, no references moved."""

from __future__ import annotations

import getpass
import os
import socket
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from folkmoot.core.clone_files import refuse_too_deep
from folkmoot.journal.git_library import pygit2

FILE, FOLDER = int(pygit2.enums.FileMode.BLOB), int(pygit2.enums.FileMode.TREE)
EXECUTABLE = int(pygit2.enums.FileMode.BLOB_EXECUTABLE)

Content = bytes | pygit2.Oid | None
"""What becomes of a file: its bytes, a blob that is stored already, or None where it is removed."""

Role = Literal["AUTHOR", "COMMITTER"]
Entries = dict[str, tuple[pygit2.Oid, int]]  # name → id and mode


def write_tree(repo: pygit2.Repository, base: pygit2.Oid | None, changes: Mapping[str, Content]) -> pygit2.Oid:
    """Store the tree that `base` (None: an empty one) becomes by changes (path → content), and return its id.

    Only the trees on the way to what changed are read and written; folders that hold nothing any more are gone. Raises
    `pygit2.GitError` for a path that git allows nowhere.
    """
    return _write_tree(repo, base, changes) or repo.TreeBuilder().write()


def _write_tree(repo: pygit2.Repository, base: pygit2.Oid | None, changes: Mapping[str, Content]) -> pygit2.Oid | None:
    """Do the same; return None where nothing is left."""
    old = folder(repo, base)
    builder = repo.TreeBuilder(old) if old is not None else repo.TreeBuilder()
    for name, below in _by_first_part(changes).items():
        known = entry(old, name)
        removed, own = "" in below, below.pop("", None)
        inside = known[0] if known and known[1] == FOLDER and not removed else None
        tree = _write_tree(repo, inside, below) if below else None
        if tree is not None:
            builder.insert(name, tree, FOLDER)
        elif own is not None:
            builder.insert(name, repo.create_blob(own) if isinstance(own, bytes) else own, FILE)
        elif known and (removed or inside):
            builder.remove(name)
    return builder.write() if len(builder) else None


def _by_first_part(changes: Mapping[str, Content]) -> dict[str, dict[str, Content]]:
    """Return for each name in a folder what becomes of it ("") and of the files below it (path → content)."""
    parts: dict[str, dict[str, Content]] = {}
    for path, content in changes.items():
        name, _, rest = path.partition("/")
        parts.setdefault(name if rest else path, {})[rest] = content
    return parts


def folder(repo: pygit2.Repository, tree: pygit2.Oid | None) -> pygit2.Tree | None:
    """Return a tree by its id, None for None."""
    found = None if tree is None else repo[tree]
    return found if isinstance(found, pygit2.Tree) else None


def entry(tree: pygit2.Tree | None, name: str) -> tuple[pygit2.Oid, int] | None:
    """Return id and mode of what has a name in a tree, None where nothing has."""
    if tree is None or not name or "/" in name or "\0" in name:
        return None
    try:
        found = tree[name]
    except KeyError:
        return None
    return found.id, int(found.filemode)


def entries(tree: pygit2.Tree | None) -> Entries:
    """Return everything directly in a tree; what is no UTF-8 in a name stands there as an escape."""
    return {} if tree is None else {_named(item): (item.id, int(item.filemode)) for item in tree}


def _named(item: pygit2.Object) -> str:
    return bytes(item.raw_name or b"").decode("utf-8", "backslashreplace")


def changed_files(
    repo: pygit2.Repository, old: pygit2.Oid | None, new: pygit2.Oid | None, prefix: str = ""
) -> Iterator[tuple[str, tuple[pygit2.Oid, int] | None, tuple[pygit2.Oid, int] | None]]:
    """Yield what differs between two trees: path, and id and mode before and after (None: not there).

    Equal folders are not entered, so that the cost follows the change. Everything but a folder counts as a file. Raises
    E-FILE where folders lie too deep within each other.
    """
    if old == new:
        return
    refuse_too_deep(prefix)
    before, after = entries(folder(repo, old)), entries(folder(repo, new))
    for name in sorted({*before, *after}):
        a, b = before.get(name), after.get(name)
        if a == b:
            continue
        trees = [item[0] if item and item[1] == FOLDER else None for item in (a, b)]
        files = [None if item and item[1] == FOLDER else item for item in (a, b)]
        if any(files):
            yield prefix + name, files[0], files[1]
        if any(trees):
            yield from changed_files(repo, trees[0], trees[1], f"{prefix}{name}/")


def make_commit(
    repo: pygit2.Repository,
    tree: pygit2.Oid,
    parents: Iterable[str],
    message: str,
    author: pygit2.Signature,
    committer: pygit2.Signature,
) -> str:
    """Store a commit of a tree on top of parents (hex) and return its digest (hex); no reference is moved."""
    above = [pygit2.Oid(hex=parent) for parent in parents]
    return str(repo.create_commit(None, author, committer, message, tree, above))


_UNWRITABLE = dict.fromkeys(map(ord, "<>\n\0"))
"""What no name in a commit can hold; git leaves it out as well."""


def signature(repo: pygit2.Repository, role: Role, person: str | None, at: int | None) -> pygit2.Signature:
    """Return who commits, and when: as given, else as git's variables, its configuration or this machine say.

    `person` is written `Name <address>`, `at` is in Unix seconds.
    """
    from email.utils import parseaddr  # which who only looks does without

    name, address = parseaddr(person) if person else _known(repo, role)
    now, zone = (int(time.time()), time.localtime().tm_gmtoff // 60) if at is None else (at, 0)
    name, address = (word.translate(_UNWRITABLE).strip() for word in (name, address))
    return pygit2.Signature(name or address, address, now, zone)


def _known(repo: pygit2.Repository, role: Role) -> tuple[str, str]:
    user = getpass.getuser()
    name = os.environ.get(f"GIT_{role}_NAME") or _configured(repo, "user.name") or user
    address = os.environ.get(f"GIT_{role}_EMAIL") or _configured(repo, "user.email")
    return name, address or f"{user}@{socket.gethostname()}"


def _configured(repo: pygit2.Repository, key: str) -> str:
    try:
        return repo.config[key] or ""
    except KeyError:
        return ""
