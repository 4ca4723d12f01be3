"""Table 15: what killed the judge in a trial is not tried again in each run, and a comment waits for no trial."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.referee import outbox
from folkmoot.sandbox.client import Sandbox
from tests.support.meeting import rule
from tests.support.quick import QuickMeeting


@pytest.fixture
def quick(tmp_path: Path) -> QuickMeeting:
    return QuickMeeting(tmp_path)


@pytest.mark.threat("T-26")
def test_a_killer_is_tried_once_for_each_law_and_content(quick: QuickMeeting, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def dying(self: Sandbox, changes: list[Any], title: str, *_: Any) -> dict[str, str]:
        tried.append(title)
        return {"died": "the judge ran longer than 1 s in a rule that this would make (on_acted)"}

    monkeypatch.setattr(Sandbox, "trial", dying)
    pull = quick.open("bob", {"rules/killer.yaml": rule("Killer")}, "Killer")
    quick.referee(60)
    assert "in a rule that this would make" in quick.said(pull)
    for voter in ("ann", "cid"):
        quick.say(voter, pull, "/vote against")
        quick.referee(60)
    assert tried == ["Killer"]
    assert "It cannot be tried" in quick.said(pull)
    assert "cid" in quick.said(pull).lower()


@pytest.mark.threat("T-26")
def test_what_is_taken_in_is_told_where_no_time_is_left_to_try_it(
    quick: QuickMeeting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "WORK_OF_PREVIEWS", 0.0)
    pull = quick.open("bob", {"rules/dragon.yaml": rule("A dragon")}, "A dragon")
    quick.referee(60)
    quick.say("ann", pull, "/vote for")
    quick.referee(60)
    assert quick.ballots() == {"ann": "for"}
    assert "**not tried yet**" in quick.said(pull)
    assert "ann" in quick.said(pull).lower()
    monkeypatch.setattr(outbox, "WORK_OF_PREVIEWS", 6.0)
    quick.referee(60)
    assert "not tried yet" not in quick.said(pull)
    assert "What adoption would do" in quick.said(pull)
