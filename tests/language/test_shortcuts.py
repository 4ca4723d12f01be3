"""Calls that are known ask and count as before; no script can tell."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.kernel.host import HOST
from folkmoot.language.binding import Compiler, Program, ScriptError
from folkmoot.language.shortcuts import KnownRuns
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


def test_without_shortcuts_every_call_runs_its_script(
    host: Host, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []
    run = Program._run

    def counted(self: Program, name: str, *more: Any) -> Any:
        ran.append(name)
        return run(self, name, *more)

    monkeypatch.setattr(Program, "_run", counted)
    answers = [program.call("double", [2], host.tick) for _ in range(2)]
    assert ran == ["double"]
    with without_shortcuts():
        answers += [program.call("double", [2], host.tick)]
    assert ran == ["double"] * 2
    assert answers == [[1, 2, 2]] * 3


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
