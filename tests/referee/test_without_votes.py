"""Reviews in games without votes: the law says what a review does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.game.rulesets import founding
from tests.support.meeting import Meeting, git, rule


def imperial(folder: Path, ruleset: str) -> Meeting:
    law: dict[str, Any] = {**founding(ruleset), "settings": {}, "opening": [], "offices": {"tie": "ann", "ths": "bob"}}
    return Meeting(folder, law=law)


@pytest.fixture(params=["imperial-training", "imperial"])
def court(request: pytest.FixtureRequest, tmp_path: Path) -> Meeting:
    return imperial(tmp_path, request.param)


def judged(court: Meeting, pull: int) -> dict[str, Any]:
    key = court.document(f"pulls/local/000/{pull}")["proposals"][0]
    number = int(key.partition("/")[2])
    return court.document(f"proposals/{number // 100 * 100:03d}/{number}")


def test_the_emperors_approval_accepts(court: Meeting) -> None:
    pull = court.propose("cid", "A dragon")
    court.approve("dee", pull, "I like it.")
    court.approve("ann", pull, "So be it.")
    court.referee(60)
    assert judged(court, pull)["outcome"] == "accepted"
    assert court.head(pull) in git(court.bare, "log", "--format=%P", "main")
    assert "advise" in [entry["do"] for entry in court.game().entries()]
    assert "accepted" in court.said(pull)


def test_the_emperors_request_for_changes_rejects(court: Meeting) -> None:
    pull = court.propose("cid", "A dragon")
    court.say("ann", pull, "No.", "request_changes")
    court.referee(60)
    assert judged(court, pull)["outcome"] == "rejected"


def test_ignoring_needs_a_ground_of_the_law(court: Meeting) -> None:
    pull = court.propose("cid", "A dragon")
    court.say("dee", pull, "/ignore 3")
    court.say("ann", pull, "/ignore 999 for no reason")
    court.referee(60)
    assert judged(court, pull)["outcome"] is None
    assert "E-GROUND" in court.said(pull)


def test_others_give_opinions(court: Meeting) -> None:
    pull = court.propose("cid", "A dragon")
    court.say("dee", pull, "It is too long.", "request_changes")
    court.referee(60)
    entry = court.game().entry(court.game().head.seq)
    assert (entry["by"], entry["do"]) == ("dee", "advise")
    assert entry["with"]["advice"] == "would reject it It is too long."
    assert judged(court, pull)["outcome"] is None


def test_the_comment_says_what_acceptance_and_rejection_would_do(court: Meeting) -> None:
    pull = court.propose("cid", "A dragon")
    court.referee(60)
    said = court.said(pull)
    assert "What acceptance would do" in said
    acceptance, _, rejection = said.partition("What rejection would do")
    assert "A dragon" in acceptance
    assert "cid" in acceptance.partition("What acceptance would do")[2]
    assert rejection


def test_requests_travel_with_a_proposal_and_are_shown_before(tmp_path: Path) -> None:
    court = imperial(tmp_path, "imperial")
    retool = b"do: retool\nargs: {section: 1, to: depressed}\n"
    files = {"rules/dragon.yaml": rule("A dragon"), "inbox/retool.yaml": retool}
    pull = court.open("cid", files, "A dragon")
    court.referee(60)
    assert judged(court, pull)["requests"] == [{"name": "retool", "args": {"section": 1, "to": "depressed"}}]
    said = court.said(pull)
    assert "retool" in said
    acceptance = said.partition("What acceptance would do")[2].partition("What rejection would do")[0]
    assert "woodchip for “retooling” by rule 14" in acceptance
    assert "Feel the Heat" in acceptance
    court.approve("ann", pull)
    court.referee(60)
    assert judged(court, pull)["outcome"] == "accepted"
    assert court.document("pulls/local/000/1")["proposals"]


def test_a_request_that_cannot_travel_is_said_before_it_counts(tmp_path: Path) -> None:
    court = imperial(tmp_path, "imperial")
    files = {"rules/dragon.yaml": rule("A dragon"), "inbox/retool.yaml": b"do: retool\nargs: {sector: 1}\n"}
    pull = court.open("cid", files, "A dragon")
    court.referee(60)
    assert "takes no argument sector" in court.said(pull)
