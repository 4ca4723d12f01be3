"""Finding 4 of the table: wins went wrong where scores were set back one by one, and nobody said how a round begins.

That nobody wins by what somebody else loses (rule 208) is told by a scenario of Suber's game.
"""

from __future__ import annotations

from tests.support.table import Found, Table, rule, said

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


def test_the_same_player_may_win_another_round(found: Found) -> None:
    table = found(ROUNDS)
    for _ in range(3):
        table.ok("ann", "score", points=10)
    assert wins(table) == [["ann"]] * 3


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
