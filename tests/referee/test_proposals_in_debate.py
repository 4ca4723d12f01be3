"""What becomes of proposals in debate: withdrawn where that is unknown, several at once, pushed to anew."""

from __future__ import annotations

from tests.support.meeting import rule
from tests.support.quick import SMALL, suber
from tests.support.seats import Sit

TEA = {"rules/tea.yaml": rule("Tea")}


def test_withdrawing_where_the_rules_know_none_is_told_beforehand_and_in_status(seats: Sit) -> None:
    table = seats(suber())
    pull = table.open("ann", TEA)
    table.referee(60)
    said = table.moot("ann", "withdraw", str(pull))
    assert "the rules know no withdrawing, so proposal 301 goes on" in said.err
    table.referee(60)
    said_ = table.status("ann")
    assert f"Proposal 301 goes on although its pull request {pull} is closed: the rules know no withdrawing." in said_
    assert "goes on" not in table.status("bob")


def test_where_the_rules_know_withdrawing_nothing_is_said(seats: Sit) -> None:
    table = seats(SMALL)
    pull = table.open("ann", TEA)
    table.referee(60)
    assert "withdrawing" not in table.moot("ann", "withdraw", str(pull)).err
    table.referee(60)
    assert "goes on" not in table.status("ann")


def test_an_update_before_the_vote_becomes_the_final_form(seats: Sit) -> None:
    table = seats(suber())
    pull = table.open("ann", TEA)
    table.referee(60)
    file = table.folder / "rum.yaml"
    file.write_bytes(rule("Rum"))
    said = table.moot("ann", "propose", "--update", str(pull), "--rule", str(file)).out
    assert f"Proposal 301 stays as it was submitted until you say `moot act finalise --on {pull}`" in said
    assert "Votes on" not in said
    table.referee(60)
    assert "proposal 301 stays as it was submitted until its author says" in table.said(pull)
    table.moot("ann", "act", "finalise", "--on", str(pull))
    table.referee(60)
    proposal = table.proposal(301)
    assert proposal["state"] == "open"
    assert proposal["changes"][0]["parts"]["title"] == "Rum"
    later = table.moot("ann", "propose", "--update", str(pull), "--rule", str(file), "--title", "Again").out
    assert "Proposal 301 is voted on as it was submitted" in later


def test_two_in_debate_are_told_apart(seats: Sit) -> None:
    law = suber()
    asleep = [{**each, "script": ""} if each["uid"] in ("201", "202") else each for each in law["rules"]]
    table = seats({**law, "rules": asleep})
    first = table.open("ann", TEA)
    second = table.open("ann", {"rules/rum.yaml": rule("Rum")})
    table.referee(60)
    owed = table.moot("ann", "status", "--json").record["owed"]
    commands = [each["command"] for each in owed if "finalise" in each["command"]]
    assert commands == ["moot act finalise proposal=301", "moot act finalise proposal=302"]
    table.moot("ann", "act", "finalise", code=3)
    table.moot("ann", "act", "finalise", "--anyway")
    table.referee(60)
    assert "several proposals of yours are being debated: say which, proposal=301 or proposal=302" in table.status(
        "ann"
    )
    assert [table.proposal(number)["state"] for number in (301, 302)] == ["pending", "pending"]
    table.moot("ann", "act", "finalise", "--on", str(second))
    table.referee(60)
    assert [table.proposal(number)["state"] for number in (301, 302)] == ["pending", "open"]
    assert first != second
    table.moot("ann", "act", "finalise")
    table.referee(60)
    assert table.proposal(301)["state"] == "open", "the only one that is left is meant"
