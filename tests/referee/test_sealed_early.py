"""Before a vote is open nobody can seal a ballot on it: where it may be sealed, no choice is sent before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.game.session import Session
from folkmoot.player.sealing import require_open_ballots
from tests.support.quick import QuickMeeting
from tests.support.sealed_law import SECRET
from tests.support.table import VOTING, rule

LATER = {**VOTING, "script": str(VOTING["script"]).replace("open_voting(submit(", "(submit(")}
ONLY_MOTIONS = rule("2", "def decide_ballots_sealed(p):\n    return p.kind == 'motion'\n")


def refusal(meeting: QuickMeeting, proposal: Any) -> str:
    with Session.on(meeting.game()) as session:
        known = session.proposal(proposal) if proposal else None
        try:
            require_open_ballots(session, known)
        except ProblemError as error:
            return error.problems[0].code
    return ""


@pytest.mark.parametrize(
    ("secrecy", "unknown", "submitted"),
    [(None, "", ""), (SECRET, "E-SEALED", "E-SEALED"), (ONLY_MOTIONS, "E-SEALED", "")],
)
def test_no_choice_is_sent_on_what_may_be_sealed(tmp_path: Path, secrecy: Any, unknown: str, submitted: str) -> None:
    rules = [LATER, *([secrecy] if secrecy else [])]
    meeting = QuickMeeting(tmp_path, law={"title": "Tea", "zone": "UTC", "rules": rules})
    meeting.open("ann", {"rules/tea.yaml": b"title: Tea\ntext: Tea is served.\n"}, "Tea")
    meeting.referee()
    assert meeting.proposal(901)["opened_at"] is None
    assert (refusal(meeting, None), refusal(meeting, "proposal/901")) == (unknown, submitted)
