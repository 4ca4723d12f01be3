"""What happens where a hook or a host function fails: what guards something closes it, and nothing is half done.

The lists come from the catalogue, so that a hook, a question or a function that is new must find its place here.
"""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.kernel.host import HOST
from folkmoot.kernel.play import QUESTIONS
from folkmoot.language.declarations import catalogue
from tests.support.table import VOTING, Found, Record, Table, failed, rule

FAILURES = {
    "it raises": "fail('x')",
    "it is over its budget": "[now() for i in range(60000)]",
    "it refuses": "require(False, 'E-NO', 'no')",
    "it asks for what is impossible": "get('nobody', 'nothing')",
}
REFUSED, UNDONE, UNHEARD, NOT_SHOWN = "the act is refused", "it is undone alone", "as if it had no answer", "no page"
OF_HOOKS = {
    "on_EVENT": UNDONE,
    "do_ACTION": REFUSED,
    "forbid": REFUSED,
    "forbid_ACTION": REFUSED,
    "permit_ACTION": UNHEARD,
    "decide_QUESTION": UNHEARD,
    "adjust_award": UNHEARD,
    "adjust_CURRENCY": UNHEARD,
    "show_PAGE": NOT_SHOWN,
}
HOOKS = {
    "on_EVENT": "on_x(e)",
    "do_ACTION": "do_go(a)",
    "forbid": "forbid(a)",
    "forbid_ACTION": "forbid_go(a)",
    "permit_ACTION": "permit_go(a)",
    "decide_QUESTION": "decide_whether()",
    "adjust_award": "adjust_award(a)",
    "adjust_CURRENCY": "adjust_coins(a)",
    "show_PAGE": "show_page()",
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
    assert OF_HOOKS.keys() == HOOKS.keys() == set(catalogue("hooks"))


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("kind", [kind for kind in OF_HOOKS if kind != "show_PAGE"])
def test_a_hook_that_fails_closes_what_it_guards_and_leaves_nothing_half_done(
    found: Found, kind: str, failure: str
) -> None:
    own = failing(HOOKS[kind], FAILURES[failure])
    law = (rule("1", own, **GO, **COINS),) if kind == "do_ACTION" else (rule("1", own), WORK)
    table = found(*law)
    outcome = table.act("ann", "go")
    if OF_HOOKS[kind] == REFUSED:
        assert not outcome.accepted
        assert table.get("game", "n") == 0
        assert table.get("ann", "coins") == 0
    else:
        assert outcome.accepted
        assert {each[0] for each in failed(outcome)} == {"1"}
        assert (table.get("game", "n"), table.get("ann", "coins")) == (1, 2)
        assert table.document("law")["rules"]["1"]["failures"]


@pytest.mark.parametrize("failure", FAILURES)
def test_a_permission_that_fails_permits_nothing(found: Found, failure: str) -> None:
    forbidding = rule("3", "def forbid_go(a):\n    return refuse('E-NO', 'no')\n")
    table = found(rule("1", failing("permit_go(a)", FAILURES[failure])), forbidding, WORK)
    assert table.refused("ann", "go") == "E-NO"


CLOSED = set(QUESTIONS)
"""Questions that say whether something may be: where one of them fails, it may not."""
WHETHER = "May this|May a|Does a ballot count|By the law as of which"


def test_every_question_that_says_whether_something_may_be_is_a_guard() -> None:
    asking = {
        name for name, each in catalogue("questions").items() if each.meaning.startswith(tuple(WHETHER.split("|")))
    }
    assert asking == CLOSED


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("question", sorted(CLOSED))
def test_a_question_that_guards_refuses_where_it_fails(found: Found, question: str, failure: str) -> None:
    signature = catalogue("questions")[question].signature
    changing = rule("5", "def do_go(a):\n    repeal('6')\n    add('game', 'n', 1)\n", actions={"go": {}})
    kept = rule("6", "", **COINS)
    table = found(rule("1", failing(signature, FAILURES[failure])), changing, kept, VOTING)
    if question in ("decide_law_for", "decide_may_alter"):
        assert not table.act("ann", "go").accepted
        assert "6" in table.in_force()
    elif question == "decide_may_put":
        writing = rule("5", "def do_go(a):\n    add('game', 'n', 1)\n", actions={"go": {}})
        table = found(rule("1", failing(signature, FAILURES[failure])), writing, kept)
        assert not table.act("ann", "go").accepted
        assert table.get("game", "n") == 0
    elif question == "decide_may_do":
        winning = rule("5", "def do_go(a):\n    win('ann')\n", actions={"go": {}})
        table = found(rule("1", failing(signature, FAILURES[failure])), winning)
        assert not table.act("ann", "go").accepted
    elif question == "decide_ballot_counts":
        number = table.propose("ann", {"enact": {"title": "Tea", "text": "Tea."}})
        assert not table.act("ann", "vote", proposal=number, choice="for").accepted
    else:
        change = {"enact": {"title": "Tea", "text": "Tea."}}
        assert not table.act("ann", "propose", title="Tea", changes=[change]).accepted


OFFICES = rule(
    "7",
    "def do_stamp(a):\n    add('game', 'n', 1)\ndef do_reach(a):\n    win(a.by)\n",
    actions={"stamp": {"as": "clerk"}, "reach": {}},
    defines={**COINS["defines"], "offices": {"clerk": {"fill": "by_rule"}, "scribe": {"fill": "appointed"}}},
)
OPEN = sorted(set(catalogue("questions")) - CLOSED)
"""Questions of which the kernel goes on without an answer: where one of them fails, it is as if nobody had answered."""


def played(*rules: Record) -> list[Any]:
    """Play what asks most questions of the kernel, and return all that came of it."""
    table = Table(*rules, VOTING, OFFICES)
    came = [table.act("ann", "propose", title="Tea", changes=[{"enact": {"title": "Tea", "text": "Tea."}}])]
    came += [table.act(who, "vote", proposal=901, choice="for") for who in ("ann", "bob", "cid")]
    came += [table.act("bob", "stamp", as_="clerk"), table.act("ann", "reach")]
    order = table.kernel.order(table.now, [each["rule"] for each in rules] + ["7", "900"])
    return [*((each.accepted, each.code, each.effects) for each in came), order[-2:]]


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("question", OPEN)
def test_a_question_that_guards_nothing_is_as_if_unanswered_where_it_fails(question: str, failure: str) -> None:
    signature = catalogue("questions")[question].signature
    assert played(rule("1", failing(signature, FAILURES[failure]))) == played(rule("1"))


@pytest.mark.parametrize("failure", FAILURES)
def test_a_page_that_fails_is_shown_as_failing_and_alone(found: Found, failure: str) -> None:
    table = found(
        rule("1", failing(HOOKS["show_PAGE"], FAILURES[failure])), rule("2", "def show_well():\n    return []")
    )
    pages = table.kernel.pages(table.now)
    assert [bool(pages[name].get("error")) for name in ("page", "well")] == [True, False]


@pytest.mark.parametrize("failure", FAILURES)
def test_an_order_that_fails_is_undone_alone(found: Found, failure: str) -> None:
    table = found(VOTING, OFFICES)
    order = {"title": "Once", "once": True, "script": failing("on_proposal_adopted(e)", FAILURES[failure])}
    table.adopt({"enact": order}, {"enact": {"title": "Tea", "text": "Tea."}})
    assert table.get("game", "n") == 0
    assert [table.kernel.play.law.in_force()[uid][0]["title"] for uid in table.in_force()][-1:] != ["Once"]
    assert "Tea" in [document["title"] for document, _ in table.kernel.play.law.in_force().values()]


NONSENSE = ("struct(x = 1)", "'no such'", "-1")


@pytest.mark.parametrize("function", sorted(HOST.words))
def test_a_function_that_fails_fails_its_act_and_its_guard(found: Found, function: str) -> None:
    """An act in which a function fails is refused and leaves nothing; a guard in which it fails refuses."""
    names = [name for name in HOST.words[function].names if not name.startswith("*")]
    for given in NONSENSE:
        call = f"{function}({', '.join([given] * len(names))})"
        doing = found(rule("1", f"def do_go(a):\n    add('game', 'n', 1)\n    {call}\n", **GO, **COINS))
        outcome = doing.act("ann", "go")
        assert outcome.accepted is not bool(outcome.failures or outcome.code)
        assert doing.get("game", "n") == (1 if outcome.accepted else 0)
        guard = rule("1", f"def forbid_go(a):\n    {call}\n    return None\n")
        guarded = found(guard, WORK)
        outcome = guarded.act("ann", "go")
        assert not (outcome.accepted and failed(outcome))
