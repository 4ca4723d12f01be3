"""`moot vote` at a table: on what, what it decides, what is in its way or over, and numbers that mean the same thing."""

from __future__ import annotations

import re

import pytest

from folkmoot.cli.voting import checked_choice
from folkmoot.core.problems import ProblemError
from folkmoot.game.rulesets import founding
from tests.support.gathering import TEA, Gathering, state_of
from tests.support.quick import SMALL
from tests.support.seats import Seats, Sit
from tests.support.table import rule


def propose(table: Seats, person: str, text: str, *words: str, code: int = 0) -> str:
    path = table.folder / "rule.yaml"
    path.write_text(text)
    said = table.moot(person, "propose", "--rule", str(path), *words, code=code)
    return said.out + said.err


@pytest.fixture
def table(seats: Sit) -> Seats:
    """Return a table at which anybody proposes at any time, and a vote opens at once."""
    return seats(SMALL)


@pytest.mark.parametrize(("choice", "kind"), [("for", "approve"), ("against", "request_changes")])
def test_a_review_votes_on_the_content_as_it_is(gathering: Gathering, choice: str, kind: str) -> None:
    gathering.tea()
    before = state_of(gathering.clone("bob"))
    record = gathering.moot("bob", "vote", "1", choice, "It", "was", "time.", "--json").record
    assert record["head"] == gathering.head(1)
    assert record["title"] == "Tea"
    letter = gathering.letters("bob")[0]
    assert f"kind: {kind}" in letter
    assert gathering.head(1) in letter
    assert "It was time." in letter
    assert state_of(gathering.clone("bob")) == before


def test_other_words_vote_by_a_comment(gathering: Gathering) -> None:
    gathering.tea()
    gathering.moot("bob", "vote", "1", "abstain", "I take no tea.")
    assert "/vote abstain because I take no tea." in gathering.letters("bob")[0]
    gathering.referee()
    gathering.moot("bob", "vote", "--proposal", "301", "for", "--anyway", "--", "--so", "be", "it")
    letter = gathering.letters("bob")[0]
    assert [words in letter for words in ("/vote for proposal=301", "--so be it", "pull: 0")] == [True, True, True]


@pytest.mark.parametrize("dice", [False, True])
def test_a_vote_that_decides_says_so_first_but_not_how_dice_will_fall(seats: Sit, dice: bool) -> None:
    script = "def decide_ballots_displayed(p):\n    return True\n"
    if dice:
        script += "\ndef on_proposal_resolved(e):\n    announce(str(roll(6, 'die')))"
    table = seats({**SMALL, "rules": [*SMALL["rules"], rule("40", script)]})
    propose(table, "ann", TEA)
    table.referee()
    for voter in ("ann", "bob", "dee"):
        table.moot(voter, "vote", "for")
        table.referee(60)
    said = table.moot("cid", "vote", "for", "--dry-run").out
    foreseen = table.moot("cid", "vote", "for", "-n", "--json").record["foreseen"][0]
    if dice:
        assert "This decides it. What comes of it is for the dice" in said
        assert "adopted" not in said
        assert (foreseen["state"], foreseen["decides"]) == ("chance", "proposal 301 is decided")
    else:
        assert said.splitlines()[1] == "This decides it: proposal 301 is adopted."
        assert foreseen["decides"] == "proposal 301 is adopted"


def test_of_very_many_choices_some_are_told_and_how_many_more_there_are() -> None:
    choices = ["FOR", *(f"ENDORSE {letter}{n}" for letter in "ab" for n in range(10))]
    with pytest.raises(ProblemError) as told:
        checked_choice(["ENDORSE", "b77"], choices)
    assert str(told.value).count("ENDORSE") < 15
    assert "and 9 more" in str(told.value)
    assert "did you mean ENDORSE b7?" in told.value.problems[0].hint


def test_a_vote_is_on_what_is_voted_on_where_something_else_was_pushed_since(gathering: Gathering) -> None:
    gathering.tea()
    gathering.referee()
    voted_on = gathering.head(1)
    gathering.moot("dee", "vote", "1", "for")
    gathering.referee()
    answer = gathering.moot("dee", "status", "--json").record["answers"][0]
    assert (answer["place"], answer["what"], answer["state"]) == ("pull 1", "a ballot", "waiting")
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    gathering.moot("ann", "propose", "--update", "1", "--repeal", "206")
    said = gathering.moot("bob", "vote", "1", "for")
    assert voted_on[:12] in said.out
    assert "newer content was pushed" in said.err
    assert voted_on in gathering.letters("bob")[0]
    gathering.approve("cid", 1)
    gathering.referee()
    assert "bob" in gathering.document("proposals/300/301")["ballots"]
    answer = gathering.moot("cid", "status", "--json").record["answers"][0]
    assert (answer["state"], "other content" in answer["why"]) == ("void", True)


