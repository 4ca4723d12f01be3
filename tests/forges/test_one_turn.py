"""One turn of Suber's game comes to the same on every forge as on the local one, whatever fails on the way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from folkmoot.core.problems import ProblemError
from tests.conftest import FUZZ
from tests.forges.gitea.emulator import FORGEJO, GENERATIONS, GITEA
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.github.github_meeting import GitHubMeeting
from tests.forges.smart_http import serving
from tests.forges.web_meeting import TwinMeeting
from tests.support.meeting import GAME, PLAYERS, git, rule

WHERE_FROM = {"via", "at", "hash", "prev", "digest", "until", "since", "closes", "opens", "due"}
FORGES = ("github", *GENERATIONS)
OVER_HTTP = ("github", next(name for name, generation in GENERATIONS.items() if generation is GITEA))
"""Where git goes over HTTP; between the generations of a forge it makes no difference."""
Meeting = GitHubMeeting | GiteaMeeting


def turn(meeting: TwinMeeting) -> tuple[int, int]:
    """Play one turn: a proposal, votes of every kind, a stranger, changed content, adoption, the next one's turn."""
    pull = meeting.propose("ann", "A dragon")
    meeting.referee()
    meeting.say("ann", pull, "I am done.\n\n/finalise")
    meeting.approve("bob", pull, "I like dragons.")
    vote = meeting.say("cid", pull, "/vote against")
    meeting.referee()
    meeting.edit("cid", pull, vote, "/vote for")
    meeting.say("zed", pull, "/vote against")
    meeting.say("bob", 0, "/do state text=hello")
    meeting.referee()
    meeting.pushed("ann", pull, meeting.change("ann", {f"state/{GAME}/rules/dragon.yaml": rule("A dictatorship")}))
    meeting.approve("dee", pull)
    meeting.referee()
    meeting.say("ann", pull, "/vote for")
    meeting.say("cid", pull, "/vote for")
    meeting.say("dee", pull, "/vote for because the first one is good")
    meeting.referee()
    other = meeting.propose("bob", "Another")
    meeting.referee()
    return pull, other


def played(meeting: TwinMeeting) -> list[dict[str, Any]]:
    """Return the record of a game without where and when its acts came from."""
    return [_without(entry) for entry in meeting.game().entries()][1:]


