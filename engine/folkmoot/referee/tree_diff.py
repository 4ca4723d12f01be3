"""What two trees of git differ in, read entry by entry from raw objects: nothing is checked out, filtered or renamed.

Trees are parsed here, and not by a library, because what is wrong with a tree has to be said, not smoothed over.
"""

from __future__ import annotations

from collections.abc import Iterator

import pygit2
from msgspec import Struct

from folkmoot.core.problems import Position, fail

FILE, EXECUTABLE, LINK, FOLDER, MODULE = "100644", "100755", "120000", "40000", "160000"
LARGEST_TREE = 4_000_000  # bytes of one folder's listing: some 50,000 files
DEEPEST = 32


class Node(Struct, frozen=True):
    """An entry of a tree: its mode as written (octal) and the id of its object."""

    mode: str
    id: pygit2.Oid


class Difference(Struct, frozen=True):
    """A path at which two trees differ, with the entry before and after (None: there is none)."""

    path: str
    old: Node | None
    new: Node | None


Listing = dict[str, Node]


def missing(id_: pygit2.Oid) -> Exception:
    """Return the error of an object that is not there."""
    return fail("E-GIT", f"the object {id_} is missing", None, "fetch the pull request again")


def header(repo: pygit2.Repository, id_: pygit2.Oid) -> tuple[str, int]:
    """Return the kind of an object (`blob`, `tree`, `commit`, `tag`) and its size in bytes, without reading it."""
    try:
        kind, size = repo.odb.read_header(id_)
    except (KeyError, pygit2.GitError):
        raise missing(id_) from None
    return kind.name.lower(), int(size)


def read_blob(repo: pygit2.Repository, id_: pygit2.Oid) -> bytes:
    """Return the bytes of an object that is known to be small enough."""
    try:
        return bytes(repo.odb.read(id_)[1])
    except (KeyError, pygit2.GitError):
        raise missing(id_) from None


def read_tree(repo: pygit2.Repository, id_: pygit2.Oid | None, path: str = "") -> Listing:
    """Return the entries of a folder by name, none for None.

    Bytes of names that are not UTF-8 become lone surrogates, so that different names stay different.

    Raises:
        ProblemError: E-GIT for a tree that is missing or malformed, E-PATH for a name that stands in it twice.
    """
    if id_ is None:
        return {}
    kind, size = header(repo, id_)
    if kind != "tree" or size > LARGEST_TREE:
        said = f"has a listing of {size:,} bytes" if kind == "tree" else f"is a {kind}"
        raise fail("E-GIT", f"{path or 'the root folder'} {said}", Position(path or "."))
    listing: Listing = {}
    for name, node in _entries(read_blob(repo, id_), len(id_.raw), path):
        if name in listing:
            raise fail("E-PATH", f"`{name}` stands twice in its folder", Position(join(path, name)))
        listing[name] = node
    return listing


def _entries(data: bytes, width: int, path: str) -> Iterator[tuple[str, Node]]:
    place = 0
    while place < len(data):
        end = data.find(b"\0", place)
        mode, space, name = data[place:end].partition(b" ")
        identifier = data[end + 1 : end + 1 + width]
        if end < 0 or not space or len(identifier) < width:
            raise fail("E-GIT", "the folder's listing is malformed", Position(path or "."))
        yield name.decode("utf-8", "surrogateescape"), Node(mode.decode("ascii", "replace"), pygit2.Oid(identifier))
        place = end + 1 + width


def join(folder: str, name: str) -> str:
    """Return the path of a name in a folder."""
    return f"{folder}/{name}" if folder else name


def folder_id(node: Node | None) -> pygit2.Oid | None:
    """Return the id of a folder's tree, None where the entry is no folder."""
    return node.id if node is not None and node.mode == FOLDER else None


def changed_names(old: Listing, new: Listing) -> list[str]:
    """Return the names whose entries differ, in order."""
    return sorted(name for name in {**old, **new} if old.get(name) != new.get(name))


def find(repo: pygit2.Repository, root: pygit2.Oid, path: str) -> Node | None:
    """Return the entry at a path below a tree, None where there is none."""
    node: Node | None = Node(FOLDER, root)
    for name in path.split("/"):
        node = read_tree(repo, folder_id(node)).get(name)
    return node


def first_file(repo: pygit2.Repository, difference: Difference) -> str:
    """Return the path of the first file that differs below a path."""
    path, old, new = difference.path, difference.old, difference.new
    for _ in range(DEEPEST):
        if folder_id(old) is None and folder_id(new) is None:
            break
        before, after = read_tree(repo, folder_id(old), path), read_tree(repo, folder_id(new), path)
        names = changed_names(before, after)
        if not names:
            break
        path, old, new = join(path, names[0]), before.get(names[0]), after.get(names[0])
    return path
