"""Finding 4 of the first hour, 2 of the table: status says what came of what one sent, and why."""

from __future__ import annotations

from tests.support.gathering import TEA, Gathering


def test_refused_acts_and_ballots_stand_in_status_with_the_reason(gathering: Gathering) -> None:
    gathering.moot("bob", "act", "finalise", "--anyway")
    gathering.tea()
    gathering.referee()
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    gathering.moot("bob", "comment", "--on", "1", "/vote agianst", "--anyway")
    gathering.referee()
    said = gathering.moot("bob", "status")
    assert "Refused: bob, by rule 111: “end the debate" in said.out
    assert "Refused: vote agianst: " in said.out
    refused = gathering.moot("bob", "status", "--json").record["refused"]
    assert [act["do"] for act in refused] == ["finalise", "vote"]
    assert all(act["why"] and act["code"].startswith("E-") and act["entry"] for act in refused)
    assert "Refused" not in gathering.moot("cid", "status").out


def test_a_strangers_act_does_not_vanish(gathering: Gathering) -> None:
    gathering.moot("eve", "act", "state", "Hear me.", "--anyway")
    gathering.referee()
    said = gathering.moot("eve", "status")
    assert "No effect: state: Eve is no player of this game" in said.out
    assert "no player" in said.out


def test_what_was_not_taken_in_says_why(gathering: Gathering) -> None:
    milk = gathering.file("milk.yaml", TEA.replace("Tea", "Milk"))
    gathering.moot("bob", "propose", "--rule", milk, "--anyway")
    gathering.referee()
    said = gathering.moot("bob", "status")
    assert "not taken in" in said.out
    why = gathering.moot("bob", "status", "--json").record["pulls"][0]["why"]
    assert why
    assert why[0] in said.out
    assert len(why) == 1, "what the law would have said is not said beside what it said"
    assert said.out.count("was not taken in") == 1


def test_who_won_is_said_where_play_goes_on(gathering: Gathering) -> None:
    status = gathering.moot("bob", "status", "--json").record
    assert status["won"] == []
