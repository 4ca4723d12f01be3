"""Votes are bound to what is voted on, also where that is the final form of something; what was void stays void."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.core.fault_points import fault_hook
from folkmoot.forges.local.forge import LocalForge
from tests.support.meeting import GAME, PLAYERS, git, rule
from tests.support.quick import QuickMeeting, suber


@pytest.fixture
def meeting(tmp_path: Path) -> QuickMeeting:
    return QuickMeeting(tmp_path, law=suber())


def revised(meeting: QuickMeeting) -> tuple[int, str]:
    """Let ann propose a rule and end its debate with another text; return its pull request, and its first head."""
    pull = meeting.propose("ann", "A bridge")
    first = meeting.head(pull)
    meeting.approve("bob", pull, "Early.")
    meeting.say("cid", pull, "/vote for")
    meeting.referee(60)
    files = {f"state/{GAME}/rules/dragon.yaml": rule("A bridge", "There is a toll.")}
    meeting.put(f"refs/pull/{pull}/head", meeting.change("ann", files))
    meeting.referee(60)
    meeting.say("ann", pull, "/finalise")
    meeting.referee(60)
    return pull, first


@pytest.mark.threat("T-15")
def test_what_was_approved_before_the_final_form_does_not_count_for_it(meeting: QuickMeeting) -> None:
    pull, first = revised(meeting)
    proposal = meeting.proposal(301)
    assert "toll" in str(proposal["changes"])
    assert (proposal["via"]["head"], proposal["ballots"]) == (meeting.head(pull), {})
    said = meeting.said(pull)
    assert "it was made on other content than what is voted on" in said
    assert "it was cast before the text was changed to what is voted on now" in said
    meeting.approve("bob", pull, "of the old text", head=first)
    meeting.referee(60)
    assert meeting.ballots() == {}


def test_what_is_approved_after_the_final_form_counts_and_is_merged(meeting: QuickMeeting) -> None:
    pull, _ = revised(meeting)
    for who in PLAYERS:
        meeting.approve(who, pull)
    report = meeting.referee(60)
    assert meeting.proposal(301)["outcome"] == "adopted"
    assert str(meeting.repo[report.after].parent_ids[1]) == meeting.head(pull)
    assert meeting.sound()


@pytest.mark.threat("T-15")
def test_the_redline_is_of_what_is_voted_on(meeting: QuickMeeting) -> None:
    pull = meeting.propose("ann", "A bridge")
    meeting.say("ann", pull, "/finalise")
    meeting.referee(60)
    files = {f"state/{GAME}/rules/dragon.yaml": rule("A bridge", "Ann is the dictator.")}
    meeting.put(f"refs/pull/{pull}/head", meeting.change("ann", files))
    meeting.referee(60)
    said = meeting.said(pull)
    assert "this newer content is not" in said
    assert "Let it be so." in said
    assert "dictator" not in said


class Killed(BaseException):
    """The end of a process."""


@pytest.mark.parametrize("what", ["review", "vote", "propose"])
def test_what_was_void_stays_void_if_a_run_died_before_it_could_answer(meeting: QuickMeeting, what: str) -> None:
    pull, first = revised(meeting)
    if what == "review":
        meeting.approve("dee", pull, head=first)
    elif what == "propose":
        meeting.say("ann", pull, "/propose")
    meeting.referee(60)
    for who in PLAYERS:
        meeting.say(who, pull, "/vote for")
    pushed = 0

    def die(point: str) -> None:
        nonlocal pushed
        pushed += point == "mirrored"
        if pushed == 2:  # what was seen and what was played are there, no answer is
            raise Killed

    meeting.now += 60
    with fault_hook(die), pytest.raises(Killed):
        meeting.referee()
    before = [entry["do"] for entry in meeting.journal()]
    assert meeting.proposal(301)["outcome"] == "adopted"
    for _ in range(2):
        meeting.referee(60, forge=LocalForge(meeting.bare))
    assert [entry["do"] for entry in meeting.journal()] == before
    assert meeting.sound()


ODD = b"""\
title: A dragon
script: |
  def do_roar(a):
      pass
actions:
  roar: {arguments: {how: {optional: true, type: text}}, summary: Roar}
labels: {zeta: a, alpha: b}
text: |
  It roars.
"""


@pytest.mark.parametrize("later", ["amended", "repealed"])
def test_a_rule_with_its_parts_in_another_order_has_one_history(tmp_path: Path, later: str) -> None:
    """Read from its file or not, it is put away as the same bytes, so that a replay finds what lies there."""
    meeting = QuickMeeting(tmp_path)
    for number in (301, 302):
        files: dict[str, bytes | None] = {"rules/dragon.yaml": ODD}
        if number == 302:
            kept = git(meeting.bare, "show", f"main:state/{GAME}/rules/301.yaml") + "\n"
            files = {"rules/301.yaml": kept.replace("roars", "sleeps").encode() if later == "amended" else None}
        pull = meeting.open("ann", files)
        meeting.referee(60)
        for who in PLAYERS:
            meeting.say(who, pull, "/vote for")
        meeting.referee(60)
    assert meeting.proposal(302)["outcome"] == "adopted"
    assert len(meeting.document("history/301")["revisions"]) == (1 if later == "amended" else 2)
    assert meeting.sound()
