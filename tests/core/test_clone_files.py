"""The door to the files of a clone: no way leads outside, and nothing but regular files of an ordinary size is read."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.problems import ProblemError

Way = Callable[[CloneFiles, str], Any]
READING: dict[str, Way] = {"read": CloneFiles.read, "read_text": CloneFiles.read_text}
WRITING: dict[str, Way] = {
    "write": lambda files, path: files.write(path, b"theirs"),
    "appending": lambda files, path: files.appending(path).__enter__(),
}
BELOW: dict[str, Way] = {
    "listing": lambda files, path: files.listing(f"{path}/x"),
    "stat": lambda files, path: files.stat(f"{path}/x"),
    "make_folder": lambda files, path: files.make_folder(f"{path}/x"),
    "remove": lambda files, path: files.remove(f"{path}/x"),
    "remove_tree": lambda files, path: files.remove_tree(f"{path}/x"),
    **{name: (lambda files, path, way=way: way(files, f"{path}/x")) for name, way in (READING | WRITING).items()},
}


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Return a folder of the user's own, beside the clone, with a file in it."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "x").write_text("mine")
    return folder


@pytest.fixture
def files(tmp_path: Path) -> CloneFiles:
    (tmp_path / "clone/.git").mkdir(parents=True)
    (tmp_path / "clone/state").mkdir()
    return CloneFiles(tmp_path / "clone")


def refused(do: Callable[[], Any]) -> str:
    with pytest.raises(ProblemError) as caught:
        do()
    (problem,) = caught.value.problems
    assert problem.code == "E-FILE"
    return problem.message


@pytest.mark.parametrize("way", BELOW)
@pytest.mark.parametrize("target", ["../../home", "/dev", "nowhere", "."])
@pytest.mark.threat("T-140")
def test_no_way_leads_through_a_link(files: CloneFiles, outside: Path, way: str, target: str) -> None:
    (files.root / "state/link").symlink_to(outside if target == "../../home" else target)
    assert "link" in refused(lambda: BELOW[way](files, "state/link"))
    assert [(path.name, path.read_text()) for path in outside.iterdir()] == [("x", "mine")]
    assert [path.name for path in (files.root / "state").iterdir()] == ["link"]


@pytest.mark.parametrize("way", [*READING, *WRITING])
@pytest.mark.parametrize("what", ["link", "dangling", "device", "pipe", "socket", "folder"])
@pytest.mark.threat("T-140")
def test_only_regular_files_are_read_and_written(
    files: CloneFiles, outside: Path, way: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = files.root / "state/x"
    if what == "pipe":
        os.mkfifo(path)
    elif what == "socket":
        monkeypatch.chdir(path.parent)  # an address is a hundred bytes long at most
        with socket.socket(socket.AF_UNIX) as served:
            served.bind("x")
    elif what == "folder":
        path.mkdir()
    else:
        path.symlink_to({"link": outside / "x", "dangling": outside / "new", "device": "/dev/zero"}[what])
    before = path.lstat()
    words = refused(lambda: (READING | WRITING)[way](files, "state/x"))
    assert ("link" if path.is_symlink() else what) in words
    assert path.lstat() == before
    assert [(each.name, each.read_text()) for each in outside.iterdir()] == [("x", "mine")]
    assert [each.name for each in path.parent.iterdir()] == ["x"]


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../home/x", "state/../../home/x", "state//x", "./x", "a\0b", "state/", ".."]
)
@pytest.mark.threat("T-140")
def test_no_path_leads_outside(files: CloneFiles, outside: Path, path: str) -> None:
    for way in ({**BELOW, **READING, **WRITING}).values():
        refused(lambda way=way: way(files, path))
    assert (outside / "x").read_text() == "mine"


@pytest.mark.threat("T-140")
def test_folders_that_lie_very_deep_are_refused(files: CloneFiles) -> None:
    innermost = os.open(files.root, os.O_RDONLY)
    for _ in range(1_100):
        os.mkdir("deep", dir_fd=innermost)
        below = os.open("deep", os.O_RDONLY, dir_fd=innermost)
        os.close(innermost)
        innermost = below
    os.close(innermost)
    assert "deep within each other" in refused(lambda: [*files.walk()])
    assert "deep within each other" in refused(lambda: files.read("deep/" * 1_100 + "x"))
    assert [*files.walk("state")] == []


@pytest.mark.threat("T-140")
def test_a_file_is_read_up_to_its_limit_also_where_it_grows_meanwhile(
    files: CloneFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    (files.root / "x").write_bytes(b"12345")
    assert files.read("x", 5) == b"12345"
    assert "larger than 4 bytes" in refused(lambda: files.read("x", 4))
    (files.root / "sparse").touch()
    os.truncate(files.root / "sparse", 1 << 40)
    assert "larger than" in refused(lambda: files.read("sparse"))
    monkeypatch.setattr(os, "read", lambda _, size: b"x" * size)
    assert "larger than" in refused(lambda: files.read("x", 100))


def test_what_is_not_there_is_not_there(files: CloneFiles) -> None:
    (files.root / "file").touch()
    for path in ("none", "no/folder", "file/below"):
        assert (files.read(path), files.kind(path), files.listing(path)) == (None, None, [])
        files.remove(path)
        files.remove_tree(path)
    assert "a file and no folder" in refused(lambda: files.write("file/below", b""))


def test_what_is_written_is_whole_and_alone(files: CloneFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    files.write("a/b/c", b"one")
    files.write("a/b/c", b"two", 0o755)
    assert files.read("a/b/c") == b"two"
    assert files.listing("a/b") == [("c", "file")]
    assert (files.root / "a/b/c").stat().st_mode & 0o100

    def full(*_: Any, **__: Any) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="a/b/c"):
        files.write("a/b/c", b"three")
    assert files.read("a/b/c") == b"two"
    assert files.listing("a/b") == [("c", "file")]


def test_nobody_foresees_what_a_file_is_called_before_it_has_its_name(files: CloneFiles, outside: Path) -> None:
    seen: list[str] = []
    place = os.replace
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", lambda *given, **options: seen.append(given[0]) or place(*given, **options))
        files.write("x", b"")
        files.write("x", b"")
    assert len({*seen}) == 2
    (files.root / f".x.{'a' * 16}").symlink_to(outside / "x")
    with pytest.raises(FileExistsError):
        files.prepare("x", b"theirs", "a" * 16)
    assert (outside / "x").read_text() == "mine"


def test_links_in_trees_that_are_removed_or_where_a_folder_was_read_are_not_followed(
    files: CloneFiles, outside: Path
) -> None:
    files.write("a/x", b"ours")
    assert files.read("a/x") == b"ours"
    (files.root / "a").rename(files.root / "b")
    (files.root / "a").symlink_to(outside)
    assert "link" in refused(lambda: files.read("a/x"))
    (files.root / "b/link").symlink_to(outside)
    files.remove_tree("b")
    assert files.kind("b") is None
    assert (outside / "x").read_text() == "mine"


def test_no_folder_is_left_open(files: CloneFiles) -> None:
    before = len(list(Path("/dev/fd").iterdir()))
    for number in range(20):
        files.write(f"{number}/x", b"")
        assert files.read(f"{number}/x") == b""
        assert files.read(f"{number}/x/y") is None
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_the_root_is_the_clone_around_and_a_link_above_it_is_the_users_own(files: CloneFiles, tmp_path: Path) -> None:
    game = files.root / "state/toy"
    game.mkdir()
    assert CloneFiles.around(game).root == files.root
    (tmp_path / "shortcut").symlink_to(files.root)
    CloneFiles.around(tmp_path / "shortcut/state/toy").write("x", b"here")
    (tmp_path / "game").symlink_to(game)
    assert CloneFiles.around(tmp_path / "game").read("x") == b"here"
    assert CloneFiles.around(tmp_path / "game").root == files.root
    alone = tmp_path / "unpacked/state/toy"
    assert CloneFiles.around(alone).root == tmp_path / "unpacked"
    (files.root / "state/linked").symlink_to(tmp_path)
    refused(lambda: CloneFiles.around(files.root / "state/linked").write("x", b""))
