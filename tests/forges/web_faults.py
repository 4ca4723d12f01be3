"""What can go wrong between us and a forge with an API."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import httpx

Answering = Callable[[], httpx.Response]
What = Callable[[httpx.Request, Answering], httpx.Response]
Fault = Callable[[httpx.Request, Answering], httpx.Response | None]


def once(method: str, what: What, place: str = "", times: int = 1) -> Fault:
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
    """Do it, and say that it failed."""
    answering()
    return httpx.Response(502, text="Bad gateway")


def died(request: httpx.Request, answering: Answering) -> httpx.Response:
    """Do it, and let whoever asked die before they hear of it."""
    answering()
    raise KeyboardInterrupt


def failed(request: httpx.Request, answering: Answering) -> httpx.Response:
    """Do nothing, and say that it failed."""
    return httpx.Response(503, text="<html>Unicorn</html>")


def truncated(request: httpx.Request, answering: Answering) -> httpx.Response:
    """Answer with one half of the answer."""
    answer = answering()
    headers = {k: v for k, v in answer.headers.items() if k != "content-length"}
    return httpx.Response(answer.status_code, headers=headers, content=answer.content[: len(answer.content) // 2])


def refused(status: int, headers: dict[str, str] | None = None, body: str = "{}") -> What:
    return lambda *_: httpx.Response(status, headers=headers, text=body)


def relisted(change: Callable[[list[Any]], list[Any]]) -> Fault:
    """Change the items of every list."""

    def fault(request: httpx.Request, answering: Answering) -> httpx.Response | None:
        answer = answering()
        if answer.status_code != 200 or not isinstance(answer.json(), list):
            return None
        headers = {k: v for k, v in answer.headers.items() if k not in ("content-length", "content-type")}
        return httpx.Response(200, headers=headers, json=change(answer.json()))

    return fault


def doubled_and_shuffled(chance: random.Random) -> Fault:
    """Let every item come twice, in any order."""
    return relisted(lambda items: chance.sample(items * 2, 2 * len(items)))


# -- all of it, drawn from a seed


ILLS: Mapping[str, What] = {
    "unavailable": failed,
    "dropped": lost,
    "limited": refused(429, {"Retry-After": "3"}),
    "secondary limit": refused(403, {"Retry-After": "7"}),
    "quota": refused(403, {"X-RateLimit-Remaining": "0"}),
    "done, but failed": done_but_failed,
    "late": late,
    "truncated": truncated,
    "garbled": lambda request, answering: answering() and httpx.Response(200, text="<html>Please log in</html>"),
    "odd": lambda request, answering: answering() and httpx.Response(200, json={"message": "no such shape"}),
}


class KilledError(BaseException):
    """What stands for the end of a process: nothing catches it."""


class Weather:
    """Spoils requests of the API (as a fault of an emulator), and what happens at points that a referee passes.

    `others` are what somebody else may do at such a point; `met` counts what happened, `left` says how much more may.
    """

    def __init__(self, seed: int, rate: float, others: Mapping[str, Callable[[], object]]) -> None:
        self.chance = random.Random(seed)
        self.rate, self.others = rate, others
        self.met: Counter[str] = Counter()
        self.left = 0
        self._busy = False

    def _strikes(self) -> bool:
        if self._busy or self.left <= 0 or self.chance.random() >= self.rate:
            return False
        self.left -= 1
        return True

    def spoil(self, request: httpx.Request, answering: Answering) -> httpx.Response | None:
        """Answer a request as it should not be answered, or leave that to the forge."""
        if not self._strikes():
            return None
        ill = self.chance.choice([*ILLS])
        self.met[ill] += 1
        return ILLS[ill](request, answering)

    def at(self, point: str) -> None:
        """Do what happens at a point, if anything does."""
        if not self._strikes():
            return
        what = self.chance.choice(["killed", *self.others])
        self.met[what] += 1
        if what == "killed":
            raise KilledError(point)
        self._busy = True
        try:
            self.others[what]()
        finally:
            self._busy = False
