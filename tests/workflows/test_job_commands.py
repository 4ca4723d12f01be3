"""The commands that jobs run: the referee stays until what is too young counts, the trial shows what a pull request would do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from folkmoot.cli import referee as command
from folkmoot.cli.pull_request_trial import read_event
from folkmoot.cli.referee import write_outputs, write_summary
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.referee.report import GameReport, Report
from folkmoot.referee.run import Referee
from tests.support.gathering import Gathering
from tests.support.meeting import GAME, START, git, rule
from tests.support.moot import Moot

SHA = "1" * 40
EVENT = '{"pull_request": {"number": %s, "base": {"ref": "%s"}, "head": {"sha": "%s"}}}'


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


def outputs(path: Path) -> tuple[str, str]:
    """Return whether a job is told that the record moved, and that a game is awake."""
    found = dict(line.split("=") for line in path.read_text().splitlines())
    return found.pop("moved"), found.pop("awake")


def test_what_is_young_waits_without_settling_and_with_it_the_job_stays_until_everything_counts(
    slow: Gathering, tmp_path: Path
) -> None:
    slow.propose("ann", "A dragon")
    out, summary = tmp_path / "out", tmp_path / "summary"
    said = slow.moot("bob", "referee", "--outputs", str(out))
    assert "0 entries recorded" in said.out
    assert outputs(out) == ("true", "true"), "the site was never published"
    assert slow.now == START
    git(slow.bare, "update-ref", "refs/moot/published", "main")
    out.unlink()
    slow.moot("bob", "referee", "--outputs", str(out))
    assert outputs(out) == ("false", "true")
    out.unlink()
    slow.moot("bob", "referee", "--settle", "--outputs", str(out), "--summary", str(summary))
    assert slow.now >= START + 120
    assert outputs(out) == ("true", "true")
    assert "**moor**" in summary.read_text()


def test_settling_ends_though_somebody_goes_on_talking(slow: Gathering, monkeypatch: pytest.MonkeyPatch) -> None:
    number = slow.propose("ann", "A dragon")

    def sleep(seconds: float) -> None:
        if seconds >= 1:  # less is git's, between two tries
            slow.now += int(seconds) + 1
            slow.say("bob", number, f"and another thing at {slow.now}")

    monkeypatch.setattr(command.time, "sleep", sleep)
    slow.moot("bob", "referee", "--settle")
    assert slow.now - START <= command.LONGEST_STAY + 240


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
    gathering.moot("bob", "referee", "--outputs", str(next_out))
    assert outputs(out) == outputs(next_out) == ("true", "true"), "nobody has published it yet"


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


def test_a_summary_is_cut_by_its_bytes_and_hostile_names_of_games_stay_words(tmp_path: Path) -> None:
    summary, out = tmp_path / "summary", tmp_path / "out"
    stopped = (Problem("E-DERIVED", "x" * 900),) * 2
    write_summary(
        summary, [Report(before="1", after="1", games=[GameReport(f"g{n}", stopped=stopped) for n in range(900)])]
    )
    assert summary.stat().st_size < 2**20
    bad = "x\n\nmoved=true](https://evil.example)<b>@ann"
    game = GameReport(bad, stopped=(Problem("E-DERIVED", f"```\n{bad}"),))
    summary.unlink()
    write_summary(summary, [Report(before="1", after="1", games=[game])])
    assert not any(words in summary.read_text().split("```")[0] for words in ("<b>", "](https:"))
    write_outputs(out, [Report(before="1", after="1", games=[game], published="1")])
    assert outputs(out) == ("false", "false")


def test_a_clone_that_cannot_be_made_ends_with_5_and_keeps_no_token(
    moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLKMOOT_TOKEN", "secret-token-of-the-job")
    said = moot("referee", "--clone", f"file://{tmp_path}/nothing")
    assert said.code == 5
    assert "secret-token" not in said.out + said.err


# -- the trial of a pull request, which reads the forge's own file of the event


def event(gathering: Gathering, number: int, **more: Any) -> str:
    """Write the event of a pull request as a forge does, and return its file."""
    pull = {"number": number, "title": "Tea for all", "user": {"id": 12, "login": "zed"}, "base": {"ref": "main"},
            "head": {"sha": gathering.head(number), "ref": "x"}, **more}  # fmt: skip
    path = gathering.folder / "event.json"
    path.write_text(json.dumps({"action": "opened", "pull_request": pull}), "utf-8")
    return str(path)


def test_a_job_shows_what_a_pull_request_does_and_keeps_a_summary(gathering: Gathering, tmp_path: Path) -> None:
    number, summary = gathering.tea(), tmp_path / "summary.md"
    summary.write_text("before\n")
    said = gathering.moot("bob", "try", "--event", event(gathering, number), "--summary", str(summary))
    assert "Tea for all" in said.out
    assert "It enacts a new rule" in said.out
    assert summary.read_text().startswith("before\n")
    assert "There is tea for everybody." in summary.read_text()
    assert "refs/moot/" not in gathering.refs().replace("refs/moot/letters", ""), "nothing was written on the forge"
    gone = gathering.moot("bob", "try", "--event", event(gathering, number, head={"sha": SHA}), code=1)
    assert "is no longer there" in gone.err


def test_a_job_fails_where_the_content_would_be_refused_and_passes_what_touches_no_game(gathering: Gathering) -> None:
    for files, words in (
        ({"rules/x.yaml": b"title: 3\ntext: [\n"}, f"state/{GAME}/rules/x.yaml"),
        ({"rules/y.yaml": rule("Bad", script="def on_tick(e):\n    nonsense(1)\n")}, "nonsense"),
    ):
        number = gathering.open("bob", files)
        assert words in gathering.moot("bob", "try", "--event", event(gathering, number), code=1).out
    number = gathering.pull(gathering.change("bob", {"docs/x.md": b"x\n"}))
    said = gathering.moot("bob", "try", "--event", event(gathering, number))
    assert "This changes nothing of any game." in said.out


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{}", "[" * 100_000, '{"pull_request": 3}',
        EVENT % ("true", "main", SHA), EVENT % (1, "main", "--upload-pack=x"), EVENT % (1, "--exec=x", SHA),
        EVENT % (1, "a b", SHA), EVENT % (1, "a:refs/heads/b", SHA), EVENT % (-1, "main", SHA),
    ],
)  # fmt: skip
def test_a_file_that_is_no_event_of_a_pull_request_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "event.json"
    path.write_text(text, "utf-8")
    with pytest.raises(ProblemError, match="E-ARGS"):
        read_event(path)
