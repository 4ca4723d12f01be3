"""Word lists: files of words that a law looks up, kept beside the record, of which the founding names the digests."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from folkmoot.core.digest import bytes_digest
from folkmoot.core.records import ListSpec

LISTS = "lists/"
"""The folder of a game, or of a ruleset, in which they lie; and what the keys begin with by which they are fetched."""
NAME = re.compile(r"[a-z][a-z0-9_-]{0,38}", re.ASCII)
LARGEST_LIST = 16_000_000  # bytes
LONGEST_WORD = 100  # characters
_DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)
_ODD = re.compile(r"[\x00-\x09\x0b-\x1f\x7f\x85\u2028\u2029]")


def file_of(name: str) -> str:
    """Return the path of a list's file inside the folder of its game or ruleset."""
    return f"{LISTS}{name}.txt"


def in_order(text: str) -> str:
    """Return the words of a text, one a line, as a list has them: in the order of their characters, each once."""
    words = sorted({word for line in text.split("\n") if (word := line.strip(" \t"))})
    return "".join(f"{word}\n" for word in words)


def flaw_of_list(text: str) -> str:
    """Return why a text that is in order can be no word list, "" if it can."""
    if not text:
        return "it holds no words"
    if len(text.encode()) > LARGEST_LIST:
        return f"it has more than {LARGEST_LIST:,} bytes"
    words = text.split("\n")
    longest = max(words, key=len)
    if len(longest) > LONGEST_WORD:
        return f"the word {longest[:20]}… has more than {LONGEST_WORD} characters"
    if _ODD.search(text):
        word = next(word for word in words if _ODD.search(word))
        return f"a character of the word {_ODD.sub('?', word)} is none that one sees"
    return ""


def spec_of(text: str) -> ListSpec:
    """Return what a founding says of a list that is in order."""
    return {"digest": bytes_digest(text.encode()), "words": text.count("\n")}


def flaw_of_specs(lists: Any) -> str:
    """Return why something is not what a founding says of its word lists, "" if it is."""
    if not isinstance(lists, Mapping):
        return "`lists` must be a map from the name of each word list to its `digest` and `words`"
    for name, spec in lists.items():
        if not (isinstance(name, str) and NAME.fullmatch(name)):
            return "the name of a word list has at most 39 of a-z, 0-9, _ and -, beginning with a letter"
        fits = isinstance(spec, Mapping) and set(spec) == {"digest", "words"} and type(spec["words"]) is int
        if not (fits and isinstance(spec["digest"], str) and _DIGEST.fullmatch(spec["digest"])):
            return f"of the word list {name} a founding says its `digest` (SHA-256 in hex) and how many `words`"
    return ""


class WordList:
    """A list that is in order; a word is looked for by halves, without a set that would take ten times the memory."""

    def __init__(self, text: str) -> None:
        """Take its text."""
        self._text = text

    def __contains__(self, word: object) -> bool:
        r"""Whether a word is in the list, letter by letter.

        >>> words = WordList(in_order("tea\nscone\nice cream\n"))
        >>> [word in words for word in ("scone", "scon", "ice cream", "Tea", "", "tea\n", "zest", "a")]
        [True, False, True, False, False, False, False, False]
        """
        if not isinstance(word, str):
            return False
        text, low, high = self._text, 0, len(self._text)
        while low < high:
            middle = (low + high) // 2
            start = max(text.rfind("\n", low, middle) + 1, low)
            end = text.find("\n", start)
            found = text[start:end]
            if found == word:
                return True
            low, high = (end + 1, high) if found < word else (low, start)
        return False
