"""Language L2: what is pushed to a pull request whose proposal is recorded reaches the law, which says what it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.meeting import GAME, PLAYERS, rule
from tests.support.quick import SMALL, QuickMeeting
from tests.support.table import VOTING, Table, failed, reasons
from tests.support.table import rule as law_rule

NEW = {"enact": {"title": "New", "text": "x"}}
TAKING = {"arguments": {"proposal": {"type": "proposal"}, "changes": {"type": "changes"}}}
REWORD = "def do_reword(a):\n    revise(proposal(a.args.proposal), changes = a.args.changes)\n"
ANEW = (
    "def do_anew(a):\n    resolve(proposal(a.args.proposal), 'withdrawn')\n"
    "    open_voting(submit(a.args.title, a.args.changes))\n"
)
TAKEN = "def decide_taken_as(pull):\n    return 'propose'\n"
TITLED = {"arguments": {**TAKING["arguments"], "title": {"type": "text"}}}


def push_law(answer: str) -> dict[str, Any]:
    """Return the small game with a rule that answers what becomes of a push."""
    script = f"{REWORD}{ANEW}{TAKEN}def decide_push(p, changes):\n    return {answer}\n"
    made = law_rule("50", script, actions={"reword": TAKING, "anew": TITLED})
    return {**SMALL, "rules": [*SMALL["rules"], made]}


def pushed(folder: Path, answer: str, text: str = "There is a toll.") -> tuple[QuickMeeting, int]:
    """Let ann propose, bob approve and ann push other content; return the meeting and the pull request."""
    meeting = QuickMeeting(folder, law=push_law(answer))
    pull = meeting.propose("ann", "A bridge")
    meeting.referee(60)
    meeting.approve("bob", pull)
    meeting.referee(60)
    files = {f"state/{GAME}/rules/dragon.yaml": rule("A bridge", text)}
    meeting.put(f"refs/pull/{pull}/head", meeting.change("ann", files))
    meeting.referee(60)
    return meeting, pull


def test_without_an_answer_the_proposal_stays_as_it_was(tmp_path: Path) -> None:
    meeting, pull = pushed(tmp_path, "None")
    assert "toll" not in str(meeting.proposal(301)["changes"])
    assert meeting.ballots() == {"bob": "for"}
    assert "this newer content is not" in meeting.said(pull)


def test_a_push_may_be_a_revision(tmp_path: Path) -> None:
    meeting, pull = pushed(tmp_path, '{"do": "reword"}')
    proposal = meeting.proposal(301)
    assert "toll" in str(proposal["changes"])
    assert (proposal["via"]["head"], proposal["ballots"]) == (meeting.head(pull), {})
    assert meeting.journal()[-1]["via"]["review"] == {"rule": "50"}
    for who in PLAYERS:
        meeting.approve(who, pull)
    report = meeting.referee(60)
    assert meeting.proposal(301)["outcome"] == "adopted"
    assert str(meeting.repo[report.after].parent_ids[1]) == meeting.head(pull)
    count = len(meeting.journal())
    meeting.referee(60)
    assert len(meeting.journal()) == count
    assert meeting.sound()


def test_a_push_may_be_a_proposal_anew(tmp_path: Path) -> None:
    meeting, pull = pushed(tmp_path, '{"do": "anew"}')
    assert meeting.proposal(301)["outcome"] == "withdrawn"
    assert "toll" in str(meeting.proposal(302)["changes"])
    meeting.approve("bob", pull)
    meeting.referee(60)
    assert meeting.ballots(302) == {"bob": "for"}


def test_a_push_may_be_refused_with_its_reason(tmp_path: Path) -> None:
    meeting, pull = pushed(tmp_path, 'refuse("E-TIME", "the vote has begun")')
    assert "toll" not in str(meeting.proposal(301)["changes"])
    assert "the vote has begun" in meeting.said(pull)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("'reword'", "it must be a map with `do`"),
        ("7", "it must be a map with `do`"),
        ("{'do': 'vote'}", "vote is for people to do in person"),
        ("{'do': 'join'}", "join is for people to do in person"),
        ("{'do': 'pause'}", "pause is for administrators to do"),
        ("{'do': 'fly'}", "no rule in force knows an action"),
        ("{'do': 'propose', 'args': 7}", "`args` must be a map"),
        ("1 // 0", None),
    ],
)
def test_nonsense_is_no_act(answer: str, why: str | None) -> None:
    table = Table(VOTING, law_rule("5", f"def decide_push(p, changes):\n    return {answer}"))
    table.ok("ann", "propose", changes=[NEW])
    found = table.kernel.read_push("proposal/901", [NEW], table.now)
    assert found is None if why is None else (found["rule"] == "5" and why in found["why"] and "do" not in found)


def test_content_that_can_be_no_change_is_refused() -> None:
    table = Table(VOTING, law_rule("5", "def decide_push(p, changes):\n    return {'do': 'propose'}"))
    table.ok("ann", "propose", changes=[NEW])
    assert table.kernel.read_push("proposal/901", [{"amend": "77"}], table.now)["code"] == "E-NO-SUCH"


def test_nonsense_leaves_everything_as_it_was(tmp_path: Path) -> None:
    meeting, pull = pushed(tmp_path, '{"do": "fly"}')
    assert "toll" not in str(meeting.proposal(301)["changes"])
    assert meeting.ballots() == {"bob": "for"}
    assert "new content" in meeting.said(pull)


def test_only_the_newest_push_revises(tmp_path: Path) -> None:
    """A push that was refused is not taken when a later one was."""
    answer = '{"do": "reword"} if "ferry" in changes[0].text else refuse("E-TIME", "no")'
    meeting, pull = pushed(tmp_path, answer)
    files = {f"state/{GAME}/rules/dragon.yaml": rule("A bridge", "There is a ferry.")}
    meeting.put(f"refs/pull/{pull}/head", meeting.change("ann", files))
    meeting.referee(60)
    assert "ferry" in str(meeting.proposal(301)["changes"])
    count = len(meeting.journal())
    meeting.referee(60)
    assert len(meeting.journal()) == count


CHANGING = law_rule(
    "1",
    "def do_change(a):\n    revise(proposal(901), title = 'y', keep_ballots = a.args.keep)\n"
    "def on_proposal_revised(e):\n    announce(e.proposal.title)\n",
    actions={"change": {"arguments": {"keep": {"type": "boolean"}}}},
)


@pytest.mark.parametrize(("keep", "left"), [(False, []), (True, ["bob"])])
def test_an_open_proposal_is_revised_and_the_law_says_what_its_ballots_are(keep: bool, left: list[str]) -> None:
    table = Table(VOTING, CHANGING)
    table.ok("ann", "propose", changes=[NEW])
    table.ok("bob", "vote", proposal=901, choice="for")
    outcome = table.ok("ann", "change", keep=keep)
    assert (table.proposal(901)["title"], list(table.proposal(901)["ballots"])) == ("y", left)
    assert [e.get("players") for e in outcome.effects if e["effect"] == "revise"] == [None if keep else ["bob"]]
    assert failed(outcome) == [] == reasons(outcome, "E-ORDER")
    for player in ("ann", "bob", "cid"):
        table.ok(player, "vote", proposal=901, choice="for")
    assert table.proposal(901)["outcome"] == "adopted"
    assert table.refused("ann", "change", keep=keep) == "E-ORDER"


def test_a_frozen_one_is_not() -> None:
    freezing = law_rule("2", "def on_voting_opened(e):\n    freeze(e.proposal)")
    table = Table(VOTING, CHANGING, freezing)
    table.ok("ann", "propose", changes=[NEW])
    assert table.refused("ann", "change", keep=False) == "E-ORDER"


def test_a_push_may_stand_for_an_act_that_takes_no_content(tmp_path: Path) -> None:
    meeting, _ = pushed(tmp_path, '{"do": "withdraw"}')
    assert meeting.proposal(301)["outcome"] == "withdrawn"


WISHES = law_rule(
    "60",
    "def do_again(a):\n    revise(proposal(901), requests = a.requests if a.args.all else None)\n"
    "def do_oddly(a):\n    revise(proposal(901), requests = a.args.given)\n"
    "def do_newly(a):\n    submit('x', [], a.args.given, number = 7)\n",
    actions={
        "wish": {"travels": "with_proposal", "arguments": {"for": {"type": "text"}}},
        "again": {"arguments": {"all": {"type": "boolean"}}},
        "oddly": {"arguments": {"given": {"type": "any"}}},
        "newly": {"arguments": {"given": {"type": "any"}}},
    },
)


def test_what_travels_with_a_proposal_is_revised_with_it() -> None:
    table = Table(VOTING, WISHES)
    table.ok("ann", "propose", changes=[NEW])
    table.ok("ann", "again", all=True, requests=[{"wish": {"for": "rain"}}])
    assert table.proposal(901)["requests"] == [{"name": "wish", "args": {"for": "rain"}}]
    table.ok("ann", "again", all=False)
    assert table.proposal(901)["requests"][0]["name"] == "wish"
    table.ok("ann", "again", all=True)
    assert table.proposal(901)["requests"] == []
    table.replay_all()


@pytest.mark.parametrize("do", ["oddly", "newly"])
@pytest.mark.parametrize("given", [7, "rain", [7], [{"name": "wish"}], {"wish": {}}])
def test_what_is_no_request_is_refused_and_changes_nothing(do: str, given: Any) -> None:
    table = Table(VOTING, WISHES)
    table.ok("ann", "propose", changes=[NEW])
    outcome = table.act("ann", do, given=given)
    assert (outcome.accepted, [failure["code"] for failure in outcome.failures]) == (False, ["E-ARGS"])
    assert table.proposal(901)["requests"] == []
