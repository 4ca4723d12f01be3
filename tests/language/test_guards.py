"""Calls in vain: a guard says so only where the interpreter would do nothing, whatever the test and the arguments."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from folkmoot.language.binding import Compiler, Program, ScriptError
from folkmoot.language.guards import guard_of

HEAD = 'LIMIT = 3\nNAMES = ["a", "b"]\nSPOILT = 1\ndef spoil(SPOILT):\n    return SPOILT\n'
EVENT = {"$": 2, "kind": "a", "n": 3, "yes": True, "no": None, "in_it": {"$": 1, "name": "b"}, "list": [], "map": {}}

IN_VAIN = [
    'if e.kind == "b":\n        emit("x")',
    'if e.kind == "b" and get("game", "x"):\n        emit("x")\n        emit("y")',
    'if e.kind != "a" and e.n:\n        emit("x")',
    "if e.n > LIMIT:\n        emit('x')",
    "if e.n > 2 and e.n < -1:\n        emit('x')",
    "if e.in_it.name not in NAMES:\n        emit('x')",
    "if e.no or e.list or e.map:\n        emit('x')",
    "if not e.yes:\n        emit('x')",
    "if e.no != None:\n        emit('x')",
    "if e.in_it == None:\n        emit('x')",
    "if e.n <= LIMIT:\n        return\n    emit('x')",
    "if e.no or e.yes or whatever(e):\n        return None\n    emit('x')",
    "if e.kind in ['a', 'c'] and e.yes:\n        return\n    emit('x')",
    "if e.n == '3':\n        emit('x')",
]
NOT_IN_VAIN = [
    'if e.kind == "a":\n        emit("x")',
    'if e.kind == "b":\n        emit("x")\n    else:\n        emit("y")',
    'if e.kind == "b":\n        return\n    emit("y")',
    'if e.kind == "a":\n        return 1\n    emit("y")',
    'if e.kind == "a":\n        return\n    else:\n        emit("y")',
    'if e.kind == "b":\n        emit("x")\n    emit("y")',
    'if get("game", "x") and e.kind == "b":\n        emit("x")',
    'if e.missing == "b":\n        emit("x")',
    'if e.n == True:\n        emit("x")',
    'if e.kind < 3:\n        emit("x")',
    "if e.n > SPOILT:\n        return\n    emit('x')",
    'if e.kind == "b" or e.n:\n        emit("x")',
    'if e.kind == "b" or e.n == 4 and e.yes or 1:\n        emit("x")',
    'if (e.kind == "b"):\n        emit("x")',
    'if e.kind == "b": emit("x")',
    'for _ in range(3):\n        if e.kind == "b":\n            emit("x")',
    'if e.kind == r"b":\n        emit("x")',
    "if e.n > LIMIT and e.list[0]:\n        LIMIT = 3",
]


def script_of(body: str) -> str:
    """Return a script with one listener."""
    return f"{HEAD}def whatever(e):\n    return True\ndef on_x(e):\n    {body}\n"


@pytest.mark.parametrize("body", IN_VAIN)
def test_a_test_that_settles_it_is_answered_here(body: str) -> None:
    guard = guard_of(script_of(body), "on_x")
    assert guard is not None
    assert guard([EVENT])
    assert run(script_of(body), EVENT) == []


@pytest.mark.parametrize("body", NOT_IN_VAIN)
def test_all_else_is_left_to_the_script(body: str) -> None:
    guard = guard_of(script_of(body), "on_x")
    assert guard is None or not guard([EVENT])


@pytest.mark.parametrize("arguments", [[], [EVENT, EVENT]])
def test_a_call_with_too_few_or_too_many_arguments_fails_as_before(arguments: list[Any]) -> None:
    guard = guard_of(script_of(IN_VAIN[0]), "on_x")
    assert guard is not None
    assert not guard(arguments)


@pytest.mark.parametrize("head", ["e, LIMIT", "e: str", "e, *rest", "e, x = 1"])
def test_parameters_that_are_more_than_names_are_left_to_the_script(head: str) -> None:
    script = script_of("if e.n > LIMIT:\n        emit('x')").replace("on_x(e)", f"on_x({head})")
    guard = guard_of(script, "on_x")
    assert guard is None or not guard([EVENT])


@pytest.mark.parametrize(
    "spoiler",
    ["LIMIT, x = 1, 2", "for LIMIT in [1]:\n        pass", "for x, LIMIT in []:\n        pass", "[LIMIT, x] = [1, 2]"],
)
def test_a_constant_that_is_bound_anew_is_none(spoiler: str) -> None:
    script = script_of(f"if e.n > LIMIT:\n        return\n    {spoiler}")
    assert guard_of(script, "on_x") is None


@pytest.mark.parametrize(
    "more", ["NAMES.append('c')", "NAMES[0] = 'c'", "def add(names):\n    names.append('c')\nadd(NAMES)", "x = NAMES"]
)
def test_a_list_that_may_grow_while_it_loads_is_no_constant(more: str) -> None:
    script = script_of("if e.kind in NAMES:\n        return\n    emit('x')").replace(HEAD, f"{HEAD}{more}\n")
    assert guard_of(script, "on_x") is None


@pytest.mark.parametrize("more", ["on_x = whatever", "on_x, y = whatever, 1", "def on_x(e):\n    return 1"])
def test_a_listener_that_is_given_another_meaning_has_none(more: str) -> None:
    assert guard_of(f"{script_of(IN_VAIN[0])}{more}\n", "on_x") is None


def run(script: str, event: dict[str, Any]) -> list[Any]:
    """Run the listener in the interpreter and return the host's calls; a failure counts as one."""
    called: list[Any] = []
    compiler = Compiler(called.append)
    program: Program = compiler.compile(script, lambda: False)
    try:
        answer = program.call("on_x", [event], lambda: False)
    except ScriptError as error:
        return [error.message]
    return called if answer is None else [answer]


