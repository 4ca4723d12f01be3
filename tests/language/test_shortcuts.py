"""Calls that are known ask and count as before, what a function never names is not handed to it; no script can tell."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.kernel.host import HOST
from folkmoot.language.binding import Compiler, Program, ScriptError
from folkmoot.language.shortcuts import KnownRuns, unnamed_parameters
from folkmoot.language.tree import scan
from tests.support.shortcuts import without_shortcuts

SCRIPT = """
def double(n):
    x = get("game", "x")
    for i in range(n):
        pass
    return [x, get("game", "y"), n]
"""


class Host:
    """Answers what it is told to, and remembers what it was asked."""

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {"x": 1, "y": 2}
        self.asked: list[str] = []
        self.ticks = 0
        self.last = 1_000_000

    def __call__(self, call: list[Any], _holds_sealed: bool) -> Any:
        self.asked.append(call[2])
        answer = self.answers[call[2]]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def tick(self) -> bool:
        self.ticks += 1
        return self.ticks > self.last


@pytest.fixture
def host() -> Host:
    return Host()


@pytest.fixture
def program(host: Host) -> Program:
    return Compiler(host, HOST.prelude).compile(SCRIPT, lambda: False)


def test_a_known_course_asks_and_counts_the_same(host: Host, program: Program) -> None:
    first = program.call("double", [9_000], host.tick)
    asked, ticks = list(host.asked), host.ticks
    assert ticks > 5
    again = program.call("double", [9_000], host.tick)
    assert again == first == [1, 2, 9_000]
    assert again is not first
    assert (host.asked, host.ticks) == (asked * 2, ticks * 2)


@pytest.mark.parametrize("value", [True, "1", None, 7])
def test_another_answer_is_another_course(host: Host, program: Program, value: Any) -> None:
    program.call("double", [9_000], host.tick)
    ticks = host.ticks
    host.answers["y"] = value
    found = program.call("double", [9_000], host.tick)
    assert found[1] == value
    assert type(found[1]) is type(value)
    assert host.asked == ["x", "y"] * 2
    assert host.ticks == 2 * ticks


def test_a_host_that_fails_fails_where_the_script_stands(host: Host, program: Program) -> None:
    program.call("double", [2], host.tick)
    host.answers["y"] = LookupError("gone")
    with pytest.raises(ScriptError, match="gone") as raised:
        program.call("double", [2], host.tick)
    assert raised.value.line == 6
    assert host.asked == ["x", "y"] * 2


def test_time_is_up_at_the_same_tick(host: Host, program: Program) -> None:
    program.call("double", [9_000], host.tick)
    host.ticks, host.last = 0, 3
    with pytest.raises(ScriptError):
        program.call("double", [9_000], host.tick)
    assert host.ticks == 4
    assert host.asked == ["x", "y", "x"]


def test_what_takes_too_much_is_forgotten(host: Host, program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("folkmoot.language.shortcuts.MOST", 2_000)
    known = program._border.known
    for n in range(20):
        assert program.call("double", [n], host.tick) == [1, 2, n]
        assert len(known._runs) <= 4
    monkeypatch.setattr("folkmoot.language.shortcuts.LARGEST", 10)
    known = program._border.known = KnownRuns()
    program.call("double", [2], host.tick)
    assert not known._runs


# -- what a function never names

UNNAMED = [
    ("def f(p, players):\n    return {}", {0, 1}),
    ("def f(p, players):\n    return p.id", {1}),
    ('def f(p):\n    return "p"  # p, as in p.ballots', {0}),
    ("def f(p):\n    return [1 for q in [2]]\n\ndef g(q):\n    return q", {0}),
    ("def f(p):\n    return g(3)\n\ndef g(p):\n    return p", {0}),
    ("def f():\n    return 1", set()),
    ("def f(p):\n    return dict(p = 3)", {0}),
    ("def f(p):\n    return (lambda p: p)(3)", set()),
]
NAMED = [
    "def f(p):\n    return p",
    'def f(p):\n    return f"{p}"',
    "def f(p):\n    g = lambda: p\n    return g()",
    "def f(p):\n    def g():\n        return p\n    return g()",
    "def f(p):\n    return [p for _ in [1]]",
    "def f(p):\n    return dict(a = p)",
    "def f(p):\n    p = 4\n    return p",
    "def f(*p):\n    return len(p)",
    "def f(*p):\n    return 1",
    "def f(p = 3):\n    return 1",
    "def f(p: int):\n    return 1",
    "def f(p):\n    return 1\n\ndef f(q):\n    return q",
    "def g(q):\n    return q\n\ndef f(p):\n    return 1\n\nf = g",
]


@pytest.mark.parametrize(("script", "places"), UNNAMED)
def test_what_is_never_named_is_found(script: str, places: set[int]) -> None:
    assert unnamed_parameters(script).get("f", frozenset()) == places


@pytest.mark.parametrize("script", NAMED)
def test_whatever_may_be_looked_at_is_handed_over(script: str) -> None:
    assert unnamed_parameters(script).get("f", frozenset()) == frozenset()


@pytest.mark.parametrize("script", [*(script for script, _places in UNNAMED), *NAMED])
def test_a_function_answers_as_if_it_were_given_all(script: str) -> None:
    if scan(script).problems:
        return
    program = Compiler(lambda _asked, _holds_sealed: None, HOST.prelude).compile(script, lambda: False)
    given = [7, ["ann", "bob"]][: len(scan(script).functions["f"].parameters)]
    if script == UNNAMED[1][0]:
        given[0] = {"$": 1, "id": "proposal/301"}
    answer = program.call("f", given, lambda: False)
    with without_shortcuts():
        assert program.call("f", given, lambda: False) == answer
