"""The question `winner`: asked when everything of an event has been done."""

from __future__ import annotations

from tests.support.table import Found, rule

GO = {"actions": {"go": {}}}
POINTS = {"defines": {"currencies": {"score": {}}}}
WINNER = (
    "def decide_winner():\n    best = [p for p in things('player') if get(p, 'score') >= 10]\n    return best or None"
)


def test_who_the_law_names_wins_when_the_act_is_done(found: Found) -> None:
    law = [rule("1", "def do_go(a):\n    award(a.by, 'score', 12)\n    award(a.by, 'score', -5)", **GO, **POINTS)]
    table = found(*law, rule("2", WINNER))
    table.ok("ann", "go")
    assert table.kernel.documents["game"]["over"] is None  # 12 for a moment is not 10 at the end
    table.ok("ann", "go")
    assert table.kernel.documents["game"]["over"]["winner"] == ["ann"]
    assert table.kernel.documents["game"]["over"]["rule"] == "2"


def test_where_play_goes_on_nobody_wins_the_same_way_twice(found: Found) -> None:
    law = [rule("1", "def do_go(a):\n    award(a.by, 'score', 20)", **GO, **POINTS)]
    table = found(*law, rule("2", WINNER), rule("3", "def decide_win_ends_play(player):\n    return False"))
    table.ok("ann", "go")
    table.ok("ann", "go")
    assert [won["winner"] for won in table.kernel.documents["game"]["won"]] == [["ann"]]
