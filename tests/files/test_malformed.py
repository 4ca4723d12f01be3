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
SCHEMA_CODES = {"E-KEY", "E-TYPE", "E-CHOICE", "E-MISSING", "E-RANGE", "E-FORMAT"}
VALIDATORS = {kind: jsonschema_rs.validator_for(json_schema(kind)) for kind in KINDS}


def text_of(path: Path) -> str:
    """Return the text with its line ends as they are."""
    return path.read_bytes().decode()


def problems(path: Path) -> list[tuple[str, int, int]]:
    """Return code, line and column of each problem of a file."""
    with pytest.raises(ProblemError) as raised:
        read_file(path.parent.name, text_of(path), path.name)
    found = raised.value.problems
    assert all(problem.position and problem.position.file == path.name for problem in found)
    assert all(problem.message and problem.code in GROUPS["reading"] for problem in found)
    return [(p.code, p.position.line, p.position.column) for p in found if p.position]


def name(path: Path) -> str:
    """Return how a file of the corpus is called in reports."""
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", FILES, ids=name)
def test_a_malformed_file_gets_what_its_head_names(path: Path) -> None:
    expected = [(code, int(line), int(column)) for code, line, column in EXPECTED.findall(text_of(path))]
    assert expected, "the first lines of the file name what it must get"
    assert problems(path) == expected


@pytest.mark.parametrize("path", FILES, ids=name)
def test_the_published_schema_refuses_what_it_can_tell(path: Path) -> None:
    """Where the form alone is wrong, an editor that knows only the schema marks the file too."""
    codes = {code for code, _, _ in EXPECTED.findall(text_of(path))}
    try:
        data = compose(text_of(path), path.name).plain()
    except ProblemError:
        return
    if codes <= SCHEMA_CODES - {"E-RANGE", "E-MISSING", "E-FORMAT"} or codes == {"E-IDENTIFIER"}:
        assert not VALIDATORS[path.parent.name].is_valid(data)


def keys_of(form: Form, kind: str) -> Iterator[str]:
    """Yield every key of every map with known keys in a file's form, as `kind Form.key`; of whole files in it none."""
    name = form.name.removesuffix("WithProbability")
    yield from (f"{kind} {name}.{key}" for key in form.properties)
    for part in (*form.properties.values(), *form.options, *([form.items] if form.items else ())):
        if not part.name.endswith("File"):
            yield from keys_of(part, kind)


def test_every_key_of_every_schema_has_a_malformed_file() -> None:
    wanted = {key for kind in KINDS for key in keys_of(KINDS[kind].form, kind)}
    held = {f"{path.parent.name} {key}" for path in FILES for key in KEY.findall(text_of(path))}
    assert held == wanted


def test_every_code_has_a_malformed_file() -> None:
    assert {code for path in FILES for code, _, _ in EXPECTED.findall(text_of(path))} == set(GROUPS["reading"])


@pytest.mark.parametrize("path", [path for path in FILES if KEY.search(text_of(path))], ids=name)
def test_the_key_that_a_file_is_about_is_told_or_stands_there(path: Path) -> None:
    text = text_of(path)
    with pytest.raises(ProblemError) as raised:
        read_file(path.parent.name, text, path.name)
    key = KEY.findall(text)[0].split(".")[1]
    lines = text.split("\n")
    told = [f"{problem.message} {problem.hint} {lines[problem.position.line - 1]}"  # type: ignore[union-attr]
            for problem in raised.value.problems]  # fmt: skip
    assert any(key in line for line in told) or any(line.strip().startswith(f"{key}:") for line in lines)


def test_no_two_files_are_alike_in_kind() -> None:
    """Neither the content nor the sentence of a problem stands twice."""
    bodies = ["\n".join(line for line in text_of(path).split("\n") if not line.startswith("#")) for path in FILES]
    told = {}
    for path, body in zip(FILES, bodies, strict=True):
        if body.strip():
            assert (path.parent.name, body) not in told, f"{name(path)} repeats {told[path.parent.name, body]}"
            told[path.parent.name, body] = name(path)
