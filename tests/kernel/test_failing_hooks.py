"""What happens where a hook or a host function fails, or answers what cannot be used: what guards closes, nothing is half done.

The lists come from the catalogue, so that a hook, a question or a function that is new must find its place here.
"""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.kernel import budget
from folkmoot.kernel.host import HOST
from folkmoot.kernel.play import QUESTIONS
from folkmoot.language.declarations import catalogue
from tests.conftest import FUZZ
from tests.support.table import VOTING, Found, Record, Table, failed, rule, said

FAILURES = {
    "it raises": "fail('x')",
    "it is over its budget": "[now() for i in range(600)]",
    "it refuses": "require(False, 'E-NO', 'no')",
    "it asks for what is impossible": "get('nobody', 'nothing')",
}
REFUSED, UNDONE, UNHEARD, NOT_SHOWN = "the act is refused", "it is undone alone", "as if it had no answer", "no page"
HOOKS = {  # an example of each kind of hook, and what comes of it where that fails
    "on_EVENT": ("on_x(e)", UNDONE),
    "do_ACTION": ("do_go(a)", REFUSED),
    "forbid": ("forbid(a)", REFUSED),
    "forbid_ACTION": ("forbid_go(a)", REFUSED),
    "permit_ACTION": ("permit_go(a)", UNHEARD),
    "decide_QUESTION": ("decide_whether()", UNHEARD),
    "adjust_award": ("adjust_award(a)", UNHEARD),
    "adjust_CURRENCY": ("adjust_coins(a)", UNHEARD),
    "show_PAGE": ("show_page()", NOT_SHOWN),
}
COINS = {"defines": {"currencies": {"coins": {}}, "game": {"n": {"type": "integer"}}}}
WORK = rule(
    "5",
    """
    def do_go(a):
        add("game", "n", 1)
        award(a.by, "coins", 1)
        emit("x")
        announce(str(ask("whether")))
        award(a.by, "coins", 1)
    """,
    actions={"go": {}},
    **COINS,
)
GO = {"actions": {"go": {}}}


def failing(hook: str, failure: str, number: str = "1") -> str:
    """Return a script whose hook does something and then fails."""
    write = "    add('game', 'n', 1)\n" if hook.startswith(("on_", "do_")) else ""
    return f"def {hook}:\n{write}    {failure}\n"


def test_every_kind_of_hook_stands_in_the_table() -> None:
    assert HOOKS.keys() == set(catalogue("hooks"))


CLOSED = set(QUESTIONS)
"""Questions that say whether something may be: where one of them fails, it may not."""
WHETHER = ("May this", "May a", "Does a ballot count", "By the law as of which")


def test_every_question_that_says_whether_something_may_be_is_a_guard() -> None:
    assert {name for name, each in catalogue("questions").items() if each.meaning.startswith(WHETHER)} == CLOSED


OFFICES = rule(
    "7",
    "def do_stamp(a):\n    add('game', 'n', 1)\ndef do_reach(a):\n    win(a.by)\n",
    actions={"stamp": {"as": "clerk"}, "reach": {}},
    defines={**COINS["defines"], "offices": {"clerk": {"fill": "by_rule"}, "scribe": {"fill": "appointed"}}},
)
OPEN = sorted(set(catalogue("questions")) - CLOSED)
"""Questions of which the kernel goes on without an answer: where one of them fails, it is as if nobody had answered."""


