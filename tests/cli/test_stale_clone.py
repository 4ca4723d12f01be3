"""Finding 5 of the first hour: commands that only read showed the play of a stale clone without a word."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pygit2
import pytest

from folkmoot.cli.repositories import fork_note
from folkmoot.journal.repositories import open_repository
from tests.support.gathering import Gathering
from tests.support.meeting import git

READING = [["verify"], ["check"], ["serve", "--build"]]


def stale(gathering: Gathering) -> None:
    """Let bob's clone fall behind."""
    gathering.clone("bob")
    gathering.moot("ann", "act", "state", "Hear me.")
    gathering.referee()


@pytest.mark.parametrize("words", READING)
def test_a_reading_command_says_that_there_is_newer_play(gathering: Gathering, words: list[str]) -> None:
    stale(gathering)
    said = gathering.moot("bob", *words)
    assert "you see the older play" in said.err
    assert "git pull" in said.err
    git(gathering.clone("bob"), "fetch", "--quiet")
    assert "this clone is 1 commit behind" in gathering.moot("bob", *words).err
    git(gathering.clone("bob"), "pull", "--quiet")
    assert "Mind" not in gathering.moot("bob", *words).err


def test_offline_what_was_fetched_last_is_compared_and_nothing_else_is_said(gathering: Gathering) -> None:
    stale(gathering)
    shutil.move(gathering.bare, gathering.folder / "away.git")
    assert gathering.moot("bob", "verify").err == ""
    git(gathering.clone("bob"), "fetch", "--quiet", str(gathering.folder / "away.git"), "main:refs/remotes/origin/main")
    assert "1 commit behind" in gathering.moot("bob", "verify").err


def test_a_clone_that_is_ahead_is_not_behind(gathering: Gathering) -> None:
    clone = gathering.clone("bob")
    git(clone, "commit", "--quiet", "--allow-empty", "-m", "Mine")
    assert gathering.moot("bob", "verify").err == ""


def test_what_is_explained_is_the_newest_play(gathering: Gathering) -> None:
    stale(gathering)
    said = gathering.moot("bob", "explain", "entry", "2")
    assert "ann stated: Hear me." in said.out
    assert said.err == ""
    shutil.move(gathering.bare, gathering.folder / "away.git")
    said = gathering.moot("bob", "explain", "entry", "2")
    assert "ann stated: Hear me." in said.out
    assert "This is what was fetched last." in said.err
    assert "Offline" in gathering.moot("bob", "explain", "entry", "2", "--offline").err


@pytest.mark.parametrize(
    ("address", "mind"),
    [
        ("https://github.com/bob/game.git", True),
        ("git@github.com:bob/game", True),
        ("git@github.com:Moot/Game.git", False),
        ("https://github.com/old/game", False),
        ("https://elsewhere.example/bob/game", False),
        ("/srv/game.git", False),
    ],
)
def test_a_clone_of_a_fork_is_told_where_its_game_is_played(tmp_path: Path, address: str, mind: bool) -> None:
    home = "https://github.com/moot/game"
    note = fork_note(clone_of_a_game(tmp_path, home), address)
    assert bool(note) is mind
    assert not mind or f"`git remote set-url origin {home}`" in note


@pytest.mark.parametrize(
    "home", ["ext://github.com/moot/game", "--upload-pack=x", "http://[", "https://github.com/a\nb"]
)
def test_nobody_is_led_to_what_is_no_address_on_the_web(tmp_path: Path, home: str) -> None:
    assert fork_note(clone_of_a_game(tmp_path, home), "https://github.com/bob/game.git") == ""


def clone_of_a_game(tmp_path: Path, home: str) -> pygit2.Repository:
    """Return a repository with a game that says where it is played."""
    left = "https://github.com/old/game"
    settings = {"forge": {"kind": "github", "home": home}, "left": [{"kind": "github", "home": left, "until": 5}]}
    for name, value in (("game", settings), ("head", {})):
        (tmp_path / "state" / "club").mkdir(parents=True, exist_ok=True)
        (tmp_path / "state" / "club" / f"{name}.yaml").write_text(json.dumps(value), "utf-8")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", "state")
    git(tmp_path, "-c", "user.name=a", "-c", "user.email=a@x", "commit", "--quiet", "--message", "One")
    return open_repository(tmp_path)
