"""Timers that leave no trace cost a bounded amount, keep their progress, and are proved tick by tick."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.events import Event
from folkmoot.core.problems import ProblemError, fail
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.kernel.replay import MOST_SILENT, replay
from folkmoot.kernel.step import Kernel
from folkmoot.sandbox.client import Applied, Sandbox
from tests.support.silence import DAY, START, lasting, proved, quiet

EVERY = {
    "rule": "2",
    "title": "Each minute",
    "script": "def do_go(a):\n    every(a.args.seconds, 'x')\ndef on_x(e):\n    pass\n",
    "actions": {"go": {"arguments": {"seconds": {"type": "integer"}}}},
}
NOISY = {**quiet(2), "script": "def on_bell1(e):\n    announce('ding')\n"}
DRAWING = {**quiet(2), "script": "def on_bell1(e):\n    announce(str(roll(6)))\n"}


@pytest.mark.threat("T-53")
def test_a_year_of_twenty_daily_timers_is_carried_by_seven_entries(tmp_path: Path) -> None:
    folder = lasting(tmp_path / "quiet", quiet(20))
    with Session.open(folder, writing=True) as session:
        entries = session.tick(START + 365 * DAY)
        assert session.ticks == 20 * 365
    assert [(entry["do"], entry["with"]) for entry in entries] == [("clock", {"ticks": MOST_SILENT})] * 7
    assert proved(folder).sound


@pytest.mark.threat("T-53")
def test_what_was_made_up_for_is_kept_and_no_tick_is_derived_again(tmp_path: Path) -> None:
    folder = lasting(tmp_path / "quiet", quiet(20))
    with Session.open(folder, writing=True) as session:
        for _ in range(5):  # as in a run that is cut short
            session.fire_next(START + 365 * DAY)
        derived = session.ticks
    assert derived > 3 * MOST_SILENT
    with Session.open(folder, writing=True) as session:
        session.tick(START + 365 * DAY)
        assert session.ticks <= 20 * 365 - derived + MOST_SILENT
    assert proved(folder).sound


def test_a_sleeping_game_makes_no_entry_every_run(tmp_path: Path) -> None:
    folder = lasting(tmp_path / "quiet", quiet(20))
    for day in range(1, 50, 12):
        with Session.open(folder, writing=True) as session:
            assert session.tick(START + day * DAY) == []
    assert GameFolder(folder).head.seq == 1


@pytest.mark.threat("T-53")
def test_a_timer_of_a_minute_quiet_for_two_days_is_proved_tick_by_tick(tmp_path: Path) -> None:
    folder = lasting(tmp_path / "quiet", EVERY)
    with Session.open(folder, writing=True) as session:
        assert session.act("bob", "go", {"seconds": 1}, at=START + 1).code == "E-SCRIPT"
        assert session.act("bob", "go", {"seconds": 60}, at=START + 2).accepted
        session.tick(START + 2 * DAY)
        assert session.ticks == 2 * DAY // 60 - 1
    assert proved(folder, seconds=0.2).sound  # all of it takes several times as long


@pytest.mark.parametrize("rule", [NOISY, DRAWING], ids=["noisy", "drawing"])
def test_what_leaves_a_trace_among_what_does_not_is_recorded_once_and_in_order(tmp_path: Path, rule: Any) -> None:
    folder = lasting(tmp_path / "noisy", rule)
    with Session.open(folder, writing=True) as session:
        entries = session.tick(START + 30 * DAY)
        assert session.ticks == 60
    assert [entry["with"] for entry in entries] == [{"timer": "bell1"}] * 30
    assert proved(folder).sound


def test_an_act_at_the_very_moment_of_a_silent_deadline_comes_before_it(tmp_path: Path) -> None:
    """The clock of a session that lives on must not be ahead of the act that is recorded next."""
    folder = lasting(tmp_path / "quiet", quiet(1, "hour"))
    with Session.open(folder, writing=True) as session:
        for hour in (1, 2):
            session.tick(START + hour * 3600)
            assert session.act("ann", "state", {"text": "in time"}, at=START + hour * 3600).accepted
        session.tick(START + 9 * 3600)
        assert session.act("ann", "state", {"text": "late to arrive"}, at=START + 5 * 3600).accepted
        session.tick(START + 9 * 3600)
    assert proved(folder).sound


@pytest.mark.threat("T-53")
@pytest.mark.parametrize("ticks", [1, MOST_SILENT + 1, "many"])
def test_an_entry_of_the_clock_that_says_too_much_or_too_little_is_found(tmp_path: Path, ticks: object) -> None:
    folder = lasting(tmp_path / "quiet", quiet(20))
    with Session.open(folder, writing=True) as session:
        session.tick(START + 60 * DAY)
    entries = list(GameFolder(folder).entries())
    assert replay(entries, Kernel()).documents.find("things/timer")
    entries[-1] = {**entries[-1], "with": {"ticks": ticks}}
    with pytest.raises(ProblemError) as problem:
        replay(entries, Kernel())
    assert problem.value.problems[0].code == "E-REPLAY"


def test_a_record_that_leaves_the_clock_out_is_refused_in_bounded_time(tmp_path: Path) -> None:
    folder = lasting(tmp_path / "quiet", quiet(20))
    with Session.open(folder, writing=True) as session:
        session.act("ann", "state", {"text": "x"}, at=START + 1)
    entries = list(GameFolder(folder).entries())
    entries[-1] = {**entries[-1], "at": "2999-01-01T00:00:00Z"}
    with pytest.raises(ProblemError, match="no entry carries the clock forward"):
        replay(entries, Kernel())


@pytest.mark.threat("T-54")
def test_a_timer_that_nobody_can_judge_is_taken_away_on_record_and_the_clock_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apply = Sandbox.apply

    def dying(judge: Sandbox, event: Event, *rest: Any) -> Applied:
        if event.with_.get("timer") == "bell0" and "stopped" not in event.with_:
            raise fail("E-JUDGE", "the judge died over it")
        return apply(judge, event, *rest)

    monkeypatch.setattr(Sandbox, "apply", dying)
    folder = lasting(tmp_path / "deadly", NOISY)
    with Session.open(folder, writing=True) as session:
        entries = session.tick(START + 3 * DAY)
        assert list(session.document("things/timer")) == ["bell1"]
    assert [entry["with"]["timer"] for entry in entries] == ["bell0", "bell1", "bell1", "bell1"]
    assert (entries[0]["code"], entries[0]["with"]["stopped"]) == ("E-DIED", "the judge died over it")
    assert {reason["code"] for reason in entries[0]["reasons"]} == {"E-DIED", "TIMER-STOPPED"}
    assert proved(folder).sound


@pytest.mark.process
def test_where_the_judge_dies_in_silence_the_timers_are_fired_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deadly = (
        "def on_bell0(e):\n    if now() > %d:\n        x = [0]\n        for i in range(99999):\n            x = x + x\n"
    )
    rule = {**quiet(2), "script": deadly % (START + 20 * DAY)}
    monkeypatch.setattr("folkmoot.kernel.replay.MOST_SILENT", 10)
    folder = lasting(tmp_path / "deadly", rule)
    with Session.open(folder, writing=True) as session:
        entries = session.tick(START + 40 * DAY)
        assert session.ticks == 80
    assert [entry["do"] for entry in entries if entry["do"] != "clock"] == ["tick"]
    assert proved(folder).sound