FIELDS = st.sampled_from(
    ["e.kind", "e.n", "e.yes", "e.no", "e.in_it.name", "e.list", "e.map", "e.missing", "e", "e.n.x"]
)
LITERALS = st.sampled_from(
    ["'a'", '"b"', "3", "-1", "True", "False", "None", "LIMIT", "SPOILT", "['a', 'b']", "NAMES", "[3]"]
)
COMPARED = st.tuples(FIELDS, st.sampled_from(["==", "!=", "<", ">", "<=", ">=", "in", "not in"]), LITERALS).map(
    " ".join
)
TERMS = st.one_of(
    COMPARED, FIELDS, FIELDS.map("not {}".format), st.just("get('game', 'x')"), COMPARED.map("({})".format)
)
TESTS = st.builds(
    lambda terms, word: f" {word} ".join(terms), st.lists(TERMS, min_size=1, max_size=4), st.sampled_from(["and", "or"])
)
ENDS = st.sampled_from(
    [
        "emit('x')",
        "return\n    emit('x')",
        "return None\n    emit('x')",
        "return 1",
        "emit('x')\n    else:\n        emit('y')",
    ]
)
VALUES = st.sampled_from([None, True, False, 0, 1, 3, -1, 1 << 70, "", "a", "b", "c", [], ["a"], {}, {"k": 1}])
EVENTS = st.fixed_dictionaries(
    {"kind": VALUES, "n": VALUES, "yes": VALUES, "no": VALUES, "list": VALUES, "map": VALUES, "inner": VALUES}
).map(lambda event: {"$": 2, **event, "in_it": {"$": 2, "name": event["inner"]}})


@given(TESTS, ENDS, EVENTS)
def test_what_is_called_in_vain_does_nothing_in_the_interpreter(test: str, end: str, event: dict[str, Any]) -> None:
    script = script_of(f"if {test}:\n        {end}")
    guard = guard_of(script, "on_x")
    if guard is not None and guard([event]):
        assert run(script, event) == []
