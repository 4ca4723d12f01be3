"""The limits of a game: set on record by administrators, at founding, and held to by timers."""

from __future__ import annotations

import pytest

from folkmoot.core.limits import LIMITS, flaws_of, limit_of, limits_told
from tests.support.table import START, VOTING, Found, Table, rule, said

ACTS = {"actions": {"go": {}}}


def test_administrators_set_a_limit_and_set_it_back(found: Found) -> None:
    table = found(rule("1"))
    outcome = table.ok("root", "set_limit", name="running_timers", value=7)
    assert outcome.effects == [{"effect": "limit", "of": "running_timers", "to": 7}]
    assert limit_of(table.document("game"), "running_timers") == 7
    assert limit_of(table.document("game"), "timer_period") == LIMITS["timer_period"].default
    table.ok("root", "set_limit", name="running_timers")
    assert table.document("game")["limits"] == {}


def test_nobody_else_sets_a_limit_and_no_rule_does(found: Found) -> None:
    table = found(
        rule("1", "def do_go(a):\n    try_act('set_limit', 'root', {'name': 'running_timers', 'value': 7})", **ACTS)
    )
    assert table.refused("ann", "set_limit", name="running_timers", value=7) == "E-NOT-ADMINISTRATOR"
    table.ok("ann", "go")
    assert "limits" not in table.document("game")


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_lies_in_its_bounds(found: Found, name: str) -> None:
    table, limit = found(rule("1")), LIMITS[name]
    assert limit.least <= limit.default <= limit.most
    for value in (limit.least - 1, limit.most + 1):
        assert table.refused("root", "set_limit", name=name, value=value) == "E-BOUNDS"
        assert flaws_of({name: value})
    for value in (limit.least, limit.most):
        table.ok("root", "set_limit", name=name, value=value)


def test_what_is_no_limit_or_no_number_is_refused(found: Found) -> None:
    table = found(rule("1"))
    assert table.refused("root", "set_limit", name="luck", value=7) == "E-ARGS"
    assert table.refused("root", "set_limit", name="game_size", value="much") == "E-ARGS"
    assert flaws_of({"luck": 7}) == [f"there is no limit 'luck'; there are {', '.join(LIMITS)}"]
    assert flaws_of({"game_size": True}) == ["the limit game_size is a whole number of bytes, not 'True'"]


def test_a_founding_may_set_limits(found: Found) -> None:
    table = found(rule("1"), limits={"timer_period": 3600})
    assert limits_told(table.document("game"))[0]["value"] == 3600


@pytest.mark.parametrize("limits", [{"luck": 1}, {"timer_period": 0}, {"timer_period": "x"}, ["timer_period"], 5])
def test_a_founding_with_limits_that_are_none_is_refused(limits: object) -> None:
    assert Table(rule("1"), limits=limits).founded.code == "E-BOUNDS"


@pytest.mark.parametrize("call", ["every(59, 'x')", "every(1, 'x')"])
def test_a_timer_repeats_no_faster_than_the_smallest_period(found: Found, call: str) -> None:
    table = found(rule("1", f"def do_go(a):\n    {call}", **ACTS))
    assert table.refused("ann", "go") == "E-SCRIPT"
    failure = table.document("law")["rules"]["1"]["failures"][-1]["error"]
    assert "at least 60 seconds (the limit timer_period)" in failure
    table.ok("root", "set_limit", name="timer_period", value=1)
    table.ok("ann", "go")


def test_a_timer_that_starts_itself_again_waits_as_long(found: Found) -> None:
    law = rule("1", "def do_go(a):\n    after(5, 'x')\ndef on_x(e):\n    announce('x')\n    after(5, 'x')", **ACTS)
    table = found(law)
    table.ok("ann", "go")
    fired = table.pass_time(3600)
    assert [outcome.failures[0]["code"] for outcome in fired] == ["E-BOUNDS"]
    assert table.document("things/timer") == {}


def test_a_timer_may_start_another_after_the_smallest_period(found: Found) -> None:
    law = rule("1", "def do_go(a):\n    after(5, 'x')\ndef on_x(e):\n    announce('x')\n    after(60, 'x')", **ACTS)
    table = found(law)
    table.ok("ann", "go")
    assert len(table.pass_time(5 + 2 * 60)) == 3


def test_only_so_many_timers_run(found: Found) -> None:
    law = rule("1", "def do_go(a):\n    [after(60 + n, 'x', key = 'k%d' % n) for n in range(4)]\ndef do_more(a):\n"
                    "    after(60, 'x', key = 'k1')\ndef do_other(a):\n    after(60, 'y')",
               actions={"go": {}, "more": {}, "other": {}})  # fmt: skip
    table = found(law, limits={"running_timers": 3})
    assert table.refused("ann", "go") == "E-SCRIPT"
    assert "3 timers run already, of at most 3 timers" in table.document("law")["rules"]["1"]["failures"][-1]["error"]
    table.ok("root", "set_limit", name="running_timers", value=4)
    table.ok("ann", "go")
    table.ok("ann", "more")
    assert table.refused("ann", "other") == "E-SCRIPT"


def test_lowering_a_limit_leaves_what_runs_alone(found: Found) -> None:
    law = rule("1", "def do_go(a):\n    every(60, 'x')\ndef on_x(e):\n    announce('x')", **ACTS)
    table = found(law)
    table.ok("ann", "go")
    table.ok("root", "set_limit", name="timer_period", value=600)
    assert len(table.pass_time(120)) == 2


BELLS = {"timers": {f"bell{n}": {"every": "hour"} for n in range(3)}}


@pytest.mark.parametrize(("limits", "wrong"), [({"running_timers": 2}, BELLS), ({"timer_period": 3601}, BELLS)])
def test_declared_timers_keep_to_the_limits_at_founding(limits: dict[str, int], wrong: dict[str, object]) -> None:
    assert Table(rule("1", **wrong), limits=limits).founded.code == "E-BOUNDS"


def test_declared_timers_of_several_rules_are_counted_together_at_founding() -> None:
    rules = [rule(str(n), timers={f"bell{n}": {"every": "hour"}}) for n in (1, 2)]
    assert Table(*rules, limits={"running_timers": 1}).founded.code == "E-BOUNDS"
    assert Table(*rules, limits={"running_timers": 2}).founded.accepted


def test_an_adopted_rule_whose_timers_are_too_many_is_left_out_and_the_rest_is_made_law(found: Found) -> None:
    table = found(VOTING, rule("1"), limits={"running_timers": 2})
    outcome = table.adopt({"enact": {"title": "Bells", **BELLS}}, {"amend": "1", "text": "New."})
    assert [reason["code"] for reason in outcome.reasons if reason["code"] == "E-BOUNDS"]
    assert table.document("things/timer") == {}
    assert table.document("rules/1")["text"] == "New."


def test_an_administrator_who_repairs_is_refused_too(found: Found) -> None:
    table = found(rule("1"), limits={"running_timers": 2})
    change = {"enact": {"title": "Bells", **BELLS}}
    assert table.refused("root", "repair", changes=[change], why="try") == "E-BOUNDS"


def test_a_timer_that_runs_is_replaced_beyond_the_number(found: Found) -> None:
    law = rule("1", "def do_go(a):\n    after(99, 'x')\n    announce(str(timer('x').due - now()))", **ACTS)
    table = found(law, limits={"running_timers": 1})
    for _ in range(2):
        assert said(table.ok("ann", "go")) == ["99"]
    assert table.document("things/timer")["x"]["due"] == START + 99
