"""Repositories and their objects put in place without git's processes, where the way there is not what is tried."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import pygit2

from folkmoot.forges.cache.forge import Forge
from folkmoot.forges.git_transport import Git, Listing, Move
from folkmoot.forges.local.players_repository import PlayersRepository

F = TypeVar("F", bound=Forge | PlayersRepository)
HOOKS = {"pre-receive", "update", "post-receive"}


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


class DirectGit(Git):
    """Git without its processes, between repositories on this machine; nobody's objects are checked on their way."""

    def listing(self, remote: str) -> Listing:
        hub = pygit2.Repository(remote)
        refs = {name: str(hub.references[name].target) for name in hub.references}
        return Listing(str(hub.lookup_reference("HEAD").target), refs)

    def fetch(self, remote: str, pairs: Iterable[tuple[str, str]]) -> str:
        hub, here = pygit2.Repository(remote), pygit2.Repository(str(self.path))
        for theirs, ours in pairs:
            tip = str(found.target) if (found := hub.references.get(theirs)) else theirs
            if tip.startswith("refs/") or tip not in hub:
                return f"fatal: couldn't find remote ref {theirs}"
            bring(hub, here, tip)
            here.references.create(ours, tip, force=True)
        return ""

    def push(self, remote: str, moves: Sequence[Move], receive: str = "") -> str:
        hub, here = pygit2.Repository(remote), pygit2.Repository(str(self.path))
        if not hub.is_bare or HOOKS & {path.name for path in Path(remote, "hooks").glob("*")}:
            return super().push(remote, moves, receive)
        for move in moves:
            bring(here, hub, move.new)
        return _moved(hub, moves)

    def transact(self, moves: Sequence[Move]) -> str:
        return _moved(pygit2.Repository(str(self.path)), moves)


def _moved(repo: pygit2.Repository, moves: Sequence[Move]) -> str:
    """Move refs, all or none; returns what git complains of."""
    standing = {move.ref: str(found.target) if (found := repo.references.get(move.ref)) else "" for move in moves}
    wrong = [move.ref for move in moves if standing[move.ref] != move.old]
    if wrong:
        return f"error: failed to update ref {wrong[0]}: incorrect old value"
    try:
        for move in moves:
            repo.references.create(move.ref, move.new, force=True)
    except pygit2.GitError as error:
        return f"error: {error}"
    return ""


def direct(side: F) -> F:
    """Let somebody reach a hub in a folder by DirectGit; with FOLKMOOT_FUZZ=1 git's processes do it."""
    if os.environ.get("FOLKMOOT_FUZZ") != "1" and "://" not in str(side.refs.remote):
        side.refs.git = DirectGit(side.refs.git.path)
    return side
