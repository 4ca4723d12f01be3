"""Words that people type where a value is meant: on a command line or in a comment."""

from __future__ import annotations

import json
from typing import Any

VERBATIM = frozenset({"text", "string", "rule", "choice", "player", "office", "thing", "square"})


def read_word(word: str) -> Any:
    """Return what a word stands for: a number, true, false, null, JSON, or the word itself.

    >>> read_word("305"), read_word("true"), read_word('["a2", "b1"]'), read_word("for")
    (305, True, ['a2', 'b1'], 'for')
    """
    try:
        value = json.loads(word)
    except ValueError:
        return word
    return word if isinstance(value, float) else value


def read_typed_word(word: str, kind: str) -> Any:
    """Return a word as a value of a declared type: texts and rule numbers stay words.

    >>> read_typed_word("305", "integer"), read_typed_word("305", "rule")
    (305, '305')
    """
    return word if kind in VERBATIM else read_word(word)
