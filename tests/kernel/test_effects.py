"""What the kernel writes of an effect is declared, whatever its kind."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import folkmoot
from folkmoot.core.records import Effect

KERNEL = Path(folkmoot.__file__).parent / "kernel"


def fields_written() -> Iterator[tuple[str, str]]:
    """Yield each field that a call of `play.effect` gives by name, and where."""
    for path in sorted(KERNEL.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "effect":
                for keyword in node.keywords:
                    if keyword.arg is not None:
                        yield keyword.arg, f"{path.name}:{node.lineno}"


def test_every_field_of_an_effect_is_declared() -> None:
    written = list(fields_written())
    assert len(written) > 80
    declared = Effect.__annotations__.keys() | Effect.__required_keys__ | Effect.__optional_keys__
    assert [(field, place) for field, place in written if field not in declared] == []
