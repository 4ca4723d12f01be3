"""Answers that ask nothing of the engine: they are given without a script, count the same, and last as long as the law."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.kernel import play as plays
from folkmoot.kernel.budget import PER_EVENT
from folkmoot.kernel.constant_answers import ConstantAnswers
from tests.kernel.table import VOTING, Found, failed, reasons, rule, said

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


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the hooks that answer, as they are called."""
    called: list[str] = []
    real = plays.call

    def call(play: Any, uid: str, script: str, hook: str, arguments: list[Any]) -> Any:
        if hook.startswith("decide_"):
            called.append(uid)
        return real(play, uid, script, hook, arguments)

    monkeypatch.setattr(plays, "call", call)
    return called


def test_each_question_is_answered_by_the_scripts_once(found: Found, runs: list[str]) -> None:
    table = found(ASK, TEA, MILK)
    assert said(table.ok("ann", "go")) == KNOWN
    assert len(runs) == 2 * len({"tea", "milk", "1", "True", "None"})
    runs.clear()
    assert said(table.ok("ann", "go")) == KNOWN
    assert runs == []


def test_another_law_answers_anew(found: Found, runs: list[str]) -> None:
    table = found(VOTING, ASK, TEA, MILK)
    table.ok("ann", "go")
    table.adopt({"amend": "3", "script": "def decide_kind(word):\n    return 'cream'"})
    runs.clear()
    assert said(table.ok("ann", "go"))[1] == "milk cream"
    assert runs
    table.adopt({"repeal": "2"})
    assert said(table.ok("ann", "go"))[0] == "tea cream"


def test_a_text_that_is_enacted_leaves_answers_as_they_are(found: Found, runs: list[str]) -> None:
    table = found(VOTING, ASK, TEA, MILK)
    table.ok("ann", "go")
    table.adopt({"enact": {"title": "Rain", "text": "It rains."}})
    runs.clear()
    assert said(table.ok("ann", "go")) == KNOWN
    assert runs == []


def test_what_looks_at_the_game_is_asked_each_time(found: Found, runs: list[str]) -> None:
    looks = rule("2", "def decide_kind(word):\n    return get('game', 'cups')")
    table = found(ASK, looks, MILK)
    assert said(table.ok("ann", "go"))[0] == "tea 0"
    table.ok("ann", "set")
    runs.clear()
    assert said(table.ok("ann", "go"))[0] == "tea 1"
    assert runs


def test_answers_that_differ_are_noted_each_time(found: Found) -> None:
    table = found(ASK, TEA, rule("4", "def decide_kind(word):\n    return 4"))
    first, second = table.ok("ann", "go"), table.ok("ann", "go")
    assert reasons(first, "OVERRULED") == reasons(second, "OVERRULED") != []


def test_a_failure_is_noted_each_time(found: Found) -> None:
    table = found(ASK, TEA, rule("4", "def decide_kind(word):\n    return 1 // 0"))
    assert failed(table.ok("ann", "go")) == failed(table.ok("ann", "go")) == [("4", "decide_kind")]


def test_they_count_as_calls_of_scripts(found: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    table = found(ASK, TEA, MILK)
    spent = []
    for _ in range(2):
        table.ok("ann", "go")
        spent.append(dict(table.kernel.play.budget.spent))
    monkeypatch.setattr(ConstantAnswers, "recall", lambda *_: None)
    table.ok("ann", "go")
    assert [*spent, dict(table.kernel.play.budget.spent)] == [spent[0]] * 3


@pytest.mark.parametrize("anew", [False, True])
def test_whoever_asks_too_often_is_stopped_all_the_same(found: Found, monkeypatch: Any, anew: bool) -> None:
    if anew:
        monkeypatch.setattr(ConstantAnswers, "recall", lambda *_: None)
    often = PER_EVENT["handler calls"]
    asks = "def do_go(a):\n    for _ in range(a.args.times):\n        ask('kind', 'tea')"
    table = found(rule("1", asks, actions={"go": {"arguments": {"times": {"type": "integer"}}}}), TEA)
    assert table.judge("go", "ann", {"times": often - 1}).accepted
    outcome = table.judge("go", "ann", {"times": often})
    assert (outcome.accepted, [failure["code"] for failure in outcome.failures]) == (False, ["E-BUDGET"])
