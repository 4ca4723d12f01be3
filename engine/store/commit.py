"""Committing a game's folder: the new tree is made from the last commit's and the changed files alone.

Git's own index is only brought up to date, never read as a whole by us, so that the cost follows the change.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from email.utils import parseaddr
from io import BytesIO
from pathlib import Path

from git import Actor, Commit, InvalidGitRepositoryError, NoSuchPathError, Repo, Tree
from git.objects.fun import tree_entries_from_data, tree_to_stream
from gitdb import IStream  # type: ignore[import-untyped]

from engine.problems import Position, fail
from engine.store.layout import HEAD, entry_name, read_document

_FILE, _FOLDER = 0o100644, 0o040000

Entries = dict[str, tuple[bytes, int]]  # name → binary digest and mode


def commit_folder(
    folder: Path, touched: set[str], message: str, author: str | None, at: int | None, beside: Iterable[Path] = ()
) -> str | None:
    """Commit the changed files of a game's folder on top of the checked-out branch.

    `touched` are paths inside `folder` known to have changed; where the last commit lacks entries that are not among
    them, git is asked for all changes below the folder. `beside` are files outside it to commit too. Returns the
    commit's digest (hex), None outside a repository or where nothing changed. Raises E-GIT where the branch moved
    meanwhile.
    """
    repo = _repository(folder)
    if repo is None:
        return None
    with repo:
        parent = repo.head.commit if repo.head.is_valid() else None
        root = Path(str(repo.working_dir)).resolve()
        base = folder.resolve().relative_to(root).as_posix()
        inside = touched if _covers(folder, base, parent, touched) else _all_changes(repo, base)
        outside = {path.resolve().relative_to(root).as_posix() for path in beside}
        paths = sorted({_join(base, path) for path in inside} | outside)
        tree = _tree(repo, parent.tree.binsha if parent else None, paths, root)
        if tree is None or (parent and tree == parent.tree.binsha):
            return None
        made = _make_commit(repo, tree, parent, message, author=author, at=at)
        _update_index(repo, paths)
        return made


def _repository(folder: Path) -> Repo | None:
    try:
        repo = Repo(folder, search_parent_directories=True)
    except (InvalidGitRepositoryError, NoSuchPathError):
        return None
    return None if repo.bare else repo


def _join(base: str, path: str) -> str:
    return path if base == "." else f"{base}/{path}"


def _covers(folder: Path, base: str, parent: Commit | None, touched: set[str]) -> bool:
    """Say whether `touched` holds every entry that the last commit lacks."""
    try:
        blob = parent.tree / _join(base, HEAD) if parent else None
    except KeyError:
        blob = None
    if blob is None:
        return False
    committed = read_document("head", blob.data_stream.read(), HEAD)["seq"]
    current = read_document("head", (folder / HEAD).read_bytes(), HEAD)["seq"]
    return all(entry_name(seq) in touched for seq in range(committed + 1, current + 1))


def _all_changes(repo: Repo, base: str) -> set[str]:
    status = repo.git.status("--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--", base)
    start = 0 if base == "." else len(base) + 1
    return {line[3:][start:] for line in status.split("\0") if line}


def _tree(repo: Repo, old: bytes | None, paths: Iterable[str], root: Path) -> bytes | None:
    """Store the tree that `old` becomes when `paths` are as they are on disk below `root`.

    Returns its binary digest, None where nothing is left in it.
    """
    entries: Entries = {}
    if old is not None:
        data = repo.odb.stream(old).read()
        entries = {name: (digest, mode) for digest, mode, name in tree_entries_from_data(data)}
    for name, below in _by_first_part(paths).items():
        if below == [""]:
            digest, mode = _blob(repo, root / name), _FILE
        else:
            known = entries.get(name, (None, 0))
            digest, mode = _tree(repo, known[0] if known[1] == _FOLDER else None, below, root / name), _FOLDER
        entries.pop(name, None)
        if digest is not None:
            entries[name] = (digest, mode)
    return _store_tree(repo, entries) if entries else None


def _by_first_part(paths: Iterable[str]) -> dict[str, list[str]]:
    parts: dict[str, list[str]] = {}
    for path in paths:
        name, _, rest = path.partition("/")
        parts.setdefault(name, []).append(rest)
    return parts


def _store_tree(repo: Repo, entries: Entries) -> bytes:
    ordered = sorted(entries, key=lambda name: name.encode() + (b"/" if entries[name][1] == _FOLDER else b""))
    stream = BytesIO()
    tree_to_stream([(*entries[name], name) for name in ordered], stream.write)
    return _store(repo, b"tree", stream.getvalue())


def _blob(repo: Repo, path: Path) -> bytes | None:
    return _store(repo, b"blob", path.read_bytes()) if path.is_file() else None


def _store(repo: Repo, kind: bytes, data: bytes) -> bytes:
    return bytes(repo.odb.store(IStream(kind, len(data), BytesIO(data))).binsha)


def _make_commit(
    repo: Repo, tree: bytes, parent: Commit | None, message: str, *, author: str | None, at: int | None
) -> str:
    actor = Actor(*parseaddr(author)) if author else None
    date = None if at is None else f"{at} +0000"
    parents = [parent] if parent else []
    made = Commit.create_from_tree(
        repo, Tree(repo, tree), message, parents, author=actor, author_date=date, commit_date=date
    )
    if not _move_branch(repo, made, parent, message):
        hint = "look at what was committed meanwhile, then commit again"
        raise fail("E-GIT", "the branch moved while the game was committed", Position(str(repo.working_dir)), hint)
    return made.hexsha


def _move_branch(repo: Repo, made: Commit, parent: Commit | None, message: str) -> bool:
    """Move the checked-out branch to `made` if it still stands at `parent`; say whether it did."""
    before = parent.hexsha if parent else "0" * 40
    note = f"commit: {message.partition(chr(10))[0]}"
    status, _, _ = repo.git.update_ref(
        "-m", note, "HEAD", made.hexsha, before, with_extended_output=True, with_exceptions=False
    )
    return int(status) == 0


def _update_index(repo: Repo, paths: Iterable[str]) -> None:
    """Tell git's index of the files just committed, so that `git status` is clean."""
    with tempfile.TemporaryFile() as names:
        names.write("\0".join(paths).encode())
        names.seek(0)
        repo.git.update_index("--add", "--remove", "-z", "--stdin", istream=names)
