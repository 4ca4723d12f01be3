"""What a real server said, word for word, is read by the adapter."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pygit2
import pytest

from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.gitea import GiteaReader, GiteaWriter
from folkmoot.forges.port import Person
from folkmoot.forges.web.client import Client, Pacing, RefusedError
from tests.forges.conformance import NOW
from tests.forges.gitea import recorded
from tests.forges.gitea.emulator import TOKEN

REPOSITORY = "alice/nomic29596"
HEADERS = {"Authorization": f"token {TOKEN}"}
ASKED: list[str] = []


def replayed(request: httpx.Request) -> httpx.Response:
    """Answer with what was recorded: the lists that nobody asked for then, from what was made."""
    path = request.url.path
    ASKED.append(path)
    if path.endswith("/issues/1/comments"):
        return httpx.Response(200, json=recorded.answers("POST", "/issues/1/comments", 201))
    for each in recorded.EXCHANGES:
        if each["request"]["method"] == request.method and each["request"]["path"].partition("?")[0] == path:
            body = each["response"]["body"]
            content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
            return httpx.Response(each["response"]["status"], headers=each["response"]["headers"], content=content)
    return httpx.Response(404, json={"message": "Not Found"})


@pytest.fixture
def reading() -> GiteaReader:
    ASKED.clear()
    transport, pacing = httpx.MockTransport(replayed), Pacing(lambda _: None, between=0)
    client = Client("http://127.0.0.1:3999/api/v1", HEADERS, transport=transport, pacing=pacing)
    return GiteaReader(client, REPOSITORY, None)


def test_a_recorded_pull_request_is_read(reading: GiteaReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("folkmoot.forges.web.reading.signing_key", lambda *_: "")  # its commits were not recorded
    story = reading._story(1, None, None)
    assert story is not None
    assert story.pull is not None
    assert sum(path.endswith("/reviews") for path in ASKED) == 2  # the second page is the first one again
    seen = ForgeCache(pygit2.init_repository(str(tmp_path), bare=True), "")
    recording = GiteaWriter(seen, NOW, lambda user: user is not None and user.login == "alice")
    recording.pull(1, story, story.pull.head.sha)
    place = seen.pull(1)
    assert place is not None
    pull = place.pull
    assert pull is not None
    assert (pull.state, pull.merge_commit) == ("merged", "8167afdf74179aef3707241b22221ee6e5a57c9d")
    assert (pull.author, pull.base, pull.title) == (Person(id="1", handle="alice"), "main", "P1")
    assert pull.head.commit == "7c956b12ee8fc5f6018b2bfb4adbc183e0682863"
    remarks = list(seen.remarks(1))
    assert [(each.id, each.kind, each.author.id, each.body) for each in remarks] == [
        ("r5", "approve", "2", "aye"),
        ("r6", "request_changes", "3", "nay"),  # by somebody without write access: `official` is false
        ("c14", "comment", "2", "aye"),
    ]  # and r7, for which APPROVE was sent instead of APPROVED, is pending: no vote
    assert {each.commit for each in remarks[:2]} == {"7c956b12ee8fc5f6018b2bfb4adbc183e0682863"}
    assert reading._story(2, reading.pull(2), None) is None, "nobody listed its reviews: it is not there"
    assert not reading.pull(2).draft


@pytest.mark.parametrize("place", ["repos/alice/none", "user", f"repos/{REPOSITORY}/pulls/9"])
def test_recorded_refusals_are_told_in_our_own_words(reading: GiteaReader, place: str) -> None:
    with pytest.raises(RefusedError) as refused:
        reading.client.get(place)
    assert refused.value.status in (401, 404)
    assert "swagger" not in str(refused.value)
    if refused.value.status == 404:
        assert reading.client.find(place) is None
