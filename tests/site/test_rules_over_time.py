"""The law over time: every change of the law has its row, and every former wording its place."""

from __future__ import annotations

import re

import pytest

from folkmoot.site.page_data import Parts
from folkmoot.site.page_model import drawn_page
from folkmoot.site.pages import rules_over_time as pages
from folkmoot.site.pages.rule import rule_page
from folkmoot.site.pages.rules_over_time import OverTime, law_time
from folkmoot.site.revisions import Moment, moments
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from tests.support.site_game import game
from tests.support.site_game import view as view_of_table
from tests.support.table import VOTING, Table, rule


def test_every_revision_of_every_rule_stands_at_its_moment() -> None:
    view = game()
    told = [(uid, after) for moment in moments(view) for uid, _, after in moment.changes]
    kept = [(uid, each) for uid in view.law for each in view.revisions(uid)]
    assert len(told) == len(kept) > 15
    assert all(each in told for each in kept)
    assert [moment.seq for moment in moments(view)] == sorted({int(each["seq"]) for _, each in kept})


def newest(view: GameView) -> OverTime:
    page = next(law_time(view)).make(view)
    assert isinstance(page, OverTime)
    return page


def test_a_step_says_what_became_of_each_rule_and_how_many_there_were() -> None:
    page = newest(game())
    said = [" ".join(map(strip, step.said)) for step in page.steps]
    for words in ("rule 304 became rule 302", "rule 203 was repealed", "a new rule 310, Alphabet", "“Sixty per cent”"):
        assert any(words in each for each in said), words
    assert re.search(r"^\d+ new rules: 101, \d", said[-1])
    assert [step.number for step in page.steps] == [*reversed(range(len(moments(game()))))]
    assert page.steps[0].count == len(game().ranked)
    assert (page.since[1], page.now[1]) == (page.steps[-1].count, page.steps[0].count)
    assert f"{page.steps[-1].count} rules on " in strip(drawn_page(game(), page).body)


def test_very_many_changes_of_a_kind_at_once_are_one_line() -> None:
    rules = [(str(n), {}, {"rule": str(n), "title": f"T{n}"}) for n in range(9)]
    later = [("1", {"rule": "1", "title": "x"}, {"rule": "1", "revision": 2}), ("12", {"rule": "2"}, {"rule": "902", "revision": 2}),
             ("13", {"rule": "3"}, {"repealed": True}), ("14", {"repealed": True}, {"rule": "4"})]  # fmt: skip
    here = Here(game(), "law-time/index.md")
    told = [strip(each) for each in pages._told(here, Moment(1, 0, [*rules[2:], *later]))]
    assert told == [
        "8 new rules: 2, 3, 4, 5, 6, 7, 8, 4",
        "rule 1 was amended",
        "rule 2 became rule 902",
        "rule 3 was repealed",
    ]


def test_a_long_past_has_several_pages_the_newest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages of earlier changes never change their place; from each, links lead to the one before and after."""
    monkeypatch.setattr(pages, "PARTS", Parts(3))
    monkeypatch.setattr(pages, "STEPPED", 2)
    view = game()
    made = [sheet.make(view) for sheet in law_time(view)]
    assert len(made) == len(moments(view)) // 3 > 2
    assert [page.path for page in made[:2]] == ["law-time/index.md", "law-time/0001.md"]
    assert len(made[0].steps) == 2
    numbers = [step.number for page in (made[0], *reversed(made[1:])) for step in (*page.steps, *page.earlier)]
    assert numbers == [*reversed(range(len(moments(view))))]
    assert made[1].before is None
    assert made[1].after.to == "0002.html"
    assert made[-1].after.to == "index.html"
    assert made[0].before.to == f"{len(made) - 1:04}.html"


def test_rules_that_players_made_have_a_lane_with_their_versions() -> None:
    page = newest(game())
    lanes = {number: segments for number, _link, segments in page.lanes}
    assert "101" not in lanes or game().law["101"]["cause"] != "founding"
    for segments in lanes.values():
        assert sum(segment.width for segment in segments) == len(page.columns)
    assert [segment.version for segment in lanes["302"]][-2:] == [2, 3]


def test_every_former_wording_can_be_read_whole() -> None:
    view = game()
    for uid in view.law:
        page = rule_page(uid, view)
        former = [*reversed(view.wordings(uid)[: None if view.law[uid].get("in_force") is False else -1])]
        folded = [each.words for each in page.revisions if each.words]
        assert len(folded) == len(view.wordings(uid)) - 1
        assert len(former) >= len(folded)


PAST = {
    "1": [
        {"at": "1993-06-30T00:00:00Z", "cause": "initial", "title": "Gold", "unknown": True},
        {"at": "2004-02-29T08:00:00Z", "cause": "proposal 4500", "title": "Gold", "text": "There is gold."},
        {"at": "2020-01-05T08:00:00Z", "cause": "proposal 9356"},
    ],
    "900": [{"at": "2004-02-29T09:00:00Z", "cause": "proposal 4501"}],
}


def test_every_day_of_a_past_that_was_brought_along_is_a_moment_and_a_wording_that_nobody_knows_is_unknown() -> None:
    seen = view_of_table(Table(rule("1"), VOTING, history=PAST), "g")
    steps = newest(seen).steps
    days = [re.findall(r'<time datetime="(\d{4}-\d\d-\d\d)T', step.at)[0] for step in steps]
    assert days == ["2020-01-05", "2004-02-29", "1993-06-30"], "the newest first, one for each day"
    assert strip(steps[1].by) == "by proposal 4500, by proposal 4501"
    page = rule_page("1", seen)
    assert [(each.unknown, bool(each.words)) for each in page.revisions] == [
        (False, False), (False, True), (True, False)]  # fmt: skip
    assert "What it said then is not known." in strip(drawn_page(seen, page).body)
    unknown = [bool(each.get("unknown")) for each in seen.revisions("1")]
    assert unknown == [True, False, False], "a rule in force that has no text has none, which is known"
