"""Real forges, 13: what a Gitea that was built and played on did otherwise than its emulator.

Reviews are stamped with what git holds at `refs/pull/N/head`, be it what somebody else pushed there. A review that was
begun with a word that the server does not know is submitted later under the same number.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.support.meeting import GAME, git, rule


@pytest.fixture
def meeting(tmp_path: Path) -> GiteaMeeting:
    return GiteaMeeting(tmp_path)


def test_reviews_beside_a_foreign_push_and_reviews_begun_before(meeting: GiteaMeeting) -> None:
    number = meeting.propose("ann", "A dragon")
    own = meeting.head(number)
    meeting.referee()
    meeting.say("ann", number, "/finalise")
    meeting.referee()

    begun = meeting.web.begin("cid", number)  # as the API does for APPROVE: nobody else sees it
    meeting.referee()
    assert "cid" not in meeting.document("proposals/300/301")["ballots"]
    meeting.web.submit(begun, "APPROVED")
    meeting.referee()
    assert meeting.document("proposals/300/301")["ballots"]["cid"]["choice"] == "for"

    change = meeting.change("dee", {f"state/{GAME}/rules/dragon.yaml": rule("A theft")}, "A theft")
    theft = meeting.fetched(change, "dee")
    git(meeting.bare, "update-ref", f"refs/pull/{number}/head", theft)
    review = meeting.web.review("bob", number, "APPROVED")
    assert meeting.web.reviews[review]["commit_id"] == theft
    meeting.referee()
    assert "bob" not in meeting.document("proposals/300/301")["ballots"], "it is of content that nobody proposed"
    assert "bob" in meeting.said(number)
    meeting.say("bob", number, "/vote for")
    for who in ("ann", "dee"):
        meeting.say(who, number, "/vote for")
    meeting.referee()
    found = meeting.document("proposals/300/301")
    assert (found["outcome"], found["title"], found["ballots"]["bob"]["choice"]) == ("adopted", "A dragon", "for")
    assert own in git(meeting.bare, "log", "--format=%H", "main").split()