@pytest.fixture(autouse=True)
def small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a budget be small, so that it is spent in no time."""
    monkeypatch.setitem(budget.PER_HANDLER, "host calls", 500)


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("kind", [kind for kind in HOOKS if kind != "show_PAGE"])
def test_a_hook_that_fails_closes_what_it_guards_and_leaves_nothing_half_done(
    found: Found, kind: str, failure: str
) -> None:
    hook, comes = HOOKS[kind]
    own = failing(hook, FAILURES[failure])
    law = (rule("1", own, **GO, **COINS),) if kind == "do_ACTION" else (rule("1", own), WORK)
    table = found(*law)
    outcome = table.act("ann", "go")
    if comes == REFUSED:
        assert (outcome.accepted, table.get("game", "n"), table.get("ann", "coins")) == (False, 0, 0)
    else:
        assert (outcome.accepted, table.get("game", "n"), table.get("ann", "coins")) == (True, 1, 2)
        assert {each[0] for each in failed(outcome)} == {"1"}
        assert table.document("law")["rules"]["1"]["failures"]


def played(*rules: Record) -> list[Any]:
    """Play what asks most questions of the kernel, and return all that came of it."""
    table = Table(*rules, VOTING, OFFICES)
    came = [table.act("ann", "propose", title="Tea", changes=[{"enact": {"title": "Tea", "text": "Tea."}}])]
    came += [table.act(who, "vote", proposal=901, choice="for") for who in ("ann", "bob", "cid")]
    came += [table.act("bob", "stamp", as_="clerk"), table.act("ann", "reach")]
    order = table.kernel.order(table.now, [each["rule"] for each in rules] + ["7", "900"])
    return [*((each.accepted, each.code, each.effects) for each in came), order[-2:]]


@pytest.fixture(scope="module")
def unanswered() -> list[Any]:
    return played(rule("1"))


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("question", OPEN)
@pytest.mark.sampled(4)
def test_a_question_that_guards_nothing_is_as_if_unanswered_where_it_fails(
    unanswered: list[Any], question: str, failure: str
) -> None:
    signature = catalogue("questions")[question].signature
    assert played(rule("1", failing(signature, FAILURES[failure]))) == unanswered


@pytest.mark.parametrize("function", sorted(HOST.words))
@pytest.mark.sampled(3)
def test_a_function_that_fails_fails_its_act_and_its_guard(found: Found, function: str) -> None:
    """An act in which a function fails is refused and leaves nothing; a guard in which it fails refuses."""
    names = [name for name in HOST.words[function].names if not name.startswith("*")]
    for passed in ("struct(x = 1)", "'no such'", "-1"):
        call = f"{function}({', '.join([passed] * len(names))})"
        doing = found(rule("1", f"def do_go(a):\n    add('game', 'n', 1)\n    {call}\n", **GO, **COINS))
        outcome = doing.act("ann", "go")
        assert outcome.accepted is not bool(outcome.failures or outcome.code)
        assert doing.get("game", "n") == (1 if outcome.accepted else 0)
        outcome = found(rule("1", f"def forbid_go(a):\n    {call}\n    return None\n"), WORK).act("ann", "go")
        assert not (outcome.accepted and failed(outcome))


# -- answers of another type


WRONG = {
    "decide_weights(p, players)": "{'ann': '1/2'}",
    "decide_electorate(p)": "'ann'",
    "decide_choices(p)": "'for'",
    "decide_number(p)": "'one'",
    "decide_rule_number(p, c)": "[1]",
    "decide_applies_from(p, c)": "'now'",
    "decide_law_for(s)": "'today'",
    "decide_ballot_counts(p, b)": "7",
    "decide_closed(p)": "'yes'",
    "decide_adopted(p)": "'yes'",
    "decide_prevails(a, b)": "a.number",
    "decide_holder(office)": "7",
    "decide_win_ends_play(player)": "'no'",
    "decide_winner()": "7",
    "decide_ballots_displayed(p)": "{}",
    "adjust_award(a)": "'1/2'",
}


@pytest.mark.parametrize("hook", WRONG)
def test_an_answer_of_another_type_is_a_failure_of_its_rule(found: Found, hook: str) -> None:
    doing = "def do_go(a):\n    holder('clerk')\n    award('ann', 'coins', 1)\n    win('ann', play_on = False)"
    hearing = [rule(number, "def on_acted(e):\n    pass") for number in ("8", "9")]
    answering = rule("5", f"def {hook}:\n    return {WRONG[hook]}")
    table = found(answering, rule("6", doing, **GO), *hearing, VOTING, OFFICES)
    table.act("ann", "propose", title="x", changes=[{"enact": {"title": "New"}}])
    for player in ("ann", "bob", "cid"):
        table.act(player, "vote", proposal=901, choice="for")
    table.act("ann", "go")
    name = hook.partition("(")[0]
    noted = [f for entry in table.entries for f in entry.get("failures", ()) if (f["rule"], f["hook"]) == ("5", name)]
    assert noted, "its answer was silently taken for something else"
    assert {f["code"] for f in noted} == {"E-ARGS"}
    assert all("cannot be used" in f["error"] for f in noted)


@pytest.mark.parametrize(
    ("type_", "answer"), [("integer", "'7'"), ("integer", "True"), ("text", "7"), ("boolean", "1")]
)
def test_so_is_the_value_of_a_derived_register(found: Found, type_: str, answer: str) -> None:
    derived = {"game": {"strength": {"type": type_, "derived": True}}}
    reading = rule("6", "def do_go(a):\n    announce(str(get('game', 'strength', 'none')))", **GO)
    table = found(rule("5", f"def decide_strength():\n    return {answer}", defines=derived), reading)
    outcome = table.ok("ann", "go")
    assert (said(outcome), failed(outcome)) == (["none"], [("5", "decide_strength")])


ODD = [[1, 2], [[]], {}, {"a": [1]}, -1, 10**60, True, "", "CON", "nobody", [None], [["ann"]], {"uid": [1]}]


def play_with(question: str, answer: object) -> None:
    """Play a little under a rule that answers so; what is refused is refused by a code, and the engine never fails."""
    signature = catalogue("questions")[question].signature
    table = Table(VOTING, rule("20", f"def {signature}:\n    return {answer!r}"), OFFICES)
    for player in ("ann", "bob"):
        changes = [{"enact": {"title": "New"}}, {"enact": {"title": "Two"}}]
        table.act(player, "propose", title="A change", changes=changes)
    for identifier in list(table.kernel.documents["game"]["open"]):
        for player in ("ann", "bob", "cid"):
            table.act(player, "vote", proposal=identifier.partition("/")[2], choice="for")
            read = table.kernel.read_review(identifier, [player, "approve", ""], table.now)
            assert read is None or ("why" in read) != ("do" in read)
    table.act("ann", "state", text="This is how far we came.")
    table.kernel.ask("holder", ["clerk"], table.now)
    assert "E-FAULT" not in [entry.get("code") for entry in table.entries]
    numbers = [meta["number"] for meta in table.kernel.documents["law"]["rules"].values() if meta["in_force"]]
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize("question", sorted(catalogue("questions")))
def test_whatever_shape_an_answer_has_the_game_goes_on(question: str) -> None:
    for answer in ODD if FUZZ else ODD[len(question) % 4 :: 4]:
        play_with(question, answer)
