"""A question that is asked again and again: it is answered as the law and the game are now, and counts each time."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from folkmoot.kernel.budget import PER_EVENT
from tests.support.shortcuts import without_shortcuts
from tests.support.table import VOTING, Found, failed, reasons, rule, said

GO = {"actions": {"go": {}, "set": {}}}
ASK = rule(
    "1",
    """
    def do_go(a):
        for word in ["tea", "milk", "tea", 1, True, None]:
            announce("%s %s" % (word, ask("kind", word)))

    def do_set(a):
        put("game", "cups", 1)
    """,
    defines={"game": {"cups": {"type": "integer"}}},
    **GO,
)
TEA = rule("2", "def decide_kind(word):\n    return {'is': 'tea'} if word == 'tea' else 1 if word == 1 else None")
MILK = rule("3", "def decide_kind(word):\n    return 'milk' if word == 'milk' else True if word == True else None")
KNOWN = ['tea {"is": "tea"}', "milk milk", 'tea {"is": "tea"}', "1 1", "True True", "None None"]


def test_another_law_answers_anew(found: Found) -> None:
    table = found(VOTING, ASK, TEA, MILK)
    table.ok("ann", "go")
    table.adopt({"amend": "3", "script": "def decide_kind(word):\n    return 'cream'"})
    assert said(table.ok("ann", "go"))[1] == "milk cream"
    table.adopt({"repeal": "2"})
    assert said(table.ok("ann", "go"))[0] == "tea cream"


def test_what_looks_at_the_game_is_asked_each_time(found: Found) -> None:
    looks = rule("2", "def decide_kind(word):\n    return get('game', 'cups')")
    table = found(ASK, looks, MILK)
    assert said(table.ok("ann", "go"))[0] == "tea 0"
    table.ok("ann", "set")
    assert said(table.ok("ann", "go"))[0] == "tea 1"


def test_answers_that_differ_are_noted_each_time(found: Found) -> None:
    table = found(ASK, TEA, rule("4", "def decide_kind(word):\n    return 4"))
    first, second = table.ok("ann", "go"), table.ok("ann", "go")
    assert reasons(first, "OVERRULED") == reasons(second, "OVERRULED") != []


def test_a_failure_is_noted_each_time(found: Found) -> None:
    table = found(ASK, TEA, rule("4", "def decide_kind(word):\n    return 1 // 0"))
    assert failed(table.ok("ann", "go")) == failed(table.ok("ann", "go")) == [("4", "decide_kind")]


def test_it_counts_each_time(found: Found) -> None:
    table = found(ASK, TEA, MILK)
    spent = []
    for _ in range(2):
        assert said(table.ok("ann", "go")) == KNOWN
        spent.append(dict(table.kernel.play.budget.spent))
    with without_shortcuts():
        table.ok("ann", "go")
    assert [*spent, dict(table.kernel.play.budget.spent)] == [spent[0]] * 3


@pytest.mark.parametrize("anew", [False, True])
def test_whoever_asks_too_often_is_stopped_all_the_same(found: Found, anew: bool) -> None:
    often = PER_EVENT["handler calls"]
    asks = "def do_go(a):\n    for _ in range(a.args.times):\n        ask('kind', 'tea')"
    table = found(rule("1", asks, actions={"go": {"arguments": {"times": {"type": "integer"}}}}), TEA)
    with without_shortcuts() if anew else nullcontext():
        assert table.judge("go", "ann", {"times": often - 1}).accepted
        outcome = table.judge("go", "ann", {"times": often})
    assert (outcome.accepted, [failure["code"] for failure in outcome.failures]) == (False, ["E-BUDGET"])