def _without(node: Any) -> Any:
    if isinstance(node, dict):
        return {name: _without(value) for name, value in node.items() if name not in WHERE_FROM}
    if isinstance(node, list):
        return [_without(value) for value in node]
    return "some time" if isinstance(node, int) and node > 1_000_000_000 else node


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Return what the turn comes to on the local forge."""
    meeting = TwinMeeting(tmp_path_factory.mktemp("local"))
    turn(meeting)
    found = played(meeting)
    assert sum(entry["do"] in ("propose", "finalise", "vote", "state") for entry in found) >= 7
    return found


@pytest.fixture(params=FORGES)
def meeting(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Meeting]:
    if request.param not in OVER_HTTP:
        yield meeting_on(request.param, tmp_path)
        return
    with serving(tmp_path) as server:
        yield meeting_on(request.param, tmp_path, f"{server.address}/table.git")


def meeting_on(forge: str, folder: Path, remote: str | None = None) -> Meeting:
    """Return a meeting on a forge."""
    if forge == "github":
        return GitHubMeeting(folder, remote=remote)
    return GiteaMeeting(folder, remote=remote, generation=GENERATIONS[forge])


@pytest.mark.sampled(2)
def test_a_turn_comes_to_the_same(meeting: Meeting, expected: list[dict[str, Any]]) -> None:
    pull, other = turn(meeting)
    assert played(meeting) == expected
    assert meeting.document("rules/301")["title"] == "A dragon"
    ballots = meeting.document("proposals/300/301")["ballots"]
    assert {who: ballot["choice"] for who, ballot in ballots.items()} == dict.fromkeys(PLAYERS, "for")
    entry = next(entry for entry in meeting.game().entries() if entry["do"] == "propose")
    assert (entry["via"]["forge"], entry["via"]["pull"]) == (meeting.kind, pull)
    assert meeting.web.pulls[pull]["state"] == "closed"  # what was adopted is not its last head
    assert meeting.web.pulls[other]["state"] == "open"
    assert "adopted" in meeting.said(pull)
    for said in (meeting.said(pull), meeting.said(other)):
        assert meeting.token not in said
    assert "moot vote" not in meeting.said(other)
    meeting.referee()  # which reads again what it wrote itself
    refs = git(meeting.bare, "for-each-ref")
    meeting.web.requests.clear()
    report = meeting.referee()
    assert (report.entries, report.answers, len(meeting.web.requests)) == (0, 0, 3)
    assert git(meeting.bare, "for-each-ref") == refs


@pytest.mark.parametrize("meeting", GENERATIONS, indirect=True)
@pytest.mark.sampled(2)
def test_what_is_adopted_shows_as_merged_by_our_commit(meeting: GiteaMeeting) -> None:
    pull = meeting.propose("ann", "A dragon")
    meeting.referee()
    meeting.say("ann", pull, "/finalise")
    meeting.referee()
    for who in PLAYERS[1:]:
        meeting.approve(who, pull)
    meeting.say("ann", pull, "/vote for")
    meeting.referee()
    assert meeting.web.pulls[pull]["merged_at"]
    assert meeting.web.pulls[pull]["merge_commit_sha"] == git(meeting.bare, "rev-parse", "main").strip()
    assert not meeting.slept


FAIL_ALIKE = [name for name in FORGES if GENERATIONS.get(name) is not FORGEJO]


@pytest.mark.parametrize("meeting", FAIL_ALIKE, indirect=True)
@pytest.mark.sampled(2)
@pytest.mark.skipif(not FUZZ, reason="of the long proofs, which FOLKMOOT_FUZZ=1 tries")
def test_a_turn_with_faults_comes_to_the_same(meeting: Meeting, expected: list[dict[str, Any]]) -> None:
    """Every seventh request is done or not, and its answer lost; the referee is run again until it gets through."""
    count = [0]

    def faulty(request: httpx.Request, answering: Any) -> httpx.Response | None:
        count[0] += 1
        if count[0] % 7 == 0:
            if count[0] % 2:
                answering()
            raise httpx.ReadTimeout("late", request=request)
        return httpx.Response(502) if count[0] % 11 == 0 else None

    meeting.web.faults = [faulty]
    once = meeting.referee

    def referee(*arguments: Any, **named: Any) -> Any:
        for _ in range(9):
            try:
                return once(*arguments, **named)
            except ProblemError:
                continue
        raise AssertionError("the referee never got through")

    meeting.referee = referee  # type: ignore[method-assign]
    turn(meeting)
    assert played(meeting) == expected
    assert count[0] > 50
    for number in meeting.web.pulls:
        bodies = [said["body"] for said in meeting.web.said.values() if said["number"] == number]
        assert sum(body.startswith("<!-- folkmoot:referee -->") for body in bodies) == 1


@pytest.mark.parametrize("meeting", OVER_HTTP, indirect=True)
@pytest.mark.sampled(2)
def test_another_referee_in_a_fresh_clone_goes_on(meeting: Meeting, expected: list[dict[str, Any]]) -> None:
    once, clones = meeting.referee, [0]

    def referee(*arguments: Any, **named: Any) -> Any:
        clones[0] += 1
        folder = meeting.folder / f"runner-{clones[0]}"
        git(meeting.folder, "clone", "--quiet", "--bare", meeting.remote, str(folder))
        forge = meeting.seen_from(folder)
        meeting.repo = forge.refs.repo
        return once(*arguments, forge=forge, **named)

    meeting.referee = referee  # type: ignore[method-assign]
    turn(meeting)
    assert played(meeting) == expected
