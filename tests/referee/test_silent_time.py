"""Adversary 5, at the referee's table: a run makes up for a bounded part of silent time, and the next goes on there."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.referee import intake
from tests.support.quick import SMALL, QuickMeeting
from tests.support.silence import DAY, quiet

BELLS = {**quiet(20), "rule": "9"}


@pytest.mark.threat("T-53")
def test_a_run_makes_up_for_a_part_of_the_silence_and_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "MOST_TICKS_A_RUN", 3_000)
    meeting = QuickMeeting(tmp_path, law={**SMALL, "rules": [*SMALL["rules"], BELLS]})
    first = meeting.referee(365 * DAY)
    assert first.more
    assert first.entries == 3
    rest = [meeting.referee() for _ in range(2)]
    assert [(report.more, report.entries) for report in rest] == [(True, 3), (False, 1)]
    assert meeting.referee().entries == 0
    meeting.say("ann", 0, "/state Here I am")
    report = meeting.referee(600)
    assert [done.accepted for done in report.games[0].done] == [True]
