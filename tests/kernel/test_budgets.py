"""Counted limits: per handler and per event, and how deep scripts call each other, the same on every machine."""

from __future__ import annotations

import pytest

from folkmoot.kernel import budget
from folkmoot.kernel.budget import NESTED_EVENTS
from folkmoot.kernel.play import NESTED_CALLS
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
    registers = {"game": {"x": {"type": "text"}, "n": {"type": "integer"}}}
    table = found(
        rule("1", "def do_go(a):\n    emit('x')", defines=registers, **GO),
        rule("2", f"def on_x(e):\n    announce('two')\n    {BURNS[name]}"),
        rule("3", "def on_x(e):\n    announce('three')"),
    )
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["three"]
    assert failed(outcome) == [("2", "on_x")]


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
CHAINS = {  # what an act does once it has paid, and what else the rule does
    "by acts": ("try_act('go', a.by)", ""),
    "by acts in turn": ("try_act('other', a.by)", "def do_other(a):\n    try_act('go', a.by)"),
    "by events": (
        "emit('again', by = a.by)",
        "def on_again(e):\n    award(e.by, 'coins', 1)\n    emit('again', by = e.by)",
    ),
    "by registers": ("add('game', 'n', 1)", "def on_changed_n(e):\n    add('game', 'n', 1)"),
    "by questions": ("ask('deeper', 1)", "def decide_deeper(n):\n    return ask('deeper', n + 1)"),
    "by an act that is tried and goes on": ("if not try_act('go', a.by).ok:\n        award(a.by, 'coins', 100)", ""),
}


def chained(chain: str) -> str:
    does, more = CHAINS[chain]
    return f"def do_go(a):\n    award(a.by, 'coins', 1)\n    {does}\n\n{more}\n"


@pytest.mark.parametrize("chain", CHAINS)
def test_an_act_whose_rule_goes_too_deep_is_refused_as_a_whole(found: Found, chain: str) -> None:
    table = found(rule("1", chained(chain), **PAID, **GO))
    assert table.refused("ann", "go") == "E-BUDGET"
    assert (table.get("ann", "coins"), table.get("game", "n")) == (5, 0)
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


@pytest.mark.parametrize("chain", [chain for chain in CHAINS if chain not in ("by registers", "by acts in turn")])
def test_a_listener_that_goes_too_deep_is_undone_alone(found: Found, chain: str) -> None:
    listening = chained(chain).replace("def do_go(a)", "def on_begun(a)")
    recurring = listening.replace("try_act('go', a.by)", "emit('begun', by = a.by)")
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
    for names in ("guarded guarded guarded", "returning idle guarded", "busy guarded returning", "busy idle"):
        table = Table(GOING, *[rule(str(n), LISTENERS[name]) for n, name in enumerate(names.split(), 5)])
        for times in (18, 19, 20, 21, 30, 60, 61):
            outcome = table.act("ann", "go", times=times)
            ends.add((outcome.accepted, outcome.code))
        table.replay_all()  # without shortcuts too
    assert ends == {(True, ""), (False, "E-SCRIPT")}
