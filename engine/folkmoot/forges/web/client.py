"""A forge's API over HTTP: one host, whole answers, bounded waiting, and no write that is ever sent twice.

The token goes to the configured host only: the client makes its addresses itself, and follows none that leads away.
httpx carries it, because it does nothing of its own accord: the libraries that know GitHub send a write again after a
failure, or the token to whatever host a link names.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
import msgspec
from msgspec import Struct

from folkmoot.core.problems import Problem, ProblemError, fail
from folkmoot.core.records import Shown
from folkmoot.forges.git_transport import RENEW

PATIENCE = 300.0  # for how many seconds one run waits for the forge, all told
BETWEEN_WRITES = 1.0  # how many seconds GitHub asks to leave between two writes
_SECONDARY = 60.0  # what GitHub asks to wait where it names no time


class Pacing:
    """Waits, all told no longer than `PATIENCE`; `sleep` does the waiting."""

    def __init__(self, sleep: Callable[[float], None], between: float = BETWEEN_WRITES) -> None:
        self.sleep = sleep
        self.between = between
        self.waited = 0.0  # in this run; another one may wait anew
        self._wrote = False

    def wait(self, seconds: float) -> None:
        """Wait; raises E-FORGE where that would take longer than we are ready to."""
        if self.waited + seconds > PATIENCE:
            later = f"run it again in {max(1, round(seconds / 60))} minutes"
            raise fail("E-FORGE", "the forge was asked too often and wants to be left alone", None, later)
        self.pause(seconds)

    def pause(self, seconds: float) -> None:
        """Wait a little before trying again."""
        self.waited += seconds
        self.sleep(seconds)

    def between_writes(self) -> None:
        """Leave the time between two writes that GitHub asks for."""
        if self._wrote and self.between:
            self.sleep(self.between)
        self._wrote = True


def wait_of(status: int, headers: Mapping[str, str], body: bytes, now: float) -> float | None:
    """Return for how many seconds an answer asks to wait because we asked too often; None if it is no such answer.

    A refusal for want of a right has the same number (403); it has neither the headers nor the link of a limit.
    """
    if status not in (403, 429):
        return None
    after, reset = headers.get("Retry-After", ""), headers.get("X-RateLimit-Reset", "")
    if after:
        until = _time_of(after)
        return float(after) if after.isdigit() else max(1.0, until - now) if until else _SECONDARY
    if headers.get("X-RateLimit-Remaining") == "0":
        return max(1.0, float(reset) - now) if reset.isdigit() else _SECONDARY
    return _SECONDARY if status == 429 or b"rate-limit" in body else None


def _time_of(date: str) -> int:
    """Return what a header says as Unix seconds, 0 where that is no date."""
    try:
        return int(parsedate_to_datetime(date).timestamp())
    except (ValueError, TypeError):
        return 0


SECONDS = 20.0  # how long one request may take to connect, or between two pieces of its answer
LARGEST = 32 << 20  # the bytes of the largest answer that is read
MOST_PAGES = 500
TRIES = 4
_RETRIED = frozenset({500, 502, 503, 504})
_MOVED = frozenset({301, 302, 307, 308})

Query = Mapping[str, str | int]


class UncertainError(ProblemError):
    """Raised where nobody knows whether a write was done: ask, never send it again."""


class Reply(Struct, frozen=True):
    """An answer: its data, the server's time, the `next` page if any, and how many items all have, if that is said."""

    data: Any
    at: int
    next: str = ""
    total: int | None = None


