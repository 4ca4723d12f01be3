"""What the pinned interpreter does: the corpus in `semantics/`, and the ways scripts stay apart from each other.

A new version of the binding that answers otherwise would change the outcomes of old games, so it must fail here first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest
import starlark

from folkmoot.kernel.host import HOST
from folkmoot.language.binding import Compiler, ScriptError, dialect, language, pack_answer
from tests.language.conftest import compiler, run

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


@pytest.mark.parametrize("call", ['get("game", "x")', 'add("game", "x", 1)', 'transfer("ann", "bob", "x", 1)'])
def test_host_answers_of_any_width_stay_integers(call: str) -> None:
    host = Compiler(lambda *_: pack_answer(2**70), HOST.prelude)
    program = host.compile(f"def main():\n    return {call} + 1\n", lambda: False)
    assert program.call("main", [], lambda: False) == 2**70 + 1


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
