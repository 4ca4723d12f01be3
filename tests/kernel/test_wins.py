"""Wins: what they keep and what they cancel, the question `winner`, and rounds."""

from __future__ import annotations

import pytest

from tests.support.table import Found, Table, effects, rule, said

GO = {"actions": {"go": {}}}


def won(table: Table) -> list[list[str]]:
    return [each["winner"] for each in table.document("game").get("won", ())]


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


@pytest.mark.parametrize("law", ["", "def decide_win_ends_play(p):\n    return False"])
def test_play_goes_on_where_the_law_says_so(found: Found, law: str) -> None:
    call = "win(['ann', 'bob'], play_on = True)" if not law else "win(['ann', 'bob'])"
    table = found(rule("1", f"def do_go(a):\n    {call}\n    announce('on')", **GO), rule("2", law))
    assert said(table.ok("ann", "go")) == ["on"]
    assert (table.document("game")["over"], won(table)) == (None, [["ann", "bob"]])


def test_only_players_win_and_somebody_must_also_from_a_timer_and_a_nested_act(found: Found) -> None:
    ending = "def do_go(a):\n    after(5, 'bell')\ndef on_bell(e):\n    try_act('end', 'bob')\n    announce('never')\n"
    for who, told in (("'zed'", "zed"), ("[]", "nobody"), ("a.by", "")):
        table = found(rule("1", f"{ending}def do_end(a):\n    win({who})", actions={"go": {}, "end": {}}))
        if told:
            assert told in table.act("ann", "end").failures[0]["error"]
    table.ok("ann", "go")
    assert said(table.pass_time(10)[0]) == []
    assert table.document("game")["over"]["winner"] == ["bob"]
    assert table.kernel.next_due() is None


ROUNDS = rule(
    "20",
    """
    def do_score(a):
        award(a.by, "score", a.args.points + 5)
        award(a.by, "score", -5)
    def decide_winner():
        return [p for p in things("player") if get(p, "score") >= 10] or None
    def decide_win_ends_play(player):
        return False
    """,
    defines={"currencies": {"score": {}}},
    actions={"score": {"arguments": {"points": {"type": "integer"}}}},
)


def test_who_the_law_names_wins_when_the_act_is_done_and_not_again_while_the_answer_stays(found: Found) -> None:
    table = found(ROUNDS)
    for points, winners in ((7, 0), (4, 1), (10, 1), (-15, 1), (5, 2)):  # 12 for a moment is not 10 at the end
        table.ok("ann", "score", points=points)
        assert won(table) == [["ann"]] * winners
