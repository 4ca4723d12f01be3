"""`moot show`, `moot log` and `moot show --open`: what a game shows, what was said, and what came of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import click
import pytest

from folkmoot.cli.terminal import table_lines
from tests.support.meeting import PLAYERS, rule
from tests.support.moot import Moot
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
    assert all(len(line) <= 80 for line in said.splitlines()), [line for line in said.splitlines() if len(line) > 80]
    assert "\x1b" not in said, "no colours where there is no terminal"
    for wanted in (
        "The arena",
        "│ K │",
        "s swamp",
        "North",
        "Cart",
        "Stores",
        "Harvest",
        "⠉",
        "• a fox",
        "newest",
        "All edges join",
    ):
        assert wanted in said, said
    assert re.search(r"/ a2 \\/ b2 \\", said)
    assert re.search(r"ann +12", said)
    assert "cannot be shown" in said
    assert "old" not in said.split()
    assert "Bull" in table.moot("ann", "show", "board").out
    assert "Stores" not in table.moot("ann", "show", "board").out


def test_what_can_be_shown_is_listed(table: Seats) -> None:
    table.open("bob", {"rules/tea.yaml": rule("Tea")}, "Tea")
    said = table.moot("ann", "show").out
    for wanted in ("arena", "rules", "scores", "registers", "players", "board", "pull request “Tea”"):
        assert wanted in said
    record = table.moot("ann", "show", "--json").record
    assert (list(record["pages"][0]), record["pulls"]) == (["name", "title", "rule"], [{"pull": 1, "title": "Tea"}])


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["rules"], ["9", "Test"]),
        (["rule", "2"], ["Rule 2", "def do_give(a):"]),
        (["scores"], ["How everybody stands", "dee"]),
        (["registers"], ["next_number", "301"]),
        (["players"], ["cid", "moot show player NAME"]),
        (["player", "cid"], ["cid", "since", "luck"]),
        (["cid"], ["cid", "since", "luck"]),
    ],
)
def test_the_engine_shows_pages_of_its_own_for_people_and_programs(
    table: Seats, words: list[str], wanted: list[str]
) -> None:
    said = table.moot("ann", "show", *words).out
    assert not [text for text in wanted if text not in said and text != "Test"], said
    assert table.moot("ann", "show", *words, "--json").record


@pytest.mark.parametrize(
    ("words", "code", "wanted"),
    [
        (["arean"], 1, "did you mean `moot show arena`?"),
        (["rule", "999"], 1, "`moot show rules` lists them"),
        (["rule"], 2, "moot show rule 301"),
        (["player"], 2, "moot show players"),
        (["player", "cidd"], 1, "did you mean `moot show player cid`?"),
        (["player", "zed-the-unknown"], 1, "`moot show players` lists them"),
        (["7"], 1, "there is no pull request 7"),
        (["a", "b", "c"], 2, "one thing at a time"),
    ],
)
def test_what_is_not_there_is_said_with_what_to_type(table: Seats, words: list[str], code: int, wanted: str) -> None:
    assert wanted in table.moot("ann", "show", *words, code=code).err


def test_in_a_game_that_one_person_keeps_pages_are_shown_and_pull_requests_are_not(table: Seats, moot: Moot) -> None:
    moot("new", "own", "-r", "suber", "-p", "ann,surname=Abel", "-p", "bob,surname=Bond", "-p", "cid,surname=Cole")
    assert "Parts of a turn" in moot("show", "turn").out + moot("show", "rules").out
    said = moot("show", "3")
    assert said.code == 1
    assert "moot show rule 3" in said.err


# -- one pull request


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
    said = debated.moot("bob", "show", "1").out
    for wanted in ("“Tea for all”, by bob: open", "It is proposal 301, open until", "+ Tea for all.", "Not yet: bob, cid",
                   "cid\n  I had rather have rum.", "Much rather.", "→ "):  # fmt: skip
        assert wanted in said, said
    assert all(len(line) <= 80 for line in said.splitlines())
    assert debated.moot("bob", "show", "#1", "--json").record["thread"][1]["by"] == "cid"


@pytest.mark.parametrize("words", [["show", "1"], ["log"], ["log", "--pull-request", "1"], ["log", "--talk"]])
def test_no_ballot_of_others_is_shown_before_the_count(debated: Seats, words: list[str]) -> None:
    for form in ([], ["--json"]):
        said = debated.moot("cid", *words, *form).out
        assert "tea is cold" not in said
        assert "/vote against" not in said
        assert not form or all(each.get("kind") != "approve" or each["body"] is None for each in thread(said))
    assert HIDDEN in debated.moot("cid", *words).out or words[1:] == ["--talk"]


def thread(said: str) -> Iterator[dict[str, object]]:
    """Yield what was said, of a record for programs."""
    record = json.loads(said)
    yield from (each for each in record.get("thread", record.get("log")) if each.get("type") != "entry")


def test_ballots_are_shown_when_the_vote_is_over(debated: Seats) -> None:
    for person in ("bob", "cid"):
        debated.say(person, 1, "/vote for")
    debated.referee(60)
    said = debated.moot("cid", "show", "1").out
    assert "tea is cold" in said
    assert "adopted" in said or "defeated" in said


# -- the log


def test_entries_and_talk_stand_in_order_the_newest_last(debated: Seats) -> None:
    lines = debated.moot("ann", "log").out.splitlines()
    assert "founded" in lines[0]
    assert [line[:16] for line in lines if line[:1] == "2"] == sorted(line[:16] for line in lines if line[:1] == "2")
    said = debated.moot("ann", "log", "--json").record["log"]
    assert {each["type"] for each in said} == {"entry", "talk"}


@pytest.mark.parametrize(
    ("words", "wanted", "unwanted"),
    [
        (["--by", "cid"], ["rum"], ["founded", "Tea for all"]),
        (["--talk"], ["rum"], ["founded"]),
        (["--pull-request", "1"], ["rum", "submitted"], ["founded"]),
        (["--since", "2026-01-05T12:00:01Z"], ["rum"], ["founded"]),
        (["--since", "2099-01-01"], ["Nothing of that kind."], ["rum"]),
        (["-n", "1"], ["rum"], ["founded", "voted"]),
    ],
)
def test_the_log_shows_what_is_asked_for(
    debated: Seats, words: list[str], wanted: list[str], unwanted: list[str]
) -> None:
    said = debated.moot("ann", "log", *words).out
    assert [text in said for text in wanted] == [True] * len(wanted), said
    assert [text in said for text in unwanted] == [False] * len(unwanted), said


def test_ones_own_log_has_what_came_of_what_one_sent(table: Seats) -> None:
    table.say("ann", 0, "/give to=bob amount=99")
    table.say("ann", 0, "/dance wildly")
    table.say("bob", 0, "Hear, hear.")
    table.referee(60)
    said = table.moot("ann", "log", "--mine").out
    assert "E-FUNDS" in said
    assert "dance" in said
    assert "Hear" not in said


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


def test_who_follows_sees_what_comes_as_it_comes(debated: Seats, monkeypatch: pytest.MonkeyPatch) -> None:

    def twice(view: object, found: object) -> None:
        for body in ("First.", "Second."):
            debated.say("dee", 0, body)
            debated.referee(60)
            found(view.look())  # type: ignore[operator,attr-defined]

    monkeypatch.setattr("folkmoot.player.answers.wait_until", twice)
    said = debated.moot("ann", "log", "--follow", "--talk").out
    assert [said.count(word) for word in ("rum", "First.", "Second.")] == [1, 1, 1]


@pytest.mark.parametrize("word", ["yesterday", "", "2x", "-3d"])
def test_a_time_that_is_none_is_said_to_be_none(table: Seats, word: str) -> None:
    assert "2d, 3h30m" in table.moot("ann", "log", f"--since={word}", code=2).err


# -- in a browser


def test_addresses_are_printed_or_said_not_to_be_there(table: Seats, monkeypatch: pytest.MonkeyPatch) -> None:
    launched: list[str] = []
    monkeypatch.setattr("webbrowser.open", lambda address: launched.append(address) or True)
    table.open("bob", {"rules/tea.yaml": rule("Tea")}, "Tea")
    assert "moot show 1" in table.moot("ann", "show", "--open", "1", code=1).err
    assert "moot serve" in table.moot("ann", "show", "--open", code=1).err
    (table.bare / "mkdocs.yml").write_text('site_url: "https://ann.example/game/"\n')
    for words, wanted in {
        (): "moor/",
        ("scores",): "moor/scores/index.html",
        ("rule", "2"): "moor/law/2.html",
        ("arena",): "moor/boards/arena.html",
        ("board",): "moor/boards/arena.html",
        ("ann",): "moor/players/ann.html",
        ("player", "bob"): "moor/players/bob.html",
        ("entry", "1"): "moor/journal/0001.html#e1",
    }.items():
        assert table.moot("ann", "show", "--address", *words).out == f"https://ann.example/game/{wanted}\n"
    for words, hint in {
        ("arna",): "did you mean `moot show --open arena`?",
        ("player", "zed"): "there are ann, bob, cid, dee",
        ("entry", "999"): "they are numbered 1 to",
        ("proposal", "999"): "`moot show --open rule 301`",
        ("thread",): "`moot log` shows what was said",
        ("what", "is", "this"): "Open one thing at a time",
    }.items():
        code = 2 if len(words) == 3 else 1
        assert hint in table.moot("ann", "show", "--open", *words, code=code).err
    assert launched == []
    assert len(PLAYERS) == 4
    table.moot("ann", "show", "--open", "players")
    assert launched == ["https://ann.example/game/moor/players/index.html"]
    monkeypatch.setattr("webbrowser.open", lambda _address: False)
    none = table.moot("ann", "show", "--open", "players")
    assert none.out.splitlines() == launched
    assert "open the address yourself" in none.err


# -- 80 columns


def test_a_table_that_is_too_wide_goes_on_below_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [[number, "word " * 40, "short", "x" * 50] for number in range(3)]
    lines = [click.unstyle(line) for line in table_lines(["No.", "Long", "Short", "Name"], rows, 80)]
    assert max(map(len, lines)) <= 80
    assert " ".join(lines).count("word") == 120
    assert "".join(lines).count("x") == 150
    assert len(table_lines(["No.", "Long", "Short", "Name"], rows)) == 4, "as wide as it must be, where nobody says"


@pytest.mark.parametrize("words", [["log"], ["status"], ["show", "1"], ["show", "rules"]])
def test_what_is_printed_fits_80_columns(seats: Sit, words: list[str]) -> None:
    seated = seats(LAW)
    seated.open("bob", {"rules/tea.yaml": rule("Tea " * 30, "Tea for all. " * 30)}, "Tea for all " * 10)
    seated.referee(60)
    seated.say("cid", 1, "I had rather have rum. " * 20)
    seated.referee(60)
    said = seated.moot("ann", *words).out
    assert [line for line in said.splitlines() if len(line) > 80] == []
