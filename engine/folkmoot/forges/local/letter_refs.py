"""The refs that a person's letters lie in: usually one, more where somebody else's ref was in the way of that."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import count

from folkmoot.forges.cache.ref_names import LETTERS, in_the_way
from folkmoot.forges.local.messages import lowered

_FOLDER = LETTERS.rstrip("/")
_WRITER = re.compile(r"refs/moot/letters(?:\.[0-9]{1,9})?/[A-Za-z0-9][A-Za-z0-9._@+-]{0,119}\Z")


def writer_of(mail: str) -> str:
    """Return the name of the chain that a person with this address writes to."""
    name = re.sub(r"[^a-z0-9_+@-]+", "-", lowered(mail)).strip("-+@_")
    return name[:100] or "somebody"


def is_letters(ref: str) -> bool:
    """Return whether a ref is a well-named chain of letters."""
    return bool(_WRITER.match(ref)) and not ref.endswith((".", ".lock")) and ".." not in ref


def own_chains(mail: str, names: Iterable[str]) -> list[str]:
    """Return the refs among some that a person's own client writes letters to, in order of their names.

    >>> own_chains("eve@x.org", ["refs/moot/letters/eve@x-org.2", "refs/moot/letters/adam@x-org"])
    ['refs/moot/letters/eve@x-org.2']
    """
    usual = re.compile(rf"{re.escape(_FOLDER)}(?:\.\d+)?/{re.escape(writer_of(mail))}(?:\.\d+)?\Z")
    return sorted(name for name in names if usual.match(name))


def free_chains(mail: str, names: Collection[str]) -> Iterator[str]:
    """Yield the refs that a person's letters can go to, the usual one first: git makes none that is barred by another.

    It ends at once where the folder of all our refs is barred.
    """
    folder = next(name for name in _numbered(_FOLDER) if name not in names)
    for ref in _numbered(f"{folder}/{writer_of(mail)}"):
        barring = in_the_way(ref, names)
        if not barring:
            yield ref
        elif any(ref.startswith(f"{name}/") for name in barring):
            return


def _numbered(name: str) -> Iterator[str]:
    yield name
    for number in count(2):
        yield f"{name}.{number}"
