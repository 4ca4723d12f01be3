"""House 1.3: calls that come to nothing are counted alike, whatever they begin with, so that all end alike."""

from __future__ import annotations

import pytest

from folkmoot.kernel import budget
from tests.support.table import Table, rule

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
        assert table.act("ann", "go", times=1_500).accepted
        outcome = table.act("ann", "go", times=2_100)
        assert "spent the budget of the whole event" in outcome.failures[0]["error"]
    table.replay_all()
