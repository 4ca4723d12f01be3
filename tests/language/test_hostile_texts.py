"""Issue 9: scanning and checking a script takes a time in proportion to its size, whatever stands in it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.language.tree import MAX_BYTES, MAX_PROBLEMS, writes_float
from folkmoot.scenarios.known_names import known_in
from folkmoot.scenarios.script_check import check_script
from folkmoot.site.pen import coloured as shown
from tests.conftest import examples
from tests.support.timing import Spent

SIZE = 64_000
UNITS = 400  # of work for all that is done with one script; the worst took 300 to 1,300 each before
FRAGMENTS = [
    " ", "\t", "\n", "\\\n", " \\\n", "(", ")", "[", "{", '"', "'", '"""', "%(", "%", "0", "1.", "-", "not ", "lambda a: ",
    "a", "a.", "a;", "1,", "emit('", "later(a", "emit_under( ", "put(", "get(a,", "def on_x(a):\n", "def decide_f(a):\n f(a)\n",
    " if e.a == X:\n  pass\n", "elif x:\n pass\n", "X = [1]\n", "load('x', 'y')\n", "#", "\x00", "\u202e", "f'", "rb'",
]  # fmt: skip


def everything(text: str) -> list[Any]:
    """Do all that is done with a script before it runs."""
    rule = {"uid": "7", "text": "", "script": text, "actions": {"x": {}}}
    found: list[Any] = check_script(rule, known_in([rule]))
    return found


def timed(text: str) -> None:
    with Spent() as spent:
        everything(text)
    assert spent.units < UNITS, text[:80]


@pytest.mark.threat("T-93")
@pytest.mark.parametrize(
    "text",
    [
        "def" + " " * SIZE,
        " \\\n" * (SIZE // 3),
        "x = '" + "%(" * (SIZE // 3) + "' % 1",
        "X = [" + "1," * 4_000 + "]\n" + "".join(f"def on_e{n}(e):\n if e.a in X:\n  pass\n" for n in range(500)),
        "".join(f"def decide_f{n}(a):\n    decide_f{n - 1}(a)\n    put('game','x',1)\n" for n in range(700)),
        ("put(" * 240 + ")" * 240 + "\n") * 40,
    ],
    ids=["blanks", "continuations", "formats", "constants", "reached", "nested"],
)
def test_what_took_seconds_takes_less(text: str) -> None:
    timed(text[:SIZE])


@pytest.mark.threat("T-93")
@given(st.lists(st.tuples(st.sampled_from(FRAGMENTS), st.sampled_from([1, 3, 40, 9_000])), min_size=1, max_size=4))
@settings(max_examples=12, deadline=None)
def test_random_hostile_texts_are_read_in_time(parts: list[tuple[str, int]]) -> None:
    whole = "".join(fragment * times for fragment, times in parts)
    timed(whole[:SIZE])


def test_a_script_of_a_megabyte_is_measured_and_no_more() -> None:
    text = "x = 1\n" * 170_000
    with Spent() as spent:
        (problem,) = everything(text)
        page = str(shown("\x00<b>" * (MAX_BYTES // 2)))
    assert problem.arguments["check"] == "size"
    assert "<b>" not in page
    assert spent.units < 100


def test_no_more_problems_are_shown_than_anybody_reads() -> None:
    rule = {"script": "def decide_x():\n" + " put('game', 'x', 1)\n" * 2_000, "uid": "7"}
    assert len(check_script(rule, None)) <= 4 * MAX_PROBLEMS


OLD = re.compile(r"%(?:\([^)]*\))?[-+ #0-9.]*[eEfFgG]")


@given(st.text("%()0-.fgsd", max_size=14))
@settings(max_examples=examples(400))
def test_floats_in_formats_are_found_as_before(text: str) -> None:
    assert writes_float(text) == bool(OLD.search(text))
