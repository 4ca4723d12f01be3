"""`moot show` and `moot log`: what a game shows, what was said, and what came of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from folkmoot.cli.explaining import explained
from folkmoot.cli.terminal import Terminal
from folkmoot.game.session import Session
from tests.support.meeting import rule
from tests.support.quick import SMALL
from tests.support.seats import Seats, Sit
from tests.support.table import rule as made_rule

BOARDS = made_rule(
    "9",
    """
    load("grid.star", "square_grid", "hex_grid")

    def show_arena():
        return [
            {"block": "heading", "text": "The arena"},
            {"block": "paragraph", "text": "Some *stand* here.\\n\\n- one\\n- two"},
            {"block": "board", "caption": "Squares", "grid": {"shape": "square", "columns": 3, "rows": 2, "wrap": "both"},
             "pieces": [{"at": "b2", "label": "K", "owner": "ann", "name": "King"}], "zones": {"c1": "swamp"}},
            {"block": "board", "caption": "Hills", "grid": {"shape": "hexagonal", "columns": 3, "rows": 2},
             "pieces": [{"at": "a1", "owner": "bob", "name": "Bull"}]},
            {"block": "board", "caption": "Lands", "map": {"N": {"name": "North", "adj": ["S"], "x": 5, "y": 0},
                                                           "S": {"adj": ["N"], "x": 5, "y": 9}}, "pieces": [{"at": "S", "owner": "cid", "name": "Cart"}]},
            {"block": "table", "columns": ["Who", "Wheat"], "rows": [["ann", 12], ["bob", 7]], "caption": "Stores"},
            {"block": "chart", "series": {"Wheat": [1, 5, 9]}, "caption": "Harvest"},
            {"block": "log", "lines": ["a fox", "x" * 200], "caption": "Seen"},
            {"block": "history", "owner": "ann", "register": "score"},
            {"block": "frames", "pages": [{"title": "Before", "blocks": [{"block": "paragraph", "text": "old"}]},
                                          {"title": "After", "blocks": [{"block": "paragraph", "text": "newest"}]}]},
            {"block": "table", "columns": 5},
        ]

    def show_empty():
        return []
    """.replace('    load("grid.star", "square_grid", "hex_grid")\n\n', ""),
)
LAW = {**SMALL, "rules": [*SMALL["rules"], BOARDS]}
HIDDEN = "not displayed before the count"


@pytest.fixture
def table(seats: Sit) -> Seats:
    return seats(LAW)


def test_boards_tables_and_charts_are_drawn_in_80_columns(table: Seats) -> None:
    said = table.moot("ann", "show", "arena").out
    assert [line for line in said.splitlines() if len(line) > 80] == []
    assert "\x1b" not in said, "no colours where there is no terminal"
    for wanted in (
        *("The arena", "│ K │", "s swamp", "North", "Cart", "Stores", "Harvest", "• a fox", "newest"),
        *("All edges join", "cannot be shown"),
    ):
        assert wanted in said, said
    assert re.search(r"/ a2 \\/ b2 \\", said)
    assert re.search(r"ann +12", said)
    assert re.search(r"Wheat +1 +5 +9\n", said)
    assert "old" not in said.split()
    board = table.moot("ann", "show", "board").out
    assert ("Bull" in board, "Stores" in board) == (True, False)


def test_what_can_be_shown_is_listed_and_shown_for_people_and_programs(table: Seats) -> None:
    table.open("bob", {"rules/tea.yaml": rule("Tea")}, "Tea")
    said = table.moot("ann", "show").out
    for wanted in ("arena", "rules", "scores", "registers", "players", "board", "pull request “Tea”"):
        assert wanted in said
    record = table.moot("ann", "show", "--json").record
    assert (list(record["pages"][0]), record["pulls"]) == (["name", "title", "rule"], [{"pull": 1, "title": "Tea"}])
    for words, texts in {
        "rule 2": ("Rule 2", "def do_give(a):"),
        "scores": ("How everybody stands", "dee"),
        "registers": ("next_number", "301"),
        "players": ("cid", "moot show NAME"),
        "cid": ("cid", "since", "luck"),
    }.items():
        said = table.moot("ann", "show", *words.split()).out
        assert [text for text in texts if text not in said] == [], said
        assert table.moot("ann", "show", *words.split(), "--json").record
    assert "did you mean `moot show arena`?" in table.moot("ann", "show", "arean", code=1).err


# -- one pull request, one proposal


@pytest.fixture
def debated(table: Seats) -> Seats:
    """Return a table at which bob's pull request is open to votes and talked about."""
    table.open("bob", {"rules/tea.yaml": rule("Tea", "Tea for all.")}, "Tea for all")
    table.referee(60)
    table.say("cid", 1, "I had rather have rum.\n\nMuch rather.")
    table.say("dee", 1, "/vote against because tea is cold")
    table.say("ann", 1, "", "approve")
    table.referee(60)
    return table


def test_a_pull_request_is_shown_with_votes_thread_answers_and_what_it_would_do(debated: Seats) -> None:
    said = debated.moot("bob", "show", "301")
    assert "Proposal 301 is pull request 1." in said.err
    for wanted in ("“Tea for all”, by bob: open", "It is proposal 301, open until", "+ Tea for all.", "Not yet: bob, cid",
                   "cid\n  I had rather have rum.", "Much rather.", "→ "):  # fmt: skip
        assert wanted in said.out, said
    assert all(len(line) <= 80 for line in said.out.splitlines())
    assert debated.moot("bob", "show", "#1", "--json").record["thread"][1]["by"] == "cid"


