"""Squares that registers hold, and times that arguments say as stamps."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.kernel.registers import is_square, read_square
from folkmoot.scenarios.scenario import Failed, run_scenario
from tests.support.table import Found, rule, said

BOARD: dict[str, Any] = {
    "defines": {"player": {"pos": {"type": "square", "optional": True}}},
    "actions": {"go": {"arguments": {"to": {"type": "string"}}}, "wait": {"arguments": {"until": {"type": "time"}}}},
}
SCRIPT = """
def do_go(a):
    put(a.by, "pos", a.args.to)
def do_wait(a):
    announce(str(a.args.until))
"""


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("(5,2)", "e2"),
        ("5, 2", "e2"),
        ([12, 3], "l3"),
        ("E2", "e2"),
        ("27,1", "aa1"),
        (None, None),
        ([0, 1], [0, 1]),
        (7, 7),
    ],
)
def test_squares_are_written_by_name_or_by_column_and_row(written: Any, name: Any) -> None:
    assert read_square(written) == name


@pytest.mark.parametrize("name", ["", "2e", "e0", "e", "(5,2)", "centre"])
def test_what_is_no_square(name: str) -> None:
    assert not is_square(name)


def test_a_register_of_squares_holds_nothing_else(found: Found) -> None:
    table = found(rule("1", SCRIPT, **BOARD))
    table.ok("ann", "go", to="e2")
    assert table.get("ann", "pos") == "e2"
    assert table.act("ann", "go", to="beyond").failures[0]["error"] == "pos must be a square such as e2, not 'beyond'"
    assert table.get("ann", "pos") == "e2"


def test_an_argument_of_time_may_be_a_stamp(found: Found) -> None:
    table = found(rule("1", SCRIPT, **BOARD))
    assert said(table.ok("ann", "wait", until="1970-01-02T00:00:00Z")) == ["86400"]
    assert said(table.ok("ann", "wait", until=7)) == ["7"]
    assert table.refused("ann", "wait", until="tomorrow") == "E-ARGS"


def test_what_is_given_and_claimed_may_be_written_otherwise() -> None:
    law = {"title": "Board", "ruleset": "board", "rules": [rule("1", SCRIPT, **BOARD)], "offices": {}}
    scenario = {"ruleset": "board", "players": ["ann"], "given": [{"player": "ann", "pos": "(2,3)"}]}
    run_scenario(
        {**scenario, "expect": [{"player": "ann", "pos": [2, 3]}, {"player": "ann", "pos": "b3"}]}, lambda _name: law
    )
    with pytest.raises(Failed, match="pos is b3"):
        run_scenario({**scenario, "expect": [{"player": "ann", "pos": "(3,2)"}]}, lambda _name: law)


def test_the_peoples_own_officers_stay_and_one_who_holds_all_is_followed() -> None:
    offices = {"tie": {"summary": "Judges"}, "ths": {"summary": "Writes"}}
    law = {"title": "Offices", "ruleset": "o", "rules": [rule("1", "", defines={"offices": offices})]}

    def holders(players: list[str], held: dict[str, str]) -> dict[str, Any]:
        run = run_scenario({"ruleset": "o", "players": players}, lambda _name: {**law, "offices": held})
        assert run is not None
        things = run.kernel.documents.find("things/office") or {}
        return {name: register["holder"] for name, register in things.items() if register.get("holder")}

    assert holders(["ann", "joe"], {"tie": "joe", "ths": "joe"}) == {"tie": "joe", "ths": "joe"}
    assert holders(["ann", "bob"], {"tie": "joe", "ths": "joe"}) == {"tie": "ann", "ths": "ann"}
    assert holders(["ann", "bob"], {"tie": "joe", "ths": "bob"}) == {"ths": "bob"}
