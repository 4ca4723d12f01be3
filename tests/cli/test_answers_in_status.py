"""Whatever somebody sent, `moot status` says what became of it, their own things first and all of them."""

from __future__ import annotations

import pytest

from folkmoot.core.limits import LIMITS
from folkmoot.forges.cache.refs import pull_ref
from folkmoot.forges.local.letters import Letter
from tests.support.meeting import rule
from tests.support.quick import FORGE, MAIN
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
        "… and 45 older ones: `moot status --all`",
    ):
        assert words in said, words
    assert said.count("Refused: bob · give") == 5
    assert table.moot("bob", "status", "--all").out.count("Refused: bob · give") == LIMIT
    assert "a comment may hold 20 commands: the 1 after them" in table.status("dee")
    assert len(table.moot("bob", "status", "--json").record["refused"]) == LIMIT
    assert "No effect: state: Zed is no player of this game" in table.status("zed")
    others = table.status("cid")
    assert "give" not in others.partition("Actions:")[0]
    assert "Of others, 50 acts were refused lately; the newest: `moot explain entry " in others
    assert "For administrators" not in others
    assert "all 50 refused acts that bob" in table.moot("cid", "status", "--by", "bob").out


def test_a_flood_of_others_hides_nothing_of_ones_own(table: Seats, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("folkmoot.player.answers.LOOKED_AT", 20)
    table.say("cid", 0, "/give to=ann amount=5")
    table.referee(60)
    for number in range(30):
        table.say("bob", 0, f"/give to=ann amount={99 + number}")
    table.referee(60)
    said = table.status("cid")
    assert said.index("Refused: cid · give") < said.index("Of others, ")
    assert said.count("Refused: ") == 1


def test_others_pull_requests_are_counted_and_ones_own_told(table: Seats) -> None:
    for number in range(4):
        table.open("eve", {f"rules/x{number}.yaml": b"title: [\n"})
    table.open("bob", {"rules/y.yaml": b"title: [\n"})
    table.referee(60)
    said = table.status("bob")
    assert "Pull requests 1, 2, 3, 4 of others: not taken in, or faulty. Why: `moot try 4 --said`." in said
    assert said.count("was not taken in") == 1
    assert "Pull request 5 was not taken in: " in said


def test_a_vote_that_waits_says_for_what(table: Seats) -> None:
    """Before a vote is open, and while a long run has seen it and not come to it, a vote is not `not counted`."""
    early = table.open("zed", {"rules/x.yaml": rule("X")})
    table.say("bob", early, "/vote for")
    table.referee(60)
    assert "nothing here is open to votes yet; it is counted when a vote opens" in table.said(early)
    waits = f"Your vote (for) on pull request {early} waits: nothing here is open to votes yet"
    assert waits in table.status("bob")
    assert table.status("bob").count("nothing here is open to votes yet") == 1
    pull = table.open("ann", {"rules/y.yaml": rule("Y")})
    table.referee(60)
    table.approve("bob", pull)
    table.forge.look(table.now + 1)  # a run that looked, and has judged nothing yet
    said = table.status("bob")
    assert f"Your vote (for) on pull request {pull} waits: a referee has seen it and not judged it yet" in said
    assert "is not counted" not in said
    table.referee(60)
    assert f"pull request {pull} waits" not in table.status("bob")
    table.say("bob", pull, "x", "approve", head=table.head(early))
    table.referee(60)
    said = table.status("bob")
    assert f"Your vote (for) on pull request {pull} is not counted: it was made on other content" in said


def test_after_a_ref_was_put_back(table: Seats) -> None:
    """Honest letters that name as seen what is no longer there: what, why, and the command that sends them again."""
    founding = table.game().founding
    pull = table.open("ann", {"rules/y.yaml": rule("Y")})
    table.referee(60)
    before = table.tip(FORGE)
    table.say("cid", 0, "/state counted already")
    table.send("cid", Letter(pull=0, kind="comment", body="/state signed", game=founding, seen=table.tip(FORGE)))
    table.referee(60)
    late = table.tip(FORGE)
    table.put(FORGE, before)
    table.send("bob", Letter(pull=pull, kind="comment", body="/vote for it's fine", game=founding, seen=late))
    table.send("bob", Letter(pull=pull, kind="approve", head=table.head(pull), game=founding, seen=late))
    table.send("bob", Letter(pull=pull, kind="comment", body="/state " + "ever so " * 200, game=founding, seen=late))
    table.put(pull_ref(2), table.change("ann", {"README.md": b"x"}))
    table.referee(60)
    said = table.status("bob")
    why = f"the commit that it names as seen, {late[:12]}, is no longer on the game's branch"
    assert f"Ignored: /vote for it's fine (pull request {pull}) (letter " in said
    assert said.count(why) == 3
    assert f"To send it again: `moot comment --on {pull} '/vote for it'\"'\"'s fine'`" in said
    assert f"To send it again: `moot vote {pull} for`" in said
    assert said.count("To send it again: ") == 2, "what is too long to be repeated whole is not repeated in part"
    assert "Ignored" not in table.status("cid"), "what is recorded was taken, whatever is read again"
    table.moot("bob", "comment", "--on", str(pull), "/vote for it's fine")
    table.referee(60)
    assert table.ballots() == {"bob": "for"}
    main = table.tip(MAIN)
    table.say("ann", 0, "/state more")
    table.referee(60)
    seen = table.tip(MAIN)
    table.put(MAIN, main)
    table.put(FORGE, before)
    table.send("bob", Letter(pull=0, kind="comment", body="/leave", game=founding, seen=seen))
    table.referee(60)
    assert "Ignored: /leave (letter " in table.status("bob")


def test_a_flood_of_broken_letters_hides_no_answer(table: Seats, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("folkmoot.forges.cache.forge_cache._NOTES", 20)
    table.say("bob", 0, "/wrong")
    table.send("bob", Letter(pull=77, kind="comment", body="/vote for"))
    table.referee(60)
    for _ in range(30):
        table.send("eve", Letter(pull=78, kind="comment", body="flood"), "eve@x-org")
    table.referee(60)
    assert "Ignored: /vote for (pull request 77)" in table.status("bob")
    for _ in range(40):
        table.send("bob", Letter(pull=79, kind="comment", body="in bob's name"), "eve@x-org")
    table.referee(60)
    said = table.status("bob")
    assert "there is no command /wrong" in said
    assert len(table.moot("bob", "status", "--json").record["ignored"]) == 30
