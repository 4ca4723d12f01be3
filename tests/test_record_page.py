"""The page on the record names all that the record holds."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from folkmoot.core import documents, records

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "engine" / "docs" / "record.md").read_text(encoding="utf-8")
CATALOGUE = (ROOT / "engine" / "folkmoot" / "wording" / "catalogue.yaml").read_text(encoding="utf-8")
ROW = re.compile(r"^\| \*\*(\w+)\*\*: [^|]+ \| ([^|]+) \|$", re.MULTILINE)
ROWS = {name: re.findall(r"`(\w+)`", fields) for name, fields in ROW.findall(PAGE)}
NOT_KEPT = {"Taken"}  # by which act a pull request would be taken in


def types() -> dict[str, list[str]]:
    """Return the fields of each type of what is kept."""
    found: dict[str, list[str]] = {}
    for module in (records, documents):
        for name, each in vars(module).items():
            if inspect.isclass(each) and hasattr(each, "__required_keys__") and each.__module__ == module.__name__:
                found[name] = [field.rstrip("_") for field in each.__annotations__]
    return {name: fields for name, fields in found.items() if name[0] != "_" and name not in NOT_KEPT}


TYPES = types()


@pytest.mark.parametrize("name", TYPES)
def test_each_type_has_a_row_with_its_fields(name: str) -> None:
    assert ROWS.get(name) == TYPES[name]


def test_no_row_is_of_something_that_is_gone() -> None:
    assert set(ROWS) == set(TYPES)


def test_each_kind_of_effect_is_named() -> None:
    (kinds,) = re.findall(r"^Effects are of the kinds ([^.]+)\.", PAGE, re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", kinds)) == set(re.findall(r"^\s*effect (\w+)", CATALOGUE, re.MULTILINE))
