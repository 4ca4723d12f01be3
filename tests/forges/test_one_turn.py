"""A game comes to the same record on every forge as on the local one, whatever fails on the way.

FOLKMOOT_FUZZ=1 tries more seeds of what fails; FOLKMOOT_SEEDS=7 or 100-119 says which.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from folkmoot.cli.repositories import cloned
from folkmoot.core.fault_points import fault_hook
from folkmoot.core.problems import ProblemError
from folkmoot.files.issue_forms import CHANGES
from folkmoot.game.verify import verify
from folkmoot.referee.report import Report
from folkmoot.referee.run import Referee
from tests.conftest import FUZZ
from tests.forges.smart_http import Backend, serving
from tests.forges.tables import WEB, web_meeting
from tests.forges.web_faults import KilledError, Weather
from tests.forges.web_meeting import TwinMeeting, WebMeeting
from tests.support.issues import written
from tests.support.meeting import GAME, PLAYERS, git, rule
from tests.support.quick import replayed

WHERE_FROM = {"via", "at", "hash", "prev", "digest", "until", "since", "closes", "opens", "due"}
CALL = re.compile(r"<!-- folkmoot:call (\S+)")


def turn(meeting: TwinMeeting) -> tuple[int, int]:
    """Play one turn: a proposal, votes of every kind, a stranger, changed content, adoption, the next one's turn.

    What is edited, deleted or dismissed after it counted, stays; what was closed and opened again goes on.
    """
    pull = meeting.propose("ann", "A dragon")
    early = meeting.propose("dee", "A moat")
    meeting.referee()
    meeting.say("ann", pull, "I am done.\n\n/finalise")
    liked = meeting.approve("bob", pull, "I like dragons.")
    vote = meeting.say("cid", pull, "/vote against")
    meeting.referee()
    meeting.edit("cid", pull, vote, "/vote for")
    meeting.dismiss("mal", pull, liked)
    meeting.say("zed", pull, "/vote against")
    hello = meeting.say("bob", 0, "/do state text=hello")
    meeting.say("dee", 0, "/vtoe for\n/do staet text=hello")
    meeting.close("dee", early)
    meeting.referee()
    meeting.reopen("dee", early)
    meeting.delete("bob", 0, hello)
    meeting.pushed("ann", pull, meeting.change("ann", {f"state/{GAME}/rules/dragon.yaml": rule("A dictatorship")}))
    meeting.approve("dee", pull)
    meeting.referee()
    meeting.say("ann", pull, "/vote for")
    meeting.say("cid", pull, "/vote for")
    meeting.say("dee", pull, "/vote for because the first one is good")
    meeting.referee()
    other = meeting.propose("bob", "Another")
    meeting.open("cid", {"inbox/hello.yaml": b"do: state\nargs:\n  text: by file\n"})
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
    meeting = TwinMeeting(tmp_path_factory.mktemp("local"))
    turn(meeting)
    found = played(meeting)
    acts = Counter(entry["do"] for entry in found)
    assert (acts["propose"], acts["finalise"], acts["vote"], acts["state"]) == (3, 1, 5, 2), acts
    return found


@pytest.fixture(params=WEB)
def meeting(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[WebMeeting]:
    if request.param != "github":  # where git goes over HTTP; it knows of no forge
        yield web_meeting(request.param, tmp_path)
        return
    with serving(tmp_path) as server:
        yield web_meeting(request.param, tmp_path, f"{server.address}/table.git")


def at_rest(meeting: WebMeeting) -> None:
    """Say whether the record proves itself, nothing was done twice, and another referee finds nothing to do."""
    assert verify(meeting.game(), replayed).problems == []
    facts = Counter(fact for entry in meeting.game().entries() if (fact := (entry.get("via") or {}).get("fact")))
    assert [fact for fact, times in facts.items() if times > 1] == []
    for number in (*meeting.web.pulls, meeting.thread):
        said = [each["body"] for each in meeting.web.said.values() if each["number"] == number]
        assert sum(body.startswith("<!-- folkmoot:referee -->") for body in said) <= 1, said
        calls = Counter(key for body in said for key in CALL.findall(body))
        assert [key for key, times in calls.items() if times > 1] == []
    meeting.referee()  # which reads again what it wrote itself
    refs = git(meeting.bare, "for-each-ref")
    meeting.web.requests.clear()
    report = meeting.referee()
    assert (report.entries, report.answers, len(meeting.web.requests)) == (0, 0, 3)
    assert git(meeting.bare, "for-each-ref") == refs


@pytest.mark.sampled(2)
def test_a_turn_comes_to_the_same(meeting: WebMeeting, expected: list[dict[str, Any]]) -> None:
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
    at_rest(meeting)


def seeds() -> list[int]:
    """Return the seeds to be tried: one, or with FOLKMOOT_FUZZ many, or those that were asked for."""
    low, _, high = os.environ.get("FOLKMOOT_SEEDS", "1-20" if FUZZ else "1").partition("-")
    return list(range(int(low), int(high or low) + 1))


@pytest.mark.parametrize("seed", seeds())
@pytest.mark.parametrize("kind", WEB if FUZZ else ["github", "gitea"])
@pytest.mark.sampled(2)
def test_a_turn_in_all_weathers_comes_to_the_same(
    kind: str, seed: int, tmp_path: Path, expected: list[dict[str, Any]]
) -> None:
    """Answers are lost or spoilt, referees die, and others push, talk or referee at any point; who dies tries again."""
    meeting, once = web_meeting(kind, tmp_path), WebMeeting.referee
    second = meeting.seen_from(meeting._clone("second"))

    def another() -> None:
        with suppress(ProblemError):
            once(meeting, forge=second)

    def chat() -> None:
        meeting.web.comment("mal", meeting.thread, "How is it going?")

    def push() -> None:
        commit = meeting.change("ann", {"readme.md": f"{meeting.now} {len(weather.met)}\n".encode()}, "By the way")
        meeting.fetched(commit, "ann")
        git(meeting.bare, "update-ref", "refs/heads/main", commit)

    weather = Weather(seed, 0.06, {"another referee": another, "a chat": chat, "a push": push})
    meeting.web.faults = [weather.spoil]

    def referee(seconds: int = 0) -> Any:
        weather.left = 6
        for _ in range(60):
            with suppress(ProblemError, KilledError), fault_hook(weather.at):
                report = once(meeting, seconds)
                if not report.more:
                    weather.left = 0
                    return report
        raise AssertionError(f"the referee never got through: {weather.met}")

    meeting.referee = referee  # type: ignore[assignment,method-assign]
    turn(meeting)
    assert played(meeting) == expected
    assert sum(weather.met.values()) >= 10, weather.met
    meeting.referee = lambda *_: once(meeting)  # type: ignore[assignment,method-assign]
    weather.left = 0
    for _ in range(2):
        meeting.referee()
    at_rest(meeting)


def test_a_job_opens_few_connections_however_many_pull_requests_are_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of git's own, of a job that begins with a clone."""
    opened: list[str] = []

    class Counting(Backend):
        def do_GET(self) -> None:  # noqa: N802
            opened.append(self.path)
            super().do_GET()

    with serving(tmp_path) as server:
        monkeypatch.setattr(server, "RequestHandlerClass", Counting)
        meeting = web_meeting("github", tmp_path, f"{server.address}/table.git")

        def job() -> tuple[Report, int]:
            """Run a job as a forge does, and count its connections."""
            opened.clear()
            with cloned(meeting.remote) as place:
                forge: Any = meeting.seen_from(place)
                meeting.now = meeting.web.now = meeting.now + 300
                with Referee(forge, forge.refs.repo, lambda: meeting.now) as referee:
                    return referee.run(), len(opened)

        for number in range(4):
            meeting.open("bob" if number else "ann", {f"rules/t{number}.yaml": rule(f"T{number}")}, f"T{number}")
        while meeting.referee(300).answers:
            pass
        report, count = job()
        assert (report.entries, report.answers) == (0, 0)
        assert count <= 3, opened
        meeting.say("bob", 0, "/do state text=hello")
        report, count = job()
        assert report.entries == 1
        assert count <= 10, opened


