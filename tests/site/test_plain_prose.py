"""Paragraphs of plain words, and JSON laid out, cost no parser and no encoder in Python: they are what those make."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from folkmoot.site.page_json import indented
from folkmoot.wording.markdown import fragment
from folkmoot.wording.prose import _PARAGRAPHS, _paragraphs

WORDS = st.text(alphabet="abZ09 ,.;:'()?-\n", max_size=60)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@given(WORDS)
def test_paragraphs_of_plain_words_are_what_the_parser_makes_of_them(text: str) -> None:
    if _PARAGRAPHS.fullmatch(text):
        assert _paragraphs(text) == fragment(text, "t").strip()


@given(st.lists(st.from_regex(r"\A[A-Za-z][A-Za-z0-9 ,.;:'()?-]{0,30}[a-z.]\Z"), min_size=1, max_size=6), st.data())
def test_lines_of_plain_words_need_no_parser(lines: list[str], data: st.DataObject) -> None:
    text = lines[0] + "".join(data.draw(st.sampled_from(("\n", "\n\n"))) + line for line in lines[1:])
    assert _PARAGRAPHS.fullmatch(text)
    assert _paragraphs(text) == fragment(text, "t").strip()


@given(JSON)
def test_json_is_laid_out_as_the_standard_library_does(value: object) -> None:
    assert indented(value) == json.dumps(value, ensure_ascii=False, indent=1, default=str)


def test_what_json_has_no_form_for_is_told_as_text() -> None:
    assert indented({"half": "\ud800", "set": frozenset()}) == ('{\n "half": "\ud800",\n "set": "frozenset()"\n}')
