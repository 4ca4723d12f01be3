"""The threat model cannot go stale: each row names tests that exist, and each test that is marked with a row is in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "engine" / "docs" / "threat-model.md"
ROW = re.compile(r"^\| (T-\d{2,3}) \|(.*)\|$", re.MULTILINE)
NAMED = re.compile(r"`([\w/]+\.py)::(test_\w+)`")


def rows(text: str) -> dict[str, list[str]]:
    """Return the cells of each row of the page, by its id."""
    found: dict[str, list[str]] = {}
    for name, rest in ROW.findall(text):
        assert name not in found, f"{name} stands twice"
        found[name] = [cell.strip() for cell in re.split(r"(?<!\\)\|", rest)]
    return found


def named(cells: list[str]) -> set[str]:
    return {f"tests/{file}::{test}" for file, test in NAMED.findall(cells[-1])}


@cache
def marked() -> dict[str, set[str]]:
    """Return every test of this repository with the rows that it is marked with."""
    return {name: set(found) for file in sorted((ROOT / "tests").rglob("*.py")) for name, found in found_in(file)}


def found_in(file: Path) -> Iterator[tuple[str, list[str]]]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield f"{file.relative_to(ROOT).as_posix()}::{node.name}", list(marks(node))


def marks(node: ast.FunctionDef) -> Iterator[str]:
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.threat":
            yield from (argument.value for argument in decorator.args if isinstance(argument, ast.Constant))


def faults(text: str, tests: dict[str, set[str]]) -> list[str]:
    """Return in what ways a page and the tests do not fit each other."""
    table = rows(text)
    found = [f"{row} names no test" for row, cells in table.items() if not named(cells)]
    found += [f"{row} has a cell that says nothing" for row, cells in table.items() if not all(cells[:4])]
    for row, cells in table.items():
        found += [f"{row} names {test}, which does not exist" for test in sorted(named(cells) - tests.keys())]
        there = {test for test, own in tests.items() if row in own}
        found += [f"{test} is in {row}, and not marked so" for test in sorted(named(cells) & tests.keys() - there)]
        found += [f"{test} is marked with {row}, and not in it" for test in sorted(there - named(cells))]
    known = set(table)
    found += [f"{test} is marked with {own}, which is no row" for test in tests for own in sorted(tests[test] - known)]
    return found


def test_the_page_and_the_tests_fit_each_other() -> None:
    text = PAGE.read_text("utf-8")
    assert len(rows(text)) >= 40
    assert faults(text, marked()) == []
    numbers = [int(row[2:]) for row in rows(text)]
    assert numbers == sorted(numbers)  # those who wrote side by side left gaps between their rows
