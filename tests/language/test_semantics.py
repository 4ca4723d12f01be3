"""What the pinned interpreter does: the corpus in `semantics/`, and the ways scripts stay apart from each other.

A new version of the binding that answers otherwise would change the outcomes of old games, so it must fail here first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
import starlark

from folkmoot.kernel.host import HOST
from folkmoot.language.binding import Compiler, Program, ScriptError, dialect, language
from folkmoot.language.tree import scan
from tests.language.conftest import compiler, run
from tests.support.table import without_shortcuts

CASE = re.compile(r"^>>> (.+)\n(.+)$", re.MULTILINE)
PREAMBLE = """
TOP = [1]
TOP_MAP = {}
TEXT = "text"
def defaulted(x = []):
    x.append(1)
    return x
def recurse(n):
    return n if n == 0 else 1 + recurse(n - 1)
def caller_of_later():
    return later_name()
def main():
    return repr(%s)
def later_name():
    return "defined further down"
"""


def corpus() -> Iterator[object]:
    """Yield every case of the corpus: file, expression and answer."""
    for file in sorted(Path(__file__).with_name("semantics").glob("*.txt")):
        for place, (expression, answer) in enumerate(CASE.findall(file.read_text("utf-8")), 1):
            yield pytest.param(expression, answer, id=f"{file.stem}-{place}")


@pytest.mark.parametrize(("expression", "answer"), list(corpus()))
def test_the_interpreter_answers(expression: str, answer: str) -> None:
    if not answer.startswith("! "):
        assert run(PREAMBLE % expression) == answer
        return
    with pytest.raises((ScriptError, starlark.StarlarkError)) as refused:
        run(PREAMBLE % expression)
    assert answer.removeprefix("! ").lower() in str(refused.value).lower()


def test_the_interpreter_is_the_pinned_one() -> None:
    assert version("starlark-pyo3") == "2026.1.3"


def evaluate(expression: str) -> object:
    """Evaluate an expression without the scan in front."""
    module = starlark.Module()
    return starlark.eval(module, starlark.parse("x", expression, dialect()), language())


@pytest.mark.parametrize(("expression", "wrong"), [("1 << 31", -2147483648), ("3 << 30", -1073741824)])
def test_shifts_are_wrong_and_so_refused(expression: str, wrong: int) -> None:
    """If this fails the binding has learnt to shift, and the refusal may be thought over."""
    assert evaluate(expression) == wrong
    with pytest.raises(ScriptError, match="shifts are not part"):
        run(f"def main():\n    return {expression}\n")


@pytest.mark.parametrize("number", [2**n + d for n in (31, 32, 53, 62, 63, 64, 200) for d in (-1, 0, 1)])
def test_integers_of_any_width_cross_the_border_both_ways(number: int) -> None:
    program = compiler().compile("def main(x, y):\n    return [x, type(x), x + 1, y['a'][0]]\n", lambda: False)
    for given in (number, -number):
        assert program.call("main", [given, {"a": [given]}], lambda: False) == [given, "int", given + 1, given]


def test_range_is_limited_by_the_host() -> None:
    asked: list[object] = []
    program = Compiler(lambda call, _text: asked.append(call), HOST.prelude).compile(
        "def main(n):\n    return len(range(n))\n", lambda: False
    )
    assert program.call("main", [100_000], lambda: False) == 100_000
    assert asked == []
    program.call("main", [100_001], lambda: False)
    assert asked == [["overrun", "range"]]


def test_scripts_and_calls_share_nothing() -> None:
    first = compiler().compile("STATE = {'a': 1}\ndef main():\n    return STATE\n", lambda: False)
    first.call("main", [], lambda: False)["a"] = 5
    assert first.call("main", [], lambda: False) == {"a": 1}
    given = {"a": [1]}
    assert run("def main():\n    pass\ndef main(x):\n    x['a'].append(2)\n    return x\n", given) == {"a": [1, 2]}
    assert given == {"a": [1]}


def test_a_loop_is_cancelled_by_its_steps_and_always_at_the_same_one() -> None:
    program = compiler().compile("def main():\n    for i in range(50000):\n        pass\n", lambda: False)
    steps = []
    for _ in range(3):
        asked: list[int] = []
        program.call("main", [], lambda asked=asked: bool(asked.append(1)))
        steps.append(len(asked))
    assert steps == [steps[0]] * 3 > [0]
    with pytest.raises(ScriptError, match="ancel"):
        program.call("main", [], lambda: True)


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("def main():\n    return 1 // 0\n", 2),
        ("\n\ndef main():\n    x = 1\n    return [][x]\n", 5),
        ("x = [\n1,\n2]\nfail('a')", 4),
    ],
)
def test_errors_name_the_line_of_the_script(script: str, line: int) -> None:
    with pytest.raises(ScriptError) as failed:
        run(script)
    assert failed.value.line == line


# -- calls that are known ask and count as before, what a function never names is not handed to it; no script can tell

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


def test_a_known_course_asks_and_counts_the_same_and_another_answer_is_another(host: Host, program: Program) -> None:
    first = program.call("double", [9_000], host.tick)
    asked, ticks = list(host.asked), host.ticks
    assert ticks > 5
    again = program.call("double", [9_000], host.tick)
    assert again == first == [1, 2, 9_000]
    assert again is not first
    for times, value in enumerate((True, "1", None, 7), 3):
        host.answers["y"] = value
        found = program.call("double", [9_000], host.tick)
        assert (found[1], type(found[1])) == (value, type(value))
        assert (host.asked, host.ticks) == (asked * times, ticks * times)


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


# -- what a function never names

LOOKING = [
    "def f(p, players):\n    return {}",
    "def f(p, players):\n    return p.id",
    'def f(p):\n    return "p"  # p, as in p.ballots',
    "def f(p):\n    return [1 for q in [2]]\n\ndef g(q):\n    return q",
    "def f(p):\n    return g(3)\n\ndef g(p):\n    return p",
    "def f():\n    return 1",
    "def f(p):\n    return dict(p = 3)",
    "def f(p):\n    return (lambda p: p)(3)",
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


@pytest.mark.parametrize("script", LOOKING)
def test_a_function_answers_as_if_it_were_given_all(script: str) -> None:
    if scan(script).problems:
        return
    program = Compiler(lambda _asked, _holds_sealed: None, HOST.prelude).compile(script, lambda: False)
    given = [7, ["ann", "bob"]][: len(scan(script).functions["f"].parameters)]
    if script == LOOKING[1]:
        given[0] = {"$": 1, "id": "proposal/301"}
    answer = program.call("f", given, lambda: False)
    with without_shortcuts():
        assert program.call("f", given, lambda: False) == answer
