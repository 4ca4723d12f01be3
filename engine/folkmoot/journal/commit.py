"""Committing a game's folder: the new tree is made from the last commit's and the changed files alone.

Git's own index is only brought up to date, never read as a whole by us, so that the cost follows the change.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from folkmoot.core.clone_files import CloneFiles, read_whole
from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.journal.git_folder import common_folder
from folkmoot.journal.git_library import pygit2
from folkmoot.journal.git_objects import FILE, FOLDER, entry, make_commit, signature, write_tree
from folkmoot.journal.git_objects import folder as folder_of
from folkmoot.journal.git_programs import (
    AS_IT_IS,
    QUIETLY,
    STATUS,
    STATUS_SECONDS,
    as_in_place,
    ended,
    no_status,
    own_settings,
    without_filters,
)
from folkmoot.journal.layout import HEAD, entry_name, read_document
from folkmoot.journal.repositories import path_inside, work_tree_around

NOBODY = "0" * 40


class IndexBehindError(ProblemError):
    """Raised where a commit was made, and git's index could not be told."""


def commit_folder(
    folder: Path, touched: set[str], message: str, author: str | None, at: int | None, beside: Iterable[Path] = ()
) -> str | None:
    """Commit the changed files of a game's folder on top of the checked-out branch.

    `touched` are paths inside `folder` known to have changed; where the last commit lacks entries that are not among
    them, git is asked for all changes below the folder. `beside` are files outside it to commit too. Returns the
    commit's digest (hex), None outside a repository or where nothing changed. Raises E-GIT where the branch moved
    meanwhile, or where the repository cannot be read or written, E-LOCKED where git's own locks bar the way; each says
    that what is in the files stays there.
    """
    try:
        return _commit_folder(folder, touched, message, author, at, beside)
    except IndexBehindError:
        raise
    except ProblemError as error:
        raise _left_uncommitted(folder, error.problems[0].message, error.problems[0]) from None
    except subprocess.CalledProcessError as error:
        raise _left_uncommitted(folder, _said(error)) from None
    except FileNotFoundError as error:
        why = "there is no git on this machine's path" if error.filename == "git" else str(error)
        raise _left_uncommitted(folder, why) from None
    except (OSError, pygit2.GitError) as error:
        raise _left_uncommitted(folder, str(error)) from None


def _left_uncommitted(folder: Path, why: str, known: Problem | None = None) -> ProblemError:
    """Say that the game is recorded and not committed, and what to do: nothing must be done twice."""
    message = f"what was done is recorded, and not committed: {why}"
    rest = "do not do it again: the next act, or `git add` and `git commit`, commits it"
    hint = f"{known.hint.removesuffix(', then do it again')}; {rest}" if known and known.hint else rest
    code, place = (known.code, known.position) if known else ("E-GIT", Position(str(folder)))
    return ProblemError(Problem(code, message, place, hint, {"recorded": True}))


def _said(error: subprocess.CalledProcessError) -> str:
    """Return the first line of what git complained of."""
    lines = error.stderr.decode("utf-8", "replace").strip().splitlines() if error.stderr else []
    return lines[0].strip() if lines and error.returncode > 0 else ended(error.returncode)


def wait_until_committable(folder: Path) -> None:
    """Look, before anything is recorded, whether git could commit a game's folder.

    Raises E-LOCKED where a lock of git's is not given back, E-GIT where the repository cannot be read, or is midway
    through a merge or the like, into which the entry would go.
    """
    repo = work_tree_around(folder)
    if repo is not None:
        refuse_unfinished(repo)
        wait_for_git(repo)
        _refuse_damaged(repo, path_inside(repo, folder))


def _refuse_damaged(repo: pygit2.Repository, base: str) -> None:
    """Raise E-GIT where the last commit cannot be continued: what lies on the way to the game must be whole."""
    try:
        tree = None if repo.head_is_unborn else repo.head.peel(pygit2.Commit).tree_id
        for name in base.split("/"):
            known = entry(folder_of(repo, tree), name)
            tree = known[0] if known and known[1] == FOLDER else None
    except (KeyError, pygit2.GitError) as error:
        hint = "`git fsck` says what is damaged; a fresh clone has all that was sent"
        why = f"git's own files cannot be read here: {error}"
        raise fail("E-GIT", why, Position(str(repo.path)), hint) from None


