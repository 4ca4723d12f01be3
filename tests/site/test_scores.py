"""Scores and what is to come: who leads and how closely, charts, the ledger; and all of it is so."""

from __future__ import annotations

import json
import re

import pytest
from msgspec.structs import replace

from folkmoot.site.data_files import game_file
from folkmoot.site.page_data import PageData, Parts
from folkmoot.site.page_model import drawn_page
from folkmoot.site.page_model import made as made_page
from folkmoot.site.pages import scores as scores_module
from folkmoot.site.pages.scores import Scores, score_pages
from folkmoot.site.pages.status import timers_to_come
from folkmoot.site.standing import ranking
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from tests.figures.readings import read_page
from tests.support.site_game import render_game, view
from tests.support.table import VOTING, Table, rule

PAY = rule(
    "1",
    """
    def do_work(a):
        award(a.by, "gold", 3, why = "work")

    def do_lose(a):
        award(a.by, "gold", -5)

    def do_begin(a):
        put("game", "mover", a.by)

    def decide_mover():
        return get("game", "mover")
    """,
    defines={
        "currencies": {"gold": {"owners": "player", "summary": "Gold"}},
        "game": {"mover": {"type": "player", "optional": True}},
    },
    actions={"work": {}, "lose": {}, "begin": {}},
)


def page_of(seen: GameView) -> Scores:
    found = next(score_pages(seen)).make(seen)
    assert isinstance(found, Scores)
    return found


def played(*acts: tuple[str, str]) -> GameView:
    table = Table(PAY)
    for player, do in acts:
        table.pass_time(60)
        table.ok(player, do)
    return view(table, "g")


@pytest.mark.parametrize(
    ("acts", "lead"),
    [
        ([], "Nobody has any gold yet."),
        ([("ann", "work")], "ann leads with 3, three more than anybody else."),
        ([("ann", "work"), ("bob", "work"), ("ann", "work")], "ann leads with 6, three more than bob."),
        ([("ann", "work"), ("bob", "work")], "ann and bob lead together with 3."),
        ([("ann", "work"), ("bob", "work"), ("cid", "work")], "All have 3."),
        ([("ann", "lose"), ("bob", "lose"), ("cid", "lose")], "All have −5."),
    ],
)
def test_one_sentence_says_who_leads_and_how_closely(acts: list[tuple[str, str]], lead: str) -> None:
    assert strip(page_of(played(*acts)).lead) == lead


def test_who_won_is_said_first() -> None:
    seen = played(("ann", "work"), ("bob", "work"), ("ann", "work"))
    for winner, lead in (("ann", "ann won with 6."), ("bob", "bob won. ann leads with 6, three more than bob.")):
        seen.document("game")["over"] = {"winner": [winner]}
        assert strip(page_of(seen).lead) == lead


def test_a_chart_goes_turn_by_turn_where_there_are_turns_else_by_time() -> None:
    drawn = page_of(played(("ann", "begin"), ("ann", "work"), ("bob", "begin"), ("bob", "work"))).chart
    assert drawn
    assert drawn.title == "Gold, turn by turn"
    assert [(strip(when).partition(",")[0], [*values]) for when, values in drawn.rows] == [
        ("turn 2", ["3", "3"]), ("turn 1", ["3", "0"]), ("start", ["0", "0"])]  # fmt: skip
    assert [words for _at, words, _held in drawn.wide.marks] == ["start", "1", "2"]
    drawn = page_of(played(("ann", "work"))).chart
    assert drawn
    assert (drawn.title, [values for _when, values in drawn.rows]) == ("Gold over time", [("3",), ("0",)])
    assert page_of(played()).chart is None, "where no line moves"


def test_lines_of_the_ledger_stand_by_pages_the_newest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scores_module, "PARTS", Parts(2))
    seen = played(*[("ann", "work"), ("bob", "lose")] * 3)
    made: list[PageData] = [sheet.make(seen) for sheet in score_pages(seen)]  # type: ignore[misc]
    first, *older = made
    assert isinstance(first, Scores)
    assert [(line.applied, line.balance) for line in first.ledger] == [(-5, -15), (3, 9)]
    drawn = str(made_page(seen, next(score_pages(seen))).body)
    assert '<td class="r minus">−5</td>' in drawn
    assert '<td class="r wideonly">−15</td>' in drawn
    assert [link.to for link in first.older] == ["ledger-0002.html", "ledger-0001.html"]
    assert [len(page.ledger) for page in older if isinstance(page, Scores)] == [2, 2]
    assert all(words in str(drawn_page(seen, page).body) for page in older for words in ("Newer changes", "+3"))


