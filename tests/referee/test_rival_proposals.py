"""Two proposals that change one passage: said while both are open, and of the one that is left out at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.core.proposal_numbers import omission
from tests.support.meeting import GAME, PLAYERS
from tests.support.quick import QuickMeeting

SAME = "The same passage is changed by proposal"


@pytest.fixture
def meeting(tmp_path: Path) -> QuickMeeting:
    """Return a meeting with a rule of two sentences."""
    met = QuickMeeting(tmp_path)
    number = met.propose("ann", "Points")
    met.referee()
    for who in PLAYERS:
        met.say(who, number, "/vote for")
    met.referee(60)
    return met


def changed(meeting: QuickMeeting, person: str, old: str, new: str) -> int:
    """Let somebody propose that the rule says something else; return the pull request."""
    tree = meeting.repo[meeting.tip()].tree  # type: ignore[union-attr]
    text = tree[f"state/{GAME}/rules/301.yaml"].data.decode()  # type: ignore[union-attr]
    assert old in text
    number = meeting.propose(person, new, r301=text.replace(old, new).encode())
    meeting.referee(60)
    return number


def adopted(meeting: QuickMeeting, number: int) -> None:
    for who in PLAYERS:
        meeting.say(who, number, "/vote for")
    meeting.referee(60)


def test_what_changes_one_passage_is_told_while_both_are_open(meeting: QuickMeeting) -> None:
    red = changed(meeting, "ann", "title: Points", "title: Red Points")
    assert SAME not in meeting.said(red)
    blue, text = changed(meeting, "bob", "title: Points", "title: Blue Points"), ""
    assert f"{SAME} 303. What is adopted first stands" in meeting.said(red)
    assert f"{SAME} 302. What is adopted first stands" in meeting.said(blue)
    text = meeting.said(changed(meeting, "cid", "Let it be so.", "Let it be otherwise."))
    assert SAME not in text, "another passage"
    meeting.say("bob", blue, "", "close")
    meeting.referee(60)
    adopted(meeting, red)
    assert "But **" not in meeting.said(red)


def test_an_adopted_change_that_was_left_out_is_told_first(meeting: QuickMeeting) -> None:
    red = changed(meeting, "ann", "title: Points", "title: Red Points")
    blue = changed(meeting, "bob", "title: Points", "title: Blue Points")
    adopted(meeting, red)
    adopted(meeting, blue)
    assert meeting.document("rules/301")["title"] == "Red Points"
    assert meeting.proposal(303)["outcome"] == "adopted"
    first = next(line for line in meeting.said(blue).splitlines() if "**adopted**" in line)
    assert "But **nothing of it became law:" in first
    assert "**It retitles rule 301** · Points · **left out**" in meeting.said(blue)
    assert "left out" not in meeting.said(red)
    assert omission(meeting.proposal(303)).startswith("nothing of it became law: ")  # type: ignore[arg-type]
    assert omission(meeting.proposal(302)) == ""  # type: ignore[arg-type]