def _commit_folder(
    folder: Path, touched: set[str], message: str, author: str | None, at: int | None, beside: Iterable[Path]
) -> str | None:
    repo = work_tree_around(folder)
    if repo is None:
        return None
    wait_for_git(repo)
    root = Path(repo.workdir)
    parent = None if repo.head_is_unborn else repo.head.peel(pygit2.Commit)
    base = path_inside(repo, folder)
    inside = touched if _covers(folder, base, parent, touched) else _all_changes(repo, base)
    outside = {path_inside(repo, path) for path in beside}
    paths = sorted({_join(base, path) for path in inside} | outside)
    stored = {path: _stored(repo, root / path) for path in paths}
    tree = write_tree(repo, parent.tree_id if parent else None, stored)
    if tree == (parent.tree_id if parent else repo.TreeBuilder().write()):
        return None
    above = [str(parent.id)] if parent else []
    by, made_by = signature(repo, "AUTHOR", author, at), signature(repo, "COMMITTER", None, at)
    made = make_commit(repo, tree, above, message, by, made_by)
    _move_branch(root, made, above, message)
    try:
        _update_index(root, stored, without_filters(repo))
    except subprocess.CalledProcessError as error:
        hint = "do not do it again; `git reset --quiet` tells the index"
        message = f"the game is committed as {made[:12]}, and git's index does not know it: {_said(error)}"
        raise IndexBehindError(Problem("E-GIT", message, Position(str(root)), hint, {"recorded": True})) from None
    return made


def _join(base: str, path: str) -> str:
    return path if base == "." else f"{base}/{path}"


def _covers(folder: Path, base: str, parent: pygit2.Commit | None, touched: set[str]) -> bool:
    """Say whether `touched` holds every entry that the last commit lacks."""
    try:
        blob = parent.tree[_join(base, HEAD)] if parent else None
    except KeyError:
        blob = None
    if not isinstance(blob, pygit2.Blob):
        return False
    committed = read_document("head", blob.data, HEAD)["seq"]
    current = read_document("head", read_whole(folder / HEAD) or b"", HEAD)["seq"]
    return all(entry_name(seq) in touched for seq in range(committed + 1, current + 1))


def _all_changes(repo: pygit2.Repository, base: str) -> set[str]:
    asked = (*STATUS, "-z", "--untracked-files=all", "--no-renames", "--", base)
    start = 0 if base == "." else len(base) + 1
    variables = {**without_filters(repo), "GIT_OPTIONAL_LOCKS": "0"}
    try:
        told = _git(Path(repo.workdir), *asked, variables=variables, seconds=STATUS_SECONDS)
    except subprocess.TimeoutExpired:
        raise no_status(Path(repo.workdir)) from None
    return {line[3:][start:] for line in told.split("\0") if line}


def _stored(repo: pygit2.Repository, path: Path) -> pygit2.Oid | None:
    """Store a file's bytes as they are; None where it is gone."""
    data = read_whole(path)
    return None if data is None else repo.create_blob(data)


def _move_branch(root: Path, made: str, above: list[str], message: str) -> None:
    """Move the checked-out branch to a commit; raises E-GIT where it does not stand at the one above any more."""
    note = f"commit: {message.partition(chr(10))[0]}"
    try:
        _git(root, "update-ref", "-m", note, "HEAD", made, above[0] if above else NOBODY)
    except subprocess.CalledProcessError as error:
        moved = "is at" in _said(error) or "already exists" in _said(error)
        why = "the branch moved meanwhile" if moved else _said(error)
        raise fail("E-GIT", why, Position(str(root)), "look at `git status`" if moved else "") from None


