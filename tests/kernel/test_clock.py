"""Timers: edges, strictly later, recurring ones that follow the law, their order, pauses and failures."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.core.calendar import next_firing, read_stamp, write_stamp
from folkmoot.kernel.rule_changes import check_parts
from tests.support.table import START, VOTING, Found, Table, effects, rule, said

HOUR, DAY = 3_600, 86_400
HOURLY = {"timers": {"bell": {"every": "hour", "time": "00:00"}}}
RING = "def on_bell(e):\n    announce('ding')"
ACTS = {"actions": {"go": {}, "say": {}}}
SAY = "def on_{0}(e):\n    announce('{0}')\n"
DOWN = "def decide_prevails(a, b):\n    return a if int(a.number) > int(b.number) else b\n"


def heard(table: Table, seconds: int) -> list[str]:
    """Return what timers announce in some time, in order."""
    return [text for outcome in table.pass_time(seconds) for text in said(outcome)]


def starting(number: str, name: str) -> dict[str, Any]:
    """Return a rule that starts a timer, and says so when it fires."""
    return rule(number, f"def on_stated(e):\n    after(3600, '{name}', key = '{name}')\n\n" + SAY.format(name))


@pytest.mark.parametrize(("edge", "order"), [("deadline", ["said", "due"]), ("start", ["due", "said"])])
def test_edges_at_the_same_instant(found: Found, edge: str, order: list[str]) -> None:
    script = """
    def do_go(a):
        after(60, "turn-lost")
    def do_say(a):
        announce("said")
    def on_turn_lost(e):
        announce("due")
    """
    table = found(rule("1", script, timers={"turn-lost": {"edge": edge}}, **ACTS))
    table.ok("ann", "go")
    fired = table.pass_time(60, after_deadlines=False)
    outcomes = [*fired, table.ok("ann", "say"), *table.pass_time(0)]
    assert [text for outcome in outcomes for text in said(outcome)] == order


NOT_LATER = "at(now() after(0 after(-5 every(0 at(8 after(99999999999999 at('soon'".split()


@pytest.mark.parametrize("call", NOT_LATER)
def test_timers_lie_strictly_later_than_now(found: Found, call: str) -> None:
    assert found(rule("1", f"def do_go(a):\n    {call}, 'x')", **ACTS)).refused("ann", "go") == "E-SCRIPT"


def test_a_timer_carries_its_payload_and_can_be_looked_at_and_stopped(found: Found) -> None:
    law = rule(
        "1",
        """
        def do_go(a):
            after(60, "x", key = "mine", who = a.by)
            announce(str(timer("mine").due - now()) + str(timer("none")))
        def do_say(a):
            announce(str([cancel("mine"), cancel("mine")]))
        def on_x(e):
            announce("%s %s %d" % (e.who, e.key, e.due - now()))
        """,
        **ACTS,
    )
    table = found(law)
    assert said(table.ok("ann", "go")) == ["60None"]
    assert heard(table, 60) == ["ann mine 0"]
    table.ok("ann", "go")
    assert said(table.ok("ann", "say")) == ["[True, False]"]
    assert table.pass_time(999) == []


def test_declared_timers_follow_the_law(found: Found) -> None:
    table = found(VOTING, rule("1", RING, **HOURLY))
    assert len(table.pass_time(2 * HOUR)) == 2
    for change, due in (
        ({"amend": "1", "timers": {"bell": {"every": "day", "time": "18:00"}}}, START + 6 * HOUR),
        ({"amend": "1", "text": "Only words change."}, START + 6 * HOUR),
        ({"repeal": "1"}, None),
        ({"enact": {"title": "Bell", "script": RING, **HOURLY}}, START + 3 * HOUR),
    ):
        table.adopt(change)
        assert [timer["due"] for timer in table.document("things/timer").values()] == ([due] if due else [])


def test_nobody_makes_time_pass_and_no_tick_at_the_wrong_time_takes_a_timer_away(found: Found) -> None:
    table = found(
        rule("1", RING, **HOURLY), rule("2", RING, **HOURLY), rule("3", "def do_go(a):\n    repeal('1')", **ACTS)
    )
    assert table.refused("ann", "tick", timer="bell") == "E-NO-SUCH"
    assert table.judge("tick", None, {"timer": "bell"}).code == "E-NO-SUCH"
    table.ok("ann", "go")
    assert table.document("things/timer")["bell"]["rule"] == "2", "the other rule that declares it keeps it"
    assert effects(table.pass_time(HOUR)[0], "announce")


def test_a_pause_stops_every_timer_shifts_it_and_says_how_long_it_was(found: Found) -> None:
    script = SAY.format("x") + "def do_go(a):\n    after(60, 'x')\ndef on_resumed(e):\n    announce(str(e.seconds))"
    table = found(rule("1", script, **ACTS, **HOURLY))
    table.ok("ann", "go")
    table.pass_time(20)
    table.ok("root", "pause")
    assert table.pass_time(10_000) == []
    assert said(table.ok("root", "resume")) == ["10000"]
    due = {key: timer["due"] for key, timer in table.document("things/timer").items()}
    assert due == {"x": START + 10_060, "bell": START + HOUR + 10_000}
    assert heard(table, 40) == ["x"]


def test_dates_and_moments_are_of_the_game_zone(found: Found) -> None:
    dating = "d = date(now())\n    announce('%d-%d %d:%d %d' % (d.month, d.day, d.hour, d.minute, d.weekday))"
    script = f"def do_go(a):\n    announce(str(moment(2026, 10, 25, 2, 30)))\n    {dating}\n    moment(2026, 4, 31)"
    table = found(rule("1", script, **ACTS), zone="Europe/Berlin")
    assert table.refused("ann", "go") == "E-SCRIPT"
    table = found(rule("1", script.removesuffix("\n    moment(2026, 4, 31)"), **ACTS), zone="Europe/Berlin")
    assert said(table.ok("ann", "go")) == [str(read_stamp("2026-10-25T00:30:00Z")), "1-5 13:0 0"]


# -- timers of one instant


def test_timers_of_one_instant_fire_by_the_number_of_their_rules_starts_before_deadlines(found: Found) -> None:
    early = {**starting("12", "early"), "timers": {"early": {"edge": "start"}}}
    rules = [starting("9", "late"), starting("3", "middle"), early]
    for law, order in (((), ["early", "middle", "late"]), ((rule("20", DOWN),), ["early", "late", "middle"])):
        table = found(*rules, *law)
        table.ok("ann", "state", text="go")
        assert heard(table, HOUR) == order


def test_those_of_one_rule_fire_as_they_were_started_and_those_of_none_last(found: Found) -> None:
    script = "def on_stated(e):\n    for name in ['z', 'a', 'm']:\n        after(3600, 'bell', key = name)\n\n"
    bells = "def on_bell(e):\n    announce(e.key)\n    if e.key == 'z':\n        repeal(rule('3'))\n"
    for number, order in (("12", ["early", "early", "z", "a", "m"]), ("2", ["z", "a", "m", "early"])):
        table = found(rule(number, script + bells), starting("3", "early"), rule("13", SAY.format("early")))
        table.ok("ann", "state", text="go")
        assert heard(table, HOUR) == order, "of rule 2 the rule that started the other one is gone"


# -- recurring


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
        ({"every": "week", "weekday": "sunday", "time": "02:30"}, "Europe/Vienna", "2026-03-22T02:00:00Z", "2026-03-29T01:00:00Z"),
        ({"every": "month", "day": 31}, "Europe/Vienna", "2026-02-01T00:00:00Z", "2026-02-27T23:00:00Z"),
        ({"every": "3 months", "starting": "2026-01-31"}, "UTC", "2026-02-01T00:00:00Z", "2026-04-30T00:00:00Z"),
        ({"every": "3 months", "starting": "2026-01-31"}, "UTC", "2026-04-30T00:00:00Z", "2026-07-31T00:00:00Z"),
        ({"every": "36 hours", "starting": "2026-05-01"}, "UTC", "2026-05-01T00:00:00Z", "2026-05-02T12:00:00Z"),
        ({"every": "999 months", "starting": "2999-12-31"}, "UTC", "9993-01-01T00:00:00Z", "9999-12-31T23:59:59Z"),
    ],
)  # fmt: skip
def test_a_timer_may_recur_every_so_many(spec: dict[str, Any], zone: str, after: str, due: str) -> None:
    assert write_stamp(next_firing(spec, read_stamp(after), zone)) == due


def test_timers_of_scripts_and_rules_recur_in_play_from_their_date_on(found: Found) -> None:
    declared = {"market": {"every": "10 days", "starting": "2026-01-08", "time": "12:00"}}
    script = SAY.format("market") + "def do_go(a):\n    every(DAY, 'x')\ndef on_x(e):\n    announce('x')"
    table = found(rule("3", script, timers=declared, **ACTS))
    assert (heard(table, 3 * DAY - 1), heard(table, 10 * DAY), heard(table, 1)) == ([], ["market"], ["market"])
    table.ok("ann", "go")
    assert heard(table, 3 * DAY) == ["x"] * 3


NO_PERIODS = [
    *({"every": each} for each in ("1 days", "10 days", "2 years", 5)),
    {"every": "10 days", "starting": "soon"},
]


@pytest.mark.parametrize("spec", NO_PERIODS)
def test_what_is_no_period_is_refused_when_it_is_proposed_and_when_it_is_founded(spec: dict[str, Any]) -> None:
    assert check_parts({"title": "x", "timers": {"market": spec}})
    assert Table(rule("3", timers={"market": spec})).founded.code == "E-ARGS"


# -- failures


@pytest.mark.threat("T-91")
def test_the_same_failure_is_counted_another_one_or_revision_is_new_and_no_other_listener_is_stopped(
    found: Found,
) -> None:
    failing = "def on_bell(e):\n    fail('a' if get('game', 'n') == 0 else 'b')\n"
    daily = {"timers": {"bell": {"every": "day"}}}
    table = found(rule("1", failing, defines={"game": {"n": {"type": "integer", "initial": 0}}}, **daily))
    table.pass_time(3 * DAY)
    table.ok("root", "correct", of="game", name="n", to=1, why="x")
    table.pass_time(3 * DAY)
    table.ok("root", "repair", changes=[{"amend": "1", "title": "Still broken"}], why="x")
    table.pass_time(3 * DAY)
    assert [entry["do"] for entry in table.entries] == ["found", "tick", "correct", "tick", "repair", "tick"]
    kept = table.document("law")["rules"]["1"]["failures"]
    assert [(each["revision"], each["times"]) for each in kept] == [(1, 3), (1, 3), (2, 3)]
    table = found(rule("1", "def on_bell(e):\n    fail('x')", **daily), rule("2", RING))
    assert heard(table, 2 * DAY) == ["ding", "ding"]
    assert [len(entry["failures"]) for entry in table.entries[1:]] == [1, 1]
