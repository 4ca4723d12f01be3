"""Git objects made by hand, as no well-behaved git would make them."""

from __future__ import annotations

from collections.abc import Mapping

import pygit2
from pygit2.enums import ObjectType

FOLDER = 0o40000
Node = tuple[int, bytes]
"""A mode, and the bytes of a file; of a submodule they do not matter."""


def tree_with(repo: pygit2.Repository, base: pygit2.Tree | None, nodes: Mapping[str, Node | None]) -> pygit2.Oid:
    """Store a tree that is another one with some nodes set or removed (None), whatever their names and modes are."""
    below: dict[str, dict[str, Node | None]] = {}
    held: dict[bytes, tuple[int, bytes]] = {}
    for each in base or ():
        held[each.raw_name] = (int(each.filemode), each.id.raw)
    for path, node in nodes.items():
        name, _, rest = path.strip("/").partition("/")
        below.setdefault(name, {})[rest] = node
    for name, inner in below.items():
        raw = name.encode("utf-8", "surrogatepass")
        own = inner.pop("", None)
        if inner:
            old = held.get(raw)
            inside = repo[pygit2.Oid(raw=old[1])] if old is not None and old[0] == FOLDER else None
            held[raw] = FOLDER, tree_with(repo, inside if isinstance(inside, pygit2.Tree) else None, inner).raw
        elif own is None:
            held.pop(raw, None)
        else:
            held[raw] = own[0], _target(repo, *own).raw
    ordered = sorted(held.items(), key=lambda item: item[0] + (b"/" if item[1][0] == FOLDER else b""))
    return repo.write(ObjectType.TREE, b"".join(b"%o %s\0%s" % (mode, name, oid) for name, (mode, oid) in ordered))


def _target(repo: pygit2.Repository, mode: int, data: bytes) -> pygit2.Oid:
    return pygit2.Oid(hex="1" * 40) if mode == 0o160000 else repo.create_blob(data)


def commit_of(
    repo: pygit2.Repository, tree: pygit2.Oid, parents: list[str], author: bytes, message: bytes, signature: bytes = b""
) -> str:
    """Store a commit of which every byte is given; returns its name (hex)."""
    lines = [b"tree %s" % str(tree).encode(), *(b"parent %s" % parent.encode() for parent in parents)]
    lines += [b"author %s" % author, b"committer %s" % author]
    if signature:
        lines.append(b"gpgsig " + signature.replace(b"\n", b"\n "))
    return str(repo.write(ObjectType.COMMIT, b"\n".join(lines) + b"\n\n" + message))
