"""How rules say that an action was done: arguments in braces, and in brackets what is left out without them."""

from __future__ import annotations

import re
from collections.abc import Iterator

_OPTIONAL = re.compile(r"\[([^\[\]]*)\]")
_NAMED = re.compile(r"\{([a-z][a-z0-9_]*)\}")


def parts(pattern: str) -> Iterator[tuple[bool, list[str]]]:
    """Yield the parts of a pattern: whether each may be left out, and its words and names of arguments by turns.

    >>> [*parts("sold {what}[ for {price} coins]")]
    [(False, ['sold ', 'what', '']), (True, [' for ', 'price', ' coins'])]
    """
    for place, part in enumerate(_OPTIONAL.split(pattern)):
        if part:
            yield place % 2 == 1, _NAMED.split(part)


def named_in(pattern: str) -> list[str]:
    """Return the arguments that a pattern names.

    >>> named_in("sold {what}[ for {price} coins]")
    ['what', 'price']
    """
    return [name for _, pieces in parts(pattern) for name in pieces[1::2]]


def flaw(pattern: str) -> str:
    """Return what is wrong with a pattern; nothing where it is sound.

    >>> flaw("sold {what"), flaw("sold [once]"), flaw("sold {what}")
    ('a brace or bracket stands alone, or braces hold no name', 'brackets hold no argument', '')
    """
    for optional, pieces in parts(pattern):
        if re.search(r"[{}\[\]]", "".join(pieces[::2])):
            return "a brace or bracket stands alone, or braces hold no name"
        if optional and len(pieces) == 1:
            return "brackets hold no argument"
    return ""
