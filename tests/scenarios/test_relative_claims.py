"""Claims of how much a number has changed since before the step above."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.scenarios.scenario import Failed, run_scenario

SCRIPT = """
def do_pick(a):
    add(a.by, "fruit", 2)
    add("game", "picked", 1)

def do_crack(a):
    put(a.by, "nuts", 4)

def do_gamble(a):
    add(a.by, "fruit", roll(2, "gamble"))
"""
RULE = {
    "rule": "1",
    "title": "Fruit",
    "text": "Players pick.",
    "script": SCRIPT,
    "actions": {"pick": {"summary": "Pick"}, "crack": {"summary": "Crack"}, "gamble": {"summary": "Gamble"}},
    "defines": {
        "player": {
            "fruit": {"type": "integer", "initial": 3, "summary": "Fruit"},
            "nuts": {"type": "integer", "optional": True, "summary": "Nuts, once there are any"},
            "mood": {"type": "string", "initial": "+2", "summary": "Mood"},
        },
        "game": {"picked": {"type": "integer", "initial": 0, "summary": "How often"}},
    },
}
PICK = {"by": "ann", "do": "pick"}


def play(**scenario: Any) -> None:
    law = {"title": "Grove", "rules": [RULE]}
    run_scenario({"scenario": "x", "ruleset": "grove", "players": ["ann", "bob"], **scenario}, lambda _name: law)


def expect(**claim: Any) -> dict[str, Any]:
    return {"expect": [claim]}


def test_a_change_is_relative_to_what_was_before_the_step_above() -> None:
    ann = {"player": "ann"}
    play(
        steps=[
            PICK,
            expect(**ann, fruit="+2"),
            expect(**ann, fruit=5),
            PICK,
            PICK,
            expect(**ann, fruit="+2"),
            expect(game=True, picked="+1"),
            expect(player="bob", fruit="+0"),
        ],
        expect=[{**ann, "fruit": "+2", "mood": "+2"}, {**ann, "fruit": 9}],
    )


@pytest.mark.parametrize("claimed", ["+1", "+4", "-2", "+0"])
def test_another_change_fails_the_scenario(claimed: str) -> None:
    with pytest.raises(Failed, match="fruit is 7"):
        play(steps=[PICK, PICK, expect(player="ann", fruit=claimed)])


def test_without_a_step_above_the_claim_says_what_is_missing() -> None:
    with pytest.raises(Failed, match=r"fruit \+0 is relative to the step above, and there is none"):
        play(expect=[{"player": "ann", "fruit": "+0"}])


def test_a_register_that_held_no_number_before_is_told() -> None:
    with pytest.raises(Failed, match="there was no nuts then; claim the number itself"):
        play(steps=[{"by": "ann", "do": "crack"}, expect(player="ann", nuts="+4")])
    play(steps=[{"by": "ann", "do": "crack"}, expect(player="ann", nuts=4), PICK, expect(player="ann", nuts="-0")])


def test_changes_are_claimed_of_every_way_in_which_dice_fall() -> None:
    gamble = {"by": "ann", "do": "gamble"}
    chance = [{"player": "ann", "fruit": 6, "probability": "1/2"}, {"player": "ann", "fruit": 7, "probability": "1/2"}]
    play(steps=[PICK, expect(player="ann", fruit="+2"), gamble, expect(player="bob", fruit="+0")], chance=chance)
    with pytest.raises(Failed):
        play(steps=[PICK, gamble, expect(player="ann", fruit="+1")], chance=chance)
