"""Votes are bound to what is voted on, in time; and what becomes of proposals that others meet on their way."""

from __future__ import annotations

from pathlib import Path

import pygit2
import pytest

from folkmoot.core.fault_points import fault_hook
from folkmoot.core.proposal_numbers import omission
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import Letter
from folkmoot.referee.facts import head_at
from folkmoot.referee.report import Report
from tests.support.letters import voting
from tests.support.meeting import GAME, PLAYERS, START, git
from tests.support.meeting import rule as rule_file
from tests.support.quick import DAY, HERE, SMALL, QuickMeeting, adopted, quick, suber
from tests.support.seats import Sit
from tests.support.table import rule

__all__ = ["quick", "voting"]

# -- in time


@pytest.mark.threat("T-20")
def test_the_deadline_to_the_second(voting: QuickMeeting) -> None:
    """The second at which a vote ends is still in time, the next one is not."""
    end = START + 7 * DAY
    voting.now = end
    voting.approve("bob", 1)
    voting.referee()
    assert voting.ballots() == {"bob": "for"}
    assert voting.proposal(301)["state"] == "open"
    voting.now = end + 1
    voting.approve("cid", 1)
    voting.referee()
    assert voting.ballots() == {"bob": "for"}
    assert voting.proposal(301)["outcome"] == "defeated"
    assert "cid, vote" in voting.said(1)
    voting.now = START + 60  # a clock set back brings nobody in time
    voting.approve("dee", 1)
    voting.referee()
    assert voting.ballots() == {"bob": "for"}
    assert voting.sound()


# -- what becomes of letters and pull requests


@pytest.mark.threat("T-19")
def test_a_pull_request_whose_ref_is_deleted(voting: QuickMeeting) -> None:
    voting.approve("bob", 1)
    voting.referee(60)
    head = voting.head(1)
    voting.put("refs/pull/1/head", "")
    for voter in ("ann", "cid", "dee"):
        voting.send(voter, Letter(pull=1, kind="approve", head=head))
    voting.referee(60)
    assert voting.proposal(301)["outcome"] == "adopted"
    assert head in [str(each) for each in voting.repo[voting.tip()].parent_ids]


def test_a_base_that_moved_keeps_the_ballots(voting: QuickMeeting) -> None:
    first = voting.head(1)
    voting.approve("bob", 1)
    voting.referee(60)
    adopted(voting, "cid", rbog=rule_file("A bog"))
    rebased = voting.change("ann", {f"{HERE}/rules/dragon.yaml": rule_file("A dragon")}, "Again, on top")
    voting.put("refs/pull/1/head", rebased)
    voting.approve("dee", 1, head=rebased)
    voting.referee(60)
    assert voting.ballots() == {"bob": "for", "dee": "for"}
    assert "newer content" not in voting.said(1)
    (pull,) = (pull for pull in voting.forge.look(voting.now).pulls if pull.number == 1)
    assert [head_at(pull, at).commit for at in (START, pull.head.at - 1, pull.head.at)] == [first, first, rebased]


# -- the final form of something


@pytest.fixture
def debate(tmp_path: Path) -> QuickMeeting:
    return QuickMeeting(tmp_path, law=suber())


def revised(debate: QuickMeeting) -> tuple[int, str]:
    """Let ann propose a rule and end its debate with another text; return its pull request, and its first head."""
    pull = debate.propose("ann", "A bridge")
    first = debate.head(pull)
    debate.approve("bob", pull, "Early.")
    debate.say("cid", pull, "/vote for")
    debate.referee(60)
    files = {f"state/{GAME}/rules/dragon.yaml": rule_file("A bridge", "There is a toll.")}
    debate.put(f"refs/pull/{pull}/head", debate.change("ann", files))
    debate.referee(60)
    debate.say("ann", pull, "/finalise")
    debate.referee(60)
    return pull, first


