"""One turn of Suber's game comes to the same on Forgejo and Gitea as on the local forge, whatever fails on the way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from engine.problems import ProblemError
from tests.forge.gitea.emulator import FORGEJO, GENERATIONS, GITEA, TOKEN
from tests.forge.gitea.gitea_meeting import GiteaMeeting
from tests.forge.github.github_meeting import TwinMeeting
from tests.forge.github.test_end_to_end import played, turn
from tests.forge.smart_http import serving
from tests.referee.meeting import PLAYERS, git


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Return what the turn comes to on the local forge."""
    meeting = TwinMeeting(tmp_path_factory.mktemp("local"))
    turn(meeting)
    found = played(meeting)
    assert sum(entry["do"] in ("propose", "finalise", "vote", "state") for entry in found) >= 7
    return found


@pytest.fixture(params=GENERATIONS)
def meeting(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[GiteaMeeting]:
    with serving(tmp_path) as server:
        git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", str(tmp_path / "table.git"))
        git(tmp_path / "table.git", "config", "http.receivepack", "true")
        yield GiteaMeeting(tmp_path, remote=f"{server.address}/table.git", generation=GENERATIONS[request.param])


def test_a_turn_comes_to_the_same(meeting: GiteaMeeting, twin: list[dict[str, Any]]) -> None:
    pull, other = turn(meeting)
    assert played(meeting) == twin
    assert meeting.document("rules/301")["title"] == "A dragon"
    ballots = meeting.document("proposals/300/301")["ballots"]
    assert {who: ballot["choice"] for who, ballot in ballots.items()} == dict.fromkeys(PLAYERS, "for")
    entry = next(entry for entry in meeting.game().entries() if entry["do"] == "propose")
    assert (entry["via"]["forge"], entry["via"]["pull"]) == ("gitea", pull)
    assert meeting.gitea.pulls[pull]["state"] == "closed"  # what was adopted is not its last head
    assert meeting.gitea.pulls[other]["state"] == "open"
    assert "adopted" in meeting.said(pull)
    for said in (meeting.said(pull), meeting.said(other)):
        assert TOKEN not in said
    assert "moot vote" not in meeting.said(other)
    meeting.referee()  # which reads again what it wrote itself
    refs = git(meeting.bare, "for-each-ref")
    meeting.gitea.requests.clear()
    report = meeting.referee()
    assert (report.entries, report.answers, len(meeting.gitea.requests)) == (0, 0, 3)
    assert git(meeting.bare, "for-each-ref") == refs


def test_what_is_adopted_shows_as_merged_by_our_commit(meeting: GiteaMeeting) -> None:
    pull = meeting.propose("ann", "A dragon")
    meeting.referee()
    meeting.say("ann", pull, "/finalise")
    meeting.referee()
    for who in PLAYERS[1:]:
        meeting.approve(who, pull)
    meeting.say("ann", pull, "/vote for")
    meeting.referee()
    assert meeting.gitea.pulls[pull]["merged_at"]
    assert meeting.gitea.pulls[pull]["merge_commit_sha"] == git(meeting.bare, "rev-parse", "main").strip()
    assert not meeting.slept


def test_a_turn_with_faults_comes_to_the_same(meeting: GiteaMeeting, twin: list[dict[str, Any]]) -> None:
    """Every seventh request is done or not, and its answer lost; the referee is run again until it gets through."""
    if meeting.gitea.generation is FORGEJO:
        pytest.skip("it fails like a Gitea")
    count = [0]

    def faulty(request: httpx.Request, answering: Any) -> httpx.Response | None:
        count[0] += 1
        if count[0] % 7 == 0:
            if count[0] % 2:
                answering()
            raise httpx.ReadTimeout("late", request=request)
        return httpx.Response(502) if count[0] % 11 == 0 else None

    meeting.gitea.faults = [faulty]
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
    assert played(meeting) == twin
    assert count[0] > 50
    for number in meeting.gitea.pulls:
        bodies = [said["body"] for said in meeting.gitea.said.values() if said["number"] == number]
        assert sum(body.startswith("<!-- folkmoot:referee -->") for body in bodies) == 1


def test_another_referee_in_a_fresh_clone_goes_on(meeting: GiteaMeeting, twin: list[dict[str, Any]]) -> None:
    if meeting.gitea.generation is not GITEA:
        pytest.skip("a clone is a clone")
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
    assert played(meeting) == twin
