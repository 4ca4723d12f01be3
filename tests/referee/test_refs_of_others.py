"""What others with the right to write push to `refs/pull/N/head` is not taken as the author's content.

Real servers accept such a push and repair nothing; their page and API go on to show what the author pushed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.forges.cache.forge import GRACE
from tests.conftest import FUZZ
from tests.forges.gitea.emulator import FORGEJO, GITEA_1_15
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.github.github_meeting import GitHubMeeting
from tests.forges.web_meeting import WebMeeting
from tests.support.meeting import GAME, git, rule

pytestmark = pytest.mark.sampled(2)  # on one of the forges

MAKERS = {
    "gitea": GiteaMeeting,
    "gitea-1.15": lambda folder: GiteaMeeting(folder, generation=GITEA_1_15),
    "forgejo": lambda folder: GiteaMeeting(folder, generation=FORGEJO),
    "github": GitHubMeeting,
}


@pytest.fixture(params=sorted(MAKERS) if FUZZ else ["gitea", "github"])
def meeting(tmp_path: Path, request: pytest.FixtureRequest) -> WebMeeting:
    made: WebMeeting = MAKERS[request.param](tmp_path)
    return made


def other(meeting: WebMeeting, title: str = "A theft") -> str:
    """Return a commit of dee's, which lies in the hub."""
    change = meeting.change("dee", {f"state/{GAME}/rules/dragon.yaml": rule(title)}, title)
    return meeting.fetched(change, "dee")


def by_git(meeting: WebMeeting, number: int, commit: str) -> None:
    """Push to the ref of a pull request, as the server lets whoever may write."""
    git(meeting.bare, "update-ref", f"refs/pull/{number}/head", commit)


@pytest.mark.threat("T-64")
def test_what_git_has_and_the_forge_does_not_show_is_nobodys_proposal(meeting: WebMeeting) -> None:
    number = meeting.propose("ann", "A dragon")
    own = meeting.head(number)
    meeting.referee()
    by_git(meeting, number, other(meeting))
    meeting.say("bob", number, "hello")  # so that the pull request is read again
    for _ in range(GRACE + 2):
        meeting.referee()
        document = meeting.document("proposals/300/301")
        assert document["via"]["head"] == own
        assert document["title"] == "A dragon"
    assert "the forge shows" in meeting.said(number), "it is said"
    assert own[:12] in meeting.said(number)
    meeting.say("ann", number, "/finalise")
    meeting.referee()
    meeting.all_vote(number)
    assert meeting.document("proposals/300/301")["outcome"] == "adopted"
    assert "A dragon" in git(meeting.bare, "show", f"main:state/{GAME}/rules/301.yaml")
    assert own in git(meeting.bare, "log", "--format=%H", "main").split()


@pytest.mark.threat("T-64")
def test_a_head_that_was_never_the_authors_is_not_taken_at_the_first_look_either(meeting: WebMeeting) -> None:
    number = meeting.propose("ann", "A dragon")
    by_git(meeting, number, other(meeting))
    meeting.referee()
    assert meeting.document("proposals/300/301") == {}
    assert "the forge shows" in meeting.said(number)
    by_git(meeting, number, meeting.web.pulls[number]["head"])
    meeting.say("bob", number, "it is mended")
    meeting.referee()
    assert meeting.document("proposals/300/301")["title"] == "A dragon"


def test_a_head_that_the_forge_shows_late_is_taken_as_soon_as_it_does(meeting: WebMeeting) -> None:
    number = meeting.propose("ann", "A dragon")
    meeting.referee()
    new = other(meeting, "A better dragon")
    by_git(meeting, number, new)
    for _ in range(GRACE + 1):  # longer than any server takes
        meeting.referee()
    meeting.web.push(number, new, force=True)
    assert "new content" not in meeting.said(number)
    meeting.referee()
    assert "ann, new content" in meeting.said(number)
    assert "the forge shows" not in meeting.said(number)
