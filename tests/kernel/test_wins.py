"""Wins: what they keep and what they cancel, the question `winner`, and rounds."""

from __future__ import annotations

import pytest

from tests.support.table import Found, Table, effects, rule, said

GO = {"actions": {"go": {}}}
X = {"defines": {"game": {"x": {"type": "integer"}, "y": {"type": "integer"}}}}


def test_win_keeps_what_was_done_and_cancels_the_rest(found: Found) -> None:
    table = found(
        rule("1", "def do_go(a):\n    announce('a')\n    later('y')\n    emit('x')\n    announce('never')", **GO),
        rule("2", "def on_x(e):\n    announce('b')\n    win('ann', 'reached it')\n    announce('never')"),
        rule("3", "def on_x(e):\n    announce('never')\ndef on_y(e):\n    announce('never')"),
        rule("4", "def on_acted(e):\n    announce('never')"),
    )
    outcome = table.ok("ann", "go")
    assert said(outcome) == ["a", "b"]
    over = table.document("game")["over"]
    assert (over["winner"], over["why"], over["rule"]) == (["ann"], "reached it", "2")
    assert effects(outcome, "win")[0]["ends"] is True


def test_win_in_one_of_several_awards_stops_what_follows(found: Found) -> None:
    """T1-14 in small: the winner's points stand, what the awards would have set off later does not."""
    score = {"currencies": {"score": {}}}
    table = found(
        rule("1", "def do_go(a):\n    award('ann', 'score', 10)\n    add('game', 'x', 5)", defines={**score, **X["defines"]}, **GO),
        rule("2", "def on_awarded(e):\n    if get(e.award.to, 'score') >= 10:\n        win(e.award.to)"),
        rule("3", "def on_awarded(e):\n    add('game', 'x', 100)"),
    )  # fmt: skip
    table.ok("ann", "go")
    assert (table.get("ann", "score"), table.get("game", "x")) == (10, 0)


@pytest.mark.parametrize("law", ["", "def decide_win_ends_play(p):\n    return False"])
def test_play_goes_on_where_the_law_says_so(found: Found, law: str) -> None:
    call = "win(['ann', 'bob'], play_on = True)" if not law else "win(['ann', 'bob'])"
    table = found(rule("1", f"def do_go(a):\n    {call}\n    announce('on')", **GO), rule("2", law))
    assert said(table.ok("ann", "go")) == ["on"]
    assert table.document("game")["over"] is None
    assert table.document("game")["won"][0]["winner"] == ["ann", "bob"]


def test_win_from_a_timer_and_from_a_nested_act(found: Found) -> None:
    table = found(
        rule(
            "1",
            """
            def do_go(a):
                after(5, "bell")
            def on_bell(e):
                try_act("end", "bob")
                announce("never")
            def do_end(a):
                win(a.by)
            """,
            actions={"go": {}, "end": {}},
        )
    )
    table.ok("ann", "go")
    assert said(table.pass_time(10)[0]) == []
    assert table.document("game")["over"]["winner"] == ["bob"]
    assert table.kernel.next_due() is None


def test_only_players_win_and_somebody_must(found: Found) -> None:
    table = found(rule("1", "def do_go(a):\n    win('zed')", **GO))
    assert table.refused("ann", "go") == "E-SCRIPT"
    table = found(rule("1", "def do_go(a):\n    win([])", **GO))
    outcome = table.act("ann", "go")
    assert "nobody" in outcome.failures[0]["error"]


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


ROUNDS = rule(
    "20",
    """
    def do_score(a):
        award(a.by, "score", a.args.points)

    def decide_winner():
        return [p for p in things("player") if get(p, "score") >= 10] or None

    def decide_win_ends_play(player):
        return False

    def on_won(e):
        announce("%s won by rule %s" % (" and ".join(e.players), e.rule))
        award_all([(p, -get(p, "score")) for p in things("player")], "score", "a new round", kind = "correction")
    """,
    defines={"currencies": {"score": {}}},
    actions={"score": {"arguments": {"points": {"type": "integer"}}}},
)


def wins(table: Table) -> list[list[str]]:
    return [won["winner"] for won in table.document("game").get("won", ())]


def test_a_new_round_begins_where_a_rule_hears_of_the_win(found: Found) -> None:
    table = found(ROUNDS)
    table.ok("ann", "score", points=6)
    table.ok("bob", "score", points=7)
    assert said(table.ok("ann", "score", points=4)) == ["ann won by rule 20"]
    assert [table.get(p, "score") for p in ("ann", "bob")] == [0, 0]
    assert wins(table) == [["ann"]]


def test_while_the_answer_stays_nobody_wins_again(found: Found) -> None:
    calm = {**ROUNDS, "script": ROUNDS["script"].replace("award_all", "len")
            .replace(', "score", "a new round", kind = "correction"', "")}  # fmt: skip
    table = found(calm)
    table.ok("ann", "score", points=10)
    table.ok("ann", "score", points=10)
    assert wins(table) == [["ann"]]
    table.ok("ann", "score", points=-15)
    table.ok("ann", "score", points=5)
    assert wins(table) == [["ann"], ["ann"]]
