"""The house stays readable: a module is one subject that is read from top to bottom, and functions are short."""

from __future__ import annotations

import ast
from pathlib import Path
from statistics import median, quantiles

ENGINE = Path(__file__).parents[1] / "engine" / "folkmoot"
CI = Path(__file__).parents[1] / "ci"


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
