"""Much in one command: a vote without a number, a proposal with what follows it, numbers that mean the same thing."""

from __future__ import annotations

import pytest

from folkmoot.game.rulesets import founding
from tests.support.gathering import TEA, Gathering
from tests.support.quick import SMALL
from tests.support.seats import Seats, Sit
from tests.support.table import rule

RUM = TEA.replace("Tea", "Rum").replace("tea", "rum")


@pytest.fixture
def table(seats: Sit) -> Seats:
    """Return a table at which anybody proposes at any time, and a vote opens at once."""
    return seats(SMALL)


def propose(table: Seats, person: str, text: str, *words: str, code: int = 0) -> str:
    path = table.folder / "rule.yaml"
    path.write_text(text)
    said = table.moot(person, "propose", "--rule", str(path), *words, code=code)
    return said.out + said.err


def test_the_one_open_vote_needs_no_number(table: Seats) -> None:
    assert "Error: No vote is open. `moot status` shows what there is." in table.moot("bob", "vote", "for", code=2).err
    assert "open to votes then: `moot vote 1 CHOICE`" in propose(table, "ann", TEA)
    assert "`moot vote 1 for` (Tea)" in table.moot("bob", "vote", "for", code=2).err
    table.referee()
    said = table.moot("bob", "vote", "for", "It is warm.")
    assert "The open vote is that on proposal 301, “Tea”." in said.out
    assert "Voted for on pull request 1" in said.out
    assert "is no choice of vote here" in table.moot("bob", "vote", "fro", code=1).err
    propose(table, "cid", RUM)
    table.referee(60)
    assert table.ballots() == {"bob": "for"}
    said = table.moot("dee", "vote", "for", code=2)
    for wanted in ("2 votes are open", "`moot vote 1 for` (Tea)", "`moot vote 2 for` (Rum)"):
        assert wanted in said.err


def test_a_vote_that_decides_says_so_first(seats: Sit) -> None:
    """Unless ballots are hidden: whoever votes last could read from it how the others voted."""
    table = seats(
        {**SMALL, "rules": [*SMALL["rules"], rule("40", "def decide_ballots_displayed(p):\n    return True")]}
    )
    propose(table, "ann", TEA)
    table.referee()
    for voter in ("ann", "bob", "dee"):
        table.moot(voter, "vote", "for")
        table.referee(60)
    lines = table.moot("cid", "vote", "for", "--dry-run").out.splitlines()
    assert lines[1] == "This decides it: proposal 301 is adopted."
    assert (
        table.moot("cid", "vote", "for", "-n", "--json").record["foreseen"][0]["decides"] == "proposal 301 is adopted"
    )


def test_a_vote_that_decides_by_dice_says_so_first_but_not_what(seats: Sit) -> None:
    dice = "def decide_ballots_displayed(p):\n    return True\n\ndef on_proposal_resolved(e):\n    announce(str(roll(6, 'die')))"
    table = seats({**SMALL, "rules": [*SMALL["rules"], rule("40", dice)]})
    propose(table, "ann", TEA)
    table.referee()
    for voter in ("ann", "bob", "dee"):
        table.moot(voter, "vote", "for")
        table.referee(60)
    said = table.moot("cid", "vote", "for", "--dry-run").out
    assert "This decides it. What comes of it is for the dice" in said
    assert "adopted" not in said
    foreseen = table.moot("cid", "vote", "for", "-n", "--json").record["foreseen"][0]
    assert (foreseen["state"], foreseen["decides"]) == ("chance", "proposal 301 is decided")


