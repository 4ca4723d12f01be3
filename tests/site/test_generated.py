"""A site is made of plain files of its own repository, and nothing is written over or removed but what came of a game."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from folkmoot.core.clone_files import LARGEST
from folkmoot.core.problems import ProblemError
from folkmoot.site.preparation import prepare_site
from folkmoot.site.search import index_site
from tests.support.meeting import git
from tests.support.moot import Moot
from tests.support.sites import configure, lay_small_site

Plant = Callable[[Path, Path], object]


def link(name: str, target: str) -> Plant:
    """Return what puts a link below a root, to a place below a home, instead of what lies there."""

    def plant(root: Path, home: Path) -> None:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            path.rename(home / "before")
        path.unlink(missing_ok=True)
        path.symlink_to(home / target)

    return plant


def marked(name: str, *files: str) -> Plant:
    """Return what makes a folder with somebody's files."""

    def plant(root: Path, _: Path) -> None:
        (root / name).mkdir(parents=True)
        for file in files:
            (root / name / file).write_text("somebody's", "utf-8")

    return plant


def huge(root: Path, _: Path) -> None:
    with (root / "site_src/huge.md").open("wb") as file:
        file.truncate(LARGEST + 1)


def bound(root: Path, _: Path) -> None:
    here = Path.cwd()
    os.chdir(root / "site_src")
    try:
        with socket.socket(socket.AF_UNIX) as made:
            made.bind("socket")
    finally:
        os.chdir(here)


PLANTED: dict[str, Plant] = {
    "the sources": link("site_src", "folder"),
    "the folder of a game": link("site_src/table", "folder"),
    "a guide": link("site_src/guide.md", "file"),
    "a folder of guides": link("site_src/deep/er/guides", "folder"),
    "a link to nothing": link("site_src/guide.md", "nothing"),
    "the front page": link("site_src/index.md", "file"),
    "the templates": link("site_src/overrides", "folder"),
    "the built site": link("site", "folder"),
    "a built page": link("site/index.html", "file"),
    "what is kept": link("build", "folder"),
    "what is kept of the site": link("build/site", "folder"),
    "a kept note": link("build/site/read", "file"),
    "the configuration": link("mkdocs.yml", "file"),
    "the folder of the hook": link("ci", "folder"),
    "the hook": link("ci/site_pages.py", "file"),
    "a device": lambda root, _: (root / "site_src/zero.md").symlink_to("/dev/zero"),
    "a pipe": lambda root, _: os.mkfifo(root / "site_src/pipe.md"),
    "a pipe for a setting": lambda root, _: ((root / "mkdocs.yml").unlink(), os.mkfifo(root / "mkdocs.yml")),
    "a socket": bound,
    "a file without end": huge,
}
TRACKED: dict[str, Plant] = {
    "the built site": marked("site", "index.html"),
    "what is kept": marked("build/site", "past", "journal-000000"),
    "the front page": lambda root, _: (root / "site_src/index.md").write_text("somebody's", "utf-8"),
}


def everything(folder: Path) -> dict[str, tuple[int, bytes | str]]:
    """Return what lies below a folder but for git's own: kind and size or words of each."""
    found: dict[str, tuple[int, bytes | str]] = {}
    for path in sorted(folder.rglob("*")):
        if ".git" not in path.parts:
            kind = path.lstat().st_mode
            plain = path.is_file() and not path.is_symlink() and path.stat().st_size < LARGEST
            found[str(path)] = kind, path.read_bytes() if plain else str(path.is_symlink() and path.readlink())
    return found


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a folder of somebody's own, beside the repository."""
    folder = tmp_path.parent / f"{tmp_path.name}-home"
    (folder / "folder").mkdir(parents=True)
    for name in ("file", "folder/101.md", "folder/index.html"):
        (folder / name).write_text("my own notes", "utf-8")
    return folder


@pytest.mark.threat("T-78")
@pytest.mark.parametrize("name", PLANTED)
def test_nothing_is_read_or_written_through_what_is_no_plain_file(name: str, tmp_path: Path, home: Path) -> None:
    lay_small_site(tmp_path)
    PLANTED[name](tmp_path, home)
    before = everything(tmp_path) | everything(home)
    with pytest.raises(ProblemError) as refused:
        prepare_site(tmp_path)
    assert [problem.code for problem in refused.value.problems] == ["E-FILE"]
    assert everything(tmp_path) | everything(home) == before


@pytest.mark.threat("T-78")
@pytest.mark.parametrize("name", TRACKED)
def test_what_git_tracks_is_never_written_over(name: str, table: Moot, tmp_path: Path, home: Path) -> None:
    lay_small_site(tmp_path)
    TRACKED[name](tmp_path, home)
    git(tmp_path, "add", "--force", "--all")
    before = everything(tmp_path)
    for words in (("serve", "--build"), ("serve", "--port", "0")):
        said = table(*words)
        assert (said.code, said.err.count("[E-"), said.err.count("[E-SITE]")) == (5, 1, 1), (words, said)
        assert everything(tmp_path) == before


@pytest.mark.threat("T-78")
def test_settings_for_the_program_that_searches_are_not_read(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<!doctype html><html lang=en><main data-pagefind-body>Tea", "utf-8")
    for name, lines in (
        ("pagefind.toml", f"logfile = '{home}/log'\nverbose = true"), ("pagefind.yml", f"logfile: {home}/log"),
    ):  # fmt: skip
        (tmp_path / name).write_text(lines, "utf-8")
        index_site(tmp_path / "site")
        assert not (home / "log").exists()
        (tmp_path / name).unlink()


@pytest.mark.threat("T-78")
def test_no_file_outside_comes_into_a_page_by_its_address(table: Moot, tmp_path: Path, home: Path) -> None:
    outside = f"extra_css:\n  - '../../{home.name}/file'\n  - '{home}/file'\n"
    configure(lay_small_site(tmp_path), "extra_css:\n", outside)
    table("serve", "--build")
    for page in (tmp_path / "site").rglob("*.html"):
        assert "my own notes" not in page.read_text("utf-8")


def test_a_demonstration_is_laid_through_no_link(table: Moot, tmp_path: Path, home: Path) -> None:
    before = everything(home)
    for name in ("build", "build/demo"):
        link(name, "folder")(tmp_path, home)
        said = table("demo", "--no-serve")
        assert (said.code, said.err.count("[E-FILE]")) == (4, 1), said
        assert everything(home) == before
        (tmp_path / name).unlink()
