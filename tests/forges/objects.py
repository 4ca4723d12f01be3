"""Repositories and their objects put in place without git's processes, where the way there is not what is tried."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pygit2


def repository(folder: Path, hub: Path | None = None) -> pygit2.Repository:
    """Make a bare repository; one that has the objects of `hub`, as somebody's who has fetched all that is there."""
    made = pygit2.init_repository(str(folder), bare=True)
    if hub is not None:
        objects = Path(pygit2.Repository(str(hub)).path) / "objects"
        shutil.copytree(objects, folder / "objects", copy_function=os.link, dirs_exist_ok=True)
    return made


def bring(source: pygit2.Repository, target: pygit2.Repository, *commits: str) -> None:
    """Copy commits and all that they lead to from one repository to another, as far as it is not there."""
    left = [pygit2.Oid(hex=commit) for commit in commits]
    while left:
        name = left.pop()
        if name in target:
            continue
        kind, data = source.read(name)
        target.write(kind, data)
        found = source[name]
        if isinstance(found, pygit2.Commit):
            left += [found.tree_id, *found.parent_ids]
        elif isinstance(found, pygit2.Tree):
            left += [entry.id for entry in found if entry.type_str != "commit"]
