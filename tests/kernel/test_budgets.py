"""Counted limits: per handler and per event, and how deep scripts call each other, the same on every machine."""

from __future__ import annotations

import pytest

from folkmoot.kernel import budget
from folkmoot.kernel.budget import NESTED_EVENTS
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.errors import TooDeep
from folkmoot.kernel.play import NESTED_CALLS, Frame, call, program
from tests.support.table import Found, Table, failed, rule, said

GO = {"actions": {"go": {}, "other": {}}}
BURNS = {
    "host calls": "for i in range(50001):\n        now()",
    "steps": "for i in range(10000):\n        for j in range(10000):\n            pass",
    "effects": "for i in range(5001):\n        announce('')",
    "output": "for i in range(63):\n        announce('x' * 16000)",
    "one announcement": "announce('x' * 20000)",
    "range": "range(100001)",
    "dice at once": "roll(6, count = 1001)",
    "size of a value": "put('game', 'x', 'x' * 300000)",
    "size of a number": "put('game', 'n', 2 * int('9' * 2000))",
    "call depth": "on_x(e)",
}


@pytest.mark.parametrize("name", BURNS)
def test_a_handler_that_spends_its_budget_is_undone_alone(found: Found, name: str) -> None:
    table = found(
        rule(
            "1",
            "def do_go(a):\n    emit('x')",
            defines={"game": {"x": {"type": "text"}, "n": {"type": "integer"}}},
            **GO,
        ),
        rule("2", f"def on_x(e):\n    announce('two')\n    {BURNS[name]}"),
        rule("3", "def on_x(e):\n    announce('three')"),
    )
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["three"]
    assert failed(outcome) == [("2", "on_x")]


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("return 1 / 2", "float"),
        ("return 1.5", ""),
        ("return 1 << 31", "shift"),
        ("return float(1)", "float"),
        ("return '%f' % 1", ""),
    ],
)
def test_fractions_and_shifts_are_refused_before_anything_runs(found: Found, body: str, word: str) -> None:
    outcome = found(rule("1", f"def do_go(a):\n    announce('x')\n    {body}", **GO)).act("ann", "go")
    assert outcome.code == "E-SCRIPT"
    assert word in outcome.failures[0]["error"]


def test_loading_a_script_has_a_budget_of_its_own(found: Found) -> None:
    heavy = "TABLE = [i * j for i in range(100000) for j in range(100000)]\ndef on_x(e):\n    announce('never')"
    table = found(rule("1", "def do_go(a):\n    emit('x')\n    announce('go')", **GO), rule("2", heavy))
    for _ in range(2):
        outcome = table.ok("ann", "go")
        assert said(outcome) == ["go"]
        assert failed(outcome) == [("2", "on_x")]


@pytest.mark.parametrize("spends", ["shuffle([i for i in range(4000)])", "emit('noise')", "roll(6, count = 999)"])
def test_the_budget_of_the_event_falls_on_the_rule_that_spends_it(
    monkeypatch: pytest.MonkeyPatch, found: Found, spends: str
) -> None:
    for what in ("handler calls", "draws", "idle calls"):
        monkeypatch.setitem(budget.PER_EVENT, what, budget.PER_EVENT[what] // 10)
    spending = f"def on_x(e):\n    for i in range(2100):\n        {spends}"
    table = found(
        rule("1", "def do_go(a):\n    announce('go')\n    emit('x')", **GO),
        rule("2", spending),
        rule("3", "def on_x(e):\n    announce('three')\ndef on_noise(e):\n    pass"),
        rule("4", spending.replace("on_x", "do_spend"), actions={"spend": {}}),
    )
    for _ in range(2):
        outcome = table.ok("ann", "go")
        assert said(outcome) == ["go", "three"]
        assert [(f["rule"], f["code"]) for f in outcome.failures] == [("2", "E-BUDGET")]
    assert table.refused("ann", "spend") == "E-SCRIPT"


# -- depths


PAID = {"defines": {"currencies": {"coins": {"initial": 5}}, "game": {"n": {"type": "integer"}}}}
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


@pytest.mark.parametrize("chain", [chain for chain in CHAINS if "go" in CHAINS[chain]])
def test_a_listener_that_goes_too_deep_is_undone_alone(found: Found, chain: str) -> None:
    recurring = (
        CHAINS[chain]
        .replace("def do_go(a)", "def on_begun(a)")
        .replace('try_act("go", a.by)', 'emit("begun", by = a.by)')
    )
    starting = 'def do_begin(a):\n    announce("begun")\n    emit("begun", by = a.by)\n    announce("ended")'
    table = found(rule("1", recurring, **PAID, actions={"other": {}}), rule("2", starting, actions={"begin": {}}))
    outcome = table.ok("ann", "begin")
    assert said(outcome) == ["begun", "ended"]
    assert {each[0] for each in failed(outcome)} == {"1"}
    assert table.get("ann", "coins") == 5


# -- calls that come to nothing


GOING = rule(
    "1",
    "def do_go(a):\n    for n in range(a.args.times):\n        emit('knock', n = n)\n",
    actions={"go": {"arguments": {"times": {"type": "integer"}}}},
    defines={"game": {"heard": {"type": "integer", "initial": 0}}},
)
GUARDED = "def on_knock(e):\n    if e.n < 0:\n        add('game', 'heard', 1)\n"
RETURNING = "def on_knock(e):\n    if e.n >= 0:\n        return\n    add('game', 'heard', 1)\n"
IDLE = "def on_knock(e):\n    heard = [n for n in [e.n] if n < 0]\n    return None if not heard else heard\n"
BUSY = "def on_knock(e):\n    get('game', 'heard')\n"
LISTENERS = {"guarded": GUARDED, "returning": RETURNING, "idle": IDLE, "busy": BUSY}


@pytest.mark.threat("T-92")
def test_what_comes_to_nothing_ends_alike_near_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(budget.PER_EVENT, "idle calls", 60)
    monkeypatch.setitem(budget.PER_EVENT, "handler calls", 20)
    ends = set()
    for names in (
        ["guarded"] * 3,
        ["returning", "idle", "guarded"],
        ["busy", "guarded", "returning"],
        ["busy", "idle"],
    ):
        table = Table(GOING, *[rule(str(n), LISTENERS[name]) for n, name in enumerate(names, 5)])
        for times in (18, 19, 20, 21, 30, 60, 61):
            outcome = table.act("ann", "go", times=times)
            ends.add((outcome.accepted, outcome.code))
        table.replay_all()  # without shortcuts too
    assert ends == {(True, ""), (False, "E-SCRIPT")}


@pytest.mark.threat("T-92")
def test_very_many_idle_calls_end_by_a_count() -> None:
    for listener in (GUARDED, IDLE):
        table = Table(GOING, *[rule(str(number), listener) for number in range(5, 15)])
        outcome = table.act("ann", "go", times=2_100)
        assert "spent the budget of the whole event" in outcome.failures[0]["error"]
