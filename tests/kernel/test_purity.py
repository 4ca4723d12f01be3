"""Hooks that look cannot write, and nothing is read while a script loads."""

from __future__ import annotations

import pytest

from folkmoot.kernel.host import HOST
from tests.support.table import Found, Table, failed, rule

CALLS = """
    transfer('ann', 'bob', 'score', 0)
    reset('ann')
    destroy('bob')
    give('ball-1', 'bob')
    reveal('ball-1')
    amend(rule('1'), text = 'x')
    repeal(rule('1'))
    renumber(rule('1'), '77')
    label(rule('1'), a = 'b')
    suspend(rule('1'))
    wake(rule('1'))
    freeze(proposal(1))
    revise(proposal(1), title = 'x')
    open_voting(proposal(1))
    resolve(proposal(1), 'ignored')
    close_voting(proposal(2))
    cast(proposal(2), 'ann', 'for')
    enrol(proposal(2), 'ball-1')
    strike(proposal(2), 'bob')
    recount(proposal(2))
    settle('x')
    cancel('x')
    drop(1)
    take_back(2)
"""
EXAMPLES = {name: declared.body for name, declared in HOST.words.items() if HOST.writes(name)}
WRITES = EXAMPLES | {call.partition("(")[0].strip(): call.strip() for call in CALLS.splitlines() if call}
"""A call of each function that writes: its example, or where that begins with another one, one of its own."""
GO = {"actions": {"go": {}}}
ASK = rule("1", "def do_go(a):\n    announce(str(ask('q', 1)))", **GO)
PURE = {
    "decide_q": "def decide_q(n):",
    "forbid": "def forbid(a):",
    "forbid_go": "def forbid_go(a):",
    "permit_go": "def permit_go(a):",
    "adjust_award": "def adjust_award(a):",
    "show_page": "def show_page():",
    "decide_prevails": "def decide_prevails(a, b):",
}
STAGE = rule(
    "1",
    """
    def do_prepare(a):
        create("ball")
        submit("one", [])
        open_voting(submit("two", []))
    def do_go(a):
        ask("q", 1)
        award("ann", "score", 1)
    """,
    defines={
        "game": {"x": {"type": "integer"}, "xs": {"type": "list"}, "m": {"type": "map"}},
        "currencies": {"score": {}},
        "kinds": {"ball": {}},
    },
    settings={"Q1": {"question": "?", "default": "a", "alternatives": {"a": "", "b": ""}}},
    actions={"go": {}, "prepare": {}},
)


def test_a_pure_hook_is_pure_all_the_way_down(found: Found) -> None:
    table = found(
        ASK, rule("2", "def helper():\n    put('game', 'x', 1)\ndef decide_q(n):\n    return ask('r')",
                  defines={"game": {"x": {"type": "integer"}}}),
        rule("3", "def decide_r():\n    put('game', 'x', 1)\n    return 1"),
    )  # fmt: skip
    outcome = table.ok("ann", "go")
    assert table.get("game", "x") == 0
    assert failed(outcome) == [("3", "decide_r")]


@pytest.mark.parametrize(
    "read", ["get('game', 'x')", "now()", "rules()", "things('player')", "setting('Q1')", "roll(6)"]
)
def test_nothing_may_be_read_while_a_script_loads(found: Found, read: str) -> None:
    outcome = found(STAGE, rule("2", f"X = {read}\ndef forbid(a):\n    return refuse('E-TIME')")).act("ann", "go")
    assert outcome.code == "E-SCRIPT"
    assert failed(outcome) == [("2", "forbid")]
    assert "loads" in outcome.failures[0]["error"]


@pytest.mark.parametrize("hook", PURE)
@pytest.mark.parametrize("name", WRITES)
@pytest.mark.sampled(4)
def test_hooks_that_look_cannot_write(hook: str, name: str) -> None:
    body = f"a = struct(by = 'ann')\n{WRITES[name]}".replace("\n", "\n    ")
    writing = f"def both(a, b):\n    return [a, b]\n\n{PURE[hook]}\n    {body}"
    answering = rule("3", "def decide_q(n):\n    return None\ndef adjust_award(a):\n    pass")
    table = Table(STAGE, rule("2", writing, sealed={"both": "Two values"}), {**answering, "rule": "4"}, answering)
    prepared, outcome = table.act("ann", "prepare"), table.act("ann", "go")
    assert outcome.accepted != hook.startswith("forbid"), "a guard that fails refuses"
    if hook == "show_page":
        assert "may only look" in table.kernel.pages(table.now)["page"]["error"]
        return
    told = [f for o in (prepared, outcome) for f in o.failures if (f["rule"], f["hook"]) == ("2", hook)]
    assert {f["code"] for f in told} == {"E-PURE"}
    assert [e["effect"] for e in outcome.effects] == (["award"] if outcome.accepted else [])
