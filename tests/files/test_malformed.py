"""Every malformed file of the corpus gets exactly the codes, lines and columns that its head names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import jsonschema_rs
import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.files.file_forms import KINDS, Form
from folkmoot.files.nodes import compose
from folkmoot.files.reader import read_file
from folkmoot.files.schema import json_schema
from folkmoot.wording.sentences import GROUPS

CORPUS = Path(__file__).parents[1] / "malformed"
FILES = sorted(CORPUS.glob("*/*.yaml"))
EXPECTED = re.compile(r"# expect: (E-[A-Z]+) (\d+):(\d+)\n")
KEY = re.compile(r"# key: (\w+\.\w+)\n")
OF_FORM = {"E-KEY", "E-TYPE", "E-CHOICE"}
VALIDATORS = {kind: jsonschema_rs.validator_for(json_schema(kind)) for kind in KINDS}


def text_of(path: Path) -> str:
    """Return the text with its line ends as they are."""
    return path.read_bytes().decode()


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_malformed_file_gets_what_its_head_names(path: Path) -> None:
    """Where the form alone is wrong, an editor that knows only the published schema marks the file too."""
    text = text_of(path)
    expected = [(code, int(line), int(column)) for code, line, column in EXPECTED.findall(text)]
    assert expected, "the first lines of the file name what it must get"
    with pytest.raises(ProblemError) as raised:
        read_file(path.parent.name, text, path.name)
    problems = [(each, each.position) for each in raised.value.problems if each.position]
    assert [(each.code, place.line, place.column) for each, place in problems] == expected
    assert all(place.file == path.name and each.message for each, place in problems)
    lines = text.split("\n")
    said = [f"{each.message} {each.hint} {lines[place.line - 1]}" for each, place in problems]
    for key in KEY.findall(text)[:1]:
        name = key.split(".")[1]
        assert any(name in line for line in said) or any(line.strip().startswith(f"{name}:") for line in lines)
    codes = {code for code, _, _ in expected}
    if codes <= OF_FORM or codes == {"E-IDENTIFIER"}:
        try:
            data = compose(text, path.name).plain()
        except ProblemError:
            return
        assert not VALIDATORS[path.parent.name].is_valid(data)


def keys_of(form: Form, kind: str) -> Iterator[str]:
    """Yield every key of every map with known keys in a file's form, as `kind Form.key`; of whole files in it none."""
    name = form.name.removesuffix("WithProbability")
    yield from (f"{kind} {name}.{key}" for key in form.properties)
    for part in (*form.properties.values(), *form.options, *([form.items] if form.items else ())):
        if not part.name.endswith("File"):
            yield from keys_of(part, kind)


def test_every_key_of_every_schema_and_every_code_has_a_malformed_file() -> None:
    wanted = {key for kind in KINDS for key in keys_of(KINDS[kind].form, kind)}
    held = {f"{path.parent.name} {key}" for path in FILES for key in KEY.findall(text_of(path))}
    assert held == wanted
    assert {code for path in FILES for code, _, _ in EXPECTED.findall(text_of(path))} == set(GROUPS["reading"])
