"""Words against Python: sorting, anagrams, palindromes, titles and what the games ask of texts."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.language.conftest import caller, run

TEXT = st.text(alphabet="abcXYZ Äé'-!7", max_size=12)


def call(name: str, *arguments: Any) -> Any:
    return caller("words").call("main", [name, list(arguments)], lambda: False)


def letters(text: str) -> str:
    return "".join(c for c in text.lower() if "a" <= c <= "z")


@settings(max_examples=80)
@given(TEXT, TEXT)
def test_letters(a: str, b: str) -> None:
    assert call("letters_only", a) == letters(a)
    assert call("is_palindrome", a) == (letters(a) != "" and letters(a) == letters(a)[::-1])
    assert call("is_anagram", a, b) == (letters(a) != letters(b) and Counter(letters(a)) == Counter(letters(b)))
    assert call("letter_counts", a) == dict(sorted(Counter(letters(a)).items()))
    assert call("can_spell", a, list(b.replace(" ", "?"))) == (
        sum((Counter(letters(a)) - Counter(b.lower())).values()) <= b.count(" ")
    )


def test_surnames_decide_before_first_names() -> None:
    people = {"p1": ["Anton", "Berg"], "p2": ["Zoe", "amery"], "p3": ["Ann", "van Aa"], "p4": ["Al", "Berg"]}
    found = run(
        'load("words", "by_surname")\n'
        "def main(d):\n    return by_surname(list(d), lambda p: d[p][1], lambda p: d[p][0])\n",
        people,
    )
    assert found == ["p2", "p4", "p1", "p3"]


@pytest.mark.parametrize(
    ("noun", "plural"),
    [("vote", "votes"), ("penny", "pennies"), ("day", "days"), ("box", "boxes"), ("church", "churches"),
     ("wish", "wishes"), ("person", "people"), ("Child", "Children"), ("die", "dice"), ("y", "ys")],
)  # fmt: skip
def test_plurals(noun: str, plural: str) -> None:
    assert call("plural", noun) == plural
    assert call("plural", noun, 1) == noun


@pytest.mark.parametrize(
    ("text", "word", "holds"),
    [
        ("New Player: Amery", "new player", True),
        ("a newplayer", "new player", False),
        ("cat", "", False),
        ("the cat's", "cat", False),
    ],
)
def test_whole_words(text: str, word: str, holds: bool) -> None:
    assert call("contains_word", text, word) is holds
