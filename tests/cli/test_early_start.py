"""The sandbox begins before the command does, exactly where its words say that the law will be asked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from folkmoot.cli import early_start
from folkmoot.cli.early_start import begin_before, begin_if_asked


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Return a list that grows with each process that would begin."""
    found: list[bool] = []
    monkeypatch.setattr(early_start, "begin", lambda: found.append(True))
    early_start._has_hook.cache_clear()
    return found


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a repository with a game whose rules say whose turn it is, and show a map."""
    rules = tmp_path / "state" / "tea" / "rules"
    rules.mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    (rules / "r201.yaml").write_text("script: |\n  def decide_mover(p):\n      return None\n")
    (rules / "r202.yaml").write_text("script: |\n  def show_map(p):\n      return []\n")
    (tmp_path / "state" / "tea" / "head.yaml").write_text("seq: 1\n")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "begins"),
    [
        ("act throw", True),
        ("vote for", True),
        ("propose rule.yaml --dry-run", True),
        ("check rule.yaml", True),
        ("act --list", False),
        ("act throw --help", False),
        ("status", True),
        ("status --json", True),
        ("show map", True),
        ("show board", True),
        ("show 3", False),  # no rule says how a vote stands
        ("show scores", False),
        ("show rule 201", False),
        ("show", False),
        ("log", False),
        ("--help", False),
        ("", False),
    ],
)
def test_a_process_begins_for_what_the_law_is_asked(
    place: Path, begun: list[bool], monkeypatch: pytest.MonkeyPatch, words: str, begins: bool
) -> None:
    monkeypatch.delenv("_MOOT_COMPLETE", raising=False)
    begin_before(["-C", str(place), *words.split()])
    assert bool(begun) == begins
    begun.clear()
    (place / "deep" / "down").mkdir(parents=True)
    monkeypatch.chdir(place / "deep" / "down")
    begin_before(words.split())
    assert bool(begun) == begins
    begun.clear()
    monkeypatch.setenv("_MOOT_COMPLETE", "bash_complete")
    begin_before(words.split())
    assert not begun, "a shell that completes asks no law"


def test_what_was_shown_since_the_game_changed_needs_no_process(place: Path, begun: list[bool]) -> None:
    shown, head = place / ".git" / early_start.SHOWN, place / "state" / "tea" / "head.yaml"
    shown.write_text("{}")
    os.utime(head, (1_000, 1_000))
    begin_before(["-C", str(place), "status"])
    assert not begun
    os.utime(shown, (999, 999))
    begin_before(["-C", str(place), "status"])
    assert begun


def test_a_law_that_is_not_asked_needs_no_process(place: Path, begun: list[bool]) -> None:
    (place / "state" / "tea" / "rules" / "r201.yaml").write_text("text: Be merry.\n")
    begin_before(["-C", str(place), "status"])
    begin_if_asked(place, "status")
    assert not begun


@pytest.mark.parametrize("words", ["act throw", "status", "show map"])
def test_where_there_is_no_game_nothing_begins(tmp_path: Path, begun: list[bool], words: str) -> None:
    begin_before(["-C", str(tmp_path / "nowhere"), *words.split()])
    begin_before(["-C"])
    assert not begun


def test_little_is_loaded_before_it_begins() -> None:
    said = "import sys; from folkmoot.cli import early_start; print(*sorted(sys.modules))"
    loaded = subprocess.check_output([sys.executable, "-c", said], text=True).split()
    assert not {"click", "msgspec", "subprocess", "folkmoot.cli.main"} & set(loaded)
