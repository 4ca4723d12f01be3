"""A game's record as it stands in a commit: read and continued without a work tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from folkmoot.core.clone_files import Kind, names_of
from folkmoot.core.digest import bytes_digest
from folkmoot.core.problems import fail
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.git_objects import (
    EXECUTABLE,
    FILE,
    FOLDER,
    entries,
    entry,
    folder,
    make_commit,
    signature,
    write_tree,
)
from folkmoot.journal.layout import STATE, entry_name, is_game
from folkmoot.journal.record import GameRecord

FOLDERS_KEPT = 32


class GameTree(GameRecord):
    """The folder `state/<game>/` of a commit, with what was appended since in memory.

    Nothing else of the commit is looked at or changed, and nobody is locked out: whoever moves a branch to the commits
    made here sees whether it moved meanwhile.
    """

    def __init__(self, repo: pygit2.Repository, commit: str, name: str, state: str = STATE) -> None:
        """Take a game by its name as it is at a commit (hex; "": before the first one), below the folder `state`."""
        self.repo = repo
        self.commit_id = commit
        self.path = f"{state}/{name}" if state else name
        self._name = name
        self._changes: dict[str, bytes | None] = {}
        self._folders: dict[str, pygit2.Tree | None] = {}

    @property
    def name(self) -> str:
        """Return the short name of the game, which is that of its folder."""
        return self._name

    @property
    def git_dir(self) -> Path:
        """Return git's own folder of the repository."""
        return Path(self.repo.path)

    @property
    def touched(self) -> bool:
        """Say whether anything was appended that is in no commit yet."""
        return bool(self._changes)

    @property
    def changes(self) -> dict[str, bytes | None]:
        """Return what is in no commit yet: path inside the repository → bytes, None where a file is removed."""
        return {f"{self.path}/{name}": data for name, data in self._changes.items()}

    @property
    def tree_id(self) -> pygit2.Oid | None:
        """Return the id of the game's folder as committed, None where there is none."""
        found = self._folder("")
        return None if found is None else found.id

    @property
    def founding(self) -> str:
        """Return the digest of the game's first entry, "" where there is none."""
        data = self.read(entry_name(1))
        return bytes_digest(data) if data is not None else ""

    # -- reading

    def shown(self, name: str = "") -> str:
        """Return how a file of the game, or its folder, is named in messages."""
        return f"{self.path}/{name}" if name else self.path

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a file by its path inside the game's folder, None where there is none."""
        return self._changes[name] if name in self._changes else self._committed(name)

    def listing(self, folder: str = "") -> list[tuple[str, Kind]]:
        """Return what lies directly in a folder inside the game's: names, and of what kind each is."""
        found = {name: _kind(mode) for name, (_, mode) in entries(self._folder(folder)).items()}
        start = f"{folder}/" if folder else ""
        for path, data in self._changes.items():
            name, below, _ = path.removeprefix(start).partition("/")
            if not path.startswith(start):
                continue
            if below:
                found.setdefault(name, "folder")
            elif data is None:
                found.pop(name, None)
            else:
                found[name] = "file"
        return list(found.items())

    def ids(self, folder: str) -> dict[str, pygit2.Oid]:
        """Return the ids of what lies directly in a folder inside the game's as committed: equal ids, equal content."""
        return {name: id_ for name, (id_, _) in entries(self._folder(folder)).items()}

    def _committed(self, name: str) -> bytes | None:
        above, _, last = name.rpartition("/")
        found = entry(self._folder(above), last)
        if found is None or found[1] not in (FILE, EXECUTABLE):
            return None
        blob = self.repo[found[0]]
        assert isinstance(blob, pygit2.Blob)
        return blob.data

    def _folder(self, path: str) -> pygit2.Tree | None:
        """Return a folder inside the game's; those read last are kept, because git parses a large one every time."""
        if path not in self._folders:
            if len(self._folders) >= FOLDERS_KEPT:
                self._folders.clear()
            self._folders[path] = self._find_folder(path)
        return self._folders[path]

    def _find_folder(self, path: str) -> pygit2.Tree | None:
        if path:
            *above, last = names_of(path)
            return _subfolder(self.repo, self._folder("/".join(above)), last)
        found = self._root(self.commit_id)
        for part in self.path.split("/"):
            found = _subfolder(self.repo, found, part)
        return found

    def _root(self, commit: str) -> pygit2.Tree | None:
        return self.repo[commit].peel(pygit2.Tree) if commit else None

    # -- writing

    def _write(self, files: Mapping[str, bytes], removed: Sequence[str]) -> None:
        """Keep what was appended in mind; what is again as it was committed is no change."""
        for name, data in {**files, **dict.fromkeys(removed)}.items():
            if data == self._committed(name):
                self._changes.pop(name, None)
            else:
                self._changes[name] = data

    def commit(
        self,
        message: str,
        author: str | None = None,
        at: int | None = None,
        parents: Sequence[str] = (),
        committer: str | None = None,
    ) -> str:
        """Make a commit of what was appended on top of this one, go on from it, and return its digest (hex).

        `author` and `committer` are written `Name <address>` (default: as git is configured), `at` (Unix seconds) dates
        the commit, else the clock does; `parents` are further parents after the first. No reference is moved.
        """
        root = self._root(self.commit_id)
        tree = write_tree(self.repo, None if root is None else root.id, self.changes)
        above = [self.commit_id, *parents] if self.commit_id else list(parents)
        by, made_by = signature(self.repo, "AUTHOR", author, at), signature(self.repo, "COMMITTER", committer, at)
        made = make_commit(self.repo, tree, above, message, by, made_by)
        self._changes.clear()
        self._move(made)
        return made

    def go_on(self, commit: str) -> None:
        """Go on from another commit, keeping what was appended; raises E-MOVED where that has another game."""
        other = GameTree(self.repo, commit, self._name, self.path.rpartition("/")[0])
        if self.touched and other.tree_id != self.tree_id:
            raise fail("E-MOVED", f"{self.path} is not what this was judged by", None, "read the game again")
        self._move(commit)

    def _move(self, commit: str) -> None:
        self.commit_id = commit
        self._folders.clear()


def games_at(repo: pygit2.Repository, commit: str) -> list[str]:
    """Return the names of the games of a commit (hex), in order."""
    root = folder(repo, repo[commit].peel(pygit2.Tree).id)
    found = entries(_subfolder(repo, root, STATE)).items()
    return sorted(name for name, (id_, mode) in found if mode == FOLDER and is_game(name, entries(folder(repo, id_))))


def foundings(repo: pygit2.Repository, commit: str) -> dict[str, str]:
    """Return the digest of the first entry of each game of a commit (hex) by its name: what a game is known by."""
    found = {name: GameTree(repo, commit, name).founding for name in games_at(repo, commit)}
    return {name: digest for name, digest in found.items() if digest}


def _subfolder(repo: pygit2.Repository, tree: pygit2.Tree | None, name: str) -> pygit2.Tree | None:
    found = entry(tree, name)
    return folder(repo, found[0]) if found and found[1] == FOLDER else None


def _kind(mode: int) -> Kind:
    return "folder" if mode == FOLDER else "file" if mode in (FILE, EXECUTABLE) else "other"
