"""Files of JSON are laid out as the standard library would, in a tenth of its time."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from folkmoot.site.page_json import indented

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@given(JSON)
def test_json_is_laid_out_as_the_standard_library_does(value: object) -> None:
    assert indented(value) == json.dumps(value, ensure_ascii=False, indent=1, default=str)


def test_what_json_has_no_form_for_is_told_as_text() -> None:
    assert indented({"half": "\ud800", "set": frozenset()}) == ('{\n "half": "\ud800",\n "set": "frozenset()"\n}')
