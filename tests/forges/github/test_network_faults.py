"""A network and a forge that fail in every way: nothing is done twice, nothing is half seen, no secret goes elsewhere."""

from __future__ import annotations

import time
from email.utils import formatdate
from pathlib import Path
from typing import Any

import httpx
import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.forges.github import API as PUBLIC
from folkmoot.forges.github import home_of
from folkmoot.forges.port import Answer
from folkmoot.forges.web.client import Client, Pacing, wait_of
from folkmoot.forges.web.credentials import credentials
from tests.forges.conformance import NOW, bodies
from tests.forges.github.emulator import API, TOKEN
from tests.forges.github.github_table import GitHubTable
from tests.forges.local_table import bare
from tests.forges.web_faults import (
    Answering,
    WebFaults,
    failed,
    lost,
    once,
    truncated,
)

pytestmark = pytest.mark.sampled(2)


@pytest.fixture
def table(tmp_path: Path) -> GitHubTable:
    hub = bare(tmp_path)
    return GitHubTable(tmp_path, str(hub), hub)


class TestFaultsOfGitHub(WebFaults):
    """What fails everywhere."""


# -- reading


@pytest.mark.parametrize("what", [lost, failed, truncated])
@pytest.mark.parametrize("place", ["/pulls", "/reviews", "/comments", "/timeline"])
def test_a_look_is_whole_or_nothing(table: GitHubTable, what: Any, place: str) -> None:
    number = table.open("ann", "A dragon")
    table.comment("bob", number, "/vote for")
    table.review("cid", number, "approve")
    table.github.faults = [once("GET", what, place, 100)]
    with pytest.raises(ProblemError, match="E-FORGE"):
        table.forge.look(NOW)
    assert "refs/moot/forge" not in table.repo.references
    table.github.faults = []
    assert len(table.forge.look(NOW).remarks[number]) == 2


def test_a_page_in_the_middle_that_fails_loses_nothing(table: GitHubTable) -> None:
    table.github.pages = 2
    number = table.open("ann", "A dragon")
    texts = [f"No. {n}" for n in range(7)]
    for text in texts:
        table.comment("bob", number, text)

    def third(request: httpx.Request, answering: Answering) -> httpx.Response | None:
        return httpx.Response(500) if request.url.params.get("page") == "3" else None

    table.github.faults = [third]
    with pytest.raises(ProblemError, match="E-FORGE"):
        table.forge.look(NOW)
    table.github.faults = []
    assert bodies(table.forge.look(NOW), number) == texts


def test_doubled_pages_count_once(table: GitHubTable) -> None:
    number = table.open("ann", "A dragon")
    for n in range(3):
        table.comment("bob", number, f"No. {n}")
        table.review("bob", number, "approve")

    def doubled(request: httpx.Request, answering: Answering) -> httpx.Response | None:
        answer = answering()
        if answer.status_code != 200 or not isinstance(answer.json(), list):
            return None
        headers = {k: v for k, v in answer.headers.items() if k not in ("content-length", "content-type")}
        if not request.url.params.get("page"):
            headers["Link"] = f'<{request.url.copy_set_param("page", "1")}>; rel="next"'
        return httpx.Response(200, headers=headers, json=answer.json())

    table.github.faults = [doubled]
    snapshot = table.forge.look(NOW)
    assert len(snapshot.remarks[number]) == 6
    assert len(snapshot.pulls) == 1


@pytest.mark.threat("T-31")
def test_lists_in_a_circle_end(table: GitHubTable) -> None:
    def circle(request: httpx.Request, answering: Answering) -> httpx.Response | None:
        return httpx.Response(200, headers={"Link": f'<{request.url}>; rel="next"'}, json=[])

    table.github.faults = [circle]
    with pytest.raises(ProblemError, match="circle"):
        table.forge.look(NOW)


