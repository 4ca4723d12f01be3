"""What pages say of amounts, days and what is to do is so: where a currency began, what is to come, how one acts."""

from __future__ import annotations

import json
import re

import pytest

from folkmoot.site.data_files import game_file
from folkmoot.site.pages.rule import rule_page
from folkmoot.site.pages.rules_over_time import law_time
from folkmoot.site.pages.status import timers_to_come
from folkmoot.wording.markup import strip
from tests.figures.readings import read_page
from tests.support.site_game import render_game, view
from tests.support.table import VOTING, Table, rule

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


def test_a_line_begins_with_what_there_was_when_the_currency_began() -> None:
    table = Table(GOLD, VOTING)
    table.pass_time(3600)
    table.ok("ann", "spend")
    scores = _words(table, "scores/index.md")
    assert re.search(r"13:00 6 \w+ 5 Jan, 12:00 10\b", scores), scores
    assert "12:00 10" in _words(table, "boards/purse.md")


def test_a_line_begins_no_earlier_than_the_rule_that_brought_the_currency() -> None:
    table = Table(VOTING)
    table.pass_time(3600)
    table.adopt({"enact": {"title": "Gold", **{key: GOLD[key] for key in ("script", "defines", "actions", "timers")}}})
    table.pass_time(3600)
    table.ok("ann", "spend")
    scores = _words(table, "scores/index.md")
    assert "14:00 6" in scores
    assert "13:00 10" in scores
    assert "12:00 10" not in scores


def test_a_chart_of_what_is_no_longer_there_says_so() -> None:
    page = _words(Table(GOLD, VOTING), "boards/purse.md")
    assert "There is no history to draw: “ann” is nobody and nothing that has silver." in page


def test_who_has_as_much_leads_together() -> None:
    table = Table(GOLD, VOTING)
    table.ok("bob", "spend")
    scores = _words(table, "scores/index.md")
    assert "ann and cid lead together with 10." in scores
    assert "ann 10 cid 10 bob 6" in scores


def test_what_ends_with_a_vote_is_not_to_come_after_it() -> None:
    table = Table(GOLD, VOTING)
    number = table.propose("ann", {"enact": {"title": "Tea", "text": "Tea."}})
    assert [key for key, _ in timers_to_come(view(table, "g"))] == [f"late/{number}"]
    for voter in ("ann", "bob", "cid"):
        table.ok(voter, "vote", proposal=number, choice="for")
    assert [key for key, _ in timers_to_come(view(table, "g"))] == ["feast"], "what the end of the vote began comes"
    coming = json.loads(game_file(view(table, "g"))["game.json"])["coming"]
    assert [each["timer"] for each in coming] == ["feast"], "and the data say what the pages say"
    assert "The late pay" not in _words(table, "index.md")


def test_nothing_is_owed_or_to_come_in_a_game_that_is_over() -> None:
    table = Table(GOLD, VOTING)
    table.propose("ann", {"enact": {"title": "Tea", "text": "Tea."}})
    table.ok("ann", "ask")
    assert "spend it" in _words(table, "index.md")
    table.ok("ann", "win")
    today = _words(table, "index.md")
    assert "spend it" not in today
    assert "The late pay" not in today
    assert "spend it" not in _words(table, "players/bob.md").partition("Did last")[0]


@pytest.mark.parametrize(
    ("forge", "act", "duty", "vote"),
    [
        (
            None,
            "moot act spend --by PLAYER",
            "moot act spend --by bob",
            "moot act vote choice=… [proposal=…] --by PLAYER",
        ),
        ({"kind": "local"}, "moot act spend", "moot act spend", "moot vote [PULL | --proposal …] CHOICE [REASON]"),
        ({"kind": "github"}, "/do spend", "/spend", "/vote CHOICE [proposal=…] [because …]"),
    ],
)
def test_how_one_acts_is_told_as_it_is_done_where_the_game_is_played(
    forge: dict[str, str] | None, act: str, duty: str, vote: str
) -> None:
    table = Table(GOLD, VOTING, forge=forge)
    table.ok("ann", "ask")
    pages = render_game(view(table, "g"))
    assert f"<code>{act}</code>" in pages["act.md"]
    assert f"<code>{vote}</code>" in pages["act.md"]
    assert f"<code>{duty}</code>" in pages["index.md"]
    if forge is None or forge["kind"] == "local":
        assert "/do " not in pages["act.md"]


PAST = {
    "1": [
        {"at": "1993-06-30T00:00:00Z", "cause": "initial", "title": "Gold", "unknown": True},
        {"at": "2004-02-29T08:00:00Z", "cause": "proposal 4500", "title": "Gold", "text": "There is gold."},
        {"at": "2020-01-05T08:00:00Z", "cause": "proposal 9356"},
    ],
    "900": [{"at": "2004-02-29T09:00:00Z", "cause": "proposal 4501"}],
}


def test_every_day_of_a_past_that_was_brought_along_is_a_moment_of_the_law() -> None:
    table = Table(GOLD, VOTING, history=PAST)
    page = next(law_time(view(table, "g"))).make(view(table, "g"))
    days = [re.findall(r'<time datetime="(\d{4}-\d\d-\d\d)T', step.at)[0] for step in page.steps]
    assert days == ["2020-01-05", "2004-02-29", "1993-06-30"], "the newest first, one for each day"
    assert strip(page.steps[1].by) == "by proposal 4500, by proposal 4501"


def test_a_wording_that_nobody_knows_is_said_to_be_unknown() -> None:
    table = Table(GOLD, VOTING, history=PAST)
    page = rule_page("1", view(table, "g"))
    assert [(each.unknown, bool(each.words)) for each in page.revisions] == [
        (False, False),
        (False, True),
        (True, False),
    ]
    assert "What it said then is not known." in _words(table, "law/1.md")
    unknown = [bool(each.get("unknown")) for each in view(table, "g").revisions("1")]
    assert unknown == [True, False, False], "a rule in force that has no text has none, which is known"
