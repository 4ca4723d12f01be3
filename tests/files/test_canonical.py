"""The canonical writer, the fast reader, the strict one and other people's readers agree about every value."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from folkmoot.core.problems import ProblemError
from folkmoot.files import yaml_guard
from folkmoot.files.canonical import UnwritableError, write_yaml
from folkmoot.files.fast_reader import NOT_SIMPLE, load_simple, load_yaml
from folkmoot.files.nodes import compose
from folkmoot.files.yaml_guard import looks_simple
from tests.conftest import examples


def words(text: str, marks: str = "", stand_for: str = "") -> list[str]:
    """Return the words of a text, with some marks in them standing for blanks."""
    return [word.translate(str.maketrans(marks, stand_for)) for word in text.split(" ")]


AMBIGUOUS = [
    "", *words("no No NO on ON Off yes y N n true False null Null ~ - -- --- ... = << ? : & * ! | > % @ ` # , [ ] { } \x00 \x7f"),
    *words("12:30 1:2:3 0o7 010 0x1F 0b1 1_000 _0 __1 _.1 _1_0 -_1 1e3 1.5 .5 5. -1 +1 .inf -.Inf .NaN 2026-01-05 2026-01-05T12:00:00Z"),
    *words("a:_b a_#b a: :a -_a ?_a 'a \"a a'b %a !a &a *a _a a_", "_", " "), "key: value\n- item\n", "a\r\nb\n", "yes\n",
    *words("a/ /a a// / // _/ _/a a/_ a//_b/ +a a+b a/b +", "/+_", "\n\t "), "a\n   \nb\n", "a  \nb\t\n", "  a\nb\n", "a\n# b\n",
    "\ufeffa", "a\ufeff", "a\u2028b", "a\x85b", "a\rb", "\U0001f600", "\U000e0041", "a\u202eb\nc", "\u00e9t\u00e9", "a\n--- \n...\n",
]  # fmt: skip

characters = st.characters(blacklist_categories=["Cs"])
strings = st.one_of(
    st.sampled_from(AMBIGUOUS),
    st.text(characters, max_size=12),
    st.text(st.sampled_from(" \t\n:-#'\"abn0123.,[]{}&*!|>%@`?~_\\\u2028\x85\r"), max_size=14),
)
scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.integers(-(10**300), 10**300), strings)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(strings, inner, max_size=4)),
    max_leaves=12,
)


def same(left: object, right: object) -> bool:
    """Return whether two plain values are equal with their types (1 is not true)."""
    return repr(left) == repr(right)


@given(values)
@settings(max_examples=examples(400))
@example(AMBIGUOUS)
@example({text: text for text in AMBIGUOUS})
@example([[AMBIGUOUS], {"a": {"b": AMBIGUOUS}}])
def test_every_reader_gives_the_written_value_back(value: object) -> None:
    text = write_yaml(value)
    assert same(load_yaml(text, "f"), value)
    assert same(compose(text, "f").plain(), value)
    assert same(YAML(typ="safe", pure=True).load(text), value)
    assert same(yaml.safe_load(text), value)
    assert write_yaml(load_yaml(text, "f")) == text


DIGITS = st.sampled_from(["0123456789", "0123456789abcdef", "abcdef0123456789", "ABCDEF+/="])
wide = st.one_of(
    st.builds(
        lambda of, n, first: first + of * n, DIGITS, st.integers(50, 400), st.sampled_from(["", "a", "e", "-", "0x"])
    ),
    st.integers(-(2**4096), 2**4096),
    st.builds(lambda line, n: f"{line}\n" * n, strings, st.integers(1, 400)),
)
written = st.dictionaries(
    strings, st.recursive(scalars | wide, lambda inner: st.lists(inner) | st.dictionaries(strings, inner))
)


@given(written)
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@example({"box": "abcdef0123456789" * 70})
@example({"box": 10**1200, "lines": ["0x" + "f" * 2000]})
def test_the_quick_reader_takes_whatever_the_engine_writes(value: object) -> None:
    """However large such a file is, so that no large one need be read exactly."""
    assert same(load_simple(write_yaml(value)), value)


@pytest.mark.parametrize("number", ["1" * 1400, "0x" + "f" * 1030])
def test_a_number_that_no_game_can_keep_is_left_to_the_exact_reader(number: str) -> None:
    assert load_simple(f"a: {number}\n") is NOT_SIMPLE
    with pytest.raises(ProblemError) as caught:
        load_yaml(f"a: {number}\n" + "b: text\n" * 140_000, "f")
    assert [problem.code for problem in caught.value.problems] == ["E-SIZE"]


REASON = "* one\n* two\n\n    &amp; !important\n--- \n- *yes*: 1_000\n\n...\n"


@pytest.mark.parametrize(
    "entry",
    [
        {"do": "state", "with": {"text": REASON, "list": [REASON, [" " + REASON]]}, "why": "see: *that*, 1_0"},
        *({"boxes": {"keeper": [f"YWdlLWVu{each}Y3J5cHRpb24="]}} for each in ("+0x1", "-0o7", "/0b1", "1_0", "_1")),
    ],
)
def test_texts_of_players_and_boxes_do_not_make_the_reader_slow(entry: object) -> None:
    """Bullets, emphasis and exclamations in a literal block, or quoted, are no aliases and tags."""
    text = write_yaml(entry)
    assert looks_simple(text)
    assert same(load_yaml(text, "f"), entry)


PIECES = [
    "-", "- ", "? ", ": ", ":\n", "\n", " ", "  ", "\t", "---", "...\n", "%", "<<", "|\n", ">", "#", "\r", ":[", "a",
    "0b1", "0", "_", "1", "1.5", "2026-01-05", "~", "true", "no", "-0x", "+0o", "&x ", "*x", "!t ", "'", '"', "[",
    "]", "{", "}", ",", "ä", "\u2028", " " * 199, "- " * 7, "\x85", "\x0b",
]  # fmt: skip
LINES = ["a: {b: c, d: [e, f]}", "b: [g, {h: i}, []]", "# x", "  # x", "a: 'it''s'", "c: ' #'", "- {a: [b], c: {d: e}}", "e: 'x", "y'",
         "f: {a: 'b: c', d: \"e\"}", "  g: h", "k: |", "  l", "- m", "  n # o", "p: {q: r; s@t}", "h: {a: [b, c: d]}", "i: {a: }",
         "j: [a, ]", "m: {a: -1, b: 007, c: 1e3}", "n: '0b1'", "o: {p: [[q]]}", "r: [s t, u.v/w]", "x: {y: z} # b"]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join) | st.lists(st.sampled_from(LINES)).map("\n".join))
@settings(max_examples=examples(3000), deadline=None)
def test_what_both_readers_take_they_take_alike(text: str) -> None:
    """The fast reader delegates when in doubt, and never gives another value for a text that the strict one takes."""
    text += "\n"
    forbidden = yaml_guard._FORBIDDEN.search(text)  # which is refused before
    try:
        strict = compose(text, "f").plain()
    except ProblemError:  # it is stricter with tabs, and with what nobody writes
        return
    assert same(load_yaml(text, "f"), strict)
    if not forbidden and looks_simple(text) and (found := load_simple(text)) is not NOT_SIMPLE:
        assert same(found, strict)


@pytest.mark.parametrize(
    "value",
    [1.5, {1: 2}, {None: 1}, "\ud800", ["\udfff\n"], {"a": {1, 2}}, b"x", 1 << 20_000],
    ids=lambda value: type(value).__name__,
)
def test_what_no_file_can_hold_is_refused(value: object) -> None:
    with pytest.raises(UnwritableError):
        write_yaml(value)
