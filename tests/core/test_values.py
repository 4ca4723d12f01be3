"""The one domain of values: what lies in it can be written and read back, what does not is named in a few words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.core import values
from folkmoot.core.values import (
    DEEPEST,
    LARGEST_ACT,
    LARGEST_FILE,
    LONGEST_KEY,
    LONGEST_STRING,
    WIDEST,
    flaw_of,
    flaw_of_event,
    flaw_of_key,
    size,
    told,
)
from folkmoot.files.canonical import write_yaml
from folkmoot.files.fast_reader import load_yaml
from tests.conftest import examples

TEXTS = st.text(st.characters(codec=None), max_size=40) | st.sampled_from(
    ["", " ", "\n", "no", "12:30", "a\n b\n", "\u200b", "\U000e0041", "\ud800", "\u2028x", "| a", "# x", "ſ", "K", "²"]
)
SCALARS = st.none() | st.booleans() | st.integers() | TEXTS | st.integers(-3, 3).map(lambda n: n * (1 << (WIDEST - 2)))
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=20
)


def nested(depth: int) -> Any:
    """Return lists within each other."""
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@settings(deadline=None, max_examples=examples(400))
@given(VALUES)
def test_what_the_domain_accepts_is_read_back_and_written_again_byte_for_byte(value: Any) -> None:
    if flaw_of(value, marked=True):
        return
    text = write_yaml({"value": value})
    assert text.encode().decode() == text
    found = load_yaml(text, "x.yaml")
    assert found == {"value": value}
    assert write_yaml(found) == text
    assert len(text) <= 2 * size({"value": value}), "twice as long as was reckoned, and no more"


@pytest.mark.parametrize(
    "value",
    [
        nested(DEEPEST), {"k" * (LONGEST_KEY - 2): 1}, {"\U000e0041" * 99: 1}, {"'\"\\" * 150: 1}, (1 << WIDEST) - 1,
        -(1 << WIDEST) + 1, "x" * LONGEST_STRING, "a\n" * (LONGEST_STRING // 2), "\x00" * 1000, [[]] * 1000, {"": {"": {}}},
    ],
    ids=lambda value: told(value)[:20],
)  # fmt: skip
def test_the_edge_of_the_domain_is_inside_and_read_back(value: Any) -> None:
    assert flaw_of(value) == ""
    for deep in (value, {"a": [{"b": [{"c": {"d": {"e": [value]}}}]}]}):  # as deep as a document holds one
        text = write_yaml({"value": deep})
        assert load_yaml(text, "x.yaml") == {"value": deep}
        assert len(text) <= 2 * size({"value": deep})


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (1.5, "no whole number"), (float("nan"), "no whole number"), (nested(DEEPEST + 1), "deep"), (1 << WIDEST, "bits"),
        ({1: 2}, "no text"), ({"$": 2}, "begins with $"), ({"$ab": 2}, "begins with $"), ({"k" * (LONGEST_KEY - 1): 1}, "longer than"), (b"x", "bytes"),
        ({"\U000e0041" * 100: 1}, "longer than"), ("\ud800", "surrogate"), ({"\udfff": 1}, "surrogate"), (nested(5_000), "deep"),
        ("x" * (LONGEST_STRING + 1), "characters"), ([{"a": {1}}], "set"),
    ],
    ids=lambda value: str(value)[:20] if isinstance(value, str) else None,
)  # fmt: skip
def test_what_lies_outside_is_named(value: Any, said: str) -> None:
    assert said in flaw_of(value)
    assert len(flaw_of(value)) < 300


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"with": {"choice": "for", "x": 1.5}}, "`with.x` holds 1.5, which is no whole number"), ({"by": "a" * 1_000}, "`by` holds"),
        ({"via": {"fact": "f" * 1_000}}, "`via.fact` holds"), ({"via": {"person": {"id": "\ud800"}}}, "`via.person` holds"),
        ({"with": {"a": ["x" * 200_000] * 50}}, "more than 8,000,000 characters"), ({"by": ""}, "`by` holds no name"),
        ({"with": {"a": ["x" * 200_000] * 30}, "by": None, "as": None}, ""), ({"as": ""}, "`as` holds no name"),
        ({"with": [1]}, "`with` holds [1], which is no map"),
    ],
    ids=range(9),
)  # fmt: skip
def test_an_event_is_told_which_part_of_it_cannot_be_kept(event: dict[str, Any], said: str) -> None:
    """An empty name, too: it would be read back as none."""
    flaw = flaw_of_event({"do": "x", **event})
    assert said in flaw
    assert bool(said) == bool(flaw)


def test_the_bounds_fit_into_each_other() -> None:
    assert 2 * (2 * LARGEST_ACT + values.LARGEST_DOCUMENT // 2) <= LARGEST_FILE
    assert 2 * values.LARGEST_DOCUMENT <= LARGEST_FILE
    assert flaw_of_key("\U0010ffff" * values.SURELY_SHORT) == "", "of what is not even measured"
    assert values.DEEPEST_BY_HAND < DEEPEST < values.DEEPEST_FILE - 8


@given(st.text(st.characters(codec=None)))
def test_a_text_is_told_as_python_does_but_by_no_table(text: str) -> None:
    if text.isascii():
        assert told(text) == repr(text)
    assert "\n" not in told(text)
