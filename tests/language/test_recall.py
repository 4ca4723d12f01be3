"""Courses of scripts that are known: the host is called as before, the interpreter only where something is new."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.language.binding import Compiler, Program, ScriptError

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

    def __call__(self, call: list[Any]) -> Any:
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
    return Compiler(host).compile(SCRIPT, lambda: False)


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
