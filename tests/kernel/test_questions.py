"""Questions: who answers, circles, what is asked again and again, and what all rules answer."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.table import VOTING, Found, failed, reasons, rule, said

GO = {"actions": {"go": {}}}
ASK = rule("1", "def do_go(a):\n    announce(str(ask('q', 1)))", **GO)


def answers(**of_rules: str) -> list[dict[str, Any]]:
    return [rule(number[1:], f"def decide_q(n):\n    {answer}") for number, answer in of_rules.items()]


def test_highest_answer_prevails_and_the_others_are_logged(found: Found) -> None:
    table = found(ASK, *answers(_2="return None", _3="return 'three'", _4="return 'four'", _5="return 'three'"))
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["three"]
    assert reasons(outcome, "OVERRULED") == [{"code": "OVERRULED", "rule": "4", "args": {"question": "q", "by": "3"}}]
    assert said(found(ASK).ok("ann", "go")) == ["None"]


@pytest.mark.parametrize("by", ["q", "r"])
def test_question_that_asks_itself_is_a_circle(found: Found, by: str) -> None:
    circle = f"def decide_q(n):\n    return ask('{by}', n)\ndef decide_r(n):\n    return ask('q', n)"
    outcome = found(ASK, rule("2", circle)).ok("ann", "go")
    assert said(outcome) == ["None"]
    assert [(f["rule"], f["code"]) for f in outcome.failures] == [("2", "E-CIRCLE")]


def test_question_may_ask_itself_with_other_arguments_and_require_is_no_answer(found: Found) -> None:
    assert said(found(ASK, *answers(_2="return n if n > 5 else ask('q', n + 1)")).ok("ann", "go")) == ["6"]
    outcome = found(ASK, *answers(_2="require(False, 'E-TIME')")).ok("ann", "go")
    assert (said(outcome), failed(outcome)) == (["None"], [("2", "decide_q")])


def test_how_deep_the_caller_stands_decides_nothing(found: Found) -> None:
    def lower(steps: int) -> None:
        if steps:
            lower(steps - 1)
        else:
            outcome = found(ASK, rule("2", "def decide_q(n):\n    return ask('q', n + 1)")).ok("ann", "go")
            assert {f["error"] for f in outcome.failures} == {"scripts call each other more than 60 deep"}

    lower(0)
    lower(300)


# -- again and again


GOING = {"actions": {"go": {}, "set": {}}}
AGAIN = rule(
    "1",
    """
    def do_go(a):
        for word in ["tea", "milk", "tea", 1, True, None]:
            announce("%s %s" % (word, ask("kind", word)))

    def do_set(a):
        put("game", "cups", 1)
    """,
    defines={"game": {"cups": {"type": "integer"}}},
    **GOING,
)
TEA = rule("2", "def decide_kind(word):\n    return {'is': 'tea'} if word == 'tea' else 1 if word == 1 else None")
MILK = rule("3", "def decide_kind(word):\n    return 'milk' if word == 'milk' else True if word == True else None")


def test_another_law_answers_anew(found: Found) -> None:
    table = found(VOTING, AGAIN, TEA, MILK)
    table.ok("ann", "go")
    table.adopt({"amend": "3", "script": "def decide_kind(word):\n    return 'cream'"})
    assert said(table.ok("ann", "go"))[1] == "milk cream"
    table.adopt({"repeal": "2"})
    assert said(table.ok("ann", "go"))[0] == "tea cream"


def test_what_looks_at_the_game_is_asked_each_time(found: Found) -> None:
    looks = rule("2", "def decide_kind(word):\n    return get('game', 'cups')")
    table = found(AGAIN, looks, MILK)
    assert said(table.ok("ann", "go"))[0] == "tea 0"
    table.ok("ann", "set")
    assert said(table.ok("ann", "go"))[0] == "tea 1"


# -- all answers


def test_all_answers_come_with_their_rules_the_highest_first(found: Found) -> None:
    collecting = """
    def do_go(a):
        for each in ask_all("q", a.by):
            announce("%s %s: %s" % (each.rule.number, each.rule.title, each.answer))
        announce("%d" % len(ask_all("nothing")))
    def decide_prevails(a, b):
        return a if int(a.number) > int(b.number) else b
    """
    table = found(
        rule("1", collecting, **GO), *answers(_2="return 2", _3="return None", _4="return [n, 4]", _5="fail('no')")
    )
    outcome = table.ok("ann", "go")
    assert said(outcome) == ['4 Rule 4: ["ann", 4]', "2 Rule 2: 2", "0"]
    assert reasons(outcome, "OVERRULED") == []
    assert failed(outcome) == [("5", "decide_q")], "a rule that fails is left out"
    outcome = found(rule("1", collecting, **GO), *answers(_2="return len(ask_all('q', n))")).ok("ann", "go")
    assert [failure["code"] for failure in outcome.failures] == ["E-CIRCLE"]
