"""Issue 9: a game of thousands is founded and played: no limit meant for rules stops it, and nothing is quadratic."""

from __future__ import annotations

import sys
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.core.events import Event
from folkmoot.game import rulesets
from folkmoot.kernel.budget import PER_EVENT, PER_HANDLER, budget_for
from folkmoot.kernel.documents import Documents
from folkmoot.kernel.step import Kernel
from tests.conftest import examples
from tests.support.table import START, VOTING, Table, rule

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
    for players in (250, 1_000):
        kernel = Kernel()
        costs[players] = {"found": calls(lambda k=kernel, n=players: k.apply(founding(n)))}
        for seq, (do, by, args) in enumerate(
            [("ask", "p1", {}), ("close", "p1", {}), ("join", "zoe", {}), ("state", "p1", {"text": "x"})], 2
        ):
            event = Event(seq=seq, at=START + seq, do=do, by=by, with_=args)
            costs[players][do] = calls(lambda k=kernel, e=event: k.apply(e))
            assert kernel.play.reasons == []
    for do, least in costs[250].items():
        assert costs[1_000][do] < 4.6 * least, (do, costs)


def test_what_is_done_for_everybody_may_be_done_often_in_a_large_game() -> None:
    kernel = Kernel()
    assert kernel.apply(founding(5_200)).accepted, "more than the calls and effects that an event usually may have"
    for seq, do in enumerate(("ask", "close"), 2):
        outcome = kernel.apply(Event(seq=seq, at=START + seq, do=do, by="p1"))
        assert (outcome.accepted, len(outcome.effects)) == (True, 5_200), outcome.reasons
    assert PER_HANDLER["effects"] < 5_200
    assert (budget_for(999).times, budget_for(10_000).times) == (1, 11)
    assert PER_EVENT["handler calls"] < 5_200


def test_a_packaged_game_of_two_thousand() -> None:
    given_ = rulesets.founding("suber")
    people = [*given_["players"], *({"id": f"p{n}"} for n in range(2_000))]
    kernel = Kernel()
    event = Event(seq=1, at=START, do="found", with_={**given_, "players": people, "administrators": ["root"]})
    assert kernel.apply(event).accepted
    mover = kernel.ask("mover", [], START)
    change = {"enact": {"title": "Idea", "text": "Merry."}}
    acts = [("propose", mover, {"title": "Idea", "changes": [change]}), ("finalise", mover, {}),
            ("vote", "p7", {"proposal": 301, "choice": "for"})]  # fmt: skip
    for seq, (do, by, args) in enumerate(acts, 2):
        assert kernel.apply(Event(seq=seq, at=START + seq, do=do, by=by, with_=args)).accepted


def test_names_are_told_apart_as_before() -> None:
    table = Table(VOTING, joining="open")
    table.ok("zoe", "join", name="Zoë Mc Corn")
    assert table.refused("yan", "join", name="zoë mc com") == "E-DUP"
    assert table.refused("ZOE", "join") == "E-DUP"
    assert table.refused("yan", "join", name="R0OT") == "E-DUP", "as an administrator who does not play"
    sending = {"title": "Out", "text": "x", "script": "def on_rule_enacted(e):\n    destroy('zoe')\n"}
    table.ok("root", "repair", changes=[{"enact": sending}], why="x")
    table.ok("zoe", "join", name="Xenia")
    table.ok("yan", "join", name="zoë mc com")
    assert table.refused("wes", "join", name="XENIA") == "E-DUP"
    table.replay_all()


NAMES = st.sampled_from("abcdef")
OPS = st.lists(st.one_of(st.tuples(st.just("set"), NAMES), st.tuples(st.just("remove"), NAMES),
                         st.just(("mark", "")), st.just(("back", ""))), max_size=40)  # fmt: skip


@given(OPS)
@settings(max_examples=examples(150))
def test_what_is_removed_comes_back_where_it_was(ops: list[tuple[str, str]]) -> None:
    documents = Documents({"things/x": {"a": 0, "b": 1, "c": 2}})
    marks = [(documents.mark(), list(documents["things/x"].items()))]
    for number, (do, name) in enumerate(ops):
        document = documents["things/x"]
        if do == "set":
            documents.assign("things/x", document, name, number)
        elif do == "remove" and name in document:
            documents.remove("things/x", document, name)
        elif do == "mark":
            marks.append((documents.mark(), list(document.items())))
        elif do == "back":
            mark, kept = marks.pop() if len(marks) > 1 else marks[0]
            documents.rollback(mark)
            assert list(documents["things/x"].items()) == kept
    documents.rollback(marks[0][0])
    assert list(documents["things/x"].items()) == marks[0][1]
