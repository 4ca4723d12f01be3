"""Regular expressions of the engine mean the same to every Python: some kinds of repetition do not."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ENGINE = Path(__file__).resolve().parents[2] / "engine" / "folkmoot"
LITERAL = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL
)  # an escape or a set, in which no sign repeats anything
UNSOUND = re.compile(r"[*+?}]\+|\(\?>")
"""What keeps all that it has taken, and lone atomic groups: new in 3.11, and wrong in its first releases."""


def texts(source: str) -> Iterator[str]:
    """Yield each constant text, or part of one, in a module that uses `re`."""
    if re.search(r"^import re$", source, re.MULTILINE):
        nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
        yield from (node.value for node in nodes if isinstance(node.value, str))


def is_unsound(pattern: str) -> bool:
    """Whether a pattern has a repetition or a group that keeps what it has taken."""
    return UNSOUND.search(LITERAL.sub("x", pattern)) is not None


def test_no_pattern_keeps_what_it_has_taken() -> None:
    files = sorted(ENGINE.rglob("*.py"))
    assert [(path.name, text) for path in files for text in texts(path.read_text("utf-8")) if is_unsound(text)] == []


@pytest.mark.parametrize("pattern", ["a*+", "(?:ab)++", "(x?+)", "(?>a)", "[ab]*+c", "(?:a{2,3}+)"])
def test_such_a_pattern_is_found(pattern: str) -> None:
    assert list(texts(f"import re\nA = {pattern!r}\nB = re.compile(A)")) == [pattern]
    assert is_unsound(pattern)
    assert not is_unsound(r"[*+]+ \++ [^]+]* a+?")
