"""A network and a forge that fail in every way: nothing is done twice, nothing is half seen, no secret goes elsewhere."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path
from typing import Any

import httpx
import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.forges.port import Answer
from folkmoot.forges.web.client import LARGEST, Client, wait_of
from folkmoot.forges.web.credentials import credentials
from folkmoot.forges.web.forge import home_of
from tests.forges.conformance import NOW, bodies, pull
from tests.forges.emulated_table import EmulatedTable
from tests.forges.gitea.emulator import HOME, TOKEN
from tests.forges.smart_http import serving
from tests.forges.tables import WEB, on
from tests.forges.web_faults import (
    Answering,
    died,
    done_but_failed,
    doubled_and_shuffled,
    failed,
    late,
    lost,
    once,
    refused,
    truncated,
)

FORGES = WEB


# -- reading


@pytest.mark.parametrize("what", [lost, failed, truncated, late])
def test_reading_is_tried_again(table: EmulatedTable, what: Any) -> None:
    number = table.open("ann", "A dragon")
    table.comment("bob", number, "Hm.")
    table.web.faults = [once("GET", what, "/pulls"), once("GET", what, f"/{number}/comments", 2)]
    assert bodies(table.forge.look(NOW), number) == ["Hm."]
    assert table.slept == [1, 1, 2]


@pytest.mark.parametrize("what", [lost, failed, truncated])
@pytest.mark.parametrize("place", ["/pulls", "/reviews", "/comments", "/timeline", "/issues"])
@pytest.mark.sampled(3)
def test_a_look_is_whole_or_nothing(table: EmulatedTable, what: Any, place: str) -> None:
    number = table.open("ann", "A dragon")
    table.comment("bob", number, "/vote for")
    table.review("cid", number, "approve")
    table.web.faults = [once("GET", what, place, 100)]
    if place == "/timeline" and not table.tells_who and what is truncated:
        return  # that there is none is said by a number
    with pytest.raises(ProblemError, match="E-FORGE"):
        table.forge.look(NOW)
    assert "refs/moot/forge" not in table.repo.references
    table.web.faults = []
    assert len(table.forge.look(NOW).remarks[number]) == 2


def test_a_page_in_the_middle_that_fails_loses_nothing(table: EmulatedTable) -> None:
    table.web.pages = 2
    numbers = [table.open("ann", f"No. {n}") for n in range(7)]
    table.web.faults = [lambda request, _: httpx.Response(500) if request.url.params.get("page") == "3" else None]
    with pytest.raises(ProblemError, match="E-FORGE"):
        table.forge.look(NOW)
    table.web.faults = []
    assert [each.number for each in table.forge.look(NOW).pulls] == numbers


def test_doubled_and_shuffled_items_count_once_and_hide_nobody_elses(table: EmulatedTable) -> None:
    number = table.open("ann", "A dragon")
    said = [table.review(who, number, "approve") for who in ("bob", "cid", "dee", "eve", "fay", "gil", "hal")]
    said += [table.comment("bob", number, f"No. {n}") for n in range(7)]
    table.web.faults = [doubled_and_shuffled(random.Random(7))]
    seen = table.forge.look(NOW)
    assert sorted(each.id for each in seen.remarks[number]) == sorted(said)
    assert len(seen.pulls) == 1


@pytest.mark.threat("T-31")
def test_lists_without_end_end(table: EmulatedTable) -> None:
    count = [0]

    def endless(request: httpx.Request, answering: Answering) -> httpx.Response | None:
        if not request.url.path.endswith("/pulls"):
            return None
        count[0] += 1
        (item,) = answering().json() or [{}]
        items = [{**item, "id": 100 * count[0] + n, "number": 1} for n in range(10)]
        return httpx.Response(200, headers={"Link": f'<{request.url}>; rel="next"'}, json=items)

    table.open("ann", "A dragon")
    table.web.pages = 1
    table.web.faults = [endless]
    with pytest.raises(ProblemError, match=r"circle|not understood"):
        table.forge.look(NOW)
    assert count[0] <= 500


@pytest.mark.threat("T-31")
def test_an_endless_answer_is_cut(table: EmulatedTable) -> None:
    def endless() -> Iterator[bytes]:
        while True:
            yield b"x" * (1 << 20)

    table.web.faults = [once("GET", lambda *_: httpx.Response(200, content=endless()), "/pulls")]
    with pytest.raises(ProblemError, match=f"more than {LARGEST >> 20} MB"):
        table.forge.look(NOW)


@pytest.mark.parametrize("data", [{}, [{"number": "one"}], [7], "no"])
def test_answers_of_another_shape_are_an_error(table: EmulatedTable, data: Any) -> None:
    table.web.faults = [once("GET", lambda *_: httpx.Response(200, json=data), "/pulls")]
    with pytest.raises(ProblemError, match="not understood"):
        table.forge.look(NOW)


def test_a_right_that_lacks_is_not_waited_for(table: EmulatedTable) -> None:
    table.web.faults = [once("GET", refused(403, {}, '{"message": "no"}'), times=100)]
    with pytest.raises(ProblemError, match="may not do that"):
        table.forge.look(NOW)
    assert table.slept == []


# -- limits


@pytest.mark.threat("T-31")
@pytest.mark.parametrize(
    ("status", "headers", "waits"),
    [
        (429, {"Retry-After": "7"}, 7),
        (403, {"Retry-After": "9"}, 9),
        (429, {}, 60),
        (403, {"X-RateLimit-Remaining": "0"}, 60),
    ],
)
def test_limits_are_waited_for(table: EmulatedTable, status: int, headers: dict[str, str], waits: float) -> None:
    number = table.open("ann", "A dragon")
    table.web.faults = [once("GET", refused(status, headers), "/pulls")]
    table.forge.look(NOW)
    assert table.slept == [waits]
    table.web.faults = [once("POST", refused(status, headers))]
    table.forge.answer([Answer(pull=number, text="Hello.")])
    assert table.slept == [waits, waits]
    assert len(table.web.said) == 1  # a request that was refused for its number may be sent again


@pytest.mark.threat("T-31")
def test_waiting_has_an_end(table: EmulatedTable) -> None:
    table.web.faults = [once("GET", refused(429, {"Retry-After": "3600"}), times=100)]
    with pytest.raises(ProblemError, match="60 minutes"):
        table.forge.look(NOW)
    assert table.slept == []
    table.web.faults = [once("GET", refused(429, {"Retry-After": "100"}), times=100)]
    with pytest.raises(ProblemError, match="too often"):
        table.forge.look(NOW)
    assert table.slept == [100, 100, 100]


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


@on("github")
def test_writes_keep_the_pause_that_github_asks_for(table: EmulatedTable) -> None:
    numbers = [table.open("ann", f"No. {n}") for n in range(3)]
    table.forge.look(NOW)
    table.forge.answer([Answer(pull=n, text="Hello.") for n in numbers])
    assert table.slept == [1.0, 1.0]


# -- writing


@pytest.mark.parametrize("what", [late, done_but_failed])
def test_a_comment_whose_answer_is_lost_is_made_once(table: EmulatedTable, what: Any) -> None:
    number = table.open("ann", "A dragon")
    table.forge.look(NOW)
    table.web.faults = [once("POST", what)]
    table.forge.answer([Answer(pull=number, text="Hello.")])
    assert len(table.web.said) == 1
    table.web.faults = [once("PATCH", what)]
    table.forge.answer([Answer(pull=number, text="Hello again.")])
    assert table.forge.look(NOW + 5).said == {number: "Hello again."}
    assert len(table.web.said) == 1
    assert [request.method for request in table.web.requests if request.method != "GET"] == ["POST", "PATCH"]


@pytest.mark.parametrize("what", [lost, failed])
def test_a_comment_that_was_not_made_is_made_by_the_next_run(table: EmulatedTable, what: Any) -> None:
    number = table.open("ann", "A dragon")
    table.forge.look(NOW)
    table.web.faults = [once("POST", what)]
    with pytest.raises(ProblemError, match="asked to change something"):
        table.forge.answer([Answer(pull=number, text="Hello.")])
    assert table.web.said == {}
    assert table.forge.look(NOW + 5).said == {}
    table.forge.answer([Answer(pull=number, text="Hello.")])
    assert table.forge.look(NOW + 9).said == {number: "Hello."}


@pytest.mark.parametrize("what", [late, done_but_failed])
def test_closing_whose_answer_is_lost_is_done_once(table: EmulatedTable, what: Any) -> None:
    number = table.open("ann", "A dragon")
    table.forge.look(NOW)
    table.web.faults = [once("PATCH", what, "/pulls/")]
    table.forge.answer([Answer(pull=number, text="No.", state="closed", settled=True)])
    assert table.web.pulls[number]["state"] == "closed"
    assert sum(request.method == "PATCH" for request in table.web.requests) == 1
    assert table.forge.look(NOW + 5).pulls == ()


def test_a_comment_made_by_a_run_that_died_is_found(table: EmulatedTable) -> None:
    number = table.open("ann", "A dragon")
    table.forge.look(NOW)
    other = table.another()
    other.look(NOW + 1)
    table.web.faults = [once("POST", died)]
    with pytest.raises(KeyboardInterrupt):
        other.answer([Answer(pull=number, text="Hello.")])
    assert table.forge.look(NOW + 5).said == {number: "Hello."}
    table.forge.answer([Answer(pull=number, text="Hello again.")])
    assert len(table.web.said) == 1


@pytest.mark.threat("T-31")
def test_one_that_refuses_its_answer_keeps_nobody_else_from_eirs(table: EmulatedTable) -> None:
    first, second = table.open("ann", "Locked"), table.open("bob", "Open")
    table.forge.look(NOW)
    for what in (lost, refused(403)):
        table.web.faults = [once("POST", what, f"/issues/{first}/", 99)]
        with pytest.raises(ProblemError, match=f"#{first}"):
            table.forge.answer([Answer(pull=first, text="Hello."), Answer(pull=second, text="Hello.")])
        table.web.faults = []
        assert table.forge.look(NOW + 5).said == {second: "Hello."}


def test_what_was_told_before_a_failure_is_written_down(table: EmulatedTable) -> None:
    first, second = table.open("ann", "One"), table.open("bob", "Two")
    table.forge.look(NOW)
    table.web.faults = [once("POST", lost, f"/issues/{second}/")]
    answers = [Answer(pull=first, text="Hello.", state="closed", settled=True), Answer(pull=second, text="Hello.")]
    with pytest.raises(ProblemError):
        table.forge.answer(answers)
    snapshot = table.another().look(NOW + 5)
    assert [each.number for each in snapshot.pulls] == [second]
    assert pull(snapshot, second).state == "open"


# -- the token


@pytest.mark.threat("T-03")
@pytest.mark.parametrize(
    "link",
    [
        "https://evil.example/PLACE?page=2",
        "http://HOST/PLACE?page=2",
        "https://HOST:444/PLACE?page=2",
        "https://HOST@evil.example/pulls?page=2",
        "https://ann:pw@HOST/PLACE?page=2",
        "//evil.example/pulls?page=2",
        "https://HOST.evil.example/x",
        "file:///etc/passwd",
    ],
)
@pytest.mark.parametrize("how", ["Link", "Location"])
@pytest.mark.sampled(3)
def test_the_token_goes_nowhere_else(table: EmulatedTable, link: str, how: str) -> None:
    """Where GitHub names the next page elsewhere, or any server sends us elsewhere, it ends; Gitea's links are not read."""
    home = httpx.URL(table.forge.client._base)
    given = link.replace("HOST", home.host).replace("PLACE", "repos/moot/game/pulls")

    def astray(request: httpx.Request, answering: Answering) -> httpx.Response:
        if how == "Link":
            return httpx.Response(200, headers={"Link": f'<{given}>; rel="next"'}, json=[])
        return httpx.Response(307, headers={"Location": given})

    table.web.faults = [once("GET", astray, "/pulls", 9)]
    if how == "Link" and table.kind == "gitea":
        assert table.forge.look(NOW).pulls == ()
    else:
        with pytest.raises(ProblemError, match="another host"):
            table.forge.look(NOW)
    assert {(r.url.scheme, r.url.host, r.url.port) for r in table.web.requests} == {("https", home.host, None)}
    assert [r.url.path for r in table.web.requests if not r.url.path.startswith(table.api)] == []


