"""Words that people type where a value is meant: on a command line or in a comment."""

from __future__ import annotations

import json
import re
from itertools import accumulate
from typing import Any

from folkmoot.core.problems import ProblemError, fail
from folkmoot.core.sealed_data import read_box
from folkmoot.core.values import DEEPEST, WIDEST, flaw_of

_DIGITS = re.compile(r"-?[0-9]+")
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)
VERBATIM = frozenset({"text", "string", "rule", "choice", "player", "office", "thing", "square"})

_NAMES = re.compile(r"\[?([\w./-]+(?:, ?[\w./-]+)*)\]?", re.ASCII)
FORMS = {"map": '{"ann": 5}', "list": '["ann", 5]'}
IN_A_SHELL = "in a shell, put it in single quotation marks, or they are lost"


def read_word(word: str) -> Any:
    """Return what a word stands for: a number, true, false, null, a list or map (in a file's form), or the word itself.

    Raises E-ARGS for what no game can keep.

    >>> read_word("305"), read_word("true"), read_word('["a2", "b1"]'), read_word("for")
    (305, True, ['a2', 'b1'], 'for')
    >>> read_word("{go: {to: e4}, by: 2}"), read_word("{go"), read_word("[see] above")
    ({'go': {'to': 'e4'}, 'by': 2}, '{go', '[see] above')
    >>> read_word("{ann:5}"), read_word("[a2; b1]")
    ('{ann:5}', '[a2; b1]')
    """
    if word.startswith(("[", "{")) and _depth(word) > DEEPEST:
        raise _unfit(f"lists and maps more than {DEEPEST} deep")
    try:
        value = json.loads(word)
    except ValueError:
        if _DIGITS.fullmatch(word):  # so many that Python does not count them
            raise _unfit(f"a number of more than {WIDEST} bits") from None
        value = _as_in_a_file(word)
    if isinstance(value, float):
        return word
    if flaw := flaw_of(value):
        raise _unfit(flaw)
    return value


def _depth(word: str) -> int:
    """Return how deep lists and maps lie in one another: each Python's own limit is another."""
    sides = (1 if sign in "[{" else -1 for sign in _BRACKETS.findall(word) if sign in "[]{}")
    return max(accumulate(sides), default=0)


def _as_in_a_file(word: str) -> Any:
    """Return the list or map that a word is in a rule's or action's file, else the word."""
    if not (word.startswith("{") and word.endswith("}")) and not (word.startswith("[") and word.endswith("]")):
        return word
    from folkmoot.files.fast_reader import load_yaml  # which most words need not

    try:
        value = load_yaml(word, "word")
    except ProblemError:
        return word
    return value if _is_plain(value) else word


def _is_plain(value: Any) -> bool:
    """Say whether nothing in a list or map without quotation marks may be meant otherwise, as `{ann:5}` may."""
    match value:
        case dict():
            return all(_is_plain(each) for pair in value.items() for each in pair)
        case list():
            return all(map(_is_plain, value))
        case str():
            return not {":", ";"}.intersection(value)
        case _:
            return True


def _unfit(flaw: str) -> ProblemError:
    return fail("E-ARGS", f"no game can keep {flaw}", None, "put it in a text if it is meant as one")


def read_typed_word(word: str, kind: str) -> Any:
    """Return a word as a value of a declared type: texts and rule numbers stay words. Raises as `read_word`.

    A list of names or numbers needs no signs but commas: a shell takes quotation marks away.

    >>> read_typed_word("305", "integer"), read_typed_word("305", "rule")
    (305, '305')
    >>> read_typed_word("a2,b1", "list"), read_typed_word("[a2, 5]", "list"), read_typed_word("5", "list")
    (['a2', 'b1'], ['a2', 5], [5])
    """
    value = word if kind in VERBATIM else read_word(word)
    if kind not in FORMS or isinstance(value, list | dict) or not word.strip("… ") or read_box(word) is not None:
        return value  # what is left open is no mistake of form
    if kind == "list" and (names := _NAMES.fullmatch(word)):
        return [read_word(name.strip()) for name in names[1].split(",")]
    if value is word:
        raise fail("E-ARGS", f"{word[:60]} is not read as a {kind}: write it as {FORMS[kind]}", None, IN_A_SHELL)
    return value
