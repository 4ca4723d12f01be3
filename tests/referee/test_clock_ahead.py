"""A machine's clock that is wrong: refused where nothing supports it, told where it is on record, and taken back there."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.core.calendar import DAY, HOUR
from folkmoot.core.problems import ProblemError
from folkmoot.forges.local.forge import LocalForge
from folkmoot.game.rulesets import founding
from folkmoot.game.session import Session
from folkmoot.game.verify import replayed_anew, verify
from folkmoot.journal.machine_clock import FAR, FILE, clock_warning, refuse_far_ahead
from folkmoot.journal.tree import GameTree
from folkmoot.referee import intake
from tests.support.meeting import GAME, START, Meeting
from tests.support.quick import SMALL, QuickMeeting
from tests.support.silence import quiet

YEAR = 365 * DAY


SCRIPT = """\
def on_stated(e):
    owe(e.player, "answer", by = now() + 3 * 86400)
    after(5 * 86400, "bell")
"""
ANSWERS = {"rule": "999", "uid": "999", "title": "Answers", "labels": {"status": "mutable"}, "text": "Answer."}


@pytest.fixture
def meeting(tmp_path: Path) -> Meeting:
    """Return a meeting whose referee believes no clock that nothing supports, on a machine that was never used since."""
    rules = [*founding("suber")["rules"], {**ANSWERS, "script": SCRIPT}]
    meeting = Meeting(tmp_path, law={"rules": rules})
    assert isinstance(meeting.forge, LocalForge)
    meeting.forge.trusts_clock = False
    return meeting


def take_back(meeting: Meeting, by: str = "ann") -> bool:
    """Let somebody take the clock back to the meeting's time, as `moot verify --repair clock` does; says whether it was."""
    record = GameTree(meeting.repo, meeting.game().commit_id, GAME)
    before = record.commit_id
    with Session.on(record) as session:
        accepted = session.act(by, "set_clock", {"why": "ahead"}, at=meeting.now).accepted
        made = record.commit("Take the clock back", at=session.at)
    return accepted and meeting.forge.publish(before, made, proved=False)


def left(meeting: Meeting, now: int) -> list[int]:
    """Return what is left of deadlines and timers, in seconds."""
    due = [duty["by"] for duty in meeting.document("things/duty").values() if duty["by"] is not None]
    return sorted(at - now for at in (*due, *(timer["due"] for timer in meeting.document("things/timer").values())))


# -- refused


@pytest.mark.threat("T-131")
def test_a_clock_that_nothing_known_supports_records_and_notes_nothing(tmp_path: Path) -> None:
    with pytest.raises(ProblemError, match="nothing known here is later than"):
        refuse_far_ahead(tmp_path / "none", START + YEAR, [START, START + 2 * YEAR], insisted=False)
    refuse_far_ahead(tmp_path / "none", START + YEAR, [START], insisted=True)
    refuse_far_ahead(tmp_path / "none", START + FAR, [START], insisted=False)
    refuse_far_ahead(tmp_path / "none", START - YEAR, [START], insisted=False)
    for at in range(START, START + YEAR, 29 * DAY):  # this machine's own last run supports it
        refuse_far_ahead(tmp_path, at, [START], insisted=at == START)
        assert int((tmp_path / FILE).read_bytes()) == at
    assert clock_warning("dragons", START + HOUR, START, met=True) == ""
    assert "moot act set_clock --by NAME" in clock_warning("dragons", START + YEAR, START, met=False)
    assert "365 days ahead" in clock_warning("dragons", START + YEAR, START, met=True)


def test_an_act_that_somebody_pushed_now_supports_it(meeting: Meeting) -> None:
    meeting.forge = LocalForge(meeting.referee_folder, meeting.remote)
    meeting.forge.trusts_clock = False
    meeting.now += 20 * YEAR
    with pytest.raises(ProblemError, match="E-CLOCK"):
        meeting.referee()
    assert meeting.game().head.seq == 1
    meeting.say("ann", 0, "/do state now")
    assert meeting.referee().entries


# -- told, and taken back


@pytest.mark.threat("T-131")
def test_it_is_told_and_taken_back_on_record_with_what_is_left(meeting: Meeting) -> None:
    meeting.forge.trusts_clock = True  # type: ignore[attr-defined]
    meeting.say("ann", 0, "/do state one")
    meeting.now += 20 * YEAR
    assert meeting.referee().games[0].clock == ""
    wrong = meeting.now
    assert left(meeting, wrong) == [3 * DAY, 5 * DAY]
    meeting.now = START + HOUR
    meeting.say("bob", 0, "/do state two")
    game = meeting.referee().games[0]
    assert (game.ahead, "moot verify --repair clock" in game.clock) == (wrong - meeting.now, True)
    assert meeting.game().head.seq == 2, "until then nothing is recorded, lest what is too late be in time"
    assert not take_back(meeting, "bob")
    assert take_back(meeting)
    assert meeting.game().head.at == meeting.now
    assert left(meeting, meeting.now) == [3 * DAY, 5 * DAY]
    meeting.referee()
    assert meeting.game().entry(4)["with"] == {"text": "two"}, "what waited is judged now"
    meeting.say("bob", 0, "/do state three")
    assert meeting.referee(60).games[0].clock == ""
    assert meeting.game().head.at == meeting.now, "later times are possible again from now on"
    report_ = verify(meeting.game(), replayed_anew(meeting.game()))
    assert report_.sound, report_.problems


def test_only_so_much_and_only_by_that_act_may_an_entry_be_earlier(meeting: Meeting) -> None:
    with Session.on(meeting.game()) as session:
        with pytest.raises(ProblemError, match="lies before the last entry"):
            session.act("ann", "state", {"text": "early"}, at=START - 1)
        assert not session.act("ann", "set_clock", {"why": "not ahead"}, at=START + 1).accepted
        assert not session.act("bob", "set_clock", {"why": "no administrator"}, at=START).accepted
        assert session.at == START + 1
        assert session.act("ann", "set_clock", {"seconds": 5, "why": "ahead"}, at=START).accepted
        assert (session.at, session.record.entry(4)["with"]["seconds"]) == (START, 1)


# -- silent time


@pytest.mark.threat("T-53")
def test_a_run_makes_up_for_a_part_of_the_silence_and_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "MOST_TICKS_A_RUN", 3_000)
    meeting = QuickMeeting(tmp_path, law={**SMALL, "rules": [*SMALL["rules"], {**quiet(20), "rule": "9"}]})
    reports = [meeting.referee(365 * DAY), meeting.referee(), meeting.referee(), meeting.referee()]
    assert [(report.more, report.entries) for report in reports] == [(True, 3), (True, 3), (False, 1), (False, 0)]
    meeting.say("ann", 0, "/state Here I am")
    report = meeting.referee(600)
    assert [done.accepted for done in report.games[0].done] == [True]
