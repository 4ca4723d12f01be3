"""Finding W4 of the language: what is claimed of a motion is what the engine keeps of it, as of a proposal."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.kernel.errors import Fault
from folkmoot.scenarios.scenario import Failed, run_scenario
from tests.support.table import VOTING, Table, rule

MOTIONS = rule(
    "1",
    """
    def do_move(a):
        open_voting(submit("Rest", [], kind = "motion", number = 1))
        create("ball", id = "ball-1", at = "c4")
    """,
    defines={"kinds": {"motion": {"votable": True}, "ball": {}}},
    actions={"move": {"summary": "Move that we rest"}},
)


def played(claim: dict[str, Any]) -> None:
    rules = [{**each, "uid": each["rule"]} for each in (MOTIONS, VOTING)]
    law: dict[str, Any] = {"title": "Motions", "rules": rules, "players": []}
    steps = [{"by": "ann", "do": "move"}, {"expect": [claim]}]
    run_scenario({"scenario": "", "ruleset": "", "players": ["ann", "bob"], "steps": steps}, lambda _name: law)


@pytest.mark.parametrize("claim", [{"state": "open"}, {"author": "ann"}, {"title": "Rest"}])
def test_fields_of_a_motion_are_claimed(claim: dict[str, Any]) -> None:
    played({"motion": 1, **claim})


def test_a_motion_in_another_state_is_told() -> None:
    with pytest.raises(Failed, match="state is open"):
        played({"motion": 1, "state": "adopted"})


def test_things_keep_what_every_thing_has() -> None:
    played({"thing": "ball-1", "at": "c4", "state": None})


def test_a_script_that_asks_a_motion_for_a_register_that_nobody_declares_is_told() -> None:
    table = Table(MOTIONS, VOTING)
    table.ok("ann", "move")
    assert table.get("ball-1", "state") is None
    with pytest.raises(Fault, match=r"declares a register .*state.* of motion"):
        table.get({"id": "motion/1"}, "state")