@pytest.mark.threat("T-15")
def test_what_was_approved_before_the_final_form_does_not_count_for_it_and_what_came_after_does(
    debate: QuickMeeting,
) -> None:
    pull, first = revised(debate)
    proposal = debate.proposal(301)
    assert "toll" in str(proposal["changes"])
    assert (proposal["via"]["head"], proposal["ballots"]) == (debate.head(pull), {})
    final = debate.head(pull)
    said = debate.said(pull)
    assert "it was made on other content than what is voted on" in said
    assert "it was cast before the text was changed to what is voted on now" in said
    debate.approve("bob", pull, "of the old text", head=first)
    dictator = {f"state/{GAME}/rules/dragon.yaml": rule_file("A bridge", "Ann is the dictator.")}
    debate.put(f"refs/pull/{pull}/head", debate.change("ann", dictator))
    debate.referee(60)
    assert debate.ballots() == {}
    said = debate.said(pull)
    assert "this newer content is not" in said
    assert ("toll" in said, "dictator" in said) == (True, False), "the redline is of what is voted on"
    for who in PLAYERS:
        debate.approve(who, pull, head=final)
    report = debate.referee(60)
    assert debate.proposal(301)["outcome"] == "adopted"
    assert str(debate.repo[report.after].parent_ids[1]) == final
    assert debate.sound()


def test_what_was_void_stays_void_if_a_run_died_before_it_could_answer(debate: QuickMeeting) -> None:
    pull, first = revised(debate)
    debate.approve("dee", pull, head=first)
    debate.say("ann", pull, "/propose")
    debate.referee(60)
    for who in PLAYERS:
        debate.say(who, pull, "/vote for")
    pushed = 0

    def die(point: str) -> None:
        nonlocal pushed
        pushed += point == "mirrored"
        if pushed == 2:  # what was seen and what was played are there, no answer is
            raise KeyboardInterrupt

    debate.now += 60
    with fault_hook(die), pytest.raises(KeyboardInterrupt):
        debate.referee()
    before = [entry["do"] for entry in debate.journal()]
    assert debate.proposal(301)["outcome"] == "adopted"
    for _ in range(2):
        debate.referee(60, forge=LocalForge(debate.bare))
    assert [entry["do"] for entry in debate.journal()] == before
    assert debate.sound()


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
def test_a_rule_with_its_parts_in_another_order_has_one_history(quick: QuickMeeting, later: str) -> None:
    """Read from its file or not, it is put away as the same bytes, so that a replay finds what lies there."""
    adopted(quick, "ann", dragon=ODD)
    kept = git(quick.bare, "show", f"main:state/{GAME}/rules/301.yaml") + "\n"
    adopted(quick, "ann", r301=kept.replace("roars", "sleeps").encode() if later == "amended" else None)
    assert quick.proposal(302)["outcome"] == "adopted"
    assert len(quick.document("history/301")["revisions"]) == (1 if later == "amended" else 2)
    assert quick.sound()


# -- proposals that change one passage


TEXT = "Anybody may pass. A turn lasts a day. Who is late pays one coin.\n\nCoins are round.\n"
FILE = f"state/{GAME}/rules/5.yaml"


@pytest.fixture
def meeting(tmp_path: Path) -> QuickMeeting:
    return QuickMeeting(tmp_path, law={**SMALL, "rules": [*SMALL["rules"], rule("5", text=TEXT)]})


def read(meeting: QuickMeeting) -> str:
    tree = meeting.repo[meeting.tip()].peel(pygit2.Tree)
    return tree[FILE].data.decode()  # type: ignore[union-attr]


def amended(meeting: QuickMeeting, person: str, base: str, *edits: tuple[str, str]) -> int:
    text = read(meeting)
    for before, after in edits:
        assert before in text
        text = text.replace(before, after)
    return meeting.pull(meeting.change(person, {FILE: text.encode()}, f"Of {person}", base))


def all_approve(meeting: QuickMeeting, number: int) -> Report:
    for who in PLAYERS:
        meeting.approve(who, number)
    return meeting.referee(60)


# -- of one passage