def _update_index(root: Path, stored: Mapping[str, pygit2.Oid | None], variables: Mapping[str, str]) -> None:
    """Tell git's index of what was just committed, so that `git status` is clean.

    Git reads files again that were written in the same instant as the index, and then by the filters that it knows.
    """
    lines = [f"{FILE:o} {blob}\t{path}" if blob else f"0 {NOBODY}\t{path}" for path, blob in stored.items()]
    _git(root, "update-index", "-z", "--index-info", given="\0".join([*lines, ""]), variables=variables)


def _git(
    root: Path,
    *words: str,
    given: str = "",
    variables: Mapping[str, str] | None = None,
    seconds: float | None = None,
) -> str:
    with own_settings(root) as settings:
        done = subprocess.run(
            ["git", *QUIETLY, *words],
            cwd=root,
            env={**os.environ, **AS_IT_IS, **settings, **(variables or {})},
            input=given.encode("utf-8", "surrogateescape"),
            capture_output=True,
            check=False,
            timeout=seconds,
            restore_signals=False,  # where a file grows beyond a quota git is told so, not killed over its locks
        )
    if done.returncode:
        complaint = as_in_place(done.stderr, settings)
        raise subprocess.CalledProcessError(done.returncode, done.args, done.stdout, complaint)
    return done.stdout.decode("utf-8", "surrogateescape")


# -- what bars the way: locks of git, and what it has begun and not ended


PATIENCE = 2.0
"""How many seconds a git that is at work gets to finish."""
_POLL = 0.05


def wait_for_git(repo: pygit2.Repository) -> None:
    """Wait until no lock of git bars the way to a commit on the checked-out branch.

    Raises E-LOCKED after PATIENCE seconds, with the lock and how to be rid of it.
    """
    deadline = time.monotonic() + PATIENCE
    while lock := next(_locks_of(repo), None):
        if time.monotonic() >= deadline:
            message = "git is at work here, or it, or what ran it, was killed and left a lock"
            hint = f"wait, then do it again; if no git runs here, before that: `rm {shlex.quote(str(lock))}`"
            raise fail("E-LOCKED", message, Position(str(lock)), hint)
        time.sleep(_POLL)


def _locks_of(repo: pygit2.Repository) -> Iterator[Path]:
    """Yield the lock files that a commit to the checked-out branch would meet: of index, HEAD and branch."""
    own = Path(repo.path)
    head = (CloneFiles(own).read_text("HEAD", errors="replace") or "").removeprefix("ref: ").strip()
    meant = [own / "index.lock", own / "HEAD.lock"]
    if head.startswith("refs/"):
        meant.append(common_folder(own) / f"{head}.lock")
    yield from (lock for lock in meant if lock.exists())


# -- what git has begun and not ended

_ENDED_BY = {
    pygit2.enums.RepositoryState.MERGE: "merge",
    pygit2.enums.RepositoryState.REVERT: "revert",
    pygit2.enums.RepositoryState.REVERT_SEQUENCE: "revert",
    pygit2.enums.RepositoryState.CHERRYPICK: "cherry-pick",
    pygit2.enums.RepositoryState.CHERRYPICK_SEQUENCE: "cherry-pick",
    pygit2.enums.RepositoryState.REBASE: "rebase",
    pygit2.enums.RepositoryState.REBASE_INTERACTIVE: "rebase",
    pygit2.enums.RepositoryState.REBASE_MERGE: "rebase",
    pygit2.enums.RepositoryState.APPLY_MAILBOX: "am",
    pygit2.enums.RepositoryState.APPLY_MAILBOX_OR_REBASE: "am",
}


def refuse_unfinished(repo: pygit2.Repository) -> None:
    """Raise E-GIT where the checked-out commit is not what its owner means, because git is midway through something."""
    state = pygit2.enums.RepositoryState(repo.state())
    if state is pygit2.enums.RepositoryState.NONE:
        return
    place = Position(str(repo.workdir or repo.path))
    if state is pygit2.enums.RepositoryState.BISECT:
        raise fail("E-GIT", "a bisection goes on here", place, "`git bisect reset` ends it, then run it again")
    word = _ENDED_BY[state]
    hint = f"`git {word} --continue` ends it, `git {word} --abort` takes it back; then run it again"
    raise fail("E-GIT", f"git is midway through `git {word}` here", place, hint)
