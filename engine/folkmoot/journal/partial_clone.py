"""Repositories that lack most of their objects: these come from the remote when they are read, many at once if known.

Git calls that a partial clone. What is read goes through git's own store of objects, so that no reader need know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

import pygit2
from pygit2.enums import ObjectType

from folkmoot.core.clone_files import DEEPEST
from folkmoot.core.problems import Position, ProblemError, fail
from folkmoot.journal.git_folder import find_git_folder, git_folder
from folkmoot.journal.git_store import ObjectsBy, own_objects

_SEVERAL = {"*": (ObjectType.BLOB,), "+": (ObjectType.TREE,), "**": (ObjectType.BLOB, ObjectType.TREE)}
_PROMISING = re.compile(r"remote\..+\.promisor\Z")
_YES = ("true", "1", "yes", "on")
_UNKNOWN = "not our ref"  # what a remote says of an object that it does not have
_LAST = 0  # git's own stores are asked before, with 1 and 2

Spec = tuple[str, ...]
"""A path by its parts: `*` stands for all files of a folder, `+` for all folders in it, `**` for all below."""


class Promises(Protocol):
    """What a remote has promised to give."""

    def bring(self, names: Sequence[str]) -> None:
        """Fetch objects by their names (hex), and nothing else; raises E-FORGE where that fails."""
        ...

    def bring_below(self, trees: Sequence[str], size: int) -> None:
        """Fetch trees with all that is below them and new, but no file of `size` bytes or more."""
        ...

    def complete(self, heads: Sequence[str]) -> None:
        """Fetch commits, with all before them that are not in the game's branch."""
        ...

    def history(self) -> None:
        """Fetch everything that was before the tip of the branch, but no files. Raises E-FORGE."""
        ...

    def departures(self, main: str, head: str) -> tuple[int, list[str]]:
        """Return how many commits of its own a head has, and at which commits of the branch it left that."""
        ...


class PartialRepository(pygit2.Repository):
    """A repository whose objects come when they are read; `promises` says from where.

    Nothing is fetched to find out whether an object is there: `name in repository` means that it is here.
    """

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.promises: Promises | None = None
        self.refused: set[str] = set()
        """Objects that are not to be fetched: files larger than anybody reads."""
        self._here = pygit2.Repository(path)
        self._attach()

    def _attach(self) -> None:
        own_objects(self)
        own_objects(self._here)
        self.odb.add_backend(ObjectsBy(self.found), _LAST)

    def free(self) -> None:
        """Forget what was read, as of shallow history; objects are found again when they are needed."""
        super().free()
        self._here.free()
        self._attach()

    def __contains__(self, name: object) -> bool:
        """Say whether an object is here; nothing is fetched for that."""
        return holds(self._here, str(name))

    def bring(self, names: Iterable[str]) -> None:
        """Fetch the objects among these that are not here. Raises E-FORGE."""
        wanted = [name for name in dict.fromkeys(names) if name not in self and name not in self.refused]
        if wanted and self.promises is not None:
            self.promises.bring(wanted)

    def found(self, name: str) -> tuple[int, bytes]:
        """Return the kind of an object and what it holds; it is fetched if need be. Raises KeyError."""
        if name not in self._here:
            try:
                self.bring([name])
            except ProblemError as error:
                if _UNKNOWN in str(error):
                    raise KeyError(name) from None
                raise
            kind, data = self._here.odb.read(name)
            if kind == ObjectType.COMMIT:  # whoever follows a history here would follow it to its beginning
                raise KeyError(name)
            return kind, data
        return self._here.odb.read(name)

    def tree(self, name: str) -> Mapping[str, tuple[str, ObjectType]]:
        """Return the entries of a tree that is here: names and kinds of objects; none for anything else."""
        try:
            found: object = self._here.get(name)
        except pygit2.GitError:  # what is wrong with it is said where it is read
            return {}
        if not isinstance(found, pygit2.Tree):
            return {}
        return {_named(item): (str(item.id), ObjectType(item.type)) for item in found}


def _named(item: pygit2.Object) -> str:
    return bytes(item.raw_name or b"").decode("utf-8", "surrogateescape")


def find_repository(folder: Path) -> pygit2.Repository | None:
    """Return the repository in which a folder lies, None where it lies in none; raises as `open_repository`."""
    own = find_git_folder(folder)
    return open_at(own) if own else None


def path_inside(repo: pygit2.Repository, folder: Path) -> str:
    """Return the path of a folder inside the work tree of a repository; raises E-FILE where a link leads out of it."""
    real, root = folder.resolve(), Path(repo.workdir).resolve()
    if not real.is_relative_to(root):
        raise fail(
            "E-FILE", "a symbolic link leads out of the repository; nothing is read through it", Position(str(folder))
        )
    return real.relative_to(root).as_posix()


def open_repository(root: Path | str) -> pygit2.Repository:
    """Return the repository of a root; one that a remote has promised objects to, with these.

    Raises E-GIT where it leads elsewhere or is of a form that cannot be read, `pygit2.GitError` where there is none or
    it is damaged.
    """
    return open_at(git_folder(Path(root)) or Path(root))


def open_at(own: Path) -> pygit2.Repository:
    """Do the same by git's own folder, once that was looked at."""
    found = pygit2.Repository(str(own))
    if promising_remote(found):
        return PartialRepository(str(own))
    own_objects(found)
    return found


def promising_remote(repo: pygit2.Repository) -> str:
    """Return the name of the remote that has promised objects, "" where the repository is whole."""
    marked = [entry.name for entry in repo.config if _PROMISING.match(entry.name) and entry.value in _YES]
    return marked[0].removeprefix("remote.").removesuffix(".promisor") if marked else ""


