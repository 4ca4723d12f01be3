"""Timers: edges, strictly later, recurring ones that follow the law, pauses."""

from __future__ import annotations

import pytest

from folkmoot.core.calendar import read_stamp, write_stamp
from tests.support.table import START, VOTING, Found, effects, rule, said

HOURLY = {"timers": {"bell": {"every": "hour", "time": "00:00"}}}
RING = "def on_bell(e):\n    announce('ding')"
ACTS = {"actions": {"go": {}, "say": {}}}


@pytest.mark.parametrize(("edge", "heard"), [("deadline", ["said", "due"]), ("start", ["due", "said"])])
def test_edges_at_the_same_instant(found: Found, edge: str, heard: list[str]) -> None:
    law = rule("1", "def do_go(a):\n    after(60, 'turn-lost')\ndef do_say(a):\n    announce('said')\n"
                    "def on_turn_lost(e):\n    announce('due')",
               timers={"turn-lost": {"edge": edge}}, **ACTS)  # fmt: skip
    table = found(law)
    table.ok("ann", "go")
    fired = table.pass_time(60, after_deadlines=False)
    outcomes = [*fired, table.ok("ann", "say"), *table.pass_time(0)]
    assert [text for outcome in outcomes for text in said(outcome)] == heard


def test_start_comes_before_deadline_then_the_order_of_setting(found: Found) -> None:
    law = rule("1", "def do_go(a):\n    after(60, 'd1')\n    after(60, 's')\n    after(60, 'd2')\n    after(30, 'd3')\n"
                    + "".join(f"def on_{n}(e):\n    announce('{n}')\n" for n in ("d1", "s", "d2", "d3")),
               timers={"s": {"edge": "start"}}, **ACTS)  # fmt: skip
    table = found(law)
    table.ok("ann", "go")
    assert [said(outcome)[0] for outcome in table.pass_time(60)] == ["d3", "s", "d1", "d2"]


@pytest.mark.parametrize("call", ["at(now(), 'x')", "after(0, 'x')", "after(-5, 'x')", "every(0, 'x')", "at(1 << 3, 'x')",
                                  "after(99999999999999, 'x')", "at('soon', 'x')"])  # fmt: skip
def test_timers_lie_strictly_later_than_now(found: Found, call: str) -> None:
    assert found(rule("1", f"def do_go(a):\n    {call}", **ACTS)).refused("ann", "go") == "E-SCRIPT"


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
    assert said(table.pass_time(60)[0]) == ["ann mine 0"]
    table.ok("ann", "go")
    assert said(table.ok("ann", "say")) == ["[True, False]"]
    assert table.pass_time(999) == []


def test_recurring_timers_of_scripts_go_on(found: Found) -> None:
    table = found(rule("1", "def do_go(a):\n    every(400, 'x')\ndef on_x(e):\n    announce('x')", **ACTS))
    table.ok("ann", "go")
    assert len(table.pass_time(1250)) == 3


def test_declared_timers_follow_the_law(found: Found) -> None:
    table = found(VOTING, rule("1", RING, **HOURLY))
    assert len(table.pass_time(2 * 3600)) == 2
    table.adopt({"amend": "1", "timers": {"bell": {"every": "day", "time": "18:00"}}})
    assert table.document("things/timer")["bell"]["due"] == START + 6 * 3600
    table.adopt({"amend": "1", "text": "Only words change."})
    assert table.document("things/timer")["bell"]["due"] == START + 6 * 3600
    table.adopt({"repeal": "1"})
    assert table.document("things/timer") == {}
    table.adopt({"enact": {"title": "Bell", "script": RING, **HOURLY}})
    assert table.document("things/timer")["bell"]["due"] == START + 3 * 3600


def test_a_timer_two_rules_declare_outlives_one_of_them(found: Found) -> None:
    table = found(VOTING, rule("1", RING, **HOURLY), rule("2", RING, **HOURLY))
    table.adopt({"repeal": "1"})
    assert table.document("things/timer")["bell"]["rule"] == "2"


def test_a_silent_tick_writes_nothing_and_replays(found: Found) -> None:
    table = found(rule("1", "def on_bell(e):\n    if now() % 7200 == 0:\n        announce('even')", **HOURLY))
    table.pass_time(5 * 3600)
    assert [entry["do"] for entry in table.entries] == ["found", "tick", "tick"]