def test_the_decision_of_an_office_needs_no_number_and_what_travels_gives_no_title(seats: Sit) -> None:
    people = [{"id": who, "email": f"{who}@x.org"} for who in ("ann", "bob", "cid")]
    given = {**founding("imperial"), "players": people, "offices": {"tie": "ann", "ths": "bob"}, "opening": []}
    table = seats(given)
    (table.folder / "defend.yaml").write_text("do: defend\nargs: {}\n")
    said = propose(
        table, "cid", TEA.replace("labels: {status: mutable}\n", ""), "--with", str(table.folder / "defend.yaml")
    )
    assert said.startswith("Tea\n")
    table.referee()
    said = table.moot("ann", "vote", "yes", "It is warm.")
    assert "What awaits a decision is proposal 1, “Tea”." in said.out
    assert "Enacted rule 23" in said.out
    assert "at 303 K, and bob is It: 1 proposal waits" in " ".join(table.moot("bob", "status").out.split())
    said = table.moot("bob", "vote", "approve", "Warm", "--dry-run", code=3)
    assert "whoever is It" in said.err, "who judges nothing would advise, but for rule 22"


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
    assert "2 proposals await a decision" in said
    assert f"`{accept}` (Words)" in said
    assert "Sent to the thread" in table.moot("ann", *accept.split()[1:]).out
    assert "`moot propose --do proclaim --rule FILE`" in " ".join(
        table.moot("ann", "act", "proclaim", "--help").out.split()
    )
    assert "say of what the error is" in table.moot("ann", "act", "uphold", "number=3", code=3).err
    table.moot("ann", "act", "transfer_office", "office=tie", "player=cid")
    table.referee(60)
    assert "Holder of tie: ann → cid by rule 1, by ann" in table.status("cid")
    assert "“answer Point of Order 3”" in table.status("cid").partition("Imp")[0]
    table.moot("cid", "act", "transfer_office", "office=tie", "player=bob")
    table.referee(60)
    assert "Holder of tie: cid → bob by rule 1" in table.status("bob")
    assert "Holder of tie: cid → bob by rule 1, by cid" not in table.status("cid"), "one's own act is told otherwise"


def test_a_withdrawn_proposal_is_no_open_vote(table: Seats) -> None:
    propose(table, "ann", TEA)
    table.referee()
    table.say("ann", 1, "", "close")
    table.referee(60)
    assert "No vote is open" in table.moot("bob", "vote", "for", code=2).err


def test_a_proposals_number_means_its_pull_request(table: Seats) -> None:
    propose(table, "ann", TEA)
    table.referee()
    said = table.moot("bob", "vote", "301", "for")
    assert "Proposal 301 is pull request 1." in said.err
    assert "Voted for on pull request 1" in said.out
    assert "Voted against on pull request 1" in table.moot("cid", "vote", "1", "against", "--proposal", "301").out
    assert "Said on pull request 1" in table.moot("cid", "comment", "--on", "301", "Well.").out
    assert "Proposal 301 · Tea" in table.moot("cid", "try", "301").out
    assert "pull request 1" in table.moot("ann", "withdraw", "301", "no more", "of this").out
    table.moot("cid", "vote", "1", "against", "--proposal", "302", code=2)
    table.moot("cid", "vote", "302", "against", code=1)
    table.referee(60)
    assert table.ballots() == {"bob": "for", "cid": "against"}
    assert table.proposal(301)["outcome"] == "withdrawn"


def test_a_proposal_with_the_authors_vote(table: Seats) -> None:
    said = propose(table, "ann", TEA, "--vote", "for 'my own'")
    assert "Opened pull request 1." in said
    assert "Sent to it: approve" in said
    assert "where your ballot is missing" not in said
    table.referee()
    assert table.ballots() == {"ann": "for"}
    assert table.proposal(301)["ballots"]["ann"]["reason"] == "my own"
    assert "did you mean for?" in propose(table, "bob", RUM, "--vote", "fro", code=1)
    assert "there is no action dance" in propose(table, "bob", RUM, "--then", "dance", code=1)
    assert table.tip("refs/pull/2/head") == ""


def test_a_proposal_its_final_form_and_the_vote_in_one_command(gathering: Gathering) -> None:
    words = ("propose", "--rule", gathering.file("tea.yaml"), "--then", "finalise", "--vote", "for")
    record = gathering.moot("ann", *words, "--dry-run", "--json").record
    assert [each["what"] for each in record["foreseen"]] == ["propose", "finalise", "vote"]
    assert not record["sent"]
    said = gathering.moot("ann", *words).out
    assert said.count("As the game stands here") == 3
    gathering.referee()
    proposal = gathering.document("proposals/300/301")
    assert (proposal["state"], [*proposal["ballots"]]) == ("open", ["ann"])


def test_out_of_turn_nothing_is_pushed(gathering: Gathering) -> None:
    before = gathering.refs()
    said = gathering.moot("bob", "propose", "--rule", gathering.file("tea.yaml"), code=3)
    for wanted in ("The referee would refuse it: ", "[E-ORDER]", "--anyway"):
        assert wanted in said.err
    failing = "examples:\n  - {scenario: It pays, steps: [], expect: [{player: ann, score: 5}]}\n"
    said = gathering.moot("ann", "propose", "--rule", gathering.file("failing.yaml", TEA + failing), code=1)
    for wanted in ("failing.yaml:6:5", "[E-EXAMPLE]", "Nothing was sent", "--anyway"):
        assert wanted in said.err, (wanted, said.err)
    assert gathering.refs() == before