def test_players_rank_by_the_currency_of_which_an_amount_wins() -> None:
    defined = {"coins": {"initial": 20, "summary": "What bids are paid with"}, "seals": {"summary": "Three win"}}
    seen = view(Table(VOTING, rule("2", defines={"currencies": defined})), "tea")
    assert ranking(seen) == (["coins", "seals"], 0)
    assert ranking(replace(seen, answers={"to_win": "3 seals"})) == (["seals", "coins"], 3)
    assert ranking(replace(seen, answers={"to_win": "3 moons"})) == (["coins", "seals"], 0)
    assert ranking(replace(seen, answers={"to_win": "40"})) == (["coins", "seals"], 40)


GOLD = rule(
    "1",
    """
    def do_spend(a):
        award(a.by, "gold", -4, "spent")

    def on_voting_opened(e):
        after(2 * DAY, "late", key = "late/%d" % e.proposal.number, number = e.proposal.number)

    def on_proposal_resolved(e):
        after(3 * DAY, "feast", key = "feast", number = e.proposal.number)

    def do_win(a):
        win([a.by], "enough")

    def do_ask(a):
        owe("bob", "spend it", do = ["spend"])

    def show_purse():
        return [history("ann", "gold"), history("ann", "silver")]
    """,
    defines={"currencies": {"gold": {"owners": "player", "initial": 10}}},
    actions={"spend": {}, "win": {}, "ask": {}},
    timers={"late": {"summary": "The late pay"}, "feast": {"summary": "A feast"}},
)


def _words(table: Table, page: str) -> str:
    return read_page(render_game(view(table, "g"))[page]).text()


def test_a_line_begins_with_the_currency_and_not_before_the_rule_that_brought_it() -> None:
    table = Table(GOLD, VOTING)
    table.pass_time(3600)
    table.ok("ann", "spend")
    scores = _words(table, "scores/index.md")
    assert re.search(r"13:00 6 \w+ 5 Jan, 12:00 10\b", scores), scores
    assert "12:00 10" in _words(table, "boards/purse.md")
    table = Table(VOTING)
    table.pass_time(3600)
    table.adopt({"enact": {"title": "Gold", **{key: GOLD[key] for key in ("script", "defines", "actions", "timers")}}})
    table.pass_time(3600)
    table.ok("ann", "spend")
    scores = _words(table, "scores/index.md")
    assert [words in scores for words in ("14:00 6", "13:00 10", "12:00 10")] == [True, True, False]


def test_what_ends_with_a_vote_is_not_to_come_after_it_and_nothing_in_a_game_that_is_over() -> None:
    table = Table(GOLD, VOTING)
    number = table.propose("ann", {"enact": {"title": "Tea", "text": "Tea."}})
    assert [key for key, _ in timers_to_come(view(table, "g"))] == [f"late/{number}"]
    for voter in ("ann", "bob", "cid"):
        table.ok(voter, "vote", proposal=number, choice="for")
    assert [key for key, _ in timers_to_come(view(table, "g"))] == ["feast"], "what the end of the vote began comes"
    coming = json.loads(game_file(view(table, "g"))["game.json"])["coming"]
    assert [each["timer"] for each in coming] == ["feast"], "and the data say what the pages say"
    table.ok("ann", "ask")
    today = _words(table, "index.md")
    assert ["spend it" in today, "A feast" in today, "The late pay" in today] == [True, True, False]
    table.ok("ann", "win")
    today = _words(table, "index.md")
    assert ["spend it" in today, "A feast" in today] == [False, False]
    assert "spend it" not in _words(table, "players/bob.md").partition("Did last")[0]


@pytest.mark.parametrize(
    ("forge", "act", "duty", "vote"),
    [
        (None, "moot act spend --by PLAYER", "moot act spend --by bob", "moot act vote choice=… [proposal=…] --by PLAYER"),
        ("local", "moot act spend", "moot act spend", "moot vote [PULL | --proposal …] CHOICE [REASON]"),
        ("github", "/do spend", "/spend", "/vote CHOICE [proposal=…] [because …]"),
    ],
)  # fmt: skip
def test_how_one_acts_is_told_as_it_is_done_where_the_game_is_played(
    forge: str | None, act: str, duty: str, vote: str
) -> None:
    table = Table(GOLD, VOTING, forge=forge and {"kind": forge})
    table.ok("ann", "ask")
    pages = render_game(view(table, "g"))
    assert f"<code>{act}</code>" in pages["act.md"]
    assert f"<code>{vote}</code>" in pages["act.md"]
    assert f"<code>{duty}</code>" in pages["index.md"]
    assert ("/do " in pages["act.md"]) == (forge == "github")
