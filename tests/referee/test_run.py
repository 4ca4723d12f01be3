"""A referee's runs on the local forge, over a network of git: proposals, ballots, adoption, defeat, joining, acts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.meeting import GAME, PLAYERS, START, Meeting, git
from tests.support.quick import QuickMeeting, suber


@pytest.fixture
def quick(tmp_path: Path) -> QuickMeeting:
    """Return a quick meeting under Suber's law."""
    return QuickMeeting(tmp_path, law=suber())


def test_a_proposal_is_recorded_voted_on_and_merged(meeting: Meeting) -> None:
    pull = meeting.propose("ann", "A dragon")
    head = meeting.head(pull)
    assert meeting.referee().entries == 1
    assert meeting.document("proposals/300/301")["via"]["pull"] == pull
    meeting.say("ann", pull, "I am done.\n\n/finalise")
    for voter in ("bob", "cid", "dee"):
        meeting.approve(voter, pull, "I like dragons.")
    meeting.say("ann", pull, "/vote for")
    report = meeting.referee(60)
    proposal = meeting.document("proposals/300/301")
    assert proposal["outcome"] == "adopted"
    assert {voter: ballot["choice"] for voter, ballot in proposal["ballots"].items()} == dict.fromkeys(PLAYERS, "for")
    assert proposal["ballots"]["bob"]["reason"] == "I like dragons."
    assert meeting.document("rules/301")["title"] == "A dragon"
    (seen,) = [p for p in meeting.forge.look(meeting.now).pulls if p.number == pull] or [None]
    assert seen is None  # over, and settled
    tip = git(meeting.bare, "rev-parse", "main")
    assert report.after == tip
    assert head in git(meeting.bare, "log", "--format=%P", "main")
    assert git(meeting.bare, "ls-tree", "-r", "--name-only", "main", f"state/{GAME}/rules/").count("dragon") == 0
    assert "adopted" in meeting.said(pull)


def test_early_ballots_wait_until_the_vote_opens_and_the_latest_counts(quick: QuickMeeting) -> None:
    pull = quick.propose("ann")
    quick.approve("bob", pull)
    quick.referee()
    assert quick.ballots() == {}
    assert "bob" in quick.said(pull)
    quick.say("ann", pull, "/finalise")
    quick.referee(3_600)
    ballot = quick.proposal(301)["ballots"]["bob"]
    assert (ballot["choice"], ballot["at"]) == ("for", START + 3_600)
    quick.say("bob", pull, "/vote against because I slept on it")
    quick.referee(60)
    ballot = quick.proposal(301)["ballots"]["bob"]
    assert (ballot["choice"], ballot["reason"]) == ("against", "I slept on it")
    quick.say("ann", pull, "/vote for")
    for voter in ("cid", "dee"):
        quick.say(voter, pull, "no", "request_changes")
    quick.referee(60)
    assert quick.proposal(301)["outcome"] == "defeated"
    assert quick.head(pull) not in git(quick.bare, "rev-list", "main")
    assert "defeated" in quick.said(pull)


def test_out_of_turn_is_refused_recorded_and_can_be_proposed_again(quick: QuickMeeting) -> None:
    early = quick.propose("bob", "Too early")
    quick.referee()
    assert (quick.journal()[-1]["by"], quick.journal()[-1]["code"]) == ("bob", "E-ORDER")
    assert "turn" in quick.said(early)
    assert quick.referee(60).entries == 0
    pull = quick.propose("ann")
    quick.say("ann", pull, "/finalise")
    for voter in PLAYERS:
        quick.say(voter, pull, "/vote for")
    quick.referee(60)
    quick.say("bob", early, "/propose")
    quick.referee(60)
    assert quick.proposal(302)["author"] == "bob"


def test_a_stranger_of_then_is_answered_and_has_no_vote_later(quick: QuickMeeting) -> None:
    theirs, pull = quick.propose("zed", "Let me in"), quick.propose("ann")
    quick.say("zed", pull, "/vote against")
    assert quick.referee().entries == 1
    assert "zed" not in quick.document("roster")
    assert "no player" in quick.said(theirs)
    assert "no player" in quick.said(pull)
    quick.say("zed", 0, "/join id=zed surname=Zed")
    quick.referee(60)
    assert quick.document("roster")["zed"]["handles"]["local"]["id"] == "zed@x.org"
    quick.say("ann", pull, "/finalise")
    quick.referee(60)
    assert quick.ballots() == {}
    quick.say("zed", pull, "/vote against")
    quick.say("zed", 0, "/join")
    assert quick.referee(60).entries == 1
    assert quick.ballots() == {"zed": "against"}
    assert "you are zed in this game already" in quick.said(0)


def test_pull_requests_of_one_second_are_taken_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    """Whatever their commits are called."""
    quick = QuickMeeting(tmp_path)
    numbers = [quick.propose(who, f"Of {who} {turn}") for turn in range(4) for who in ("ann", "bob")]
    quick.referee()
    assert [entry["via"]["pull"] for entry in quick.journal() if entry["do"] == "propose"] == numbers


def test_the_referees_machine_keeps_the_secret_of_the_dice(meeting: Meeting) -> None:
    meeting.say("ann", 0, "/do open_epoch")
    meeting.referee()
    chance = meeting.document("game")["chance"]
    assert (chance["epoch"], len(chance["commitment"])) == (1, 64)
    meeting.say("bob", 0, "/do close_epoch")
    meeting.referee(60)
    refused = meeting.game().entry(meeting.game().head.seq)
    assert (refused["by"], refused["do"], "secret" in str(refused.get("with"))) == ("bob", "close_epoch", False)
    meeting.say("ann", 0, "/do close_epoch")
    meeting.referee(60)
    (opened,) = meeting.document("game")["chance"]["opened"]
    assert (opened["commitment"], len(opened["secret"])) == (chance["commitment"], 64)
