"""What a scenario says where it asks for a moment that nobody knows, and where a script failed before a claim did not hold."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.core.records import Founding
from folkmoot.scenarios.scenario import Failed, run_scenario
from tests.support.table import VOTING, rule

CALENDAR = rule(
    "2",
    """
    def decide_moment_named(name):
        return {"noon": 1767614400 + 3600, "never": "soon"}.get(name)

    def do_wind(a):
        after(HOUR, "bell")

    def do_break(a):
        put("game", "rung", 1)
        emit("broken")

    def on_broken(e):
        fail("the spring is broken")
    """,
    actions={"wind": {}, "break": {}},
    defines={"game": {"rung": {"type": "integer"}}},
    timers={"bell": {}},
)


def law(_name: str) -> Founding:
    return {"title": "Tea", "rules": [VOTING, CALENDAR], "players": [{"id": "ann"}]}


def run(*steps: Any, expect: Any = ()) -> None:
    run_scenario({"scenario": "x", "ruleset": "x", "steps": [*steps], "expect": [*expect]}, law)


def test_time_passes_to_a_timer_or_to_what_the_law_names() -> None:
    run({"by": "ann", "do": "wind"}, {"tick": {"to": "bell"}}, {"tick": {"to": "noon"}})


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("dusk", "no timer 'dusk' is running, and no rule says when that is; of timers bell run"),
        ("never", "it must be a whole number"),
    ],
)
def test_a_moment_that_nobody_knows_is_told(name: str, said: str) -> None:
    with pytest.raises(Failed, match=said):
        run({"by": "ann", "do": "wind"}, {"tick": {"to": name}})


def test_where_a_claim_does_not_hold_a_script_that_failed_before_is_told() -> None:
    with pytest.raises(Failed, match=r"but rung is .*; before that a script failed in entry 2 .*on_broken"):
        run({"by": "ann", "do": "break"}, expect=[{"game": True, "rung": 5}])
