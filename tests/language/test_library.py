"""Every library function is documented, and its examples are true."""

from __future__ import annotations

import pytest

from folkmoot.kernel.host import HOST
from folkmoot.language.binding import diagnose, library_text
from folkmoot.language.declarations import library, library_modules
from folkmoot.language.tree import scan
from tests.language.conftest import loading, run

FUNCTIONS = [(module, name) for module in library_modules() for name in library(module)]
EXAMPLES = [
    pytest.param(module, call, answer, id=f"{module}.{name}")
    for module, name in FUNCTIONS
    for call, answer in library(module)[name].examples
]


@pytest.mark.parametrize(("module", "call", "answer"), EXAMPLES)
def test_example_is_true(module: str, call: str, answer: str) -> None:
    assert run(f"{loading(module)}\ndef main():\n    return repr({call})\n") == answer


@pytest.mark.parametrize(("module", "name"), FUNCTIONS)
def test_function_is_documented_with_an_example(module: str, name: str) -> None:
    entry = library(module)[name]
    assert entry.meaning.partition("\n")[0].endswith("."), f"{module}.{name} has no sentence of its own"
    assert entry.examples, f"{module}.{name} has no example"


@pytest.mark.parametrize("module", library_modules())
def test_module_keeps_the_law_of_scripts(module: str) -> None:
    text = library_text(module) or ""
    assert scan(text).problems == ()
    assert [error.message for error in diagnose(text, HOST.prelude)] == []
