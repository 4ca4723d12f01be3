"""What the demonstration says to type next can be typed: `moot` is on the path, or is put there first."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from folkmoot.cli.demo import evening as demo


@pytest.fixture
def beside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of an environment's programs, which is not on the path."""
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("PATH", "/nowhere")
    return tmp_path


def test_a_command_of_an_environment_is_put_on_the_path(beside: Path) -> None:
    (beside / "moot").touch()
    assert demo.within_reach() == [f'export PATH="{beside}:$PATH"']


def test_a_command_that_is_there_needs_nothing(beside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (beside / "moot").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(beside))
    assert demo.within_reach() == []


def test_where_there_is_no_such_command_nothing_is_promised(beside: Path) -> None:
    assert demo.within_reach() == []
