"""The state that an engine takes over: its digest, and where git's history has it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from folkmoot.core.digest import bytes_digest
from folkmoot.core.problems import ProblemError
from folkmoot.journal.folder import GameFolder
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.layout import HEAD, JOURNAL, entry_seq
from folkmoot.journal.record import GameRecord, Head, head_bytes
from folkmoot.journal.repositories import find_repository, holds, parents_of, path_inside
from folkmoot.journal.tree import GameTree


def state_digest(record: GameRecord) -> str:
    """Return the digest of every derived file of a game but `head.yaml`: names and bytes, whatever they mean."""
    with record.reading():
        names = sorted(derived_names(record))
        return digest_of_files(names, lambda name: record.read(name) or b"")


def digest_of_files(names: Iterable[str], read: Callable[[str], bytes]) -> str:
    """Return the digest of files: one line each, its SHA-256 and its path, in order of the paths."""
    lines = [f"{bytes_digest(read(name))}  {name}\n" for name in sorted(names)]
    return bytes_digest("".join(lines).encode())


def derived_names(record: GameRecord) -> list[str]:
    """Return the paths of the derived files of a game but `head.yaml`."""
    above = record.listing()
    folders = [name for name, kind in above if kind == "folder" and name != JOURNAL]
    found = [name for name, kind in above if kind != "folder" and name != HEAD]
    found += [path for folder in folders for path, _ in record.walk(folder)]
    return [name for name in found if not entry_seq(name)]


class Past:
    """The commits in which a game stood at the end of an earlier entry; `why` says why there are none."""

    def __init__(self, record: GameRecord) -> None:
        """Take a game's record, in a folder or in a commit."""
        self.why = ""
        self._name, self._state = record.name, ""
        self._repo: pygit2.Repository | None = None
        self._tip = ""
        with suppress(pygit2.GitError, KeyError, ProblemError):
            self._find(record)
        if self._repo is None:
            self.why = "there is no git history here"

    def _find(self, record: GameRecord) -> None:
        if isinstance(record, GameTree):
            self._place(record.repo, record.commit_id, record.path)
        elif isinstance(record, GameFolder):
            repo = find_repository(record.path.resolve())
            if repo is not None and repo.workdir and not repo.head_is_unborn:
                self._place(repo, str(repo.head.target), path_inside(repo, record.path))

    def _place(self, repo: pygit2.Repository, tip: str, path: str) -> None:
        if path != "." and tip:
            self._repo, self._tip = repo, tip
            self._state, _, self._name = path.rpartition("/")

    def at(self, head: Head) -> Iterator[GameTree]:
        """Yield the game as it stood when its journal ended so; each state once, the latest commit first.

        `why` says afterwards why none was found.
        """
        if self._repo is None:
            return
        wanted, seen = pygit2.hash(head_bytes(head)), set[pygit2.Oid]()
        for commit in _history(self._repo, self._tip):
            tree = GameTree(self._repo, commit, self._name, self._state)
            if self._head_of(commit) == wanted and tree.tree_id is not None and tree.tree_id not in seen:
                seen.add(tree.tree_id)
                yield tree
        if not seen:
            missing = f"no commit in the history here has the game as it stood after entry {head.seq}"
            shallow = "the history here is cut off (a shallow clone; `git fetch --unshallow` brings the rest)"
            self.why = shallow if self._repo.is_shallow else missing

    def _head_of(self, commit: str) -> pygit2.Oid | None:
        assert self._repo is not None
        try:
            tree = self._repo[commit].peel(pygit2.Tree)
            return tree[f"{self._state}/{self._name}/{HEAD}".lstrip("/")].id
        except (KeyError, pygit2.GitError):
            return None


def _history(repo: pygit2.Repository, tip: str) -> Iterator[str]:
    """Yield a commit and all before it that are here, roughly the latest first."""
    seen, todo = {tip}, deque([tip])
    while todo:
        commit = todo.popleft()
        if not holds(repo, commit):
            continue
        yield commit
        for parent in parents_of(repo, commit):
            if parent not in seen:
                seen.add(parent)
                todo.append(parent)
