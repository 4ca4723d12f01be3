"""A disk or a quota that is full while something is written, by whatever command: it is written whole or not at all."""

from __future__ import annotations

import errno
import os
import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pygit2
import pytest

import folkmoot
from folkmoot.core.clone_files import MACHINE, write_whole
from folkmoot.core.packaged import CONFIG
from folkmoot.core.problems import Problem
from folkmoot.forges.error_isolation import Stage, guarded
from folkmoot.forges.workflows import workflow_files
from folkmoot.journal.tree import GameTree
from folkmoot.ops.doctor.repository_files import stale_files
from folkmoot.site.preparation import lay_site, site_files
from tests.conftest import FUZZ
from tests.support.gathering import Gathering
from tests.support.meeting import GAME, git
from tests.support.moot import Moot, Said

LARGEST = (
    (0, 150, 1_200) if FUZZ else (150, 1_200)
)  # bytes: no file may grow beyond that, as if the disk were full there
LEFT = ("*.new", ".*.????????????????", "pending/*", "tmp_obj_*", "*.lock")


@contextmanager
def room(size: int) -> Iterator[None]:
    """Let no file that is written grow beyond a size (bytes), in this process and those that it starts."""
    before, ignored = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


def one_sentence(said: Said, words: object) -> None:
    """Assert that a command succeeded, or said in one sentence that there is no room."""
    if said.code == 0:
        return
    assert said.code == 5, (words, said)
    assert said.err.count("[E-") == 1, (words, said.err)
    assert any(each in said.err.lower() for each in ("too large", "full", "no space", "write")), (words, said.err)
    assert "Others keep writing" not in said.err, (words, said.err)


def remains(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for form in LEFT for path in folder.rglob(form))


def with_ever_more_room(gathering: Gathering, person: str, words: list[str]) -> None:
    """Let somebody (`root`: where the game is kept) do something with ever more room until it is done."""
    place = str(gathering.bare if person == "root" else gathering.clone(person))
    for size in LARGEST:
        with room(size):
            said = gathering._moot("-C", place, *words)
        one_sentence(said, (size, words))
        if said.code == 0:
            return
    assert gathering._moot("-C", place, *words).code == 0, words


@pytest.mark.threat("T-67")
def test_a_game_kept_by_hand(table: Moot, tmp_path: Path) -> None:
    journal = tmp_path / "state/table/journal"
    for size in LARGEST:
        before = len(list(journal.rglob("*.yaml")))
        with room(size):
            said = table("act", "state", "--game", "table", "--by", "ann", "Hello.")
        one_sentence(said, size)
        recorded = len(list(journal.rglob("*.yaml"))) - before
        if "does not know it" in said.err:
            git(tmp_path, "reset", "--quiet")  # as it says
        assert recorded == ("do not do it again" in said.err or said.code == 0), (size, said.err)
        assert table("verify", "--game", "table").code == 0, size
        assert table("act", "state", "--game", "table", "--by", "bob", "And on.").code == 0
        assert git(tmp_path, "status", "--porcelain") == "", size
        with room(size):
            one_sentence(table("new", f"other{size}", "-r", "suber", "-p", "ann"), "new")
        table("new", f"other{size}", "-r", "suber", "-p", "ann")
        assert table("verify", "--game", f"other{size}").code == 0, "a game is founded, or can be"
    assert remains(tmp_path) == []


@pytest.mark.threat("T-67")
def test_what_is_written_beside_a_game_is_whole_or_not_there(table: Moot, tmp_path: Path) -> None:
    """What was cut short was taken for somebody's own, or for all that is needed, and stayed so."""
    github = ("init", "--forge", "github", "--home", "https://github.com/ann/game")
    built = (("serve", "--build"),) if FUZZ else ()
    for words in (github, *built, ("check", "--schemas", "schemas")):
        for size in LARGEST:
            with room(size):
                one_sentence(table(*words), words)
        assert table(*words).code in (0, 1), words
    assert remains(tmp_path) == []
    for name in set(site_files()) - {CONFIG}:  # which is told the site's address
        packaged = Path(folkmoot.__file__).parents[2] / name
        assert (tmp_path / name).read_bytes() == packaged.read_bytes(), name
    assert stale_files(tmp_path, workflow_files("github")) == []
    assert lay_site(tmp_path) == []


@pytest.mark.threat("T-67")
def test_a_meeting(gathering: Gathering, tmp_path: Path) -> None:
    """Everybody tries each act with ever more room; each act arrives once, and nobody is blamed for the disk."""
    tea = gathering.file("tea.yaml")
    for person in ("ann", "bob"):
        gathering.clone(person)
    story = (("ann", "propose", "--rule", tea), ("root", "referee"), ("ann", "act", "finalise"), ("root", "referee"),
             ("bob", "vote", "1", "for"), ("bob", "comment", "--on", "1", "Yes."), ("root", "referee"))  # fmt: skip
    for person, *words in story:
        with_ever_more_room(gathering, person, words)
    repo = pygit2.Repository(str(gathering.bare))
    record = GameTree(repo, str(repo.references["refs/heads/main"].target), GAME)
    entries = [
        (entry["by"], entry["do"]) for entry in record.entries() if entry["do"] not in ("found", "tick", "identify")
    ]
    assert entries == [("ann", "propose"), ("ann", "finalise"), ("bob", "vote")]
    assert gathering.refs().count("refs/pull/") == 1
    assert len(gathering.letters("bob")) == 2
    assert git(gathering.bare, "fsck", "--no-dangling") == ""
    assert gathering.moot("cid", "verify").code == 0


@pytest.mark.threat("T-67")
def test_no_input_is_blamed_for_the_disk() -> None:
    def fail(error: Exception) -> Problem:
        raise error

    for error in (OSError(errno.ENOSPC, "x"), OSError(errno.EFBIG, "x"), OSError("failed to write: File too large")):
        with pytest.raises(OSError, match=r"x|large"):
            guarded(Stage.FACT, partial(fail, error), lambda problem: problem)
    named = (f"{words}{end}" for words in map(os.strerror, MACHINE) for end in (".yaml", ": not found"))
    for error in (OSError(errno.ENOENT, "x"), *map(OSError, named)):  # whoever names a file chooses its words
        told = guarded(Stage.FACT, partial(fail, error), lambda problem: problem)
        assert told.code == "E-FAULT", error


def test_whatever_was_there_stays_where_there_is_no_room(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "file"
    write_whole(file, b"one")
    with room(2), pytest.raises(OSError, match="file"):
        write_whole(file, b"four")
    assert [(path.name, path.read_bytes()) for path in file.parent.iterdir()] == [("file", b"one")]