def remote_addresses(repo: pygit2.Repository) -> dict[str, str]:
    """Return where each remote is, as the repository has it: no setting leads elsewhere before git itself is asked."""
    keys = {name: f"remote.{name}.url" for name in repo.remotes.names() if name}
    return {name: str(repo.config[key]) for name, key in keys.items() if key in repo.config}


def bring(repo: pygit2.Repository, wanted: Iterable[tuple[str | pygit2.Oid, Iterable[str]]]) -> None:
    """Fetch what paths below trees lead to, all of one depth at once; nothing where the repository is whole.

    Args:
        repo: where it is to be read.
        wanted: trees by name, each with paths as in `journal/000/000001.yaml`, `rules/**`, `state/+/*`.

    Raises:
        ProblemError: E-FORGE where the remote fails.
    """
    if not isinstance(repo, PartialRepository):
        return
    level: dict[str, set[Spec]] = {}
    for tree, paths in wanted:
        level.setdefault(str(tree), set()).update(tuple(path.split("/")) for path in paths)
    for _ in range(DEEPEST):  # whoever reads what lies deeper refuses it
        repo.bring(level)
        level = _below(repo, level)


def _below(repo: PartialRepository, level: Mapping[str, set[Spec]]) -> dict[str, set[Spec]]:
    """Return what is one step further on the way."""
    found: dict[str, set[Spec]] = {}
    for tree, specs in level.items():
        open_specs = {spec for spec in specs if spec}
        entries = repo.tree(tree) if open_specs else {}
        for spec in open_specs:
            for id_, kind in _matching(entries, spec[0]):
                rest = spec if spec[0] == "**" and kind == ObjectType.TREE else spec[1:]
                found.setdefault(id_, set()).add(rest)
    return found


def _matching(entries: Mapping[str, tuple[str, ObjectType]], part: str) -> Iterator[tuple[str, ObjectType]]:
    """Yield the entries of a folder that a part of a path means."""
    for id_, kind in entries.values() if part in _SEVERAL else ():
        if kind in _SEVERAL[part]:
            yield id_, kind
    if part in entries and entries[part][1] != ObjectType.COMMIT:
        yield entries[part]


def bring_differences(
    repo: pygit2.Repository, pairs: Iterable[tuple[str, str]], path: Sequence[str], size: int
) -> None:
    """Fetch in what trees differ along a path, and the new files there that are smaller than `size` bytes.

    Args:
        repo: where it is to be read.
        pairs: trees before and after, by name.
        path: names of folders, one a level, `+` for any, several with `|` between; all below the last is fetched.
        size: larger files are never fetched any more.
    """
    if not isinstance(repo, PartialRepository):
        return
    level = [pair for pair in pairs if pair[0] != pair[1]]
    for names in path:
        repo.bring(name for pair in level for name in pair)
        level = [pair for old, new in level for pair in _differing(repo, old, new, names.split("|"))]
    missing = [new for new in dict.fromkeys(new for _, new in level) if new not in repo]
    if missing and repo.promises is not None:
        repo.promises.bring_below(missing, size)
    repo.bring(old for old, _ in level)
    for old, new in level:
        before = {id_ for id_, _ in repo.tree(old).values()}
        repo.refused |= {id_ for id_ in _files_below(repo, new) if id_ not in repo and id_ not in before}
    repo.bring(id_ for old, new in level for id_ in _replaced(repo, old, new))


def _differing(repo: PartialRepository, old: str, new: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    before, after = repo.tree(old), repo.tree(new)
    for name, (id_, kind) in after.items():
        known = before.get(name)
        if kind == ObjectType.TREE and (name in names or "+" in names) and (known is None or known[0] != id_):
            yield (known[0] if known is not None and known[1] == ObjectType.TREE else id_), id_


def _replaced(repo: PartialRepository, old: str, new: str) -> Iterator[str]:
    """Yield the files directly in a folder that are not there, or not the same, afterwards."""
    after = repo.tree(new)
    for name, (id_, kind) in repo.tree(old).items():
        if kind == ObjectType.BLOB and after.get(name, ("", kind))[0] != id_:
            yield id_


def _files_below(repo: PartialRepository, tree: str) -> Iterator[str]:
    folders = [tree]
    for each in folders:
        below = repo.tree(each).values()
        folders += [id_ for id_, kind in below if kind == ObjectType.TREE]
        yield from (id_ for id_, kind in below if kind == ObjectType.BLOB)


def is_refused(repo: pygit2.Repository, name: str) -> bool:
    """Say whether a file is not to be fetched, because it is larger than anybody reads."""
    return isinstance(repo, PartialRepository) and name in repo.refused


def descends(repo: pygit2.Repository, young: str, old: str) -> bool:
    """Say whether a commit lies somewhere above another, as far as their history is here. Raises KeyError."""
    if not isinstance(repo, PartialRepository):
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
    """Say whether an object is here (`name` is hex), be it one that nobody can read; nothing is fetched for that."""
    if isinstance(repo, PartialRepository):
        return name in repo
    try:
        return pygit2.Oid(hex=name) in repo.odb
    except ValueError:
        return False


def parents_of(repo: pygit2.Repository, commit: str) -> list[str]:
    """Return the parents that a commit names (hex), also where a shallow clone is cut off before them.

    None for one that is not here; nothing is fetched.
    """
    if not holds(repo, commit):
        return []
    kind, data = repo.odb.read(commit)
    head = data.partition(b"\n\n")[0].split(b"\n") if kind == ObjectType.COMMIT else []
    return [line[7:].decode("ascii", "replace") for line in head if line.startswith(b"parent ")]
