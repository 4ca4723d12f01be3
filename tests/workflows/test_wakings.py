"""Real forges, requests: with an account's token the referee woke itself by half of its own comments and pushes."""

from __future__ import annotations

import re

import pytest

from folkmoot.files.fast_reader import load_yaml
from folkmoot.forges.web.comments import call_written, written
from folkmoot.forges.workflows import workflow_files
from folkmoot.referee.hand_edits import REPAIRER
from folkmoot.referee.recorder import COMMITTER
from tests.conftest import FUZZ
from tests.workflows.bench import Bench, Event
from tests.workflows.conftest import api, bench, tools

pytestmark = pytest.mark.sampled(2)  # on one of the forges

__all__ = ["api", "bench", "tools"]


def pushed(bench: Bench, name: str, login: str = "ann") -> Event:
    head = {"id": "0" * 40, "message": "x", "committer": {"name": name, "email": "x@example.org"}}
    return {"ref": "refs/heads/main", "head_commit": head, "sender": {"login": login}, "repository": bench.repository()}


def closed(bench: Bench, login: str) -> Event:
    issue = {"number": 4, "title": "x", "body": "", "user": {"id": 7, "login": "zed"}}
    return {"action": "closed", "issue": issue, "sender": {"login": login}, "repository": bench.repository()}


@pytest.mark.parametrize("kind", ["github", "gitea"])
def test_what_the_referee_wrote_or_pushed_wakes_nobody(bench: Bench, kind: str) -> None:
    for event, payload in (
        ("issue_comment", bench.comment(written("Adopted."))),
        ("issue_comment", bench.comment(call_written("vote-301", ["bob"], "Vote, please."))),
        ("push", pushed(bench, COMMITTER.partition(" <")[0])),
    ):
        ran = bench.act(event, "referee.yml", payload, kind=kind)
        assert ran.code == 0, ran.out
        assert ran.log == [], event
        assert "Run Main" not in ran.out, event


@pytest.mark.threat("T-65")
@pytest.mark.parametrize("kind", ["github", "gitea"])
@pytest.mark.skipif(not FUZZ, reason="of the long proofs, which FOLKMOOT_FUZZ=1 tries")
def test_what_people_do_wakes_it_still(bench: Bench, kind: str) -> None:
    bench.meeting.propose("ann", "There is a dragon")
    events: tuple[tuple[str, Event], ...] = (
        ("push", pushed(bench, "Ann")),
        ("push", pushed(bench, REPAIRER.partition(" <")[0])),
        ("push", {"ref": "refs/heads/main", "head_commit": None, "repository": bench.repository()}),
        ("issues", closed(bench, "zed")),
        ("issue_comment", bench.comment("> " + written("Adopted.") + "\n/do resume")),
        ("workflow_dispatch", {"repository": bench.repository(), "sender": {"login": "zed"}}),
    )
    for event, payload in events[1:5] if kind == "github" else events[3:5]:
        ran = bench.act(event, "referee.yml", payload, kind=kind)
        assert ran.code == 0, ran.out
        assert ran.of("moot"), event


@pytest.mark.parametrize("kind", ["github", "gitea"])
def test_a_run_of_ones_own_takes_nobodys_place_in_the_queue(kind: str) -> None:
    name, text = next(each for each in workflow_files(kind).items() if each[0].endswith("/referee.yml"))
    workflow = load_yaml(text, name)
    first, *later = workflow["jobs"].values()
    own = re.search(r"== 'yes'\) && !\((.*)\) \}\}", first["if"])
    assert own
    if "concurrency" in workflow:
        group = re.search(r"^\$\{\{ \((.*)\) && format\('own-", workflow["concurrency"]["group"])
        assert group
        assert group[1] == own[1], "what does nothing must not wait where the next takes its place"
        return
    assert "concurrency" not in first, "what ends there takes nobody's place"
    assert [job["needs"] for job in later if "concurrency" in job] == ["look"]
    assert all(job["if"] == "${{ needs.look.outputs.go == 'true' }}" for job in later if "concurrency" in job)
