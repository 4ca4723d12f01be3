"""The command of the referee's job: it stays until what is too young counts, and tells the job what it did."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from folkmoot.cli import referee as command
from folkmoot.cli.referee import write_outputs, write_summary
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.referee.report import GameReport, Report
from folkmoot.referee.run import Referee
from tests.support.gathering import Gathering
from tests.support.meeting import START, git
from tests.support.moot import Moot


@pytest.fixture
def slow(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> Gathering:
    """Return a gathering on a forge where everything must be two minutes old, in a time that passes by waiting."""

    def sleep(seconds: float) -> None:
        assert 0 <= seconds < 200
        gathering.now += int(seconds) + 1 if seconds >= 1 else 0  # less is git's, between two tries

    @contextmanager
    def referee_of(*_: Any, trusts_clock: bool) -> Iterator[Referee]:
        gathering.forge.settle = 120
        with Referee(gathering.forge, gathering.repo, lambda: gathering.now) as referee:
            yield referee

    monkeypatch.setattr(command.time, "sleep", sleep)
    monkeypatch.setattr(command.time, "monotonic", lambda: float(gathering.now))
    monkeypatch.setattr(command, "referee_of", referee_of)
    return gathering


def outputs(path: Path) -> dict[str, str]:
    return dict(line.split("=") for line in path.read_text().splitlines())


def test_without_settling_what_is_young_waits_and_the_job_knows(slow: Gathering, tmp_path: Path) -> None:
    slow.propose("ann", "A dragon")
    out = tmp_path / "out"
    said = slow.moot("bob", "referee", "--outputs", str(out))
    assert "0 entries recorded" in said.out
    assert outputs(out) == {"moved": "true", "awake": "true"}, "the site was never published"
    assert slow.now == START
    git(slow.bare, "update-ref", "refs/moot/published", "main")
    again = tmp_path / "again"
    slow.moot("bob", "referee", "--outputs", str(again))
    assert outputs(again) == {"moved": "false", "awake": "true"}


def test_what_was_pushed_is_published_although_an_answer_was_lost(
    gathering: Gathering, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gathering.tea()
    git(gathering.bare, "update-ref", "refs/moot/published", "main")

    def answer(*_: Any) -> None:
        raise ProblemError(Problem("E-FORGE", "the forge answers 502, at #1"))

    out, next_out = tmp_path / "out", tmp_path / "next"
    with monkeypatch.context() as patch:
        patch.setattr(type(gathering.forge), "answer", answer)
        gathering.moot("bob", "referee", "--outputs", str(out), code=5)
    assert outputs(out) == {"moved": "true", "awake": "true"}
    gathering.moot("bob", "referee", "--outputs", str(next_out))
    assert outputs(next_out) == {"moved": "true", "awake": "true"}, "nobody has published it yet"


def test_a_summary_is_cut_by_its_bytes(tmp_path: Path) -> None:
    summary = tmp_path / "summary"
    lines = [Problem("E-DERIVED", "x" * 900)] * 2
    long = [GameReport(f"game-{n}", stopped=tuple(lines)) for n in range(900)]
    write_summary(summary, [Report(before="1", after="1", games=long)])
    assert summary.stat().st_size < 2**20


def test_settling_stays_until_everything_counts(slow: Gathering, tmp_path: Path) -> None:
    slow.propose("ann", "A dragon")
    out, summary = tmp_path / "out", tmp_path / "summary"
    slow.moot("bob", "referee", "--settle", "--outputs", str(out), "--summary", str(summary))
    assert slow.now >= START + 120
    assert outputs(out) == {"moved": "true", "awake": "true"}
    assert "**moor**" in summary.read_text()


def test_settling_ends_though_somebody_goes_on_talking(
    slow: Gathering, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = slow.propose("ann", "A dragon")

    def sleep(seconds: float) -> None:
        if seconds < 1:  # git's, between two tries
            return
        slow.now += int(seconds) + 1
        slow.say("bob", number, f"and another thing at {slow.now}")

    monkeypatch.setattr(command.time, "sleep", sleep)
    slow.moot("bob", "referee", "--settle")
    assert slow.now - START <= command.LONGEST_STAY + 240


def test_a_run_that_fails_says_so_in_the_summary_and_gives_no_outputs(
    gathering: Gathering, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any, **__: Any) -> Report:
        raise ProblemError(Problem("E-FORGE", "the forge | is `away` <!-- @ann"))

    monkeypatch.setattr(Referee, "run", fails)
    out, summary = tmp_path / "out", tmp_path / "summary"
    gathering.moot("bob", "referee", "--outputs", str(out), "--summary", str(summary), code=5)
    assert not out.exists()
    text = summary.read_text()
    assert "```text\nE-FORGE: the forge | is `away` <!‐‐ @ann\n```" in text
    assert "Nothing is half done" in text


def test_a_clone_that_cannot_be_made_ends_with_5_and_keeps_no_token(
    moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLKMOOT_TOKEN", "secret-token-of-the-job")
    said = moot("referee", "--clone", f"file://{tmp_path}/nothing")
    assert said.code == 5
    assert "secret-token" not in said.out + said.err


def test_hostile_names_of_games_stay_words_in_a_summary(tmp_path: Path) -> None:
    bad = "x\n\nmoved=true](https://evil.example)<b>@ann"
    game = GameReport(bad, stopped=(Problem("E-DERIVED", f"```\n{bad}"),))
    summary, out = tmp_path / "summary", tmp_path / "out"
    write_summary(summary, [Report(before="1", after="1", games=[game])])
    text = summary.read_text()
    assert "<b>" not in text.split("```")[0]
    assert "](https:" not in text.split("```")[0]
    write_outputs(out, [Report(before="1", after="1", games=[game], published="1")])
    assert outputs(out) == {"moved": "false", "awake": "false"}
