"""Counted limits: per handler and per event, the same on every machine."""

from __future__ import annotations

import pytest

from tests.support.table import Found, failed, rule, said

GO = {"actions": {"go": {}}}
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


def test_events_nest_24_deep(found: Found) -> None:
    law = rule(
        "1",
        "def do_go(a):\n    emit('x', n = 1)\ndef on_x(e):\n    announce(str(e.n))\n    emit('x', n = e.n + 1)",
        **GO,
    )
    assert found(law).refused("ann", "go") == "E-BUDGET"
    bounded = rule(
        "1", law["script"].replace("emit('x', n = e.n + 1)", "emit('x', n = e.n + 1) if e.n < 24 else None"), **GO
    )
    assert len(said(found(bounded).ok("ann", "go"))) == 24


@pytest.mark.parametrize("spends", ["shuffle([i for i in range(4000)])", "emit('noise')", "roll(6, count = 999)"])
def test_the_budget_of_the_event_falls_on_the_rule_that_spends_it(found: Found, spends: str) -> None:
    table = found(
        rule("1", "def do_go(a):\n    announce('go')\n    emit('x')", **GO),
        rule("2", f"def on_x(e):\n    for i in range(9000):\n        {spends}"),
        rule("3", "def on_x(e):\n    announce('three')\ndef on_noise(e):\n    pass"),
    )
    for _ in range(2):
        outcome = table.ok("ann", "go")
        assert said(outcome) == ["go", "three"]
        assert [(f["rule"], f["code"]) for f in outcome.failures] == [("2", "E-BUDGET")]


def test_an_act_whose_rule_spends_everything_is_refused(found: Found) -> None:
    table = found(
        rule("1", "def do_go(a):\n    for i in range(9000):\n        emit('noise')\ndef on_noise(e):\n    pass", **GO)
    )
    assert table.refused("ann", "go") == "E-SCRIPT"


def test_timers_without_end_at_one_instant_are_not_possible(found: Found) -> None:
    law = rule("1", "def do_go(a):\n    after(1, 'x')\ndef on_x(e):\n    announce('x')\n    after(0, 'x')", **GO)
    table = found(law)
    table.ok("ann", "go")
    assert [failed(outcome) for outcome in table.pass_time(60)] == [[("1", "on_x")]]


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
