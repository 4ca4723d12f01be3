"""What a real server said, word for word: read by the adapter, and kept to by the emulator."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
import pygit2
import pytest

from folkmoot.forges.cache.forge_cache import ForgeCache
from folkmoot.forges.gitea import GiteaReader, GiteaWriter, person
from folkmoot.forges.port import Person
from folkmoot.forges.web.client import Client, Pacing, RefusedError
from folkmoot.forges.web.reading import User
from tests.forges.conformance import NOW
from tests.forges.gitea import recorded
from tests.forges.gitea.emulator import GITEA_1_15, PLACE, TOKEN
from tests.forges.gitea.gitea_table import GiteaTable
from tests.forges.gitea.judge import MisfitError, misfits, operation, without
from tests.forges.local_table import bare

REPOSITORY = "alice/nomic29596"
GONE = {"username"}  # which today's servers still send, but describe no more
UNDESCRIBED = {  # what the descriptions of today's servers leave out
    ("gitea", "POST /repos/alice/nomic29596/pulls/1/merge", 422),
    ("forgejo", "POST /repos/alice/nomic29596/pulls/1/merge", 422),
    ("gitea", "GET /user", 401),
}


class Replay:
    """Answers with what was recorded: the lists that nobody asked for then, from what was made."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        self.asked.append(f"{request.method} {path}")
        if path == "/api/v1/version":
            return httpx.Response(200, json={"version": "1.15.9"})
        if path.endswith("/issues/1/comments"):
            return httpx.Response(200, json=recorded.answers("POST", "/issues/1/comments", 201))
        for each in recorded.EXCHANGES:
            if each["request"]["method"] == request.method and each["request"]["path"].partition("?")[0] == path:
                body = each["response"]["body"]
                content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
                return httpx.Response(each["response"]["status"], headers=each["response"]["headers"], content=content)
        return httpx.Response(404, json={"message": "Not Found"})


@pytest.fixture
def replay() -> Replay:
    return Replay()


@pytest.fixture
def reading(replay: Replay) -> GiteaReader:
    headers = {"Authorization": f"token {TOKEN}"}
    client = Client(
        "http://127.0.0.1:3999/api/v1",
        headers,
        transport=httpx.MockTransport(replay.answer),
        pacing=Pacing(lambda _: None, between=0),
    )
    return GiteaReader(client, REPOSITORY, None)


# -- the adapter


