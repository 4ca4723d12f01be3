"""Courses of scripts that are known: the host is called as before, the interpreter only where something is new."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from folkmoot.core.values import DEEPEST, LONGEST_KEY, WIDEST, flaw_of
from folkmoot.kernel.host import HOST
from folkmoot.language.binding import Compiler, Program, ScriptError
from folkmoot.language.call_cache import Border, Course, is_plain

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

    def __call__(self, call: list[Any], _text: str) -> Any:
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


EDGES: list[Any] = [
    "x" * LONGEST_KEY, "\ud800", "é", 1 << (WIDEST - 1), 1 << WIDEST, "\\u0041", "[" * 30, {"k" * 989: 1}, {"k" * 1_001: 1}
]  # fmt: skip
HANDED = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12) | st.sampled_from(EDGES),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner, max_size=4),
    max_leaves=12,
)


def nested(depth: int) -> Any:
    """Return lists within each other."""
    return [nested(depth - 1)] if depth else 1


@given(st.lists(HANDED | st.integers(DEEPEST - 2, DEEPEST + 2).map(nested), max_size=3))
def test_what_is_plain_as_it_is_written_has_no_flaw(handed: list[Any]) -> None:
    for text in (json.dumps(["put", *handed]), json.dumps(["put", *handed], ensure_ascii=False, separators=(",", ":"))):
        if is_plain(text):
            assert [flaw_of(each, marked=True) for each in json.loads(text)] == [""] * (len(handed) + 1)
    assert is_plain('["put","game","said",{"a":["There is tea.",-12,null,true]}]')


@pytest.mark.parametrize("character", [chr(code) for code in range(128)])
def test_no_character_makes_a_key_too_long_that_is_plain(character: str) -> None:
    for count in (*range(80, 1_000, 40), 980, 985, 990):
        handed = {character * count: character * count}
        for text in (
            json.dumps(["put", handed]),
            json.dumps([handed, "put"], ensure_ascii=False, separators=(",", ":")),
        ):
            assert not (is_plain(text) and flaw_of(handed, marked=True)), count
        key = json.dumps([{character * count: 1}], separators=(",", ":"))
        assert not (is_plain(key) and flaw_of({character * count: 1}, marked=True)), count


def test_the_host_is_not_shown_as_text_what_holds_a_fraction() -> None:
    shown: list[tuple[Any, str]] = []
    border = Border(lambda call, text: shown.append((call, text)))
    border.running.append(Course(lambda: False))
    asked = ['["put","game","x",[0.5]]', '["put","game","x",1]', '["put","game","x",[1e3]]', '["put","game","x","0.5"]']
    for text in asked:
        border.call(text)
    assert shown == [(json.loads(text), "" if "[0.5]" in text or "1e3" in text else text) for text in asked]
