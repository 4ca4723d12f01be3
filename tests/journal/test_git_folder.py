"""Git's own folder as an archive may have brought it: what leads elsewhere or is not read is refused in a sentence."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.journal.commit import wait_until_committable
from folkmoot.journal.git_folder import find_git_folder, settings_of
from folkmoot.journal.repositories import find_repository
from tests.support.meeting import git, identity


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    root = tmp_path / "clone"
    git(tmp_path, "init", "--quiet", "--initial-branch=main", "--object-format=sha1", str(root))
    git(root, "-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "--message", "One")
    return root


def link(name: str) -> Callable[[Path], None]:
    def plant(own: Path) -> None:
        path, target = own / name, own.parent.parent / "elsewhere"
        shutil.copytree(path, target) if path.is_dir() else target.touch()
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        path.symlink_to(target)

    return plant


def pipe(name: str) -> Callable[[Path], None]:
    def plant(own: Path) -> None:
        (own / name).unlink(missing_ok=True)
        (own / name).parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(own / name)

    return plant


def write(name: str, text: str) -> Callable[[Path], None]:
    def plant(own: Path) -> None:
        (own / name).parent.mkdir(parents=True, exist_ok=True)
        with (own / name).open("a") as file:
            file.write(text)

    return plant


def move(*, linked: bool) -> Callable[[Path], None]:
    def plant(own: Path) -> None:
        other = own.parent.parent / "other.git"
        own.rename(other)
        own.symlink_to(other) if linked else own.write_text(f"gitdir: {other}\n")

    return plant


def junk(text: str) -> Callable[[Path], None]:
    def plant(own: Path) -> None:
        shutil.rmtree(own)
        own.write_text(text)

    return plant


REFUSED = {
    **{f"a link {name}": link(name) for name in ("HEAD", "config", "refs", "refs/heads/main", "logs/HEAD", "objects")},
    **{f"a pipe {name}": pipe(name) for name in ("HEAD", "config", "commondir", "packed-refs", "index")},
    **{f"a pipe {name}": pipe(name) for name in ("refs/heads/x", f"refs{'/a' * 200}/x", f"objects/ab/{'c' * 38}")},
    **{f"a pipe {name}": pipe(name) for name in ("objects/info/commit-graphs/commit-graph-chain", "info/x/y")},
    "settings that include others": write("config", "[include]\n\tpath = /dev/zero\n"),
    "the same, on one line": write("config", "[core] [ InClude ] path = /dev/zero\n"),
    "settings without end": write("config", "#" * (1 << 21)),
    "files elsewhere": write("config", "[core]\n\tworktree = /\n"),
    "files elsewhere, by settings of one work tree": write("config.worktree", "[core]\n\tworktree = /\n"),
    "settings of one work tree that include others": write("config.worktree", "[include]\n\tpath = /dev/zero\n"),
    "refs of another": write("commondir", "/nowhere/.git\n"),
    "objects of another": write("objects/info/alternates", "/nowhere/objects\n"),
    "the same behind very many remarks": write("objects/info/alternates", f"{'#' * (1 << 20)}\n/nowhere/objects\n"),
    **{f"objects in a folder {name!r}": write("objects/info/alternates", f"{name}\n") for name in (" #x", "\r", " ")},
    "other parents": write("info/grafts", f"{'1' * 40}\n"),
    "SHA-256": write("config", "[core]\nrepositoryformatversion = 1\n[extensions]\nobjectFormat = sha256\n"),
    "a reftable": write("config", "[core]\nrepositoryformatversion = 1\n[extensions]\nrefStorage = reftable\n"),
    "a format to come": write("config", "[core]\nrepositoryformatversion = 99\n"),
    "files at what is no path": write("config", '[core]\n\tworktree = "a\0b"\n'),
    **{
        f"files in a folder with {space!r} at its end": write("config", f"[core]\n\tworktree = ..{space}\n")
        for space in ("\u00a0", "\f", "\u2003")
    },
    "files at the end of a long way": write("config", f"[core]\n\tworktree = {'x/' * 400_000}\n"),
    "refs at what is no path": write("commondir", "a\0b\n"),
    "other parents after many lines": write("info/grafts", "#\n" * (1 << 20)),
    "no repository": junk("junk\0\n"),
    "a way without end": junk("gitdir: " + "x/" * 2_000_000),
    "another repository by a file": move(linked=False),
    "another repository by a link": move(linked=True),
}


@pytest.mark.threat("T-78")
@pytest.mark.parametrize("plant", REFUSED.values(), ids=REFUSED)
def test_what_leads_elsewhere_or_is_not_read_is_refused(clone: Path, plant: Callable[[Path], None]) -> None:
    plant(clone / ".git")
    with pytest.raises(ProblemError) as refused:
        find_repository(clone)
    problem = refused.value.problems[0]
    assert problem.code == "E-GIT"
    assert problem.hint


def test_what_people_make_by_git_itself_is_opened(clone: Path, tmp_path: Path) -> None:
    identity(clone, "ann")
    git(clone, "worktree", "add", "--quiet", "../tree")
    git(tmp_path, "clone", "--quiet", "--separate-git-dir", "apart.git", str(clone), "apart")
    git(tmp_path / "apart", "config", "core.worktree", str(tmp_path / "apart"))
    git(tmp_path, "clone", "--quiet", "--bare", str(clone), "bare.git")
    git(clone, "replace", "HEAD", git(clone, "commit-tree", "-m", "Other", "HEAD^{tree}"))
    (clone / "below").mkdir()
    for folder in (clone, clone / "below", tmp_path / "tree", tmp_path / "apart", tmp_path / "bare.git"):
        found = find_repository(folder)
        assert found is not None
        assert found[str(found.head.target)].message == "One\n", "and nothing is read in place of something else"
    assert find_git_folder(tmp_path) is None


def test_settings_are_read_as_git_reads_them(clone: Path) -> None:
    values = ("", "a b", ' "x" # y ; z', "back\\slash", "two\nlines", "\ttab\t", "ä", "[core]", "x=y")
    for number, value in enumerate(values):
        git(clone, "config", f'moot."A.{number}\\].value', value)
    asked = git(clone, "config", "--file", ".git/config", "--null", "--list")
    told = [line.partition("\n")[::2] for line in asked.split("\0") if line]
    assert settings_of(clone / ".git") == told


def test_a_folder_that_was_swapped_for_a_link_while_it_was_read_is_refused(clone: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (clone / "state").mkdir()
    (clone / "state/moor").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ProblemError, match="a symbolic link leads out of the repository"):
        wait_until_committable(clone / "state/moor")


def test_a_clone_that_was_promised_what_it_lacks_is_refused(clone: Path) -> None:
    git(clone, "config", "remote.origin.promisor", "true")
    with pytest.raises(ProblemError, match="--filter"):
        find_repository(clone)
