"""What goes wrong between a referee and its forge: the network, the forge's answers, and the referees themselves.

All of it is drawn from a seed. Between two clear moments only so much goes wrong that somebody gets through in the end.
"""

from __future__ import annotations

import json
import random
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx

from tests.forges.smart_http import Server, running

LATE = 0.6
"""For how many seconds a late answer is held back; the clients of these tests give up earlier."""

BEFORE = ("unavailable", "dropped", "limited", "secondary limit", "quota")
"""Faults after which nothing was done."""
AFTER = ("done, but failed", "lost", "late", "truncated", "garbled", "odd")
"""Faults whose answer is spoilt though what was asked is done."""
OF_GIT = ("unavailable", "dropped", "lost", "truncated")

LIMITS: dict[str, tuple[int, dict[str, str]]] = {
    "unavailable": (503, {}),
    "limited": (429, {"Retry-After": "3"}),
    "secondary limit": (403, {"Retry-After": "7"}),
    "quota": (403, {"X-RateLimit-Remaining": "0"}),
}
SPOILT = {
    "done, but failed": (502, b"<html>Bad gateway</html>"),
    "garbled": (200, b"<html>Please log in</html>"),
    "odd": (200, b'{"message": "no such shape"}'),
}
ORDERLY = ("pulls", "issues")
"""Lists whose order a client asks for; they are shuffled only where they fit on one page."""


class Weather:
    """Says of each request what goes wrong with it; `met` counts what did."""

    def __init__(self, chance: random.Random, rate: float) -> None:
        self.chance = chance
        self.rate = rate
        self.left = 0
        self.met: Counter[str] = Counter()

    def worsen(self, most: int) -> None:
        """Let so many things go wrong from now on."""
        self.left = most

    def next(self, method: str, path: str) -> str:
        """Return what goes wrong with a request, "" if nothing."""
        if self.left <= 0 or self.chance.random() >= self.rate:
            return ""
        self.left -= 1
        return self.chance.choice(OF_GIT if ".git/" in path else (*BEFORE, *AFTER))

    def disordered(self, path: str, paged: bool, content: bytes) -> bytes:
        """Return an answer whose list comes, now and then, out of order and some of it twice: in clear weather too."""
        is_list = content.startswith(b"[{")
        if not is_list or self.chance.random() >= self.rate or (paged and path.rpartition("/")[2] in ORDERLY):
            return content
        self.met["shuffled"] += 1
        items = json.loads(content)
        found = items + self.chance.sample(items, min(len(items), 2))
        self.chance.shuffle(found)
        return json.dumps(found).encode()


def spoilt(weather: Weather, handle: Callable[[httpx.Request], httpx.Response]) -> httpx.MockTransport:
    """Return what carries requests in this weather without a network."""

    def carry(request: httpx.Request) -> httpx.Response:
        fault = weather.next(request.method, request.url.path)
        if fault:
            weather.met[fault] += 1
        if fault == "dropped":
            raise httpx.ConnectError("dropped", request=request)
        if fault in LIMITS:
            status, headers = LIMITS[fault]
            return httpx.Response(status, headers=headers, json={})
        answer = handle(request)
        if fault in ("lost", "late"):
            kind = httpx.ReadTimeout if fault == "late" else httpx.RemoteProtocolError
            raise kind(fault, request=request)
        if fault in SPOILT:
            status, content = SPOILT[fault]
            return httpx.Response(status, content=content)
        content = answer.content[: len(answer.content) // 2] if fault == "truncated" else answer.content
        headers = {name: value for name, value in answer.headers.items() if name.lower() != "content-length"}
        if answer.status_code == 200 and not fault:
            content = weather.disordered(request.url.path, "link" in answer.headers, content)
        return httpx.Response(answer.status_code, headers=headers, content=content)

    return httpx.MockTransport(carry)


def stormy(handler: type[BaseHTTPRequestHandler], weather: Weather) -> type[BaseHTTPRequestHandler]:
    """Return a handler of requests that stands in this weather."""
    calm: Any = handler

    class Stormy(calm):  # type: ignore[misc]
        """Spoils some answers."""

        fault = ""
        disable_nagle_algorithm = True  # an answer goes out in two parts

        def _serve(self, body: bytes) -> None:
            self.fault = weather.next(self.command, self.path)
            if self.fault:
                weather.met[self.fault] += 1
            if self.fault == "dropped":
                self._hang_up()
            elif self.fault in LIMITS:
                status, headers = LIMITS[self.fault]
                super()._answer(status, list(headers.items()), b"{}")
            else:
                super()._serve(body)

        def _answer(self, status: int, headers: list[Any], content: bytes) -> None:
            if self.fault in ("lost", "late"):
                time.sleep(LATE if self.fault == "late" else 0)
                self._hang_up()
            elif self.fault == "truncated":
                self._cut(status, headers, content)
            elif self.fault in SPOILT:
                super()._answer(SPOILT[self.fault][0], [], SPOILT[self.fault][1])
            else:
                paged = any(name.lower() == "link" for name, _ in headers)
                path = self.path.partition("?")[0]
                super()._answer(status, headers, weather.disordered(path, paged, content) if status == 200 else content)

        def _cut(self, status: int, headers: list[Any], content: bytes) -> None:
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content) + 1))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2])
            self.wfile.flush()
            self._hang_up()

        def _hang_up(self) -> None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)

    return Stormy


@contextmanager
def open_to(server: Server, handler: type[BaseHTTPRequestHandler]) -> Iterator[Server]:
    """Serve with a handler while the context lasts; who hangs up on it is none of its business, other failures are."""
    failures: list[BaseException] = []

    def note(*_: object) -> None:
        error = sys.exc_info()[1]
        if error is not None and not isinstance(error, OSError):
            failures.append(error)

    server.RequestHandlerClass = handler  # type: ignore[assignment]
    server.handle_error = note  # type: ignore[method-assign]
    try:
        with running(server):
            yield server
    finally:
        for failure in failures:
            raise failure


class Killed(BaseException):
    """What stands for the end of a process: nothing catches it."""


class Trouble:
    """At some of the points that a referee passes it dies, or others do something; `met` counts what happened."""

    def __init__(self, chance: random.Random, rate: float, met: Counter[str], others: dict[str, Callable[[], None]]):
        self.chance = chance
        self.rate = rate
        self.met = met
        self.others = others
        self.busy = False
        self.left = 0

    def __call__(self, point: str) -> None:
        """Do what happens at a point, if anything does."""
        if self.busy or self.left <= 0 or self.chance.random() >= self.rate:
            return
        self.busy, self.left = True, self.left - 1
        try:
            what = self.chance.choice(["killed", *self.others])
            self.met[what] += 1
            if what == "killed":
                self.met[f"killed: {point}"] += 1
                raise Killed
            self.others[what]()
        finally:
            self.busy = False


def clone_of(folder: Path) -> Path:
    """Return where a clone is to be made that is not there yet."""
    return next(place for number in range(10_000) if not (place := folder / f"clone-{number}").exists())