class Client:
    """Speaks to one host, at its `api`, as `https://api.github.com`; plain http is refused but on this machine.

    Every request carries `headers`, the token among them; in tests a `transport` takes it in place of the network.
    """

    def __init__(
        self,
        api: str,
        headers: Mapping[str, str],
        *,
        transport: httpx.BaseTransport | None = None,
        pacing: Pacing | None = None,
    ) -> None:
        self._base = httpx.URL(api.rstrip("/") + "/")
        if self._base.scheme != "https" and self._base.host not in ("127.0.0.1", "localhost", "::1"):
            raise fail("E-FORGE", "the forge's API is not reached by https", None, "give its address as https://…")
        if self._base.userinfo or self._base.query:
            raise fail("E-FORGE", "the address of the forge's API holds more than an address", None, "give it plainly")
        self._headers = {"User-Agent": "folkmoot", **headers}
        self._transport = transport
        self._connected: httpx.Client | None = None
        self.pacing = pacing or Pacing(time.sleep)

    def close(self) -> None:
        """Close the connections; they are opened again when something is asked."""
        if self._connected is not None:
            self._connected.close()
        self._connected = None

    @property
    def _http(self) -> httpx.Client:
        if self._connected is None:
            self._connected = httpx.Client(
                transport=self._transport,
                timeout=SECONDS,
                follow_redirects=False,
                trust_env=self._transport is None and self._base.scheme == "https",  # in clear, through no proxy
            )
        return self._connected

    def get(self, path: str, query: Query | None = None) -> Reply:
        """Ask for something. Raises E-FORGE."""
        return self._get(self._address(path, query))

    def find(self, path: str, query: Query | None = None) -> Reply | None:
        """Ask for something that may not be there, or not for us: then None. Raises E-FORGE."""
        try:
            return self.get(path, query)
        except RefusedError as error:
            if error.status in (403, 404, 410):
                return None
            raise

    def pages(self, path: str, query: Query | None = None) -> Iterator[Reply]:
        """Yield the pages of a list, the first to the last. Raises E-FORGE where one of them cannot be had."""
        address = self._address(path, {"per_page": 100, **(query or {})})
        seen = set()
        while True:
            seen.add(str(address))
            reply = self._get(address)
            yield reply
            if not reply.next:
                return
            address = self._within(reply.next)
            if str(address) in seen or len(seen) >= MOST_PAGES:
                raise fail("E-FORGE", "the forge's lists lead in a circle", None, "run it again")

    def _get(self, address: httpx.URL) -> Reply:
        for number in range(TRIES):
            last = number == TRIES - 1
            try:
                response, data = self._send("GET", address)
                if response.status_code in _MOVED:
                    address = self._within(str(response.headers.get("Location", "")))
                    continue
                if response.status_code not in _RETRIED or last:
                    return _reply(response, data)
            except (httpx.TransportError, httpx.DecodingError, msgspec.DecodeError) as error:
                if last:
                    where = f"{self._base.scheme}://{self._base.netloc.decode()}"
                    what = f"the forge at {where} fails: {_plain(error)}"
                    raise fail("E-FORGE", what, None, "run it again when it can be reached") from None
            self.pacing.pause(2.0**number)
        raise fail("E-FORGE", "the forge sends from place to place", None, "check the name of the repository")

    def write(self, method: str, path: str, body: Shown | None) -> Reply:
        """Have something made or changed, once. Raises E-FORGE if it is refused, UncertainError if nobody knows."""
        self.pacing.between_writes()
        sent = b"" if body is None else msgspec.json.encode(body)
        try:
            response, data = self._send(method, self._address(path, None), sent)
            if response.status_code >= 500 or response.status_code in _MOVED:
                raise _uncertain(f"it answered {response.status_code}")
            return _reply(response, data)
        except (httpx.TransportError, httpx.DecodingError, msgspec.DecodeError) as error:
            raise _uncertain(_plain(error)) from None

    def _send(self, method: str, address: httpx.URL, body: bytes = b"") -> tuple[httpx.Response, bytes]:
        """Send a request, again only where the forge said that it did nothing because it is asked too often."""
        headers = {**self._headers, **({"Content-Type": "application/json"} if body else {})}
        while True:
            data = bytearray()
            with self._http.stream(method, address, content=body or None, headers=headers) as response:
                for part in response.iter_bytes():
                    data += part
                    if len(data) > LARGEST:
                        what = f"the forge answers with more than {LARGEST >> 20} MB"
                        raise fail("E-FORGE", what, None, "run it again")
            wait = wait_of(response.status_code, response.headers, bytes(data), time.time())
            if wait is None:
                return response, bytes(data)
            self.pacing.wait(wait)

    def _address(self, path: str, query: Query | None) -> httpx.URL:
        address = httpx.URL(str(self._base) + path.lstrip("/"))
        return address.copy_merge_params(dict(query)) if query else address

    def _within(self, link: str) -> httpx.URL:
        """Return an address that the forge gave; it must be one of its own API. Raises E-FORGE."""
        with suppress(httpx.InvalidURL, ValueError):
            address, base = self._base.join(link), self._base
            is_there = (address.scheme, address.host, address.port) == (base.scheme, base.host, base.port)
            if link and is_there and not address.userinfo and address.path.startswith(base.path):
                return address
        what = "the forge's answer leads to another host, which gets nothing from us"
        raise fail("E-FORGE", what, None, "check its API")


class RefusedError(ProblemError):
    """Raised where the forge refuses; `status` is its number for why."""

    def __init__(self, status: int, problem: Problem) -> None:
        super().__init__(problem)
        self.status = status


def _reply(response: httpx.Response, data: bytes) -> Reply:
    """Return what an answer says. Raises E-FORGE where it refuses, msgspec.DecodeError where it is cut short."""
    count, at = response.headers.get("X-Total-Count", ""), _time_of(response.headers.get("Date", ""))
    total = int(count) if count.isdecimal() else None
    status = response.status_code
    if status in (202, 204) or (status == 201 and not data and response.request.method == "PUT"):  # that is all of it
        return Reply(None, at)
    if status in (200, 201):
        return Reply(msgspec.json.decode(data), at, str(response.links.get("next", {}).get("url", "")), total)
    what, hint = _REFUSALS.get(status, (f"the forge answers {status}", "run it again"))
    raise RefusedError(status, Problem("E-FORGE", what, None, hint))


_REFUSALS = {
    401: ("the forge does not accept the token", RENEW),
    403: ("the token may not do that on the forge", "it needs to read and write contents, issues and pull requests"),
    404: ("the forge does not know that repository, or does not show it to this token",
          "check the repository's name and what the token may read"),
    410: ("that was deleted on the forge", "run it again"),
    422: ("the forge does not accept what it was asked to do", "run it again"),
}  # fmt: skip


def _plain(error: Exception) -> str:
    """Return in a few words what went wrong, without anything that was sent."""
    if isinstance(error, httpx.TimeoutException):
        return "its answer did not arrive in time"
    if isinstance(error, httpx.ConnectError):
        return "it cannot be reached"
    return "its answer was cut short"


def _uncertain(why: str) -> UncertainError:
    message = f"the forge was asked to change something, and {why}"
    return UncertainError(
        Problem("E-FORGE", message, None, "run it again: what was done is found, and the rest is done")
    )


def seconds_of(stamp: str) -> int:
    """Return the Unix seconds of a stamp as GitHub writes it.

    >>> seconds_of("2026-01-05T12:00:00Z")
    1767614400
    """
    try:
        found = datetime.fromisoformat(stamp)
    except ValueError:
        raise fail("E-FORGE", "the forge names a time that is none", None, "run it again") from None
    return int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())
