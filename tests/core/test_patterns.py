"""Regular expressions of the engine mean the same to every Python: some kinds of repetition do not."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from re import _constants, _parser  # type: ignore[attr-defined] # its own reading of a pattern, which nothing else gives
from typing import Any

import pytest

ENGINE = Path(__file__).resolve().parents[2] / "engine" / "folkmoot"
UNSOUND = {_constants.POSSESSIVE_REPEAT, _constants.ATOMIC_GROUP}  # new in 3.11, and wrong in its first releases


def patterns(source: str) -> Iterator[str]:
    """Yield each constant text that is handed to a function of `re`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.") and node.args:
            parts = [part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant)]
            yield from (part for part in parts if isinstance(part, str))


def is_unsound(pattern: str) -> bool:
    """Whether a pattern has a repetition or a group that keeps what it has taken."""

    def found(part: Any) -> bool:
        if isinstance(part, list | tuple | _parser.SubPattern):
            return any(map(found, part))
        return part in UNSOUND if isinstance(part, type(_constants.LITERAL)) else False

    try:
        return found(_parser.parse(pattern, re.VERBOSE))
    except re.error:  # a part of one that is put together
        return re.search(r"[*+?}][+](?![^\[]*\])", pattern) is not None


def test_no_pattern_keeps_what_it_has_taken() -> None:
    bad = [
        (path.name, p)
        for path in sorted(ENGINE.rglob("*.py"))
        for p in patterns(path.read_text("utf-8"))
        if is_unsound(p)
    ]
    assert bad == []


@pytest.mark.parametrize("pattern", ["a*+", "(?:ab)++", "(x?+)", "(?>a)", "[ab]*+c", "(?:a{2,3}+)"])
def test_such_a_pattern_is_found(pattern: str) -> None:
    assert list(patterns(f"import re\nA = re.compile({pattern!r})")) == [pattern]
    assert is_unsound(pattern)
