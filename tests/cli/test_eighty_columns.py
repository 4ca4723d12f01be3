"""What people read on a terminal of 80 columns: no line is wider but what would be another if it were cut."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from folkmoot.cli.terminal import fitted, wide
from tests.support.gathering import Gathering
from tests.support.moot import Moot, Said
from tests.support.terminal import LOOKED_AT, WIDTH, evening, on_a_terminal

__all__ = ["evening"]

COMMAND = re.compile(r"\s*(?:git|moot|cd) ")


def too_wide(text: str, width: int = WIDTH) -> list[str]:
    """Return the lines that could have gone on below themselves, or are none that somebody copies."""
    lines = text.replace("\r", "").split("\n")
    return [line for line in lines if wide(line) > width and not COMMAND.match(line) and fitted(line, width) != line]


def test_what_is_shown_and_what_is_refused_fits(evening: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(evening.clone("bob"))
    found = {}
    for words in (each.split() for line in LOOKED_AT.strip().splitlines() for each in line.split("|")):
        said: Said = evening._moot(*words)
        assert "Traceback" not in said.err
        assert not said.out.startswith("\n"), words
        if wrong := too_wide(said.out) + too_wide(said.err):
            found[" ".join(words)] = wrong
    assert found == {}


def test_a_line_for_somebody_to_copy_stays_one(moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    monkeypatch.setattr("folkmoot.cli.terminal.is_terminal", lambda stream: True)
    said = moot("table", "evening.git", "-r", "suber", "-p", "ann", "-p", "bob", "-a", "ann")
    clones = [line for line in said.out.splitlines() if line.startswith("git clone")]
    assert [line.split()[-1] for line in clones] == ["ann", "bob"]
    assert too_wide(said.out) == []
    for line in clones:
        subprocess.run(line, shell=True, check=True, cwd=tmp_path)


def test_what_a_program_reads_is_not_broken(table: Moot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    said = table("act", "propose", "--by", "ann")
    assert any(line.startswith("  hint: ") and len(line) > 40 for line in said.err.splitlines())


def test_a_real_terminal_shows_whole_words(table: Moot) -> None:
    shown = on_a_terminal(["-C", str(Path.cwd()), "act", "propose", "--by", "ann"], COLUMNS="40", NO_COLOR="1")
    lines = shown.decode().replace("\r", "").splitlines()
    assert max(map(len, lines)) <= 40
    assert "`moot act propose --help`" in " ".join(lines)


@pytest.mark.parametrize("width", [20, 31, 40, 79])
def test_nothing_is_lost_or_cut(width: int) -> None:
    text = "  Mind: `git pull` brings what the others have; \x1b[1mthen\x1b[0m say `moot act judge ruling=…` again."
    shown = fitted(text, width)
    assert shown.split() == text.split()
    assert max(map(wide, shown.split("\n"))) <= width
    assert all(line.startswith("  ") for line in shown.split("\n"))
    assert shown.count("`git pull`") == 1, "a command stays in one line"


def test_a_long_line_of_a_redline_is_folded_once(evening: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was folded for comments, and again for the terminal, left a few words on every second line."""
    monkeypatch.chdir(evening.clone("bob"))
    evening.moot("bob", "propose", "--rule", "long.yaml", "--anyway")
    for words in (("show", "2"), ("try", "2"), ("try", "--comment", "long.yaml")):
        said = re.sub(r"\x1b\[[0-9;]*m", "", evening._moot(*words).out)
        folded = [line for line in said.splitlines() if line.startswith("    + There is tea") or "asks for it" in line]
        lines = said.splitlines()
        first = next(n for n, line in enumerate(lines) if line.strip().startswith("+ There is tea"))
        text = [line for line in lines[first:] if line.strip()][: len(folded)]
        assert max(map(len, text)) <= WIDTH
        assert min(len(line) for line in text[:-1]) > WIDTH - 20, words


def test_a_list_of_actions_cuts_nothing(moot: Moot) -> None:
    assert moot("new", "evening", "-r", "lanterns", "-p", "ann", "-p", "bob", "--at", "2026-01-05T18:00:00Z").code == 0
    lines = moot("act", "--list", "--by", "ann").out.splitlines()
    assert max(map(len, lines)) <= 80
    assert not [line for line in lines if line.endswith("…")]
    assert (
        "Open the seed of a sealed draw, so that everybody can check it; with `insist` while something of it is closed"
        in (" ".join(" ".join(lines).split()))
    )
