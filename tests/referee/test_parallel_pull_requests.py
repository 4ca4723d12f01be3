"""Language L9 (W3): pull requests from one base that amend one rule are merged by passage, comments of the files too."""

from __future__ import annotations

from pathlib import Path

import pygit2
import pytest

from tests.support.meeting import GAME
from tests.support.quick import SMALL, QuickMeeting
from tests.support.table import rule

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


def test_l9_pull_requests_from_one_base_are_put_together(meeting: QuickMeeting) -> None:
    base = meeting.tip()
    one = amended(meeting, "ann", base, ("a day", "a week"), ("text:", "# how long turns are\ntext:"))
    two = amended(meeting, "bob", base, ("one coin", "two coins"), ("title:", "# what it is called\ntitle:"))
    three = amended(meeting, "cid", base, ("a day", "an hour"))
    meeting.referee(60)
    for pull in (one, two, three):
        for who in ("ann", "bob", "cid", "dee"):
            meeting.approve(who, pull)
        report = meeting.referee(60)
        if pull != three:
            assert str(meeting.repo[report.after].parent_ids[1]) == meeting.head(pull)  # type: ignore[union-attr]
    text = read(meeting)
    assert "A turn lasts a week. Who is late pays two coins." in text
    assert "# how long turns are\ntext:" in text
    assert "# what it is called\ntitle:" in text
    assert meeting.document("rules/5")["text"] == TEXT.replace("a day", "a week").replace("one coin", "two coins")
    why = "rule 5 was changed meanwhile in the same passage of its text"
    assert why in meeting.said(three)
    assert why not in meeting.said(two)
    assert [omitted["code"] for omitted in meeting.proposal(303)["omitted"]] == ["E-STALE"]
    assert [change["revision"] for n in (301, 302, 303) for change in meeting.proposal(n)["changes"]] == [1, 1, 1]
    assert meeting.sound()


def test_l9_the_comment_shows_a_stale_change_alone(meeting: QuickMeeting) -> None:
    base = meeting.tip()
    one = amended(meeting, "ann", base, ("a day", "a week"))
    two = amended(meeting, "bob", base, ("one coin", "two coins"))
    for who in ("ann", "bob", "cid", "dee"):
        meeting.approve(who, one)
    meeting.referee(60)
    meeting.referee(60)
    said = meeting.said(two)
    shown = said.partition("#### What it would change")[2].partition("####")[0]
    assert "coins" in shown
    assert "week" not in shown
    assert "The game has changed this rule since this change of it was made" in said