def thread(said: str) -> Iterator[dict[str, object]]:
    """Yield what was said, of a record for programs."""
    record = json.loads(said)
    yield from (each for each in record.get("thread", record.get("log")) if each.get("type") != "entry")


def test_no_ballot_of_others_is_shown_before_the_count(debated: Seats) -> None:
    for words in (("show", "1"), ("log",), ("log", "--pull-request", "1"), ("log", "--talk")):
        for form in ([], ["--json"]):
            said = debated.moot("cid", *words, *form).out
            assert "tea is cold" not in said
            assert "/vote against" not in said
            assert not form or all(each.get("kind") != "approve" or each["body"] is None for each in thread(said))
        assert HIDDEN in debated.moot("cid", *words).out or words[1:] == ("--talk",)
    for person in ("bob", "cid"):
        debated.say(person, 1, "/vote for")
    debated.referee(60)
    said = debated.moot("cid", "show", "1").out
    assert "tea is cold" in said, "once the vote is over"
    assert "adopted" in said or "defeated" in said


def read(table: Seats, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return what `moot explain` says of something in the game as it is on the branch."""
    with Session.on(table.game()) as session:
        record, show = explained(session, list(words))
        show(Terminal(), session, record)
    return capsys.readouterr().out


def test_a_proposal_without_a_pull_request_is_read_by_a_command(
    table: Seats, capsys: pytest.CaptureFixture[str]
) -> None:
    """Proposed in the thread, voted on, adopted, amended: each time the law is shown as it is struck and added."""
    tea = {"enact": {"title": "Tea", "text": "There is tea.\nIt is hot.\n", "labels": {}}}
    table.say("ann", 0, f"/do propose title='Have tea' changes='{json.dumps([tea])}'")
    table.say("bob", 0, "/vote against proposal=301 because coffee")
    table.referee(60)
    assert "Proposal 301: Have tea (ann)" in table.status("cid")
    assert "read it: `moot explain proposal 301`" in table.status("cid")
    said = read(table, capsys, "proposal", "301")
    for line in ("Proposal 301: Have tea (ann), open", "It enacts a new rule · Tea", "  text:",
                 "    + There is tea.", "Not yet voted: ann, cid, dee."):  # fmt: skip
        assert line in said, said
    assert "bob" in said
    assert "coffee" not in said
    assert "against" not in said
    for who in ("ann", "cid", "dee"):
        table.say(who, 0, "/vote for proposal=301")
    table.referee(60)
    said = read(table, capsys, "proposal", "301")
    assert "3 of 4 for" in said
    assert "coffee" in said
    assert "+ There is tea." in said
    cold = {"amend": "301", "text": "There is tea.\nIt is cold.\n"}
    table.say("bob", 0, f"/do propose title=Colder changes='{json.dumps([cold])}'")
    table.say("bob", 0, "/vote for proposal=302")
    table.referee(60)
    said = read(table, capsys, "proposal", "302")
    assert "It amends rule 301 · Tea" in said
    assert "It is [-hot-]." in said
    assert "It is {+cold+}." in said


# -- the log


def test_the_log_shows_what_is_asked_for_the_newest_last(debated: Seats) -> None:
    lines = debated.moot("ann", "log").out.splitlines()
    assert "founded" in lines[0]
    times = [line[:16] for line in lines if line[:1] == "2"]
    assert times == sorted(times)
    assert {each["type"] for each in debated.moot("ann", "log", "--json").record["log"]} == {"entry", "talk"}
    debated.say("bob", 0, "/give to=ann amount=99\n/dance wildly")
    debated.referee(60)
    for typed, wanted, unwanted in (
        ("--by cid", ("rum",), ("founded", "Tea for all")),
        ("--talk", ("rum",), ("founded",)),
        ("--pull-request 1", ("rum", "submitted"), ("founded",)),
        ("--since 2026-01-05T12:00:01Z", ("rum",), ("founded",)),
        ("--since 2099-01-01", ("Nothing of that kind.",), ("rum",)),
        ("-n 1", ("give",), ("founded", "voted")),
    ):
        said = debated.moot("ann", "log", *typed.split()).out
        assert [text for text in wanted if text not in said] == [], typed
        assert [text for text in unwanted if text in said] == [], typed
    said = debated.moot("bob", "log", "--mine").out
    assert ["E-FUNDS" in said, "dance" in said, "rum" in said] == [True, True, False], "and what came of it"


def test_what_others_said_since_the_last_look_is_in_status_and_by_itself(debated: Seats) -> None:
    assert "1 new comment by others: `moot log --new`." in debated.status("ann")
    assert "rum" in debated.moot("ann", "log", "--new").out
    assert "new comment" not in debated.status("ann")
    assert "Nothing new." in debated.moot("ann", "log", "--new").out
    debated.say("dee", 0, "Rum it is.")
    debated.say("dee", 1, "And cake.")
    debated.referee(60)
    assert "2 new comments by others" in debated.status("ann")
    assert "rum." not in debated.moot("ann", "log", "--new").out
