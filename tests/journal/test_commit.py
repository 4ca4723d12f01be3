"""Commits of a game's folder: complete, small, and out of the way of everything else in the repository."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from git import Actor, Repo

from folkmoot.core.fault_points import fault_hook
from folkmoot.core.problems import ProblemError
from folkmoot.game.verify import verify
from folkmoot.journal import GameFolder, commit
from folkmoot.journal.layout import entry_name
from tests.support.toy_game import Toy, replay


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo.init(tmp_path / "repo", initial_branch="main")
    with made.config_writer() as config:
        config.set_value("user", "name", "Keeper")
        config.set_value("user", "email", "keeper@example.org")
    return made


def root(repo: Repo) -> Path:
    return Path(str(repo.working_dir))


def committed(repo: Repo) -> dict[str, bytes]:
    """Return the files below state/toy of the last commit."""
    tree = repo.head.commit.tree / "state/toy"
    start = len("state/toy/")
    return {blob.path[start:]: blob.data_stream.read() for blob in tree.traverse() if blob.type == "blob"}


def on_disk(toy: Toy) -> dict[str, bytes]:
    path = toy.folder.path
    return {p.relative_to(path).as_posix(): p.read_bytes() for p in path.rglob("*") if p.is_file()}


def is_clean(repo: Repo) -> bool:
    return repo.git.status("--porcelain", "--untracked-files=all") == ""


@pytest.fixture
def toy(repo: Repo) -> Toy:
    game = Toy(root(repo) / "state" / "toy")
    game.play()
    return game


def test_the_first_commit(repo: Repo, toy: Toy) -> None:
    digest = toy.folder.commit("Found the game\n\nWith everything.", at=1_767_614_400)
    assert digest == repo.head.commit.hexsha
    assert repo.head.commit.message == "Found the game\n\nWith everything."
    assert repo.head.commit.committed_date == 1_767_614_400
    assert repo.head.commit.parents == ()
    assert committed(repo) == on_disk(toy)
    assert is_clean(repo)


def test_later_commits_hold_only_what_changed(repo: Repo, toy: Toy) -> None:
    first = toy.folder.commit("One")
    toy.act("score", amount=4)
    toy.act("repeal")
    assert toy.folder.commit("Two", author="Ann Abel <ann@example.org>")
    assert [parent.hexsha for parent in repo.head.commit.parents] == [first]
    assert repo.head.commit.author == Actor("Ann Abel", "ann@example.org")
    changed = {diff.b_path for diff in repo.head.commit.parents[0].diff(repo.head.commit)}
    names = ("head.yaml", "things/player.yaml", entry_name(11), entry_name(12))
    assert changed == {f"state/toy/{name}" for name in names}
    assert committed(repo) == on_disk(toy)
    assert is_clean(repo)
    assert toy.folder.commit("Nothing") is None
    repo.git.fsck("--strict")


def test_the_rest_of_the_repository_stays_as_it_is(repo: Repo, toy: Toy) -> None:
    (root(repo) / "README.md").write_text("hello\n")
    (root(repo) / "state" / "other.txt").write_text("other\n")
    repo.index.add(["README.md", "state/other.txt"])
    repo.index.commit("Start")
    (root(repo) / "README.md").write_text("staged\n")
    repo.index.add(["README.md"])
    (root(repo) / "README.md").write_text("work in progress\n")
    (root(repo) / "untracked.txt").write_text("mine\n")
    toy.folder.commit("Play")
    tree = repo.head.commit.tree
    assert (tree / "README.md").data_stream.read() == b"hello\n"
    assert (tree / "state/other.txt").data_stream.read() == b"other\n"
    assert repo.git.status("--porcelain") == "MM README.md\n?? untracked.txt"


def test_a_write_finished_by_the_next_opening_is_committed(repo: Repo, toy: Toy) -> None:
    toy.folder.commit("One")
    child = os.fork()
    if child == 0:
        with fault_hook(lambda name: os.kill(os.getpid(), signal.SIGKILL) if name == "after-commit" else None):
            toy.act("score", amount=9)
        os._exit(0)
    os.waitpid(child, 0)
    fresh = GameFolder(toy.folder.path)
    assert fresh.commit("Two")
    assert fresh.load()["things/player"]["ann"]["score"] == 12
    assert committed(repo) == on_disk(toy)
    assert is_clean(repo)


def test_a_clone_with_converted_line_endings_says_so(repo: Repo, toy: Toy, tmp_path: Path) -> None:
    toy.folder.commit("Everything")
    repo.clone(tmp_path / "clone", multi_options=["--config core.autocrlf=true"], allow_unsafe_options=True).close()
    report = verify(GameFolder(tmp_path / "clone" / "state" / "toy"), replay)
    assert len(report.problems) == 10
    assert all("line endings" in problem.message for problem in report.problems)
    (root(repo) / ".gitattributes").write_text("state/** -text\n")
    repo.index.add([".gitattributes"])
    repo.index.commit("Keep line endings")
    repo.clone(tmp_path / "kept", multi_options=["--config core.autocrlf=true"], allow_unsafe_options=True).close()
    assert verify(GameFolder(tmp_path / "kept" / "state" / "toy"), replay).problems == []


def test_outside_a_repository_there_is_nothing_to_commit(tmp_path: Path) -> None:
    game = Toy(tmp_path / "loose")
    game.play()
    assert game.folder.commit("One") is None


def test_a_branch_that_moved_meanwhile_is_left_alone(repo: Repo, toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    toy.folder.commit("One")
    toy.act("score", amount=1)
    before = commit._move_branch

    def somebody_else_first(*arguments: object) -> bool:
        repo.index.commit("Theirs")
        return before(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(commit, "_move_branch", somebody_else_first)
    with pytest.raises(ProblemError, match="E-GIT"):
        toy.folder.commit("Two")
    assert repo.head.commit.message == "Theirs"
    monkeypatch.undo()
    assert toy.folder.commit("Two")
    assert committed(repo) == on_disk(toy)
