"""Whatever somebody sent, `moot status` says what became of it, their own things first and all of them."""

from __future__ import annotations

import re

import pytest

from folkmoot.core.limits import LIMITS
from folkmoot.forges.local.letters import Letter
from tests.support.meeting import rule
from tests.support.quick import FORGE
from tests.support.seats import Seats, Sit

LIMIT = LIMITS["refused_acts_a_day"].default


@pytest.fixture
def table(seats: Sit) -> Seats:
    return seats()


def test_what_only_the_thread_held(table: Seats) -> None:
    """Limits that are reached, wrong arguments, commands that nobody can read, strangers, acts beyond a limit."""
    for number in range(LIMIT + 1):
        table.say("bob", 0, f"/give to=ann amount={99 + number}")
    for body in ("/give to=ann ammount=1", "/giev to=ann", "/leave now"):
        table.say("bob", 0, body)
    table.say("dee", 0, "/help\n" * 21)
    table.say("zed", 0, "/do state text=hello")
    table.referee(60)
    said = table.status("bob")
    for words in (
        "all 50 refused acts that bob has a day are used",
        "this is answered only, because 50 acts of bob were refused today [E-RATE]",
        "No effect: give: give takes no argument ammount, did you mean amount?",
        "there is no command /giev; did you mean /give?",
        "leave takes no arguments [E-ARGS] (the game's thread, 2026-01-05 12:01 UTC)",
        "… and 36 older ones: `moot log --mine`",
    ):
        assert words in said, words
    assert table.moot("bob", "log", "--mine", "-n", "99").out.count("bob · give") == LIMIT
    assert "a comment may hold 20 commands: the 1 after them" in table.status("dee")
    assert len(table.moot("bob", "status", "--json").record["refused"]) == LIMIT
    assert "No effect: state: Zed is no player of this game" in table.status("zed")
    others = table.status("cid")
    assert "give" not in others.partition("Actions:")[0]
    assert "For administrators" not in others


def test_a_flood_of_others_hides_nothing_of_ones_own(table: Seats, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("folkmoot.player.answers.LOOKED_AT", 20)
    table.say("cid", 0, "/give to=ann amount=5")
    table.say("cid", 0, "/do notify mentions=some")
    table.referee(60)
    for number in range(30):
        table.say("bob", 0, f"/give to=ann amount={99 + number}")
    table.open("eve", {"rules/x.yaml": b"title: [\n"})
    table.open("cid", {"rules/y.yaml": b"title: [\n"})
    table.referee(60)
    said = table.status("cid")
    assert said.count("Refused: cid · give") == said.count("Refused: cid") == 1
    assert ("notify: mentions is one of (" in said, "notify: notify" in said) == (True, False)
    assert said.count("was not taken in") == 1
    assert "Pull request 2 was not taken in: " in said


def test_a_vote_that_waits_says_for_what(table: Seats) -> None:
    """Before a vote is open, and while a long run has seen it and not come to it, a vote is not `not counted`."""
    early = table.open("zed", {"rules/x.yaml": rule("X")})
    table.say("bob", early, "/vote for")
    table.referee(60)
    assert "nothing here is open to votes yet; it is counted when a vote opens" in table.said(early)
    waits = "Waits: a ballot: nothing here is open to votes yet; it is counted when a vote opens (pull request "
    assert f"{waits}{early}, " in table.status("bob")
    assert table.status("bob").count("nothing here is open to votes yet") == 1
    pull = table.open("ann", {"rules/y.yaml": rule("Y")})
    table.referee(60)
    table.approve("bob", pull)
    table.forge.look(table.now + 1)  # a run that looked, and has judged nothing yet
    said = table.status("bob")
    assert f"Waits: a referee has seen it and not judged it yet: approve (pull request {pull})" in said
    assert "No effect" not in said
    table.referee(60)
    assert "not judged" not in table.status("bob")
    table.say("bob", pull, "x", "approve", head=table.head(early))
    table.referee(60)
    said = table.status("bob")
    assert re.search(f"No effect: .*: it was made on other content.*pull request {pull}", said)


def test_after_a_ref_was_put_back(table: Seats) -> None:
    """Honest letters that name as seen what is no longer there: what was said, and why it is ignored."""
    founding = table.game().founding
    pull = table.open("ann", {"rules/y.yaml": rule("Y")})
    table.referee(60)
    before = table.tip(FORGE)
    table.send("cid", Letter(pull=0, kind="comment", body="/state signed", game=founding, seen=table.tip(FORGE)))
    table.referee(60)
    late = table.tip(FORGE)
    table.put(FORGE, before)
    table.send("bob", Letter(pull=pull, kind="comment", body="/vote for it's fine", game=founding, seen=late))
    table.send("bob", Letter(pull=pull, kind="approve", head=table.head(pull), game=founding, seen=late))
    table.referee(60)
    said = table.status("bob")
    assert said.count(f"the commit that it names as seen, {late[:12]}, is no longer on the game's branch") == 2
    assert said.count("Ignored: ") == 2
    assert "Ignored" not in table.status("cid"), "what is recorded was taken, whatever is read again"
    table.moot("bob", "comment", "--on", str(pull), "/vote for it's fine")
    table.referee(60)
    assert table.ballots() == {"bob": "for"}


@pytest.mark.parametrize("looked", [False, True])
def test_everything_in_flight_is_told(table: Seats, *, looked: bool) -> None:
    """Before a referee looked, and while one has seen it and judged nothing yet."""
    pull = table.open("bob", {"rules/x.yaml": rule("X")})
    table.referee(60)
    table.moot("bob", "comment", "/do finalise", "--anyway")
    table.moot("bob", "comment", "/vote for proposal=301")
    table.moot("bob", "comment", "--on", str(pull), "/do state text=hi")
    table.moot("bob", "withdraw", str(pull))
    if looked:
        table.forge.look(table.now + 1)
    said = table.status("bob")
    for words in ("/do finalise", "/vote for proposal=301", "/do state text=hi", f"close (pull request {pull})"):
        assert words in said, (words, said)
    table.referee(60)
    assert "not judged" not in table.status("bob")
    assert "not looked at" not in table.status("bob")
