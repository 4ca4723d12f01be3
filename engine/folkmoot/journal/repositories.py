"""Opening a repository, and which commits are in it and lie above which: strangers may have made them.

One that lacks objects because its remote promised them (git calls that a partial clone) is not read: what is missing
would look like damage.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from folkmoot.core.problems import Position, fail
from folkmoot.journal.git_folder import find_git_folder, git_folder
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.git_store import own_objects

_PROMISING = re.compile(r"remote\..+\.promisor\Z")


def find_repository(folder: Path) -> pygit2.Repository | None:
    """Return the repository in which a folder lies, None where it lies in none; raises as `open_repository`."""
    own = find_git_folder(folder)
    return open_at(own) if own else None


def work_tree_around(folder: Path) -> pygit2.Repository | None:
    """Return the repository around a folder, None where there is none; raises E-GIT where it cannot be read."""
    try:
        repo = find_repository(folder)
    except KeyError:
        return None
    except pygit2.GitError as error:
        raise fail("E-GIT", f"the repository cannot be read: {error}", Position(str(folder))) from None
    return None if repo is None or repo.is_bare else repo


def path_inside(repo: pygit2.Repository, folder: Path) -> str:
    """Return the path of a folder inside the work tree of a repository; raises E-FILE where a link leads out of it."""
    real, root = folder.resolve(), Path(repo.workdir).resolve()
    if not real.is_relative_to(root):
        raise fail(
            "E-FILE", "a symbolic link leads out of the repository; nothing is read through it", Position(str(folder))
        )
    return real.relative_to(root).as_posix()


def open_repository(root: Path | str) -> pygit2.Repository:
    """Return the repository of a root.

    Raises E-GIT where it leads elsewhere, lacks what its remote has promised, or is of a form that cannot be read,
    `pygit2.GitError` where there is none or it is damaged.
    """
    return open_at(git_folder(Path(root)) or Path(root))


def open_at(own: Path) -> pygit2.Repository:
    """Do the same by git's own folder, once that was looked at."""
    found = pygit2.Repository(str(own))
    if any(_PROMISING.match(entry.name) for entry in found.config):
        message = "this clone was made with `--filter`, and may lack a part of the record"
        raise fail("E-GIT", message, Position(str(own)), "clone it anew without `--filter`")
    own_objects(found)
    return found


def remote_addresses(repo: pygit2.Repository) -> dict[str, str]:
    """Return where each remote is, as the repository has it: no setting leads elsewhere before git itself is asked."""
    keys = {name: f"remote.{name}.url" for name in repo.remotes.names() if name}
    return {name: str(repo.config[key]) for name, key in keys.items() if key in repo.config}


def descends(repo: pygit2.Repository, young: str, old: str) -> bool:
    """Say whether a commit lies somewhere above another, as far as their history is here. Raises KeyError."""
    with suppress(pygit2.GitError):  # some commit on the way names no author that can be read
        return bool(repo.descendant_of(young, old))
    seen, todo = set(), [young]
    while todo:
        for parent in parents_of(repo, todo.pop()):
            if parent == old:
                return True
            if parent not in seen:
                seen.add(parent)
                todo.append(parent)
    return False


def holds(repo: pygit2.Repository, name: str) -> bool:
    """Say whether an object is here (`name` is hex), be it one that nobody can read."""
    try:
        return pygit2.Oid(hex=name) in repo.odb
    except ValueError:
        return False


def parents_of(repo: pygit2.Repository, commit: str) -> list[str]:
    """Return the parents that a commit names (hex), also where a shallow clone is cut off; none for one not here."""
    if not holds(repo, commit):
        return []
    kind, data = repo.odb.read(commit)
    head = data.partition(b"\n\n")[0].split(b"\n") if kind == pygit2.enums.ObjectType.COMMIT else []
    return [line[7:].decode("ascii", "replace") for line in head if line.startswith(b"parent ")]
