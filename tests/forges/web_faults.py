"""What goes wrong between us and a forge with an API, and the tests that all such forges pass alike."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.forges.port import Answer
from folkmoot.forges.web.client import LARGEST
from folkmoot.forges.web.credentials import credentials
from tests.forges.conformance import NOW, bodies, pull
from tests.forges.emulated_table import EmulatedTable
from tests.forges.smart_http import serving

Answering = Callable[[], httpx.Response]
Fault = Callable[[httpx.Request, Answering], httpx.Response | None]


def once(
    method: str, what: Callable[[httpx.Request, Answering], httpx.Response], place: str = "", times: int = 1
) -> Fault:
    """Return a fault that comes between the first few times that something is asked."""
    left = [times]

    def fault(request: httpx.Request, answering: Answering) -> httpx.Response | None:
        if request.method != method or place not in request.url.path or not left[0]:
            return None
        left[0] -= 1
        return what(request, answering)

    return fault


def late(request: httpx.Request, answering: Answering) -> httpx.Response:
    """Do it, and let the answer not arrive."""
    answering()
    raise httpx.ReadTimeout("late", request=request)


def lost(request: httpx.Request, answering: Answering) -> httpx.Response:
    """Do nothing, and answer nothing."""
    raise httpx.ConnectError("unreachable", request=request)


def done_but_failed(request: httpx.Request, answering: Answering) -> httpx.Response:
    answering()
    return httpx.Response(502, text="Bad gateway")


def failed(request: httpx.Request, answering: Answering) -> httpx.Response:
    return httpx.Response(503, text="<html>Unicorn</html>")


def truncated(request: httpx.Request, answering: Answering) -> httpx.Response:
    answer = answering()
    headers = {k: v for k, v in answer.headers.items() if k != "content-length"}
    return httpx.Response(answer.status_code, headers=headers, content=answer.content[: len(answer.content) // 2])


def limited(
    status: int, headers: dict[str, str], body: str = "{}"
) -> Callable[[httpx.Request, Answering], httpx.Response]:
    return lambda request, answering: httpx.Response(status, headers=headers, text=body)


class WebFaults:
    """The suite; a module of tests gives the fixture `table`."""

    @pytest.mark.parametrize("what", [lost, failed, truncated, late])
    def test_reading_is_tried_again(self, table: EmulatedTable, what: Any) -> None:
        number = table.open("ann", "A dragon")
        table.comment("bob", number, "Hm.")
        table.web.faults = [once("GET", what, "/pulls"), once("GET", what, f"/{number}/comments", 2)]
        assert bodies(table.forge.look(NOW), number) == ["Hm."]
        assert table.slept == [1, 1, 2]

    @pytest.mark.threat("T-31")
    def test_an_endless_answer_is_cut(self, table: EmulatedTable) -> None:
        def endless() -> Iterator[bytes]:
            while True:
                yield b"x" * (1 << 20)

        table.web.faults = [once("GET", lambda *_: httpx.Response(200, content=endless()), "/pulls")]
        with pytest.raises(ProblemError, match=f"more than {LARGEST >> 20} MB"):
            table.forge.look(NOW)

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
    def test_limits_are_waited_for(
        self, table: EmulatedTable, status: int, headers: dict[str, str], waits: float
    ) -> None:
        number = table.open("ann", "A dragon")
        table.web.faults = [once("GET", limited(status, headers), "/pulls")]
        table.forge.look(NOW)
        assert table.slept == [waits]
        table.web.faults = [once("POST", limited(status, headers))]
        table.forge.answer([Answer(pull=number, text="Hello.")])
        assert table.slept == [waits, waits]
        assert len(table.web.said) == 1  # a request that was refused for its number may be sent again

    @pytest.mark.threat("T-31")
    def test_waiting_has_an_end(self, table: EmulatedTable) -> None:
        table.web.faults = [once("GET", limited(429, {"Retry-After": "3600"}), times=100)]
        with pytest.raises(ProblemError, match="60 minutes"):
            table.forge.look(NOW)
        assert table.slept == []
        table.web.faults = [once("GET", limited(429, {"Retry-After": "100"}), times=100)]
        with pytest.raises(ProblemError, match="too often"):
            table.forge.look(NOW)
        assert table.slept == [100, 100, 100]

    @pytest.mark.parametrize("data", [{}, [{"number": "one"}], [7], "no"])
    def test_answers_of_another_shape_are_an_error(self, table: EmulatedTable, data: Any) -> None:
        table.web.faults = [once("GET", lambda *_: httpx.Response(200, json=data), "/pulls")]
        with pytest.raises(ProblemError, match="not understood"):
            table.forge.look(NOW)

    def test_a_right_that_lacks_is_not_waited_for(self, table: EmulatedTable) -> None:
        table.web.faults = [once("GET", limited(403, {}, '{"message": "no"}'), times=100)]
        with pytest.raises(ProblemError, match="may not do that"):
            table.forge.look(NOW)
        assert table.slept == []

    @pytest.mark.parametrize("what", [late, done_but_failed])
    def test_a_comment_whose_answer_is_lost_is_made_once(self, table: EmulatedTable, what: Any) -> None:
        number = table.open("ann", "A dragon")
        table.forge.look(NOW)
        table.web.faults = [once("POST", what)]
        table.forge.answer([Answer(pull=number, text="Hello.")])
        assert len(table.web.said) == 1
        table.web.faults = [once("PATCH", what)]
        table.forge.answer([Answer(pull=number, text="Hello again.")])
        assert table.forge.look(NOW + 5).said == {number: "Hello again."}
        assert len(table.web.said) == 1
        writes = [request.method for request in table.web.requests if request.method != "GET"]
        assert writes == ["POST", "PATCH"]

    @pytest.mark.parametrize("what", [lost, failed])
    def test_a_comment_that_was_not_made_is_made_by_the_next_run(self, table: EmulatedTable, what: Any) -> None:
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
    def test_closing_whose_answer_is_lost_is_done_once(self, table: EmulatedTable, what: Any) -> None:
        number = table.open("ann", "A dragon")
        table.forge.look(NOW)
        table.web.faults = [once("PATCH", what, "/pulls/")]
        table.forge.answer([Answer(pull=number, text="No.", state="closed", settled=True)])
        assert table.web.pulls[number]["state"] == "closed"
        assert sum(request.method == "PATCH" for request in table.web.requests) == 1
        assert table.forge.look(NOW + 5).pulls == ()

    def test_a_comment_made_by_a_run_that_died_is_found(self, table: EmulatedTable) -> None:
        number = table.open("ann", "A dragon")
        table.forge.look(NOW)
        other = table.another()
        other.look(NOW + 1)

        def die(request: httpx.Request, answering: Answering) -> httpx.Response:
            answering()
            raise KeyboardInterrupt

        table.web.faults = [once("POST", die)]
        with pytest.raises(KeyboardInterrupt):
            other.answer([Answer(pull=number, text="Hello.")])
        assert table.forge.look(NOW + 5).said == {number: "Hello."}
        table.forge.answer([Answer(pull=number, text="Hello again.")])
        assert len(table.web.said) == 1

    @pytest.mark.threat("T-31")
    def test_one_that_refuses_its_answer_keeps_nobody_else_from_eirs(self, table: EmulatedTable) -> None:
        first, second = table.open("ann", "Locked"), table.open("bob", "Open")
        table.forge.look(NOW)
        table.web.faults = [once("POST", limited(403, {}), f"/issues/{first}/", 9)]
        with pytest.raises(ProblemError, match=f"at #{first}"):
            table.forge.answer([Answer(pull=first, text="Hello."), Answer(pull=second, text="Hello.")])
        table.web.faults = []
        assert table.forge.look(NOW + 5).said == {second: "Hello."}

    def test_what_was_told_before_a_failure_is_written_down(self, table: EmulatedTable) -> None:
        first, second = table.open("ann", "One"), table.open("bob", "Two")
        table.forge.look(NOW)
        table.web.faults = [once("POST", lost, f"/issues/{second}/")]
        answers = [Answer(pull=first, text="Hello.", state="closed", settled=True), Answer(pull=second, text="Hello.")]
        with pytest.raises(ProblemError):
            table.forge.answer(answers)
        snapshot = table.another().look(NOW + 5)
        assert [each.number for each in snapshot.pulls] == [second]
        assert pull(snapshot, second).state == "open"

    @pytest.mark.threat("T-02")
    def test_the_token_is_neither_shown_nor_logged(
        self, table: EmulatedTable, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.DEBUG)
        number = table.open("ann", "A dragon")
        table.forge.look(NOW)
        table.forge.answer([Answer(pull=number, text="Hello.")])
        table.web.faults = [once("GET", limited(401, {}, f'{{"message": "{table.token} is bad"}}'), times=9)]
        with pytest.raises(ProblemError) as refused:
            table.forge.look(NOW)
        shown = [
            caplog.text,
            str(refused.value),
            repr(refused.value.problems),
            repr(table.forge),
            repr(table.forge.client),
        ]
        assert not any(table.token in text for text in shown)

    def test_git_pushes_with_the_token(self, tmp_path: Path, table: EmulatedTable) -> None:
        with serving(tmp_path, f"x-access-token:{table.token}") as server:
            table.remote = f"{server.address}/{table.hub.name}"
            forge = table.another()
            with pytest.raises(ProblemError, match="the forge does not accept the token"):
                forge.look(NOW)
            forge.refs.git.variables = credentials(table.remote, server.address, table.token)
            number = table.open("ann", "A dragon")
            assert pull(forge.look(NOW), number).head.commit == table.head(number)
            assert table.token not in (forge.refs.git.path / "config").read_text()
