"""The pages of players and of offices: what somebody must do, how they stand, how they vote; who holds what."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from folkmoot.site.pages.players import Offices, Player, Players, careers, office_page, player_page, player_pages
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from tests.support.site_game import game, render_game, view
from tests.support.table import Table, rule


@pytest.fixture(scope="module")
def ann() -> Player:
    return player_page("ann", game())


def test_what_somebody_must_do_comes_first_and_is_theirs_alone() -> None:
    owing = {duty["player"] for duty in game().document("things/duty").values()}
    assert owing
    for player in game().present:
        assert bool(player_page(player, game()).duties) == (player in owing)


def test_a_page_says_where_nothing_must_be_done() -> None:
    assert "Nothing at the moment." in render_game(view(Table(rule("1", "")), "g"))["players/ann.md"]


def test_facts_say_amount_place_and_votes(ann: Player) -> None:
    career = game().index(careers)["ann"]
    facts = {name: strip(said) for name, said in ann.facts}
    assert re.fullmatch(r"15, \w+ of six", facts["Points"])
    assert facts["Votes cast"] == f"{career.voted} of {career.asked}"
    assert facts["Proposals that became law"] == f"{career.adopted} of {career.proposed}"
    assert facts["On the side that prevailed"] == f"{career.prevailed} of {career.seen}"
    assert 0 < career.prevailed <= career.seen


def test_nobody_prevails_by_a_ballot_that_is_not_displayed() -> None:
    hidden = game()
    for proposal in hidden.proposals.values():
        proposal["outcome"] = None
    found = hidden.index(careers)["ann"]
    assert (found.seen, found.prevailed, found.alike) == (0, 0, {})


def test_a_chart_has_the_own_line_and_that_of_who_leads(ann: Player) -> None:
    assert ann.chart
    assert [head.split(" ")[0] for head in ann.chart.heads[1:]] == ["Cid", "Ann"]


def test_what_somebody_proposed_says_what_became_of_it(ann: Player) -> None:
    (badge,) = (badge for link, _what, badge in ann.proposals if "301" in link.words)
    assert (strip(badge.words), badge.kind) == ("adopted 6–0", "good")


def _list_of(seen: GameView) -> Players:
    found = next(player_pages(seen)).make(seen)
    assert isinstance(found, Players)
    return found


def test_the_list_has_everybody_and_those_who_left_apart() -> None:
    seen = game()
    roster = {**seen.document("roster"), "gil": {"name": "Gil", "since": 1767614400, "until": 1767700800}}
    page = _list_of(replace(seen, documents={**seen.documents, "roster": roster}))
    assert {row[0].name for row in page.rows} == {seen.name(player) for player in seen.present}
    assert [who.name for who, _since, _until in page.left] == ["Gil"]


def test_a_game_without_players_says_so() -> None:
    assert (
        "Nobody plays."
        in render_game(GameView(slug="x", documents={"game": {}, "law": {"rules": {}}}))["players/index.md"]
    )


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


def test_without_offices_and_duties_both_are_said() -> None:
    found = office_page(view(Table(rule("1", "")), "g"))
    assert isinstance(found, Offices)
    page = render_game(view(Table(rule("1", "")), "g"))["offices.md"]
    assert "No rule in force knows of an office." in page
    assert "Nobody owes anything." in page
