"""Language L15: timers of one instant fire by precedence, recur every ten days too, and a pause says how long it was."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.calendar import next_firing, read_stamp, write_stamp
from folkmoot.game.session import Session
from folkmoot.kernel.rule_changes import check_parts
from tests.support.table import START, Table, rule

HOUR = 3_600
SAY = "def on_{0}(e):\n    announce('{0}')\n"
DOWN = "def decide_prevails(a, b):\n    return a if int(a.number) > int(b.number) else b\n"


def said(effects: list[Any]) -> list[str]:
    return [effect["text"] for effect in effects if effect["effect"] == "announce"]


def heard(table: Table, seconds: int) -> list[str]:
    """Return what timers announce in some time, in order."""
    before = len(table.entries)
    table.pass_time(seconds)
    return [text for entry in table.entries[before:] for text in said(entry.get("effects", []))]


def starting(number: str, name: str, more: str = "") -> dict[str, Any]:
    """Return a rule that starts a timer, and says so when it fires."""
    return rule(number, f"def on_stated(e):\n    after(3600, '{name}', key = '{name}')\n\n" + SAY.format(name) + more)


def test_timers_of_one_instant_fire_by_the_number_of_their_rules() -> None:
    table = Table(starting("12", "late"), starting("3", "early"), starting("7", "middle"))
    table.ok("ann", "state", text="go")
    assert heard(table, HOUR) == ["early", "middle", "late"]
    table.replay_all()


def test_they_fire_by_the_order_that_the_law_decides() -> None:
    table = Table(starting("12", "late"), starting("3", "early"), rule("20", DOWN))
    table.ok("ann", "state", text="go")
    assert heard(table, HOUR) == ["late", "early"]
    table.replay_all()


def test_those_of_one_rule_fire_as_they_were_started_and_those_of_none_last() -> None:
    script = "def on_stated(e):\n    for name in ['z', 'a', 'm']:\n        after(3600, 'bell', key = name)\n\n"
    bells = "def on_bell(e):\n    announce(e.key)\n    if e.key == 'z':\n        repeal(rule('3'))\n"
    table = Table(rule("12", script + bells), starting("3", "early"), rule("13", SAY.format("early")))
    table.ok("ann", "state", text="go")
    assert heard(table, HOUR) == ["early", "early", "z", "a", "m"]
    table = Table(rule("2", script + bells), starting("3", "early"), rule("13", SAY.format("early")))
    table.ok("ann", "state", text="go")
    assert heard(table, HOUR) == ["z", "a", "m", "early"], "the rule that started it is gone"
    table.replay_all()


def test_a_start_still_comes_before_a_deadline() -> None:
    declared = {"timers": {"early": {"edge": "start"}}}
    table = Table(starting("3", "late"), {**starting("12", "early"), **declared})
    table.ok("ann", "state", text="go")
    assert heard(table, HOUR) == ["early", "late"]


def test_a_game_on_disk_fires_them_so_and_can_be_proved(tmp_path: Path) -> None:
    law = [starting("12", "late"), starting("3", "early"), starting("5", "middle"), rule("20", DOWN)]
    Session.found(tmp_path / "game", {"rules": law, "players": [{"id": "ann"}], "administrators": ["ann"]}, START)
    with Session.open(tmp_path / "game", writing=True) as session:
        session.act("ann", "state", {"text": "go"}, at=START + 1)
        entries = session.tick(START + 2 * HOUR)
        assert [text for entry in entries for text in said(entry.get("effects", []))] == ["late", "middle", "early"]


@pytest.mark.parametrize(
    ("spec", "zone", "after", "due"),
    [
        ({"every": "10 days", "starting": "2026-05-01"}, "UTC", "2026-01-01T00:00:00Z", "2026-05-01T00:00:00Z"),
        ({"every": "10 days", "starting": "2026-05-01"}, "UTC", "2026-05-01T00:00:00Z", "2026-05-11T00:00:00Z"),
        ({"every": "10 days", "starting": "2026-05-01"}, "UTC", "2027-01-01T00:00:00Z", "2027-01-06T00:00:00Z"),
        ({"every": "10 days", "starting": "2026-03-25", "time": "12:00"}, "Europe/Vienna", "2026-03-26T00:00:00Z",
         "2026-04-04T10:00:00Z"),
        ({"every": "2 weeks", "starting": "2026-05-01", "time": "18:30"}, "UTC", "2026-05-15T18:29:59Z",
         "2026-05-15T18:30:00Z"),
        ({"every": "3 months", "starting": "2026-01-31"}, "UTC", "2026-02-01T00:00:00Z", "2026-04-30T00:00:00Z"),
        ({"every": "3 months", "starting": "2026-01-31"}, "UTC", "2026-04-30T00:00:00Z", "2026-07-31T00:00:00Z"),
        ({"every": "36 hours", "starting": "2026-05-01"}, "UTC", "2026-05-01T00:00:00Z", "2026-05-02T12:00:00Z"),
        ({"every": "999 months", "starting": "2999-12-31"}, "UTC", "9993-01-01T00:00:00Z", "9999-12-31T23:59:59Z"),
    ],
)  # fmt: skip
def test_a_timer_may_recur_every_so_many(spec: dict[str, Any], zone: str, after: str, due: str) -> None:
    assert write_stamp(next_firing(spec, read_stamp(after), zone)) == due


@pytest.mark.parametrize("every", ["2 days", "7 days", "5 hours", "2 weeks", "5 months", "36 hours"])
def test_from_firing_to_firing_nothing_is_skipped(every: str) -> None:
    spec = {"every": every, "starting": "2026-01-31", "time": "02:30"}
    at, seen = read_stamp("2025-01-01T00:00:00Z"), []
    for _ in range(40):
        following = next_firing(spec, at, "Europe/Vienna")
        assert following == next_firing(spec, following - 1, "Europe/Vienna") > at
        at = following
        seen.append(at)
    steps = [b - a for a, b in pairwise(seen)]
    assert max(steps) - min(steps) <= (4 * 86_400 if "month" in every else 7_200)


def test_it_fires_in_play_from_its_date_on() -> None:
    declared = {"market": {"every": "10 days", "starting": "2026-01-08", "time": "12:00"}}
    table = Table(rule("3", SAY.format("market"), timers=declared))
    assert heard(table, 3 * 86_400 - 1) == []
    assert heard(table, 10 * 86_400) == ["market"]
    assert heard(table, 1) == ["market"]
    table.replay_all()


@pytest.mark.parametrize("spec", [{"every": "1 days"}, {"every": "10 days"}, {"every": "ten days"}, {"every": "2 years"},
                                  {"every": "10 days", "starting": "soon"}, {"every": 5}])  # fmt: skip
def test_what_is_no_period_is_refused_when_it_is_proposed_and_when_it_is_founded(spec: dict[str, Any]) -> None:
    assert check_parts({"title": "x", "timers": {"market": spec}})
    assert Table(rule("3", timers={"market": spec})).founded.code == "E-ARGS"


def test_a_pause_says_how_long_it_was() -> None:
    table = Table(rule("3", "def on_resumed(e):\n    announce(str(e.seconds))"))
    table.ok("root", "pause")
    table.now += 500
    assert said(table.ok("root", "resume").effects) == ["500"]