def test_pull_requests_from_one_base_are_put_together(meeting: QuickMeeting) -> None:
    base = meeting.tip()
    one = amended(meeting, "ann", base, ("a day", "a week"), ("text:", "# how long turns are\ntext:"))
    two = amended(meeting, "bob", base, ("one coin", "two coins"), ("title:", "# what it is called\ntitle:"))
    three = amended(meeting, "cid", base, ("a day", "an hour"))
    meeting.referee(60)
    for pull in (one, two, three):
        report = all_approve(meeting, pull)
        if pull != three:
            assert str(meeting.repo[report.after].parent_ids[1]) == meeting.head(pull)  # type: ignore[union-attr]
        if pull == one:
            shown = meeting.said(two).partition("#### What it would change")[2].partition("####")[0]
            assert ("coins" in shown, "week" in shown) == (True, False), "a stale change is shown alone"
            assert "The game has changed this rule since this change of it was made" in meeting.said(two)
    text = read(meeting)
    assert "A turn lasts a week. Who is late pays two coins." in text
    assert "# how long turns are\ntext:" in text
    assert "# what it is called\ntitle:" in text
    assert meeting.document("rules/5")["text"] == TEXT.replace("a day", "a week").replace("one coin", "two coins")
    why = "rule 5 was changed meanwhile in the same passage of its text"
    assert (why in meeting.said(three), why in meeting.said(two)) == (True, False)
    assert [omitted["code"] for omitted in meeting.proposal(303)["omitted"]] == ["E-STALE"]
    assert [change["revision"] for n in (301, 302, 303) for change in meeting.proposal(n)["changes"]] == [1, 1, 1]
    assert meeting.sound()


def test_an_adopted_change_that_was_left_out_is_told_first(meeting: QuickMeeting) -> None:
    base = meeting.tip()
    red = amended(meeting, "ann", base, ("title: Rule 5", "title: Red Points"))
    blue = amended(meeting, "bob", base, ("title: Rule 5", "title: Blue Points"))
    green = amended(meeting, "cid", base, ("title: Rule 5", "title: Green Points"))
    meeting.referee(60)
    meeting.say("cid", green, "", "close")
    meeting.referee(60)
    all_approve(meeting, red)
    all_approve(meeting, blue)
    assert meeting.document("rules/5")["title"] == "Red Points"
    assert meeting.proposal(302)["outcome"] == "adopted"
    first = next(line for line in meeting.said(blue).splitlines() if "**adopted**" in line)
    assert "But **nothing of it became law:" in first
    assert "**It retitles rule 5** · Rule 5 · **left out**" in meeting.said(blue)
    assert "left out" not in meeting.said(red)
    assert omission(meeting.proposal(302)).startswith("nothing of it became law: ")  # type: ignore[arg-type]
    assert omission(meeting.proposal(301)) == ""  # type: ignore[arg-type]


# -- in debate, and withdrawn

TEA = {"rules/tea.yaml": rule_file("Tea")}


def test_a_vote_whose_pull_request_is_closed_goes_on_by_its_number(seats: Sit) -> None:
    table = seats(suber())
    pull = table.open("ann", TEA)
    table.referee(60)
    said = table.moot("bob", "vote", "--motion", "301", "for", code=1).err
    assert "there is no motion 301" in said
    assert "`moot vote --proposal 301 CHOICE`" in said
    table.moot("ann", "act", "finalise")
    table.referee(60)
    said = table.moot("ann", "withdraw", str(pull), "It", "was", "a", "mistake.").err
    assert "the rules know no withdrawing: the proposal stays" in said
    table.referee(60)
    assert "Voted for on proposal 301" in table.moot("bob", "vote", str(pull), "for").out
    owed = table.moot("bob", "status", "--json").record["owed"]
    assert [each["command"] for each in owed] == ["moot vote --proposal 301 for"]
    table.referee(60)
    assert "bob" in table.ballots()


def test_an_update_before_the_vote_becomes_the_final_form(seats: Sit) -> None:
    table = seats(suber())
    pull = table.open("ann", TEA)
    table.referee(60)
    file = table.folder / "rum.yaml"
    file.write_bytes(rule_file("Rum"))
    said = table.moot("ann", "propose", "--update", str(pull), "--rule", str(file)).err
    assert "proposal 301 stays as it was submitted until its author says `/do finalise` here" in said
    table.referee(60)
    assert "proposal 301 stays as it was submitted until its author says" in table.said(pull)
    table.moot("ann", "act", "finalise", "--on", str(pull))
    table.referee(60)
    proposal = table.proposal(301)
    assert proposal["state"] == "open"
    assert proposal["changes"][0]["parts"]["title"] == "Rum"


def test_two_in_debate_are_told_apart(seats: Sit) -> None:
    law = suber()
    asleep = [{**each, "script": ""} if each["uid"] in ("201", "202") else each for each in law["rules"]]
    table = seats({**law, "rules": asleep})
    first = table.open("ann", TEA)
    second = table.open("ann", {"rules/rum.yaml": rule_file("Rum")})
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
