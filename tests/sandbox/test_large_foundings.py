"""A game of thousands is founded and played: no limit meant for rules stops it, and nothing is quadratic."""

from __future__ import annotations

import sys
from typing import Any

from folkmoot.core.events import Event
from folkmoot.kernel.budget import budget_for
from folkmoot.kernel.step import Kernel
from tests.support.table import START, VOTING, rule

WELCOME = rule("2", "def on_joined(e):\n    award(e.player, 'score', 1)\n    owe(e.player, 'say hello', key = e.player)\n",
               defines={"currencies": {"score": {"owners": "player"}}})  # fmt: skip
ASKING = rule(
    "3",
    "def do_ask(a):\n    for p in things('player'):\n        owe(p, 'answer', key = 'answer/' + p)\n\n"
    "def do_close(a):\n    for p in things('player'):\n        settle('answer/' + p)\n",
    actions={"ask": {}, "close": {}},
)


def calls(work: Any) -> int:
    """Return how many calls something makes, of Python's functions and of C's."""
    counted = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted


def founding(players: int) -> Event:
    people = [{"id": f"p{n}", "name": f"Person {n}"} for n in range(players)]
    return Event(seq=1, at=START, do="found", with_={"rules": [VOTING, WELCOME, ASKING], "players": people})


def test_each_player_more_costs_as_much_as_the_one_before() -> None:
    costs = {}
    for players in (100, 400):
        kernel = Kernel()
        costs[players] = {"found": calls(lambda k=kernel, n=players: k.apply(founding(n)))}
        for seq, (do, by, args) in enumerate(
            [("ask", "p1", {}), ("close", "p1", {}), ("join", "zoe", {}), ("state", "p1", {"text": "x"})], 2
        ):
            event = Event(seq=seq, at=START + seq, do=do, by=by, with_=args)
            costs[players][do] = calls(lambda k=kernel, e=event: k.apply(e))
            assert kernel.play.reasons == []
    for do, least in costs[100].items():
        assert costs[400][do] < 4.6 * least, (do, costs)


def test_budgets_grow_with_the_game() -> None:
    assert (budget_for(999).times, budget_for(10_000).times) == (1, 11)