@pytest.mark.threat("T-03")
@pytest.mark.parametrize(
    "link",
    [
        "https://evil.example/repos/moot/game/pulls?page=2",
        "http://api.github.example/repos/moot/game/pulls?page=2",
        "https://api.github.example:444/repos/moot/game/pulls?page=2",
        "https://api.github.example@evil.example/pulls?page=2",
        "https://ann:pw@api.github.example/repos/moot/game/pulls?page=2",
        "//evil.example/pulls?page=2",
        "https://api.github.example.evil.example/x",
        "file:///etc/passwd",
        "https://[",
    ],
)
@pytest.mark.parametrize("how", ["Link", "Location"])
def test_the_token_goes_nowhere_else(table: GitHubTable, link: str, how: str) -> None:
    def astray(request: httpx.Request, answering: Answering) -> httpx.Response | None:
        if how == "Link":
            return httpx.Response(200, headers={"Link": f'<{link}>; rel="next"'}, json=[])
        return httpx.Response(302, headers={"Location": link})

    table.github.faults = [astray]
    with pytest.raises(ProblemError, match="another host"):
        table.forge.look(NOW)
    assert {(r.url.scheme, r.url.host, r.url.port) for r in table.github.requests} == {
        ("https", "api.github.example", None)
    }


def test_a_renamed_repository_is_found_on_the_same_host(table: GitHubTable) -> None:
    def renamed(request: httpx.Request, answering: Answering) -> httpx.Response | None:
        if "/repositories/" in request.url.path:
            return httpx.Response(200, json=[])
        return (
            httpx.Response(301, headers={"Location": f"{API}/repositories/7/pulls"})
            if "/pulls" in str(request.url)
            else None
        )

    table.github.faults = [renamed]
    assert table.forge.look(NOW).pulls == ()


# -- limits


def test_what_limits_say() -> None:
    now = time.time()
    assert wait_of(200, {}, b"", now) is None
    assert wait_of(403, {}, b'{"message": "Resource not accessible"}', now) is None
    assert wait_of(403, {}, b'{"documentation_url": "https://x/rest/overview/rate-limits-for-the-rest-api"}', now) == 60
    assert wait_of(429, {"Retry-After": "soon"}, b"", now) == 60
    assert wait_of(429, {"Retry-After": formatdate(now + 30, usegmt=True)}, b"", now) == pytest.approx(30, abs=2)
    reset = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(now) + 40)}
    assert wait_of(403, reset, b"", now) == pytest.approx(40, abs=2)
    assert wait_of(403, {"X-RateLimit-Remaining": "12", "X-RateLimit-Reset": "1"}, b"", now) is None


def test_writes_keep_the_pause_that_github_asks_for(table: GitHubTable) -> None:
    numbers = [table.open("ann", f"No. {n}") for n in range(3)]
    table.forge.look(NOW)
    table.forge.answer([Answer(pull=n, text="Hello.") for n in numbers])
    assert table.slept == [1.0, 1.0]


# -- writing


# -- the token


@pytest.mark.threat("T-02")
def test_git_gets_the_token_by_its_environment_and_for_one_host(tmp_path: Path, table: GitHubTable) -> None:
    given = credentials("https://github.com/moot/game.git", home_of(PUBLIC), TOKEN)
    assert given["GIT_CONFIG_KEY_0"] == "http.https://github.com/.extraHeader"
    assert TOKEN not in str(given)  # it is written in another alphabet there, as HTTP wants it
    assert credentials("https://ghe.example/moot/game", home_of("https://ghe.example/api/v3"), TOKEN)
    elsewhere = [
        "https://github.com.evil.example/x",
        "http://github.com/x",
        "https://a:b@github.com/x",
        "/tmp/hub",
        "ssh://git@github.com/x",
    ]
    assert [credentials(remote, home_of(PUBLIC), TOKEN) for remote in elsewhere] == [{}] * len(elsewhere)
    assert credentials("https://github.com/moot/game", home_of(PUBLIC), "") == {}


@pytest.mark.threat("T-03")
@pytest.mark.parametrize("api", ["http://api.github.com", "https://token@api.github.com", "https://api.github.com?x=1"])
def test_an_address_that_would_give_secrets_away_is_refused(api: str) -> None:
    with pytest.raises(ProblemError, match="E-FORGE"):
        Client(api, {"Authorization": f"Bearer {TOKEN}"})


def test_pacing_counts_what_it_waited() -> None:
    slept: list[float] = []
    pacing = Pacing(slept.append, patience=10)
    pacing.wait(6)
    with pytest.raises(ProblemError):
        pacing.wait(6)
    pacing.begin()
    pacing.wait(6)
    assert slept == [6, 6]
