"""What meets a depth fails as a whole: nothing stays of a recursion, and whoever only started it goes on."""

from __future__ import annotations

import pytest

from folkmoot.kernel.budget import NESTED_EVENTS
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.errors import TooDeep
from folkmoot.kernel.play import NESTED_CALLS, Frame, call, program
from tests.support.table import Found, Table, failed, rule, said

PAID = {"defines": {"currencies": {"coins": {"initial": 5}}, "game": {"n": {"type": "integer"}}}}
GO = {"actions": {"go": {}, "other": {}}}
CHAINS = {
    "by acts": """
        def do_go(a):
            award(a.by, "coins", 1)
            try_act("go", a.by)
    """,
    "by acts in turn": """
        def do_go(a):
            award(a.by, "coins", 1)
            try_act("other", a.by)

        def do_other(a):
            award(a.by, "coins", 1)
            try_act("go", a.by)
    """,
    "by events": """
        def do_go(a):
            award(a.by, "coins", 1)
            emit("again", by = a.by)

        def on_again(e):
            award(e.by, "coins", 1)
            emit("again", by = e.by)
    """,
    "by registers": """
        def do_go(a):
            add("game", "n", 1)

        def on_changed_n(e):
            add("game", "n", 1)
    """,
    "by questions": """
        def do_go(a):
            award(a.by, "coins", 1)
            ask("deeper", 1)

        def decide_deeper(n):
            return ask("deeper", n + 1)
    """,
    "by an act that is tried and goes on": """
        def do_go(a):
            award(a.by, "coins", 1)
            if not try_act("go", a.by).ok:
                award(a.by, "coins", 100)
    """,
}


@pytest.mark.parametrize("chain", CHAINS)
def test_an_act_whose_rule_goes_too_deep_is_refused_as_a_whole(found: Found, chain: str) -> None:
    table = found(rule("1", CHAINS[chain], **PAID, **GO))
    assert table.refused("ann", "go") == "E-BUDGET"
    assert table.kernel.documents["things/player"]["ann"]["coins"] == 5
    assert table.kernel.documents["things/game"]["game"].get("n", 0) == 0
    table.ok("ann", "state", text="Still here.")


@pytest.mark.parametrize("chain", [chain for chain in CHAINS if "go" in CHAINS[chain]])
def test_a_listener_that_goes_too_deep_is_undone_alone(found: Found, chain: str) -> None:
    recurring = (
        CHAINS[chain]
        .replace("def do_go(a)", "def on_begun(a)")
        .replace('try_act("go", a.by)', 'emit("begun", by = a.by)')
    )
    starter = rule(
        "2",
        'def do_begin(a):\n    announce("begun")\n    emit("begun", by = a.by)\n    announce("ended")',
        actions={"begin": {}},
    )
    table = found(rule("1", recurring, **PAID, actions={"other": {}}), starter)
    outcome = table.ok("ann", "begin")
    assert said(outcome) == ["begun", "ended"]
    assert {each[0] for each in failed(outcome)} == {"1"}
    assert table.kernel.documents["things/player"]["ann"]["coins"] == 5


def test_what_ends_before_a_depth_stands(found: Found) -> None:
    events = "def do_go(a):\n    emit('x', n = 1)\ndef on_x(e):\n    announce('x')\n    emit('x', n = e.n + 1) if e.n < %d else None"
    assert len(said(found(rule("1", events % NESTED_EVENTS, **GO)).ok("ann", "go"))) == NESTED_EVENTS
    assert found(rule("1", events % (NESTED_EVENTS + 1), **GO)).refused("ann", "go") == "E-BUDGET"
    questions = (
        "def do_go(a):\n    announce(str(ask('q', 1)))\ndef decide_q(n):\n    return n if n == %d else ask('q', n + 1)"
    )
    deepest = NESTED_CALLS - 1
    assert said(found(rule("1", questions % deepest, **GO)).ok("ann", "go")) == [str(deepest)]
    assert found(rule("1", questions % (deepest + 1), **GO)).refused("ann", "go") == "E-BUDGET"


def test_a_call_that_is_too_deep_costs_the_same_whether_its_script_is_compiled_or_not() -> None:
    table = Table(rule("1", 'def do_go(a):\n    announce("here")\n', **GO))
    play = table.kernel.play

    def spent() -> int:
        play.begin(2, table.now, open_chance("", ""))
        play.frames = [Frame("1", "do_go")] * NESTED_CALLS
        with pytest.raises(TooDeep):
            call(play, "1", play.documents["rules/1"]["script"], "do_go", [{}])
        return play.budget.spent["handler calls"]

    play.programs.clear()
    cold = spent()
    play.frames = []
    program(play, "1", play.documents["rules/1"]["script"])
    assert spent() == cold
