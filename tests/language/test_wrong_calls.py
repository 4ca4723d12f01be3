"""What a script is told that calls a host function wrongly, as only shows when it runs: function, signature, argument."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.kernel.host import HOST
from folkmoot.language.binding import DEBUG, ScriptError
from folkmoot.language.declarations import Declaration, starlark_type
from tests.language.conftest import run

FITTING: dict[str, Any] = {"bool": True, "int": 1, "str": "a", "list": [], "dict": {}, "": "a"}


def needed(word: Declaration) -> list[Any]:
    """Return arguments that fit what must be given, in order."""
    return [FITTING[starlark_type(each.type)] for each in word.takes if not (each.stars or each.default)]


TYPED = [
    (word.name, each.name, type_)
    for word in HOST.words.values()
    for each in word.takes
    if (type_ := starlark_type(each.type)) and not each.stars
]
"""Each function, and each of its parameters that has a type, with that."""
ALL_NAMED = [
    word.name for word in HOST.words.values() if word.name != DEBUG and all(each.stars != "**" for each in word.takes)
]


def failure(word: str, called: str, *arguments: Any) -> str:
    """Return what a call of a function is told, on the second line of its script."""
    with pytest.raises(ScriptError) as told:
        run(f"def main(values, names):\n    return {word}({called})\n", *arguments)
    assert (told.value.line, told.value.column) == (2, 12)
    return told.value.message


@pytest.mark.parametrize(("word", "parameter", "type_"), TYPED)
def test_a_value_of_another_type_is_told_with_function_signature_and_argument(
    word: str, parameter: str, type_: str
) -> None:
    declared, wrong, names = HOST.words[word], {} if type_ != "dict" else [], {}
    values, place = needed(declared), [each.name for each in declared.takes].index(parameter)
    if place < len(values):
        values[place] = wrong
    else:
        names[parameter] = wrong
    said = failure(word, "*values, **names", values, names)
    assert said.endswith(f"for argument `{parameter}` of {declared.signature}")


@pytest.mark.parametrize("word", [each.name for each in HOST.words.values() if needed(each)])
def test_an_argument_that_is_missing_is_told_with_the_signature(word: str) -> None:
    said = failure(word, "*values", [], {})
    first = next(each.name for each in HOST.words[word].takes if not (each.stars or each.default))
    assert said == f"Missing parameter `{first}` for call to {HOST.words[word].signature}"


@pytest.mark.parametrize("word", ALL_NAMED)
def test_an_argument_that_there_is_not_is_told_with_the_signature(word: str) -> None:
    said = failure(word, "*values, **names", needed(HOST.words[word]), {"nonsense": 1})
    assert said == f"Found `nonsense` extra named parameter(s) for call to {HOST.words[word].signature}"
