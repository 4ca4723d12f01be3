"""The quicker functions of the crossing agree with those of `json`, and only what is imported later sees them."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from folkmoot.language.binding import dumps, loads

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_values_are_written_and_read_as_before(value: Any) -> None:
    text = json.dumps(value)
    assert dumps(value) == text
    found = loads(text)
    assert found == json.loads(text)
    assert repr(found) == repr(json.loads(text))


@pytest.mark.parametrize(
    "text", ['"\\ud800"', "NaN", "-Infinity", "1E999", " [1]", b"[1]", '{"a": 1, "a": 2}', str(1 << 200)]
)
def test_what_lies_beyond_json_is_read_as_before(text: Any) -> None:
    assert repr(loads(text)) == repr(json.loads(text))


@pytest.mark.parametrize("text", ["", "{", '"a', "1 2", "[1,]", "\ud800"])
def test_ill_text_is_refused_as_before(text: str) -> None:
    with pytest.raises(json.JSONDecodeError):
        loads(text)


def test_options_are_heeded() -> None:
    assert dumps("é", ensure_ascii=False) == '"é"'
    assert dumps([1], indent=1) == "[\n 1\n]"
    assert loads("1.5", parse_float=str) == "1.5"
    assert math.isnan(loads("NaN"))


def test_who_has_imported_json_keeps_it() -> None:
    script = (
        "import json, sys\n"
        "from folkmoot.language.binding import shorten, loads\n"
        "known = json.loads\n"
        "shorten()\n"
        "import json as later\n"
        "assert json.loads is known and later.loads is loads and later.JSONDecodeError is json.JSONDecodeError\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)
