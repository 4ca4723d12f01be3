"""What was said before any rule knew it is not taken up when a rule comes to know it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from folkmoot.game.session import Session
from folkmoot.referee.content import Content
from folkmoot.referee.intake import Intake
from folkmoot.referee.recorder import Recorder
from tests.support.quick import QuickMeeting, suber

DANCE = {"summary": "Dance", "arguments": {}}
SCRIPT = 'def do_dance(a):\n    announce("%s dances." % a.by)\n'


@pytest.fixture
def meeting(tmp_path: Path) -> QuickMeeting:
    return QuickMeeting(tmp_path, law=suber())


def repaired(meeting: QuickMeeting, change: dict[str, Any]) -> None:
    meeting.say("ann", 0, f"/do repair why=Try changes='{json.dumps([change])}'")
    meeting.referee(60)
    assert meeting.journal()[-1]["do"] == "repair", meeting.said(0)


def danced(meeting: QuickMeeting) -> int:
    return sum(entry["do"] == "dance" for entry in meeting.journal())


def test_a_word_that_nothing_knew_stays_without_effect(meeting: QuickMeeting) -> None:
    pull = meeting.propose("ann", "A bridge")
    meeting.say("bob", pull, "/dance")
    meeting.referee(60)
    assert "there is no command /dance" in meeting.said(pull)
    enacted = {"enact": {"title": "Dances", "text": "One may dance.", "actions": {"dance": DANCE}, "script": SCRIPT}}
    repaired(meeting, enacted)
    for _ in range(2):
        meeting.referee(60)
        assert danced(meeting) == 0
    assert "no rule knew that when it was said" in meeting.said(pull)
    meeting.say("bob", pull, "/dance")
    meeting.referee(60)
    assert danced(meeting) == 1
    later = meeting.document("law")["rules"]
    uid = next(uid for uid, meta in later.items() if meta["cause"] != "founding")
    before = later[uid]["at"]
    repaired(meeting, {"amend": uid, "text": "One may dance, and sing."})
    revised = meeting.document("law")["rules"][uid]["at"]
    record = meeting.game()
    with Session.on(record) as session:
        intake = Intake(Recorder(session, record, "local"), lambda _: Content(head="", base="", digest=""), {})
        assert [intake._came_later("dance", at) for at in (before - 1, before, revised - 1, revised)] == [
            True,
            *[False] * 3,
        ]
    assert meeting.sound()
