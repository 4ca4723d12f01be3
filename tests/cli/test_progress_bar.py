"""Finding 7 of the first hour: the demonstration's progress bar was wider than the terminal."""

from __future__ import annotations

import io
import os
import sys

import pytest

from folkmoot.cli.terminal import Terminal, bar_width

TITLES = ("playing proposals 301 to 313", "playing the Imperial games", "checking", "replaying")


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("columns", [40, 60, 80, 200])
def test_a_line_of_progress_fits(title: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(shown, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setattr("shutil.get_terminal_size", lambda *_, **_how: os.terminal_size((columns, 24)))
    with Terminal().progress(title, 7) as step:
        for _ in range(7):
            step()
    lines = shown.getvalue().replace("\r", "\n").split("\n")
    assert any("#" in line for line in lines)
    wide = max(len(line.replace("\x1b[?25l", "").replace("\x1b[?25h", "")) for line in lines)
    assert wide <= columns or bar_width(title, columns) == 4
