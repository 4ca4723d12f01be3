"""Scenarios with exact chances: whatever is drawn where, each way counts once, and what draws nothing is played once."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.scenarios.scenario import Failed, run_scenario
from tests.support.table import rule

Record = dict[str, Any]
DICE = """
def on_founded(e):
    if setting("early") == "yes":
        put("game", "first", roll(2, "first"))
def do_count(a):
    add("game", "acts", 1)
def do_throw(a):
    add("game", "thrown", roll(a.args.sides, "throw"))
"""
EARLY = {"early": {"question": "When?", "default": "no", "alternatives": {"yes": "At once.", "no": "Later."}}}
REGISTERS = {name: {"type": "integer"} for name in ("first", "acts", "thrown")}
LAW = rule(
    "1",
    DICE,
    defines={"game": REGISTERS},
    settings=EARLY,
    actions={"count": {}, "throw": {"arguments": {"sides": {"type": "integer"}}}},
)


def play(*steps: Record, chance: list[Record], **more: Any) -> None:
    """Run a scenario with exact chances on the law above."""
    scenario = {
        "scenario": "chances",
        "ruleset": "x",
        "players": ["ann"],
        "steps": list(steps),
        "chance": chance,
        **more,
    }
    run_scenario(scenario, lambda _name: {"rules": [LAW], "players": []})


COUNT = {"by": "ann", "do": "count"}


def throw(sides: int) -> Record:
    """Return the step that throws a die."""
    return {"by": "ann", "do": "throw", "args": {"sides": sides}}


def test_two_dice_after_steps_without_any() -> None:
    claims = [{"game": True, "thrown": total, "probability": f"{min(total - 1, 7 - total)}/9"} for total in (2, 3)]
    claims.append({"game": True, "acts": 3, "probability": 1})
    play(COUNT, COUNT, throw(3), COUNT, throw(3), chance=claims)


def test_the_founding_may_draw() -> None:
    claims = [{"game": True, "first": 2, "probability": "1/2"}, {"game": True, "thrown": 1, "probability": "1/4"}]
    play(COUNT, throw(4), chance=claims, settings={"early": "yes"})


def test_nothing_drawn_is_certain() -> None:
    play(COUNT, chance=[{"game": True, "acts": 1, "probability": 1}, {"game": True, "acts": 2, "probability": 0}])


def test_a_wrong_probability_and_a_wrong_step_fail() -> None:
    with pytest.raises(Failed, match="is 1/3, not 1/4"):
        play(throw(3), chance=[{"game": True, "thrown": 1, "probability": "1/4"}])
    with pytest.raises(Failed, match="step 2"):
        play(throw(3), {"by": "zed", "do": "count"}, chance=[])
