"""Forms on GitHub, and on Forgejo and Gitea: what is filled in is played, answered in the issue, voted on below it, and closed when it is over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from folkmoot.files.issue_forms import CHANGES, STATEMENT
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.github.github_meeting import GitHubMeeting
from tests.forges.smart_http import serving
from tests.support.forms import written

Table = GitHubMeeting | GiteaMeeting


@pytest.fixture(params=[GitHubMeeting, GiteaMeeting])
def meeting(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    with serving(tmp_path) as server:
        yield request.param(tmp_path, remote=f"{server.address}/table.git")


def forge_of(meeting: Table) -> Any:
    """Return the forge that people see."""
    return meeting.web


def filled(meeting: Table, person: str, form: str, issue: str = "", /, **values: str) -> int:
    """Open an issue as a form does: its label is there from the beginning, its lines end as browsers end them."""
    body = written(form, values, gitea=isinstance(meeting, GiteaMeeting)).replace("\n", "\r\n")
    number: int = forge_of(meeting).open_issue(person, issue or "A form", ("game",), body)
    return number


def test_a_proposal_by_a_form_is_adopted_by_comments(meeting: Table) -> None:
    text = "### Tea\n\n- for all\n- at five"
    number = filled(meeting, "ann", "propose", "Tea for all", change=CHANGES["enact"], title="Tea", text=text)
    meeting.referee()
    proposal = meeting.document("proposals/300/301")
    assert (proposal["title"], proposal["via"]["issue"]) == ("Tea for all", number)
    assert proposal["changes"][0]["parts"]["text"] == f"{text}\n"
    assert "for all" in meeting.said(number)
    meeting.say("ann", number, "/finalise")
    for person in ("ann", "bob", "cid", "dee"):
        meeting.say(person, number, "I like it.\r\n\r\n/vote for")
    meeting.referee()
    assert meeting.document("proposals/300/301")["outcome"] == "adopted"
    assert meeting.document("rules/301")["text"] == f"{text}\n"
    assert forge_of(meeting).issues[number]["state"] == "closed"
    assert "adopted" in meeting.said(number)
    before = meeting.said(number)
    assert meeting.referee(60).entries == 0
    assert meeting.said(number) == before


def test_statements_and_acts_are_recorded_and_closed(meeting: Table) -> None:
    said = filled(meeting, "bob", "say", what=STATEMENT, text="I was here.\n\n/do forfeit")
    wrong = filled(meeting, "cid", "act", choice="forfiet")
    meeting.referee()
    last = meeting.game().entry(meeting.game().head.seq)
    assert (last["by"], last["do"], last["with"]) == ("bob", "state", {"text": "I was here.\n\n/do forfeit"})
    assert forge_of(meeting).issues[said]["state"] == "closed"
    assert forge_of(meeting).issues[wrong]["state"] == "open"
    assert "did you mean forfeit?" in meeting.said(wrong)
