"""Finding 5 of the first hour: commands that only read showed the play of a stale clone without a word."""

from __future__ import annotations

import shutil

import pytest

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
