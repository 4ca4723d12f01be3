"""First hour 13: thousands of ticks are told in short, and all of them where that is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.cli.main import main
from tests.support.silence import lasting, quiet

NOISY = {**quiet(2), "script": "def on_bell1(e):\n    announce('ding')\n"}


def moot(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    assert not ended.value.code
    return capsys.readouterr().out.splitlines()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lasting(tmp_path / "state" / "bells", NOISY)
    return tmp_path


def test_two_years_of_ticks_are_told_in_short(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = moot(capsys, "referee", "--until", "+700d", "--no-commit")
    assert len(lines) < 25
    assert "… 694 more entries from 2026-01-09 01:00 UTC to 2027-12-03 01:00 UTC:" in lines
    assert any("694 × announce" in line for line in lines)


def test_verbose_tells_all_of_them(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = moot(capsys, "referee", "--until", "+100d", "--no-commit", "--verbose")
    assert len([line for line in lines if "bell1" in line]) == 100


def test_few_are_told_one_by_one(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert len([line for line in moot(capsys, "referee", "--until", "+9d", "--no-commit") if "bell1" in line]) == 9


def test_an_act_after_a_long_time_tells_them_in_short_too(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("state", "--by", "ann", "text=x", "--at", "2028-01-01T00:00:00Z", "--no-commit")
    lines = moot(capsys, "act", *arguments)
    assert len(lines) < 30
    assert lines[-1].endswith("statement on record")
