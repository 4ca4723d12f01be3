"""Attack on acts that wait and are taken back: what arriving changed and what releasing changed are both known."""

from __future__ import annotations

import gc
from typing import Any

import pytest

from tests.support.table import VOTING, Table, reasons, rule, said
from tests.support.timing import Spent

HOLDING = rule(
    "20",
    """
    def forbid_paint(a):
        return hold("clock") if get("game", "shut") else None

    def on_act_held(e):
        put("game", "waiting", get("game", "waiting") + 1)

    def do_paint(a):
        put("game", "wall", "blue")

    def do_shut(a):
        put("game", "shut", not get("game", "shut"))

    def do_let(a):
        release("clock")

    def do_undo(a):
        announce(str(take_back(a.args.act).whole))
    """,
    defines={"game": {"shut": {"type": "boolean"}, "wall": {"type": "string"}, "waiting": {"type": "integer"}}},
    actions={"paint": {}, "shut": {}, "let": {}, "undo": {"arguments": {"act": {"type": "integer"}}}},
)


def state(table: Table) -> tuple[Any, Any]:
    return table.get("game", "wall"), table.get("game", "waiting")


@pytest.mark.parametrize("undone_while_waiting", [False, True])
def test_all_of_it_is_taken_back_whenever_that_is(undone_while_waiting: bool) -> None:
    table = Table(VOTING, HOLDING)
    table.ok("ann", "shut")
    assert table.act("bob", "paint").code == "HELD"
    act = len(table.entries)
    if undone_while_waiting:
        table.ok("cid", "undo", act=act)
        assert state(table) == ("", 0)
    table.ok("ann", "shut")
    table.ok("ann", "let")
    assert state(table) == ("blue", 0 if undone_while_waiting else 1)
    assert said(table.ok("cid", "undo", act=act)) == ["True"]
    assert state(table) == ("", 0)
    assert table.refused("cid", "undo", act=act) == "E-DUP"
    table.replay_all()


MANY = rule(
    "30",
    """
    def do_fill(a):
        for n in range(a.args.n):
            put_in("game", "shelf", str(n), "jam")

    def on_changed_wall(e):
        if e.after == "":
            announce(try_act("undo", "cid", {"act": get("game", "waiting")}).code)
    """,
    defines={"game": {"shelf": {"type": "map"}}},
    actions={"fill": {"arguments": {"n": {"type": "integer"}}}},
)


def test_taking_back_costs_what_the_act_changed_and_not_its_square() -> None:
    """Else the process is ended after a second, and the rule that takes acts back put to sleep for it."""

    def cost(n: int) -> float:
        table = Table(VOTING, HOLDING, MANY)
        table.ok("ann", "fill", n=n)
        gc.collect()  # what other tests left is not to be counted here
        with Spent() as spent:
            assert said(table.ok("cid", "undo", act=len(table.entries))) == ["True"]
        assert table.get("game", "shelf") == {}
        return spent.units

    few, many = (min(cost(n) for _ in range(3)) for n in (250, 2000))
    assert many < 25 * few + 5


def test_who_hears_of_it_does_not_take_the_same_back_once_more() -> None:
    table = Table(VOTING, HOLDING, MANY)
    table.ok("bob", "paint")
    act = len(table.entries)
    table.kernel.documents["things/game"]["game"]["waiting"] = act
    assert said(table.ok("cid", "undo", act=act)) == ["E-DUP", "True"]
    assert table.get("game", "wall") == ""


def test_very_much_may_stay() -> None:
    sing = "def do_sing(a):\n    for n in range(1200):\n        submit('A song', [], number = None)\n"
    table = Table(VOTING, HOLDING, rule("40", sing, actions={"sing": {}}))
    table.ok("ann", "sing")
    outcome = table.ok("cid", "undo", act=len(table.entries))
    assert said(outcome) == ["False"]
    assert len(reasons(outcome, "STAYS")) == 100
