"""A network and a forge that fail in every way: nothing is done twice, nothing is half seen, no secret goes elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.forges.port import Answer, Call
from folkmoot.forges.web.credentials import credentials
from tests.forges.conformance import NOW
from tests.forges.gitea.emulator import API, GENERATIONS, GITEA_1_15, HOME, TOKEN
from tests.forges.gitea.gitea_table import GiteaTable
from tests.forges.local_table import bare
from tests.forges.web_faults import (
    Answering,
    WebFaults,
    done_but_failed,
    failed,
    late,
    lost,
    once,
    truncated,
)

pytestmark = pytest.mark.sampled(2)  # on one of the two


@pytest.fixture(params=["gitea-1.15", "gitea"])  # Forgejo fails like the latter
def table(request: pytest.FixtureRequest, tmp_path: Path) -> GiteaTable:
    hub = bare(tmp_path)
    return GiteaTable(tmp_path, str(hub), hub, GENERATIONS[request.param])


class TestFaultsOfGitea(WebFaults):
    """What fails everywhere."""


# -- reading


@pytest.mark.parametrize("what", [lost, failed, truncated])
@pytest.mark.parametrize("place", ["/pulls", "/reviews", "/comments", "/timeline", "/issues", "/version", "/settings"])
def test_a_look_is_whole_or_nothing(table: GiteaTable, what: Any, place: str) -> None:
    if place == "/timeline" and table.gitea.generation is GITEA_1_15:
        pytest.skip("it has none")
    number = table.open("ann", "A dragon")
    table.comment("bob", number, "/vote for")
    table.review("cid", number, "approve")
    table.gitea.faults = [once("GET", what, place, 100)]
    with pytest.raises(ProblemError, match="E-FORGE"):
        table.forge.look(NOW)
    assert "refs/moot/forge" not in table.repo.references
    table.gitea.faults = []
    assert len(table.forge.look(NOW).remarks[number]) == 2


def test_a_page_in_the_middle_that_fails_loses_nothing(table: GiteaTable) -> None:
    table.gitea.pages = 2
    numbers = [table.open("ann", f"No. {n}") for n in range(7)]

    def third(request: httpx.Request, answering: Answering) -> httpx.Response | None:
        return httpx.Response(500) if request.url.params.get("page") == "3" else None

    table.gitea.faults = [third]
    with pytest.raises(ProblemError, match="E-FORGE"):
        table.forge.look(NOW)
    table.gitea.faults = []
    assert [each.number for each in table.forge.look(NOW).pulls] == numbers


def test_doubled_items_count_once(table: GiteaTable) -> None:
    number = table.open("ann", "A dragon")
    for _ in range(3):
        table.comment("bob", number, "Hm.")
        table.review("bob", number, "approve")

    def doubled(request: httpx.Request, answering: Answering) -> httpx.Response | None:
        answer = answering()
        if answer.status_code != 200 or not isinstance(answer.json(), list):
            return None
        headers = {k: v for k, v in answer.headers.items() if k not in ("content-length", "content-type")}
        return httpx.Response(200, headers=headers, json=answer.json() * 2)

    table.gitea.faults = [doubled]
    snapshot = table.forge.look(NOW)
    assert (len(snapshot.remarks[number]), len(snapshot.pulls)) == (6, 1)


def test_lists_without_end_end(table: GiteaTable) -> None:
    count = [0]

    def endless(request: httpx.Request, answering: Answering) -> httpx.Response | None:
        if not request.url.path.endswith("/pulls"):
            return None
        count[0] += 1
        items = [{**item, "id": count[0], "number": 1} for item in answering().json() or [{}]]
        return httpx.Response(200, json=items)

    table.open("ann", "A dragon")
    table.gitea.pages = 1
    table.gitea.faults = [endless, lambda r, _: httpx.Response(404) if r.url.path.endswith("/settings/api") else None]
    with pytest.raises(ProblemError, match=r"circle|not understood"):
        table.forge.look(NOW)
    assert count[0] <= 500


@pytest.mark.threat("T-03")
@pytest.mark.parametrize(
    "link",
    [
        "https://evil.example/git/api/v1/repos/moot/game/pulls?page=2",
        "http://forge.example/git/api/v1/repos/moot/game/pulls?page=2",
        "https://forge.example/api/v1/repos/moot/game/pulls?page=2",
        "https://forge.example:444/git/api/v1/repos/moot/game/pulls?page=2",
        "https://forge.example@evil.example/git/api/v1/pulls?page=2",
        "//evil.example/pulls?page=2",
        "file:///etc/passwd",
    ],
)
@pytest.mark.parametrize("how", ["Link", "Location"])
def test_the_token_goes_nowhere_else(table: GiteaTable, link: str, how: str) -> None:
    """What a server names as the next page is not even looked at; where it sends us is followed on the same forge only."""

    def astray(request: httpx.Request, answering: Answering) -> httpx.Response | None:
        if how == "Link":
            answer = answering()
            answer.headers["Link"] = f'<{link}>; rel="next"'
            return answer
        return httpx.Response(307, headers={"Location": link})

    table.gitea.faults = [astray]
    if how == "Link":
        assert table.forge.look(NOW).pulls == ()
    else:
        with pytest.raises(ProblemError, match="another host"):
            table.forge.look(NOW)
    assert {(r.url.scheme, r.url.host, r.url.port) for r in table.gitea.requests} == {("https", "forge.example", None)}
    assert all(r.url.path.startswith("/git/api/v1/") for r in table.gitea.requests)


def test_a_renamed_repository_is_found_on_the_same_host(table: GiteaTable) -> None:
    def renamed(request: httpx.Request, answering: Answering) -> httpx.Response | None:
        if "/moot/older" not in request.url.path:
            return None
        return httpx.Response(307, headers={"Location": str(request.url).replace("/moot/older", "/moot/game")})

    number = table.open("ann", "A dragon")
    table.gitea.faults = [renamed]
    table.forge.reading.place = "repos/moot/older"
    assert [each.number for each in table.forge.look(NOW).pulls] == [number]


# -- limits


# -- writing


@pytest.mark.parametrize("what", [late, done_but_failed])
def test_a_call_whose_answer_is_lost_is_said_once(table: GiteaTable, what: Any) -> None:
    number = table.open("ann", "A dragon")
    table.forge.look(NOW)
    call = Call(key="turn", people=(table.id_of("ann"),), text="Your turn.")
    table.gitea.faults = [once("POST", what)]
    for _ in range(2):
        table.forge.answer([Answer(pull=number, text="", calls=(call,))])
    assert len(table.gitea.said) == 1


# -- the token


@pytest.mark.threat("T-03")
def test_git_gets_the_token_for_the_forge_alone() -> None:
    given = credentials(f"{HOME}/moot/game.git", HOME, TOKEN)
    assert given["GIT_CONFIG_KEY_0"] == f"http.{HOME}/.extraHeader"
    assert TOKEN not in str(given)  # it is written in another alphabet there, as HTTP wants it
    elsewhere = [
        "https://forge.example.evil.example/git/x",
        "https://forge.example/other/x",
        "https://forge.example/gitter/x",
        "https://forge.example:444/git/x",
        "http://forge.example/git/x",
        "https://a:b@forge.example/git/x",
        "/tmp/hub",
        "ssh://git@forge.example/git/x",
    ]
    assert [credentials(remote, HOME, TOKEN) for remote in elsewhere] == [{}] * len(elsewhere)
    assert credentials(f"{HOME}/moot/game", HOME, "") == {}
    assert API.startswith(HOME)
