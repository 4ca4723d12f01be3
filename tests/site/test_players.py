"""The pages of players and of offices: what somebody must do, how they stand, how they vote; who holds what."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from folkmoot.site.pages.players import Player, Players, careers, office_page, player_page, player_pages
from folkmoot.site.standing import currency_name
from folkmoot.wording.markup import strip
from tests.support.site_game import game, render_game, view
from tests.support.table import Table, rule


@pytest.fixture(scope="module")
def ann() -> Player:
    return player_page("ann", game())


def test_what_somebody_must_do_comes_first_and_is_theirs_alone() -> None:
    owing = {duty["player"] for duty in game().document("things/duty").values()}
    assert owing
    assert {player for player in game().present if player_page(player, game()).duties} == owing
    pages = render_game(view(Table(rule("1", "")), "g"))
    assert "Nothing at the moment." in pages["players/ann.md"]
    assert "No rule in force knows of an office." in pages["offices.md"]
    assert "Nobody owes anything." in pages["offices.md"]


def test_facts_say_amount_place_and_votes(ann: Player) -> None:
    career = game().index(careers)["ann"]
    facts = {name: strip(said) for name, said in ann.facts}
    assert re.fullmatch(r"15, \w+ of six", facts["Points"])
    assert facts["Votes cast"] == f"{career.voted} of {career.asked}"
    assert facts["On the side that prevailed"] == f"{career.prevailed} of {career.seen}"
    assert 0 < career.prevailed <= career.seen


def test_counts_are_those_of_the_proposals() -> None:
    seen = game()
    found = seen.index(careers)
    decided = [each for each in seen.proposals.values() if each.get("outcome")]
    assert sum(each.asked for each in found.values()) == sum(len(each.get("electorate") or ()) for each in decided)
    assert all(each.voted <= each.asked for each in found.values())
    for one, career in found.items():
        for two, counts in career.alike.items():
            assert found[two].alike[one] == counts
            assert 0 <= counts[1] <= counts[0]
    for proposal in seen.proposals.values():
        proposal["outcome"] = None
    hidden = replace(seen).index(careers)["ann"]
    assert (hidden.seen, hidden.prevailed, hidden.alike) == (0, 0, {}), (
        "by a ballot that is not displayed nobody prevails"
    )


def test_the_list_has_everybody_and_those_who_left_apart() -> None:
    seen = game()
    roster = {**seen.document("roster"), "gil": {"name": "Gil", "since": 1767614400, "until": 1767700800}}
    seen = replace(seen, documents={**seen.documents, "roster": roster})
    page = next(player_pages(seen)).make(seen)
    assert isinstance(page, Players)
    assert {row[0].name for row in page.rows} == {seen.name(player) for player in seen.present}
    assert [who.name for who, _since, _until in page.left] == ["Gil"]


def test_offices_say_who_holds_them_and_what_only_they_can_do() -> None:
    table = Table(
        rule("1", "def do_judge(a):\n    pass\n", actions={"judge": {"as": "judge", "summary": "Judge"}},
             defines={"offices": {"judge": {"summary": "Who judges"}}}),
        opening=[{"office": "judge", "holder": "ann"}],
    )  # fmt: skip
    (office,) = office_page(view(table, "g")).offices
    assert (office.id, office.name, office.holder and office.holder.name) == ("office-judge", "Judge", "ann")
    assert [(act.words, act.to) for act in office.acts] == [("Judge", "act.html#act-judge")]
    assert strip(office.summary) == "“Who judges”"


@pytest.mark.parametrize(
    ("summary", "name"),
    [("Points", "Points"), ("Force  Points", "Force Points"), ("Three of them win", "Fp"), ("", "Fp")],
)
def test_a_currency_is_called_by_a_short_summary_and_nowhere_by_a_sentence(summary: str, name: str) -> None:
    seen = game()
    seen.__dict__["currencies"] = {"fp": {"summary": summary}}
    assert currency_name(seen, "fp") == name
