"""How a sealed argument is written where people type, as one word; texts in boxes; what an entry says of them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from folkmoot.core.canonical_json import canonical_bytes
from folkmoot.core.records import Entry

MORE_SEALED = "what only its author may know of it is sealed to them (moot hand shows it)"
"""What is said of a refused act whose author was told more in secret."""
_WORD = re.compile(r"sealed[.]([0-9a-f]{64})[.]([A-Za-z0-9+/=_-]{1,40000})", re.ASCII)
_COMMITMENT = re.compile(r"[0-9a-f]{64}", re.ASCII)


def write_box(commitment: str, box: str) -> str:
    """Return a sealed argument as one word.

    >>> write_box("00" * 32, "YWdl")[-10:]
    '00000.YWdl'
    """
    return f"sealed.{commitment}.{box}"


def length_without_boxes(line: str) -> int:
    """Return how many characters a line has, sealed arguments left out: nobody can say those in fewer words.

    >>> length_without_boxes("card=sealed." + "00" * 32 + ".YWdl")
    5
    """
    return len(_WORD.sub("", line)) if "sealed." in line else len(line)


def without_boxes(line: str) -> str:
    """Return a line for people to read, who cannot read what is sealed in it.

    >>> without_boxes("/do discard card=sealed." + "00" * 32 + ".YWdl")
    '/do discard card=(sealed)'
    """
    return _WORD.sub("(sealed)", line) if "sealed." in line else line


def read_box(given: Any) -> dict[str, str] | None:
    """Return `commitment` and `box` of a sealed argument, as a word or as a map; None for what is neither.

    >>> read_box("sealed." + "00" * 32 + ".YWdl")["box"], read_box("YWdl"), read_box({"box": "YWdl"})
    ('YWdl', None, None)
    """
    if isinstance(given, str):
        found = _WORD.fullmatch(given)
        return {"commitment": found[1], "box": found[2]} if found else None
    if not isinstance(given, Mapping) or set(given) != {"commitment", "box"}:
        return None
    commitment, box = given["commitment"], given["box"]
    fits = isinstance(box, str) and isinstance(commitment, str) and _COMMITMENT.fullmatch(commitment)
    return {"commitment": commitment, "box": box} if fits else None


def filled(text: str, length: int) -> str:
    """Return a text as it stands in a box: always as long in bytes, whatever it says.

    >>> len(filled("", 192)), len(filled("n" * 900, 192)), filled("no", 192).rstrip()
    (190, 190, 'no')
    """
    text = text[:length]
    while len(canonical_bytes(text)) > length:
        text = text[:-1]
    return text + " " * (length - len(canonical_bytes(text)))


def told_in(entry: Entry) -> str:
    """Return what commits to what the author of a refused entry was told in secret, "" where they were told nothing.

    >>> told_in({"seq": 7, "sealed": [{"took": 1}, {"told": "3fa0"}]}), told_in({"seq": 8})
    ('3fa0', '')
    """
    return next((each["told"] for each in entry.get("sealed") or () if "told" in each), "")