# -- what is adopted, and forms


def filled(meeting: WebMeeting, person: str, form: str, issue: str = "", /, **values: str) -> int:
    """Open an issue as a form does: its label is there from the beginning, its lines end as browsers end them."""
    body = written(form, values, gitea=meeting.kind == "gitea").replace("\n", "\r\n")
    return int(meeting.web.open_issue(person, issue or "A form", ("game",), body))


@pytest.mark.parametrize("kind", ["github", "gitea"])
def test_a_proposal_by_a_form_is_adopted_by_comments(kind: str, tmp_path: Path) -> None:
    meeting, text = web_meeting(kind, tmp_path), "### Tea\n\n- for all\n- at five"
    number = filled(meeting, "ann", "propose", "Tea for all", change=CHANGES["enact"], title="Tea", text=text)
    meeting.referee()
    proposal = meeting.document("proposals/300/301")
    assert (proposal["title"], proposal["via"]["issue"]) == ("Tea for all", number)
    assert proposal["changes"][0]["parts"]["text"] == f"{text}\n"
    assert "for all" in meeting.said(number)
    meeting.say("ann", number, "/finalise")
    for person in PLAYERS:
        meeting.say(person, number, "I like it.\r\n\r\n/vote for")
    meeting.referee()
    assert meeting.document("rules/301")["text"] == f"{text}\n"
    assert meeting.web.issues[number]["state"] == "closed"
    before = meeting.said(number)
    assert "adopted" in before
    assert meeting.referee(60).entries == 0
    assert meeting.said(number) == before
