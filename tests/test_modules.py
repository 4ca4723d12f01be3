"""The house stays readable: a module is one subject that is read from top to bottom, and functions are short."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from statistics import median, quantiles

ENGINE = Path(__file__).parents[1] / "engine" / "folkmoot"
CI = Path(__file__).parents[1] / "ci"
TESTS = Path(__file__).parent


def test_no_module_is_longer_than_a_thousand_lines() -> None:
    files = [*ENGINE.rglob("*.py"), *CI.glob("*.py")]
    long = {file.name: lines for file in files if (lines := _lines(file)) > 1_000}
    assert long == {}


def test_functions_are_short() -> None:
    lengths = [
        node.end_lineno - node.lineno + 1
        for file in ENGINE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and node.end_lineno
    ]
    assert len(lengths) > 3_000
    assert median(lengths) <= 8
    assert quantiles(lengths, n=20)[-1] <= 30


def _lines(file: Path) -> int:
    return file.read_text("utf-8").count("\n")


def unused_private_functions(sources: Iterable[str]) -> list[str]:
    """Return the private functions and methods that nobody names: such as one that overrides what is no longer there."""
    defined, named = Counter[str](), Counter[str]()
    for source in sources:
        defined.update(re.findall(r"\bdef (_\w*[^\W_])\(", source, re.ASCII))
        named.update(re.findall(r"\b_\w*[^\W_]\b", source, re.ASCII))
    return sorted(name for name, times in defined.items() if named[name] == times)


def test_whoever_overrides_something_is_called() -> None:
    """A trial once looked into what is sealed because the method that keeps it from that was called no longer."""
    assert unused_private_functions(file.read_text("utf-8") for file in ENGINE.rglob("*.py")) == []
    judge = "class Game:\n    def judge(self): return {}\nclass Trial(Game):\n    def _sealing(self): return 'tried'\n"
    assert unused_private_functions([judge.format("self._sealing()")]) == []
    assert unused_private_functions([judge]) == ["_sealing"]


def test_no_module_imports_tests() -> None:
    """What tests share stands in `tests/support`, where somebody looks for it, and brings no tests along."""
    importing = re.compile(
        r"^ *(?:from tests[\w.]*\.test_|from tests[\w.]* import .*\btest_|import tests[\w.]*\.test_)",
        re.ASCII | re.MULTILINE,
    )
    assert [file.name for file in TESTS.rglob("*.py") if importing.search(file.read_text("utf-8"))] == []
