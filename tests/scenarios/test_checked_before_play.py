"""What the check of files, the page of actions and `moot vote` say of kinds, circles, deputies and reasons."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.cli.voting import _target
from folkmoot.core.records import Founding
from folkmoot.kernel.step import Kernel
from folkmoot.scenarios.check_files import rule_problems
from folkmoot.scenarios.claims import meets
from folkmoot.site.page_model import drawn_page
from folkmoot.site.pages.act import act_page
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from tests.support.table import VOTING, Table
from tests.support.table import rule as made_rule


def law(*rules: dict[str, Any]) -> Founding:
    return {"ruleset": "tea", "title": "Tea", "zone": "UTC", "rules": [*rules], "players": [{"id": "ann"}]}


def said(own: dict[str, Any], *others: dict[str, Any]) -> list[str]:
    """Return what the check says of a rule beside the others of a law."""
    rule = {"title": "Tea", "text": "Tea.", **own}
    beside = [{"title": "Law", "text": "Law.", "uid": other["rule"], **other} for other in others]
    return [f"{p.message}; {p.hint}" for p in rule_problems(rule, law(*beside), "title: Tea\n", "tea.yaml", Kernel())]


def kinds(**declared: str) -> dict[str, Any]:
    return {"defines": {"kinds": {name: {"like": like} if like else {} for name, like in declared.items()}}}


def test_a_kind_is_like_one_that_no_rule_declares() -> None:
    one = {"rule": "1", **kinds(motion="")}
    assert said(kinds(petition="motoin"), one) == [
        "no rule declares a kind of thing called 'motoin'; did you mean `motion`?"
    ]
    assert said(kinds(petition="motion", plea="proposal", ghost="player"), one) == []


def test_a_kind_is_like_itself_by_way_of_another_rule() -> None:
    [message] = said(kinds(petition="motion"), {"rule": "1", **kinds(motion="petition")})
    assert message.startswith("petition is like itself, by way of motion")
    assert said(kinds(plea="a"), {"rule": "1", **kinds(a="b", b="a")}) == []  # not of this rule's making


HEARS = "def on_joined(e):\n    pass\n"
PREVAILS = "def decide_prevails(a, b):\n    return a if claims_over(a, b) else b if claims_over(b, a) else None\n"


def test_a_circle_of_precedence_between_a_file_and_the_law_is_told() -> None:
    judge = {"rule": "1", "script": PREVAILS}
    other = {"rule": "2", "script": HEARS, "precedence": {"over": ["3"]}}
    third = {"rule": "3", "script": HEARS, "precedence": {"over": ["4"]}}
    mine = {"rule": "4", "script": HEARS, "precedence": {"over": ["2"]}}
    [message] = said(mine, judge, other, third)
    assert message.startswith("rules 2, 3 and 4 take precedence over one another in a circle")
    assert said({**mine, "precedence": {"defers_to": ["2"]}}, judge, other, third) == []
    assert said({"rule": "5", "script": HEARS, "precedence": {"over": ["1"]}}, judge, other, third) == []


def test_a_circle_that_a_rule_without_a_number_would_close_is_told() -> None:
    judge = {"rule": "1", "script": PREVAILS}
    law = [{"rule": "2", "script": HEARS, "precedence": {"over": ["3"]}}, {"rule": "3", "script": HEARS}]
    mine = {"script": HEARS, "precedence": {"over": ["2"]}}
    [message] = said(mine, judge, *law)
    assert message.startswith("rules 2, 3 and the new one take precedence over one another in a circle")
    assert said({**mine, "precedence": {"defers_to": ["2", "3"]}}, judge, *law) == []


def test_the_page_of_actions_names_those_who_act_for_an_office() -> None:
    rule = {"rule": "1", "title": "J", "actions": {"judge": {"as": "judge"}}, "defines": {"offices": {"judge": {}}}}
    documents = {
        "rules/1": rule,
        "law": {"rules": {"1": {"number": "1", "in_force": True}}},
        "game": {"title": "Tea", "open": []},
    }
    deputies = {"acts_for:judge": ["bob", "cid"]}
    view = GameView(slug="g", documents=documents, answers=deputies)
    assert "bob, cid may act for them at present." in strip(drawn_page(view, act_page(view)).body)
    plain = repr(act_page(GameView(slug="g", documents=documents)))
    assert "office='Judge'" in plain
    assert "act for them" not in plain


REASONS = [
    (["7", "for", "it", "--is", "new"], {}),
    (["7", "for", "--because"], {}),
    (["#7", "for", "--so=new"], {}),
    (["--petition", "3", "aye", "--as", "said"], {"petition": 3}),
    (["aye", "--petition=x12", "--as", "said"], {"petition": "x12"}),
]


@pytest.mark.parametrize(("words", "on"), REASONS)
def test_a_word_of_a_reason_may_begin_with_dashes(words: list[str], on: dict[str, Any]) -> None:
    kept, found = _target(words, None)
    assert found == on
    assert kept[-1] == words[-1]


def test_a_kind_with_its_number_is_one_wherever_it_stands() -> None:
    assert _target(["7", "for", "--motion", "34"], None) == (["7", "for"], {"motion": 34})


# -- claims of what became of changes

PURSE = made_rule("1", defines={"currencies": {"coins": {}}})
GIFT = {"enact": {"title": "A gift", "once": True, "script": "def on_proposal_adopted(e):\n    announce('so')\n"}}
FAILS = {"enact": {"title": "A curse", "once": True, "script": "def on_proposal_adopted(e):\n    fail('no')\n"}}
HOLD = [
    {"proposal": 901, "omitted": [2], "orders": ["A gift"]},
    {"proposal": 902, "omitted": [], "orders": []},
    {"revisions": "1", "count": 2},
    {"revisions": "1", "revision": 1, "cause": "founding"},
    {"revisions": "1", "title": "Two", "cause": "proposal/902", "count": 1},
    {"revisions": "77", "count": 0},
]
FAIL = [
    ({"proposal": 901, "omitted": []}, "omitted is [2]"),
    ({"proposal": 901, "orders": ["A curse"]}, "orders is [A gift]"),
    ({"revisions": "1", "title": "Three"}, "its revisions are"),
    ({"revisions": "1", "count": 3}, "its revisions are"),
    ({"revisions": "77"}, "its revisions are []"),
]


def test_scenarios_claim_changes_left_out_orders_and_revisions() -> None:
    table = Table(VOTING, PURSE)
    table.adopt(GIFT, FAILS)
    table.adopt({"amend": "1", "title": "Two"})
    assert [claim for claim in HOLD if meets(table.kernel, table.entries, claim, table.now)] == []
    for claim, why in FAIL:
        assert meets(table.kernel, table.entries, claim, table.now).startswith(why)