@on("gitea")
def test_nor_to_what_else_the_forges_host_serves(table: EmulatedTable) -> None:
    elsewhere = str(table.forge.client._base).replace("/git/", "/other/")
    table.web.faults = [once("GET", lambda *_: httpx.Response(307, headers={"Location": elsewhere}), "/pulls", 9)]
    with pytest.raises(ProblemError, match="another host"):
        table.forge.look(NOW)


def test_a_renamed_repository_is_found_on_the_same_host(table: EmulatedTable) -> None:
    def renamed(request: httpx.Request, answering: Answering) -> httpx.Response | None:
        if "/moot/older" not in request.url.path:
            return None
        return httpx.Response(307, headers={"Location": str(request.url).replace("/moot/older", "/moot/game")})

    number = table.open("ann", "A dragon")
    table.web.faults = [renamed]
    table.forge.reading.place = "repos/moot/older"
    assert [each.number for each in table.forge.look(NOW).pulls] == [number]


@pytest.mark.threat("T-02")
def test_the_token_is_neither_shown_nor_logged(table: EmulatedTable, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    number = table.open("ann", "A dragon")
    table.forge.look(NOW)
    table.forge.answer([Answer(pull=number, text="Hello.")])
    table.web.faults = [once("GET", refused(401, {}, f'{{"message": "{table.token} is bad"}}'), times=9)]
    with pytest.raises(ProblemError) as wrong:
        table.forge.look(NOW)
    told = (caplog.text, wrong.value, wrong.value.problems, table.forge, table.forge.client, table.web.said)
    assert [text for text in map(repr, told) if table.token in text] == []
    assert table.token not in str(wrong.value)


def test_git_pushes_with_the_token(tmp_path: Path, table: EmulatedTable) -> None:
    with serving(tmp_path, f"x-access-token:{table.token}") as server:
        table.remote = f"{server.address}/{table.hub.name}"
        forge = table.another()
        with pytest.raises(ProblemError, match="the forge does not accept the token"):
            forge.look(NOW)
        forge.refs.git.variables = credentials(table.remote, server.address, table.token)
        number = table.open("ann", "A dragon")
        assert pull(forge.look(NOW), number).head.commit == table.head(number)
        assert table.token not in (forge.refs.git.path / "config").read_text()


@pytest.mark.threat("T-02", "T-03")
@pytest.mark.parametrize(
    ("home", "place", "elsewhere"),
    [
        (home_of("https://api.github.com"), "https://github.com/", "https://github.com.evil.example/x"),
        (home_of("https://api.github.com"), "https://github.com/", "http://github.com/x"),
        (home_of("https://api.github.com"), "https://github.com/", "ssh://git@github.com/x"),
        (home_of("https://ghe.example/api/v3"), "https://ghe.example/", "/tmp/hub"),
        (home_of("https://api.github.com"), "https://github.com/", "https://github.com@evil.example/x"),
        (home_of("https://api.github.com"), "https://github.com/", "git@github.com:moot/game"),
        (HOME, f"{HOME}/", "https://forge.example/other/x"),
        (HOME, f"{HOME}/", "https://forge.example/gitter/x"),
        (HOME, f"{HOME}/", "https://forge.example:444/git/x"),
        (HOME, f"{HOME}/", "https://a:b@forge.example/git/x"),
    ],
)
def test_git_gets_the_token_by_its_environment_and_for_the_forge_alone(home: str, place: str, elsewhere: str) -> None:
    given = credentials(f"{place}moot/game.git", home, TOKEN)
    assert given["GIT_CONFIG_KEY_0"] == f"http.{place}.extraHeader"
    assert TOKEN not in str(given)  # it is written in another alphabet there, as HTTP wants it
    assert credentials(elsewhere, home, TOKEN) == credentials(f"{place}moot/game", home, "") == {}


@pytest.mark.threat("T-03")
@pytest.mark.parametrize("api", ["http://api.github.com", "https://token@api.github.com", "https://api.github.com?x=1"])
def test_an_address_that_would_give_secrets_away_is_refused(api: str) -> None:
    with pytest.raises(ProblemError, match="E-FORGE"):
        Client(api, {"Authorization": f"Bearer {TOKEN}"})
