"""A referee's runs on the local forge: proposals, ballots, adoption, defeat, joining, acts, timers."""

from __future__ import annotations

import pytest

from tests.support.meeting import GAME, PLAYERS, START, Meeting, git, rule


def adopt(meeting: Meeting, pull: int, voters: tuple[str, ...] = PLAYERS) -> None:
    """Let everybody vote for a proposal that was finalised."""
    for voter in voters:
        meeting.say(voter, pull, "/vote for")
    meeting.referee(60)


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


def test_a_run_with_nothing_to_do_pushes_nothing(meeting: Meeting) -> None:
    meeting.propose("ann")
    meeting.referee()
    before = git(meeting.bare, "for-each-ref")
    report = meeting.referee(60)
    assert (report.entries, report.answers) == (0, 0)
    assert git(meeting.bare, "for-each-ref") == before


def test_early_ballots_wait_until_the_vote_opens(meeting: Meeting) -> None:
    pull = meeting.propose("ann")
    meeting.approve("bob", pull)
    meeting.referee()
    assert meeting.document("proposals/300/301")["ballots"] == {}
    assert "bob" in meeting.said(pull)
    meeting.say("ann", pull, "/finalise")
    meeting.referee(3_600)
    ballot = meeting.document("proposals/300/301")["ballots"]["bob"]
    assert (ballot["choice"], ballot["at"]) == ("for", START + 3_600)


def test_the_latest_ballot_of_either_kind_counts(meeting: Meeting) -> None:
    pull = meeting.propose("ann")
    meeting.say("ann", pull, "/finalise")
    meeting.approve("bob", pull)
    meeting.referee()
    meeting.say("bob", pull, "/vote against because I slept on it")
    meeting.referee(60)
    ballot = meeting.document("proposals/300/301")["ballots"]["bob"]
    assert (ballot["choice"], ballot["reason"]) == ("against", "I slept on it")


def test_a_defeated_proposal_is_closed_not_merged(meeting: Meeting) -> None:
    pull = meeting.propose("ann")
    meeting.say("ann", pull, "/finalise")
    meeting.say("ann", pull, "/vote for")
    for voter in ("bob", "cid", "dee"):
        meeting.say(voter, pull, "no", "request_changes")
    meeting.referee()
    assert meeting.document("proposals/300/301")["outcome"] == "defeated"
    assert meeting.head(pull) not in git(meeting.bare, "rev-list", "main")
    assert "defeated" in meeting.said(pull)


def test_out_of_turn_is_refused_recorded_and_can_be_proposed_again(meeting: Meeting) -> None:
    early = meeting.propose("bob", "Too early")
    meeting.referee()
    entry = meeting.game().entry(meeting.game().head.seq)
    assert (entry["by"], entry["code"]) == ("bob", "E-ORDER")
    assert "E-ORDER" in meeting.said(early) or "turn" in meeting.said(early)
    assert meeting.referee(60).entries == 0
    pull = meeting.propose("ann")
    meeting.say("ann", pull, "/finalise")
    adopt(meeting, pull)
    meeting.say("bob", early, "/propose")
    meeting.referee(60)
    assert meeting.document("proposals/300/302")["author"] == "bob"


@pytest.mark.threat("T-40")
def test_strangers_are_answered_and_not_recorded(meeting: Meeting) -> None:
    pull = meeting.propose("zed", "Let me in")
    other = meeting.propose("ann")
    meeting.say("ann", other, "/finalise")
    meeting.say("zed", other, "/vote against")
    report = meeting.referee()
    assert report.entries == 2
    assert "zed" not in meeting.document("roster")
    assert "no player" in meeting.said(pull)
    assert "no player" in meeting.said(other)


def test_a_stranger_of_then_has_no_vote_later(meeting: Meeting) -> None:
    pull = meeting.propose("ann")
    meeting.say("zed", pull, "/vote against")
    meeting.referee()
    meeting.say("zed", 0, "/join id=zed surname=Zed")
    meeting.referee(60)
    assert meeting.document("roster")["zed"]["handles"]["local"]["id"] == "zed@x.org"
    meeting.say("ann", pull, "/finalise")
    meeting.referee(60)
    assert meeting.document("proposals/300/301")["ballots"] == {}
    meeting.say("zed", pull, "/vote against")
    meeting.referee(60)
    assert "zed" in meeting.document("proposals/300/301")["ballots"]


def test_joining_by_pull_request(meeting: Meeting) -> None:
    join = b"do: join\nargs:\n  name: Zed Zeppelin\n  attributes: {surname: Zeppelin}\n"
    pull = meeting.open("zed", {"inbox/zed.yaml": join}, "Let me in")
    meeting.referee()
    entry = meeting.document("roster")["Zed"]
    assert (entry["name"], entry["handles"]["local"]["id"]) == ("Zed Zeppelin", "zed@x.org")
    assert meeting.head(pull) in git(meeting.bare, "log", "--format=%P", "main")
    assert "inbox" not in git(meeting.bare, "ls-tree", "--name-only", "main", f"state/{GAME}/")


def test_new_content_is_pointed_out_and_not_voted_on(meeting: Meeting) -> None:
    pull = meeting.propose("ann", "A dragon")
    meeting.say("ann", pull, "/finalise")
    meeting.referee()
    first = meeting.head(pull)
    second = meeting.change("ann", {f"state/{GAME}/rules/dragon.yaml": rule("A dictatorship")})
    assert meeting.seat("ann").push_pull(pull, second, first)
    meeting.approve("bob", pull, head=second)
    meeting.approve("cid", pull, head=first)
    meeting.referee(60)
    proposal = meeting.document("proposals/300/301")
    assert list(proposal["ballots"]) == ["cid"]
    said = meeting.said(pull)
    assert "bob" in said
    assert "other content" in said
    adopt(meeting, pull)
    assert meeting.document("rules/301")["title"] == "A dragon"
    assert first in git(meeting.bare, "log", "--format=%P", "main")
    assert second not in git(meeting.bare, "rev-list", "main")


def test_a_rebase_keeps_the_ballots(meeting: Meeting) -> None:
    pull = meeting.propose("ann", "A dragon")
    meeting.say("ann", pull, "/finalise")
    meeting.referee()
    rebased = meeting.change("ann", {f"state/{GAME}/rules/dragon.yaml": rule("A dragon")}, "Once more")
    assert rebased != meeting.head(pull)
    assert meeting.seat("ann").push_pull(pull, rebased, meeting.head(pull))
    meeting.approve("bob", pull, head=rebased)
    meeting.referee(60)
    assert list(meeting.document("proposals/300/301")["ballots"]) == ["bob"]


def test_acts_by_comment_on_the_games_thread(meeting: Meeting) -> None:
    meeting.say("bob", 0, "/do state text=hello")
    meeting.say("cid", 0, "/do sate text=hello")
    meeting.say("cid", 0, "just talking")
    assert meeting.referee().entries == 1
    assert "did you mean state?" in meeting.said(0)
    assert meeting.referee(60).entries == 0


def test_timers_fire_before_later_facts(meeting: Meeting) -> None:
    meeting.say("ann", 0, "/do pause")
    meeting.referee()
    assert meeting.document("game")["paused"] == START
    pull = meeting.propose("ann")
    meeting.referee(60)
    assert "paused" in meeting.said(pull)


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