def test_a_recorded_pull_request_is_read(
    reading: GiteaReader, replay: Replay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("folkmoot.forges.web.reading.signing_key", lambda *_: "")  # its commits were not recorded
    story = reading._story(1, None, None)
    assert story is not None
    assert story.pull is not None
    assert sum(path.endswith("/reviews") for path in replay.asked) == 2  # the second page is the first one again
    assert not any(path.endswith("/timeline") for path in replay.asked)
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


def test_the_trap_is_in_the_recording() -> None:
    """A review that was sent with GitHub's word for approving is answered with 200, and stored as pending."""
    sent = {each["request"]["body"]["event"]: each["response"] for each in recorded.EXCHANGES if _is_review(each)}
    assert (sent["APPROVE"]["status"], sent["APPROVE"]["body"]["state"]) == (200, "PENDING")
    assert sent["APPROVED"]["body"]["state"] == "APPROVED"


def _is_review(exchange: dict[str, Any]) -> bool:
    return exchange["request"]["method"] == "POST" and exchange["request"]["path"].endswith("/reviews")


def test_recorded_people_and_drafts(reading: GiteaReader) -> None:
    story = reading._story(2, reading.pull(2), None)  # whose reviews nobody listed: it is not there
    assert story is None
    assert not reading.pull(2).is_draft
    assert person(User(id=recorded.USER["id"], login=recorded.USER["login"])).handle == "bob"


@pytest.mark.parametrize("place", ["repos/alice/none", "user", f"repos/{REPOSITORY}/pulls/9"])
def test_recorded_refusals_are_told_in_our_own_words(reading: GiteaReader, place: str) -> None:
    with pytest.raises(RefusedError) as refused:
        reading.client.get(place)
    assert refused.value.status in (401, 404)
    assert "swagger" not in str(refused.value)
    if refused.value.status == 404:
        assert reading.client.find(place) is None


def test_no_recorded_message_is_looked_at() -> None:
    """What a server says in words may be anything, once it was just "In"."""
    words = {
        exchange["response"]["body"]["message"]
        for exchange in recorded.EXCHANGES
        if exchange["response"]["status"] >= 400 and isinstance(exchange["response"]["body"], dict)
    }
    assert {"In", "Please try again later"} <= words
    folder = Path(__file__).resolve().parents[3] / "engine" / "folkmoot" / "forges"
    code = "".join(path.read_text("utf-8") for name in ("gitea", "web") for path in (folder / name).glob("*.py"))
    assert not [word for word in words if re.search(rf"[\"']{re.escape(word)}[\"']", code)]
    assert 'data["message"]' not in code


# -- the judge


@pytest.mark.parametrize("forge", ["gitea", "forgejo"])
def test_todays_descriptions_fit_what_was_recorded(forge) -> None:  # type: ignore[no-untyped-def]
    """So what is emulated by the recording is, but for fields that were added, what today's servers say."""
    checked = 0
    for exchange in recorded.EXCHANGES[:-1]:  # the last asked for no API
        method, path = exchange["request"]["method"], exchange["request"]["path"].removeprefix("/api/v1")
        answer = exchange["response"]
        answers = operation(forge, method, path.partition("?")[0])["answers"]
        if str(answer["status"]) not in answers:
            assert (forge, f"{method} {path}", answer["status"]) in UNDESCRIBED
        elif answer["status"] < 300:
            assert misfits(forge, answers[str(answer["status"])], without(answer["body"], *GONE)) == []
            checked += 1
    assert checked > 15
    with pytest.raises(MisfitError):
        operation(forge, "GET", "/../../swagger.v1.json")


# -- the emulator


@pytest.fixture
def table(tmp_path: Path) -> GiteaTable:
    hub = bare(tmp_path)
    return GiteaTable(tmp_path, str(hub), hub, GITEA_1_15)


def asked(table: GiteaTable, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    headers = {"Authorization": f"token {TOKEN}"}
    address = f"{table.forge.client._base}{PLACE.lstrip('/')}{path}"
    answer = table.gitea.answer(httpx.Request(method, address, headers=headers, json=body))
    return answer.status_code, answer.json() if answer.content else None


def form(value: Any) -> Any:
    """Return the form of an answer: the names of its fields, and the kinds of their values."""
    if isinstance(value, dict):
        return {name: form(each) for name, each in value.items() if each is not None}
    if isinstance(value, list):
        return "list"
    return "stamp" if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\dT", value) else type(value).__name__


def fits(emulated: Any, real: Any) -> bool:
    """Say whether one form has no field that the other one lacks, and no value of another kind."""
    if isinstance(emulated, dict) and isinstance(real, dict):
        return all(name in real and fits(each, real[name]) for name, each in emulated.items())
    return bool(emulated == real)


def test_the_emulated_server_answers_in_the_recorded_form(table: GiteaTable) -> None:
    number = table.open("ann", "A dragon")
    table.review("bob", number, "approve", "aye")
    head = table.head(number)
    pairs = [
        (asked(table, "GET", f"/pulls/{number}"), (200, recorded.PULL)),
        (asked(table, "GET", f"/pulls/{number}/reviews"), (200, recorded.answers("GET", "/reviews?limit=1")[0])),
        (asked(table, "POST", f"/issues/{number}/comments", {"body": "aye"}), (201, recorded.COMMENT)),
        (asked(table, "POST", f"/statuses/{head}", {"state": "success", "context": "x"}), (201, recorded.STATUS)),
        (asked(table, "GET", ""), (200, recorded.REPOSITORY)),
    ]
    for (status, body), (expected, real) in pairs:
        assert status == expected
        emulated, recorded_ = (body[0], real[0]) if isinstance(body, list) else (body, real)
        assert emulated.keys() == recorded_.keys()
        assert fits(form(emulated), form(recorded_))
    assert asked(table, "GET", "/pulls/99")[1].keys() == recorded.answers("GET", "/none", 404)[0].keys()
