"""`moot status` tells what came of what somebody did, and what others did to them, the newest first."""

from __future__ import annotations

import pytest

from folkmoot.cli.explaining import explained
from folkmoot.core.ballot_display import shown_entry, voted_on
from folkmoot.game.session import Session
from tests.support.meeting import PLAYERS, rule
from tests.support.quick import SMALL
from tests.support.seats import Seats, Sit
from tests.support.table import rule as made_rule


@pytest.fixture
def table(seats: Sit) -> Seats:
    return seats()


def voted(table: Seats, author: str, choice: str, name: str) -> int:
    """Let somebody's proposal be decided."""
    pull = table.open(author, {f"rules/{name}.yaml": rule(name.title())}, name.title())
    table.referee(60)
    for voter in PLAYERS:
        table.say(voter, pull, f"/vote {choice}")
    table.referee(60)
    return pull


def test_the_author_is_told_what_became_of_their_proposals(table: Seats) -> None:
    voted(table, "bob", "for", "tea")
    voted(table, "bob", "against", "rum")
    said = table.status("bob")
    assert "Your proposal 301, “Tea”: adopted, " in said
    assert "Your proposal 302, “Rum”: defeated, " in said
    assert said.index("“Rum”: ") < said.index("“Tea”: "), "the newest first"
    assert "“Tea”: adopted" not in table.status("cid")


def test_accepted_acts_and_what_others_did_to_one(table: Seats) -> None:
    table.say("bob", 0, "/roll")
    table.referee(60)
    table.say("ann", 0, '/correct of=bob name=score to=7 why="a slip"')
    table.referee(60)
    table.say("bob", 0, "/give to=cid amount=2")
    table.referee(60)
    said = table.status("bob")
    assert "Accepted lately, the newest first: give (entry 4), roll (entry 2)." in said
    assert said.count("a slip") == 1
    assert "bob +7 score for “a slip” (a correction), by ann (entry 3)" in said
    assert "+2 score" in table.status("cid")
    assert ", by bob (entry 4)" in table.status("cid")


def test_a_win_that_another_brought_is_told_to_each_who_won(seats: Sit) -> None:
    crowns = made_rule(
        "4",
        """
        def do_crown(a):
            win(["ann", "bob"], "the crown", play_on = True)
        """,
        actions={"crown": {"summary": "Crown two"}},
    )
    table = seats({**SMALL, "rules": [*SMALL["rules"], crowns]})
    table.say("cid", 0, "/do crown")
    table.referee(60)
    for who in ("ann", "bob"):
        assert "ann, bob win, and play goes on: “the crown” by rule 4, by cid (entry 2)" in table.status(who)
    assert "by cid" not in table.status("dee")


def test_an_act_that_names_somebody_is_told_to_them_alone(seats: Sit) -> None:
    offices = made_rule(
        "4",
        """
        def do_nominate(a):
            require(a.args.player != a.by, "E-TARGET", "it is yourself")

        def do_praise(a):
            award(a.args.player, "fame", 1, "praise")
        """,
        defines={"currencies": {"fame": {}}},
        actions={
            "nominate": {"told": "nominated {player}", "arguments": {"player": {"type": "player"}}},
            "praise": {"told": "praised {player}", "arguments": {"player": {"type": "player"}}},
        },
    )
    table = seats({**SMALL, "rules": [*SMALL["rules"], offices]})
    for words in ("/nominate player=ann", "/nominate player=cid", "/praise player=ann"):
        table.say("cid", 0, words)
    table.referee(60)
    told = table.status("ann")
    assert "cid, by rule 4: “nominated ann” (entry 2)" in told
    assert "praised" not in told, "what it changed is told instead"
    assert "“praise” by rule 4, by cid" in told
    assert "nominated" not in table.status("bob")
    assert "nominated cid (entry" not in table.status("cid"), "what is refused, and one's own, is told otherwise"


def test_old_refusals_do_not_stay_on_top(table: Seats) -> None:
    for number in range(7):
        table.say("bob", 0, f"/give to=ann amount={90 + number}")
    table.referee(60)
    table.say("ann", 0, '/correct of=bob name=score to=7 why="a slip"')
    table.referee(60)
    said = table.status("bob")
    assert said.index("a slip") < said.index("Refused: ")
    assert said.count("Refused: ") == 5
    assert said.index("not 96") < said.index("not 95"), "the newest first"
    assert "… and 2 older ones: `moot status --all`" in said
    assert table.moot("bob", "status", "--all").out.count("Refused: ") == 7


def test_a_correction_is_explained_once(table: Seats) -> None:
    table.say("ann", 0, '/correct of=bob name=score to=7 why="a slip"')
    table.referee(60)
    with Session.on(table.game()) as session:
        record, _ = explained(session, ["bob", "score"])
    (change,) = record["changes"]
    assert (change["to"], change["why"]) == (7, "a correction: a slip")


def test_a_vote_that_is_not_displayed_was_on_nothing_called_displayed() -> None:
    entry = {"seq": 5, "by": "cid", "do": "vote", "with": {"choice": "for", "proposal": 301}, "code": "E-ORDER"}
    proposal = {"id": "proposal/301", "number": 301, "state": "open", "seq": 3}
    shown = shown_entry(entry, {"proposal/301": proposal})
    assert shown["with"] == {"displayed": False}
    assert voted_on(shown) == ""
