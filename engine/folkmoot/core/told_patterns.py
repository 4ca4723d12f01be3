"""How rules say that an action was done: arguments in braces, and in brackets what depends on which were given."""

from __future__ import annotations

import re
from functools import lru_cache

from msgspec import Struct

_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_BETWEEN = re.compile(r"\|(?![^{}]*\})")  # alternatives, and no words for one and for many
_NAMED = re.compile(r"\{(\?)?([a-z][a-z0-9_]*)(?:\|([^{}\[\]|]+)\|([^{}\[\]|]+))?\}")


class Named(Struct, frozen=True):
    """An argument in a pattern.

    Its value stands there; with `words` the first of them where it is one, or one thing, else the second. With
    `holds` nothing stands there, and it must be given and be neither false nor 0.
    """

    name: str
    holds: bool = False
    words: tuple[str, str] | None = None


Wording = tuple[str | Named, ...]


class Part(Struct, frozen=True):
    """A part of a pattern: its first wording that can be said stands there, and none where it `may_fail`."""

    wordings: tuple[Wording, ...]
    may_fail: bool


@lru_cache(maxsize=4096)
def parts(pattern: str) -> tuple[Part, ...]:
    """Return the parts of a pattern, in order.

    >>> parts("sold {what}[ for {price} coins]")[1]
    Part(wordings=((' for ', Named(name='price', holds=False, words=None), ' coins'),), may_fail=True)
    >>> [len(part.wordings) for part in parts("named [{player}|themselves] for {office}")]
    [1, 2, 1]
    """
    found = []
    for place, text in enumerate(_BRACKETS.split(pattern)):
        inside = place % 2 == 1
        if text or inside:
            several = _BETWEEN.split(text) if inside else [text]
            found.append(Part(tuple(map(_wording, several)), inside))
    return tuple(found)


def _wording(text: str) -> Wording:
    said: list[str | Named] = []
    end = 0
    for found in _NAMED.finditer(text):
        said.append(text[end : found.start()])
        holds, name, one, many = found.groups()
        said.append(Named(name, bool(holds), (one, many) if one else None))
        end = found.end()
    return tuple(piece for piece in (*said, text[end:]) if piece)


def arguments_in(wording: Wording) -> list[str]:
    """Return the arguments that a wording names."""
    return [piece.name for piece in wording if isinstance(piece, Named)]


def named_in(pattern: str) -> list[str]:
    """Return the arguments that a pattern names.

    >>> named_in("sold {what}[ for {price} {price|coin|coins}| for nothing]")
    ['what', 'price', 'price']
    """
    return [name for part in parts(pattern) for wording in part.wordings for name in arguments_in(wording)]


def flaw(pattern: str) -> str:
    """Return what is wrong with a pattern; nothing where it is sound.

    >>> flaw("sold {what"), flaw("sold [once]"), flaw("sold {what}")
    ('a brace or bracket stands alone, or braces hold no name', 'brackets hold no argument', '')
    >>> flaw("sold [it|{what}]"), flaw("sold [{what}|it]")
    ('only the last of several wordings in brackets may do without an argument', '')
    """
    for part in parts(pattern):
        for piece in (piece for wording in part.wordings for piece in wording):
            if isinstance(piece, str) and re.search(r"[{}\[\]]", piece):
                return "a brace or bracket stands alone, or braces hold no name"
            if isinstance(piece, Named) and piece.holds and piece.words:
                return f"{{?{piece.name}}} stands for no words"
        bare = [not arguments_in(wording) for wording in part.wordings]
        if part.may_fail and all(bare):
            return "brackets hold no argument"
        if part.may_fail and any(bare[:-1]):
            return "only the last of several wordings in brackets may do without an argument"
    return ""
