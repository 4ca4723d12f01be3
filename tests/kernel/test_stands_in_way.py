"""Whether an act can be done now whatever is said in it: what its scripts refuse before they ask for an argument."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.table import START, VOTING, Table, rule

PAID = {"arguments": {"to": {"type": "player"}, "why": {"type": "text", "optional": True}}}


def way(table: Table, do: str, by: str | None = "ann") -> Any:
    found = table.kernel.stands_in_way(do, by, START)
    return (found["code"], found["why"]) if found else None


def paying(*scripts: str) -> Table:
    rules = [rule(str(place), script) for place, script in enumerate(scripts, 2)]
    return Table(VOTING, rule("1", scripts[0], actions={"pay": PAID}), *rules[1:], players=["ann", "bob"])


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("def do_pay(a):\n    require(a.by == 'bob', 'E-ORDER', 'it is bob’s turn')\n    announce(a.args.to)",
         ("E-ORDER", "it is bob’s turn")),
        ("def do_pay(a):\n    require(a.args.to == 'bob', 'E-ORDER', 'pay bob')", None),
        ("def do_pay(a):\n    require(getattr(a.args, 'to', None), 'E-ORDER', 'say whom')", None),
        ("def do_pay(a):\n    announce('paid')\n\ndef forbid_pay(a):\n    return refuse('E-TIME', 'the bank is shut')",
         ("E-TIME", "the bank is shut")),
        ("def do_pay(a):\n    announce('paid')\n\ndef forbid_pay(a):\n    if a.args.to == a.by:\n"
         "        return refuse('E-ARGS', 'pay others')", None),
        ("def do_pay(a):\n    require(ask('payee', a) != None, 'E-NO-SUCH', 'nobody is to be paid')\n\n"
         "def decide_payee(a):\n    return a.args.to", None),
        ("def do_pay(a):\n    announce('paid')\n\ndef forbid(a):\n    return hold('bank', 'the bank is shut')",
         ("HELD", "the bank is shut")),
    ],
)  # fmt: skip
def test_what_hangs_on_no_argument_stands_in_the_way(script: str, found: Any) -> None:
    assert way(paying(script), "pay") == found


def test_a_guard_that_asks_for_an_argument_hides_none_that_does_not() -> None:
    asks = "def forbid_pay(a):\n    if a.args.to == a.by:\n        return refuse('E-ARGS', 'pay others')"
    knows = "def forbid_pay(a):\n    return refuse('E-TIME', 'the bank is shut')"
    assert way(paying("def do_pay(a):\n    announce('paid')", asks, knows), "pay") == ("E-TIME", "the bank is shut")


def test_nothing_of_it_stays_and_strangers_are_told_that_they_are_none() -> None:
    table = paying("def do_pay(a):\n    announce('paid')")
    before = {key: repr(table.kernel.documents.find(key)) for key in ("game", "law", "things/player")}
    assert way(table, "pay") is None
    assert way(table, "pay", "eve") == ("E-NOT-PLAYER", "eve is no player of this game")
    assert way(table, "add_key") is None
    assert {key: repr(table.kernel.documents.find(key)) for key in before} == before


def test_an_act_that_takes_nothing_is_tried_to_its_end() -> None:
    tired = (
        "def do_rest(a):\n    add('game', 'rests', 1)\n    require(get('game', 'rests') < 2, 'E-ORDER', 'once only')"
    )
    table = Table(VOTING, rule("1", tired, actions={"rest": {}}, defines={"game": {"rests": {"type": "integer"}}}))
    assert way(table, "rest") is None
    table.ok("ann", "rest")
    assert way(table, "rest") == ("E-ORDER", "once only")
