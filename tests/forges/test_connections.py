"""How many connections of git a referee's job opens that begins with a clone: a bound, whatever is open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.cli.repositories import cloned
from folkmoot.referee.report import Report
from folkmoot.referee.run import Referee
from tests.forges.github.github_meeting import GitHubMeeting
from tests.forges.smart_http import Backend, serving
from tests.support.meeting import git, rule

IDLE, BUSY = 3, 10


@pytest.mark.parametrize("pulls", [1, 5])
def test_a_job_opens_as_many_connections_however_many_pull_requests_are_open(
    pulls: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    class Counting(Backend):
        def do_GET(self) -> None:  # noqa: N802
            opened.append(self.path)
            super().do_GET()

    with serving(tmp_path) as server:
        monkeypatch.setattr(server, "RequestHandlerClass", Counting)
        meeting = GitHubMeeting(tmp_path, remote=f"{server.address}/table.git")
        git(meeting.bare, "config", "http.receivepack", "true")

        def job() -> tuple[Report, int]:
            """Run a job as a forge does, and count its connections."""
            opened.clear()
            with cloned(meeting.remote) as place:
                forge: Any = meeting.seen_from(place)
                meeting.now = meeting.web.now = meeting.now + 300
                with Referee(forge, forge.refs.repo, lambda: meeting.now) as referee:
                    return referee.run(), len(opened)

        for number in range(pulls):
            meeting.open("ann" if number == 0 else "bob", {f"rules/t{number}.yaml": rule(f"T{number}")}, f"T{number}")
        while meeting.referee(300).answers:
            pass
        report, count = job()
        assert (report.entries, report.answers) == (0, 0)
        assert count <= IDLE, opened
        meeting.say("bob", 0, "/do state text=hello")
        report, count = job()
        assert report.entries == 1
        assert count <= BUSY, opened
