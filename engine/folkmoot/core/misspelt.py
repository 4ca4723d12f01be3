"""Which known word was meant by one that is misspelt."""

from __future__ import annotations

from collections.abc import Iterable

CLOSE = 0.65
"""How alike two words are at least, from 0 to 1, where one is taken for the other misspelt."""


def meant_by(word: str, known: Iterable[str], close: float = CLOSE) -> str:
    """Return the known word that is most like another, "" where none is close.

    >>> meant_by("mutabel", ["mutable", "immutable"]), meant_by("rain", ["repair"])
    ('mutable', '')
    """
    from difflib import get_close_matches  # it loads slowly, and few words are misspelt

    return next(iter(get_close_matches(word, list(known), 1, close)), "")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the question whether a known word was meant, "" where none is close.

    >>> did_you_mean("mutabel", ["mutable", "immutable"])
    'did you mean `mutable`?'
    """
    near = meant_by(word, known)
    return f"did you mean `{near}`?" if near else ""
