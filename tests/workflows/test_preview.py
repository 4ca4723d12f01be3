"""The command of the check job: it reads the forge's own file of the event, and shows what the pull request would do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from folkmoot.cli.pull_request_trial import read_event
from folkmoot.core.problems import ProblemError
from tests.support.gathering import Gathering
from tests.support.meeting import GAME, rule


def event(gathering: Gathering, number: int, **more: Any) -> Path:
    """Write the event of a pull request as a forge does, and return its file."""
    pull = {
        "number": number,
        "title": "Tea for all",
        "user": {"id": 12, "login": "zed"},
        "base": {"ref": "main"},
        "head": {"sha": gathering.head(number), "ref": "x"},
        **more,
    }
    path = gathering.folder / "event.json"
    path.write_text(json.dumps({"action": "opened", "pull_request": pull}), "utf-8")
    return path


def test_a_job_shows_what_a_pull_request_does_and_keeps_a_summary(gathering: Gathering, tmp_path: Path) -> None:
    number = gathering.tea()
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    said = gathering.moot("bob", "try", "--event", str(event(gathering, number)), "--summary", str(summary))
    assert "Tea for all" in said.out
    assert "It enacts a new rule" in said.out
    written = summary.read_text()
    assert written.startswith("before\n")
    assert "There is tea for everybody." in written
    assert "refs/moot/" not in gathering.refs().replace("refs/moot/letters", ""), "nothing was written on the forge"


def test_a_job_fails_where_the_content_would_be_refused(gathering: Gathering) -> None:
    number = gathering.open("bob", {"rules/x.yaml": b"title: 3\ntext: [\n"})
    said = gathering.moot("bob", "try", "--event", str(event(gathering, number)), code=1)
    assert f"state/{GAME}/rules/x.yaml" in said.out
    bad = gathering.open("bob", {"rules/y.yaml": rule("Bad", script="def on_tick(e):\n    nonsense(1)\n")})
    assert "nonsense" in gathering.moot("bob", "try", "--event", str(event(gathering, bad)), code=1).out


def test_what_touches_no_game_passes(gathering: Gathering) -> None:
    number = gathering.seat("bob").open_pull(gathering.change("bob", {"docs/x.md": b"x\n"}))
    said = gathering.moot("bob", "try", "--event", str(event(gathering, number)))
    assert "This changes nothing of any game." in said.out


def test_a_head_that_was_pushed_away_is_said_to_be_gone(gathering: Gathering) -> None:
    number = gathering.tea()
    path = event(gathering, number, head={"sha": "1" * 40})
    assert "is no longer there" in gathering.moot("bob", "try", "--event", str(path), code=1).err


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "[" * 100_000,
        '{"pull_request": 3}',
        '{"pull_request": {"number": true, "base": {"ref": "main"}, "head": {"sha": "%s"}}}' % ("1" * 40),
        '{"pull_request": {"number": 1, "base": {"ref": "main"}, "head": {"sha": "--upload-pack=x"}}}',
        '{"pull_request": {"number": 1, "base": {"ref": "--exec=x"}, "head": {"sha": "%s"}}}' % ("1" * 40),
        '{"pull_request": {"number": 1, "base": {"ref": "a b"}, "head": {"sha": "%s"}}}' % ("1" * 40),
        '{"pull_request": {"number": 1, "base": {"ref": "a:refs/heads/b"}, "head": {"sha": "%s"}}}' % ("1" * 40),
        '{"pull_request": {"number": -1, "base": {"ref": "main"}, "head": {"sha": "%s"}}}' % ("1" * 40),
    ],
)
def test_a_file_that_is_no_event_of_a_pull_request_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "event.json"
    path.write_text(text, "utf-8")
    with pytest.raises(ProblemError) as refused:
        read_event(path)
    assert refused.value.problems[0].code == "E-ARGS"