def test_pause_stops_every_timer_and_shifts_it(found: Found) -> None:
    table = found(rule("1", "def do_go(a):\n    after(60, 'x')\ndef on_x(e):\n    announce('x')", **ACTS, **HOURLY))
    table.ok("ann", "go")
    table.pass_time(20)
    table.ok("root", "pause")
    assert table.pass_time(10_000) == []
    table.ok("root", "resume")
    due = {key: timer["due"] for key, timer in table.document("things/timer").items()}
    assert due == {"x": START + 10_060, "bell": START + 3600 + 10_000}
    assert said(table.pass_time(40)[0]) == ["x"]


def test_a_failing_timer_does_not_stop_the_clock(found: Found) -> None:
    table = found(rule("1", "def on_bell(e):\n    fail('x')", **HOURLY), rule("2", RING))
    assert [said(outcome) for outcome in table.pass_time(2 * 3600)] == [["ding"], ["ding"]]


def test_players_cannot_make_time_pass(found: Found) -> None:
    table = found(rule("1", RING, **HOURLY))
    assert table.refused("ann", "tick", timer="bell") == "E-NO-SUCH"
    assert table.refused("ann", "found", rules=[]) == "E-NO-SUCH"
    assert "bell" in table.document("things/timer")


def test_a_tick_at_the_wrong_time_does_not_take_the_timer_away(found: Found) -> None:
    table = found(rule("1", RING, **HOURLY))
    assert table.judge("tick", None, {"timer": "bell"}).code == "E-NO-SUCH"
    assert "bell" in table.document("things/timer")
    assert effects(table.pass_time(3600)[0], "announce")


def test_dates_are_of_the_game_zone(found: Found) -> None:
    law = rule(
        "1",
        "def do_go(a):\n    d = date(now())\n    announce('%d-%d %d:%d %d' % (d.month, d.day, d.hour, d.minute, d.weekday))\n"
        "    announce(str(moment(2026, 1, 5, 13) == now()))",
        **ACTS,
    )
    assert said(found(law, zone="Europe/Berlin").ok("ann", "go")) == ["1-5 13:0 0", "True"]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("2026, 3, 29, 2, 30", "2026-03-29T01:00:00Z"),  # left out that night: when the clocks change
        ("2026, 10, 25, 2, 30", "2026-10-25T00:30:00Z"),  # comes twice: the first time
        ("2026, 4, 31", None),
    ],
)
def test_a_moment_where_the_clocks_change_is_that_of_the_reference(found: Found, given: str, meant: str | None) -> None:
    table = found(rule("1", f"def do_go(a):\n    announce(str(moment({given})))", **ACTS), zone="Europe/Berlin")
    if meant is None:
        assert table.refused("ann", "go") == "E-SCRIPT"
    else:
        assert said(table.ok("ann", "go")) == [str(read_stamp(meant))]


@pytest.mark.parametrize(
    ("timer", "fires"),
    [
        ({"every": "month", "day": 31}, ["2026-01-30T23:00:00Z", "2026-02-27T23:00:00Z", "2026-03-30T22:00:00Z"]),
        (
            {"every": "2 months", "starting": "2025-12-31"},
            ["2026-02-27T23:00:00Z", "2026-04-29T22:00:00Z", "2026-06-29T22:00:00Z"],
        ),
        (
            {"every": "week", "weekday": "sunday", "time": "02:30"},
            [f"2026-03-{day:02}T01:{minute}:00Z" for day, minute in ((1, 30), (8, 30), (15, 30), (22, 30), (29, "00"))],
        ),
    ],
)
def test_a_timer_fires_on_the_last_day_of_a_shorter_month_and_when_the_clocks_change(
    found: Found, timer: dict[str, object], fires: list[str]
) -> None:
    ring = "def on_bell(e):\n    announce(str(e.due))"
    table = found(rule("1", ring, timers={"bell": timer}), zone="Europe/Berlin")
    rung = [int(said(outcome)[0]) for outcome in table.pass_time(read_stamp(fires[-1]) - table.now)]
    assert [write_stamp(due) for due in rung][-len(fires) :] == fires


def test_an_action_may_be_called_tick(found: Found) -> None:
    """A player's tick is in time at a deadline, like any other act, and replays so; it is no timer."""
    script = """
    def do_tick(a):
        announce("tick")
        if timer("bell") == None:
            after(HOUR, "bell")
    def on_bell(e):
        announce("bell")
    """
    table = found(rule("1", script, actions={"tick": {}}, timers={"bell": {}}))
    table.ok("ann", "tick")
    table.pass_time(3600, after_deadlines=False)
    assert said(table.ok("ann", "tick")) == ["tick"]
    assert [said(outcome) for outcome in table.pass_time(0)] == [["bell"]]