def test_the_one_open_vote_needs_no_number(table: Seats) -> None:
    assert "Error: No vote is open. `moot status` shows what there is." in table.moot("bob", "vote", "for", code=2).err
    propose(table, "ann", TEA)
    table.referee()
    said = table.moot("bob", "vote", "for", "It is warm.").out
    assert "This is on proposal 301, “Tea”." in said
    assert "Voted for on pull request 1" in said
    propose(table, "cid", TEA.replace("Tea", "Rum"))
    table.referee(60)
    assert table.ballots() == {"bob": "for"}
    said = table.moot("dee", "vote", "for", code=2).err
    for wanted in ("Say on which you vote", "`moot vote 1 for` (Tea)", "`moot vote 2 for` (Rum)"):
        assert wanted in said


def test_who_votes_last_does_not_learn_how_the_others_voted(gathering: Gathering) -> None:
    gathering.tea()
    gathering.referee()
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    for person in ("ann", "bob", "cid"):
        gathering.moot(person, "vote", "for")
    gathering.referee()
    for words in (("vote", "for"), ("vote", "against"), ("act", "vote", "choice=for")):
        said = gathering.moot("dee", *words, "--dry-run")
        assert "dee’s ballot on proposal 301" in said.out
        assert not re.search(r"closed|Enacted|adopted|defeated|score|more change", said.out), words
        foreseen = gathering.moot("dee", *words, "--dry-run", "--json").record["foreseen"]
        assert [len(each["effects"]) for each in foreseen] == [1], words


def test_what_awaits_a_decision_without_a_pull_request_is_decided_by_the_command_that_is_said(seats: Sit) -> None:
    people = [{"id": who, "email": f"{who}@x.org"} for who in ("ann", "bob", "cid")]
    table = seats({**founding("imperial"), "players": people, "offices": {"tie": "ann", "ths": "bob"}, "opening": []})
    propose(table, "cid", TEA.replace("labels: {status: mutable}\n", ""))
    table.say("cid", 0, "/do submit_proposal title=Words")
    table.say("cid", 0, '/do point_of_order text="Hm?"')
    table.referee(60)
    said = table.status("ann")
    accept, reject = (f"moot act decide number=2 verdict={verdict}" for verdict in ("accept", "reject"))
    assert f"      {accept}   (or {reject})" in said
    assert "proposal 1, not decided yet" in said
    said = table.moot("ann", "vote", "for", code=2).err
    assert "Say on which you vote" in said
    assert "Sent to the thread" in table.moot("ann", *accept.split()[1:]).out
    assert "`moot propose --do proclaim --rule FILE`" in " ".join(
        table.moot("ann", "act", "proclaim", "--help").out.split()
    )
    assert "say of what the error is" in table.moot("ann", "act", "uphold", "number=3", code=3).err
    table.moot("ann", "act", "transfer_office", "office=tie", "player=cid")
    table.referee(60)
    assert "“answer Point of Order 3”" in table.status("cid").partition("Imp")[0]
    table.moot("cid", "act", "transfer_office", "office=tie", "player=bob")
    table.referee(60)
    assert "“answer Point of Order 3”" in table.status("bob").partition("Imp")[0]


def test_a_proposals_number_means_its_pull_request_and_who_came_later_has_no_vote(table: Seats) -> None:
    propose(table, "ann", TEA)
    table.referee()
    said = table.moot("bob", "vote", "301", "for")
    assert "Proposal 301 is pull request 1." in said.err
    assert "Voted for on pull request 1" in said.out
    assert "Voted against on pull request 1" in table.moot("cid", "vote", "1", "against").out
    assert "Said on pull request 1" in table.moot("cid", "comment", "--on", "1", "Well.").out
    assert "Proposal 301 · Tea" in table.moot("cid", "try", "1").out
    table.moot("eve", "join", "eve", "--name", "Eve")
    table.referee(60)
    assert "eve has no vote on proposal 301" in table.moot("eve", "vote", "1", "for", code=3).err
    assert table.ballots() == {"bob": "for", "cid": "against"}
    assert "pull request 1" in table.moot("ann", "withdraw", "1", "no more", "of this").out
    table.referee(60)
    assert table.proposal(301)["outcome"] == "withdrawn"
    assert "No vote is open" in table.moot("bob", "vote", "for", code=2).err
    assert "pull request 1 (Tea) is closed already" in table.moot("bob", "vote", "1", "for", code=1).err
    assert "proposal 301 is withdrawn already" in table.moot("bob", "vote", "--proposal", "301", "for", code=1).err
