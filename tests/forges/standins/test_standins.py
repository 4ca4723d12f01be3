"""Stand-ins for GitHub that others wrote: our client against `myworld` and `emulate`.

They hold no commits, so they cannot play a game; what they and GitHub's own description agree on must hold for our
client.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from folkmoot.forges.web.client import Client, Pacing, RefusedError
from folkmoot.forges.web.reading import Comment, PullRequest, Review, read
from tests.support.standins import NODE, PLACE, standin, unproven

HERE = Path(__file__).parent
pytestmark = unproven("the stand-ins of others take us")


class StandIn:
    """One of them, with a pull request of the account that the token belongs to."""

    def __init__(self, name: str, told: dict[str, str]) -> None:
        self.name = name
        self.repository = "acme/api" if name == "myworld" else "moot/game"
        self.place = f"/repos/{self.repository}"
        headers = {"Authorization": f"Bearer {told['token']}"}
        self.url = told["url"].replace("localhost", "127.0.0.1")
        self.http = httpx.Client(base_url=self.url, headers=headers, trust_env=False)
        self.client = Client(self.url, headers, pacing=Pacing(lambda _: None, between=0))

    def open(self) -> int:
        place, base = self.place, "main"
        sha = self.http.get(f"{place}/git/ref/heads/{base}").json()["object"]["sha"]
        assert self.http.post(f"{place}/git/refs", json={"ref": "refs/heads/dragon", "sha": sha}).status_code == 201
        file = {"message": "A dragon", "content": "YQ==", "branch": "dragon"}
        self.http.put(f"{place}/contents/dragon.txt", json=file)
        made = self.http.post(f"{place}/pulls", json={"title": "A dragon", "head": "dragon", "base": base, "body": "."})
        return int(made.json()["number"])


@contextmanager
def running(name: str) -> Iterator[StandIn]:
    command = [str(standin("python/bin/python")), str(HERE / "serve_myworld.py")]
    if name == "emulate":
        command = [str(standin(NODE)), str(HERE / "serve_emulate.mjs"), PLACE]
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


@pytest.fixture(params=["myworld", "emulate"])
def one(request: pytest.FixtureRequest) -> Iterator[StandIn]:
    with running(request.param) as one:
        yield one


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
