"""Sealed data as all meet it: how it is declared, what stands for it, how it is written, what an entry says of it.

What it is in a game, and what is done with it, only `folkmoot.kernel.sealed_data` and `folkmoot.game.keeper` know.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from folkmoot.core.canonical_json import canonical_bytes
from folkmoot.core.records import Entry, Reason, SealedRecord, Written
from folkmoot.core.rule_blocks import ArgumentSpec, RegisterSpec
from folkmoot.core.values import sealed_number

# -- how it is declared: whoever reads it, beside players by their ids


NOBODY, OWNER, OFFICE, AUTHOR = "nobody", "owner", "office/", "author"


def is_sealed(declared: RegisterSpec | ArgumentSpec) -> bool:
    """Whether a register or an argument is declared as sealed."""
    return bool(declared.get("sealed"))


def is_sealed_to_owner(declared: RegisterSpec | ArgumentSpec) -> bool:
    """Whether whoever owns it is among those who read a register."""
    return OWNER in _readers(declared)


def readers_of(declared: RegisterSpec | ArgumentSpec, owner: str | None) -> list[str]:
    """Return who reads what stands in a sealed register of this owner (a player's id), or in an argument of theirs."""
    named = [owner if each == OWNER else each for each in _readers(declared)]
    return [each for each in dict.fromkeys(named) if each is not None and each != NOBODY]


def _readers(declared: RegisterSpec | ArgumentSpec) -> list[str]:
    readers = declared.get("sealed") or NOBODY
    return [readers] if isinstance(readers, str) else readers


def needs_keeper(rules: Iterable[Written]) -> bool:
    """Whether rules seal anything that more people than its author alone may read: somebody must keep the key.

    >>> needs_keeper([{"defines": {"player": {"hand": {"type": "list", "sealed": "owner"}}}}])
    True
    >>> needs_keeper([{"actions": {"choose": {"arguments": {"hand": {"type": "text", "sealed": "author"}}}}}])
    False
    """
    return any(
        _seals({"sealed": rule.get("sealed"), "of": rule.get("defines"), "do": rule.get("actions")}) for rule in rules
    )


def _seals(declared: Any) -> bool:
    if isinstance(declared, Mapping):
        return declared.get("sealed") not in (None, False, AUTHOR) or any(map(_seals, declared.values()))
    return isinstance(declared, (list, tuple)) and any(map(_seals, declared))


# -- what stands for it in values


def numbers_in(value: Any) -> Iterator[int]:
    """Yield the number of each sealed value in a value, in order.

    >>> [*numbers_in({"hand": [{"$sealed": 3}, 4, {"$sealed": 1}]})]
    [3, 1]
    """
    number = sealed_number(value)
    if number is not None:
        yield number
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from numbers_in(item)


def holds_sealed(value: Any) -> bool:
    """Whether anything in a value is sealed.

    >>> holds_sealed({"a": [1, {"$sealed": 2}]}), holds_sealed(["$sealed"])
    (True, False)
    """
    return next(numbers_in(value), None) is not None


def with_contents(value: Any, content: Callable[[int], Any]) -> Any:
    """Return a value with what `content` gives for each sealed value in it, by its number.

    >>> with_contents([{"$sealed": 3}, 4], "card {}".format)
    ['card 3', 4]
    """
    number = sealed_number(value)
    if number is not None:
        return content(number)
    if isinstance(value, dict):
        return {name: with_contents(item, content) for name, item in value.items()}
    return [with_contents(item, content) for item in value] if isinstance(value, list) else value


# -- how it is written where people type: as one word


_WORD = re.compile(r"sealed[.]([0-9a-f]{64})[.]([A-Za-z0-9+/=_-]{1,40000})", re.ASCII)
_COMMITMENT = re.compile(r"[0-9a-f]{64}", re.ASCII)


def write_box(commitment: str, box: str) -> str:
    """Return a sealed argument as one word.

    >>> write_box("00" * 32, "YWdl")[-10:]
    '00000.YWdl'
    """
    return f"sealed.{commitment}.{box}"


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


def holds_box(given: Any) -> bool:
    """Whether somebody hands over anything sealed."""
    if read_box(given) is not None:
        return True
    inner = given.values() if isinstance(given, Mapping) else given if isinstance(given, list) else ()
    return any(map(holds_box, inner))


def without_boxes(line: str, instead: str = "(sealed)") -> str:
    """Return a line for people to read, who cannot read what is sealed in it.

    >>> without_boxes("/do discard card=sealed." + "00" * 32 + ".YWdl")
    '/do discard card=(sealed)'
    """
    return _WORD.sub(instead, line) if "sealed." in line else line


def length_without_boxes(line: str) -> int:
    """Return how many characters a line has, sealed arguments left out: nobody can say those in fewer words.

    >>> length_without_boxes("card=sealed." + "00" * 32 + ".YWdl")
    5
    """
    return len(without_boxes(line, ""))


def filled(text: str, length: int) -> str:
    """Return a text as it stands in a box: always as long in bytes, whatever it says.

    >>> len(filled("", 192)), len(filled("n" * 900, 192)), filled("no", 192).rstrip()
    (190, 190, 'no')
    """
    text = text[:length]
    while len(canonical_bytes(text)) > length:
        text = text[:-1]
    return text + " " * (length - len(canonical_bytes(text)))


# -- what an entry says of it


MORE_SEALED = "what only its author may know of it is sealed to them (moot show hand shows it)"
"""What is said of a refused act whose author was told more in secret."""
DEPENDS = "this depends on what is sealed"
"""Why what is only tried goes no further where the game would go on by what nobody can look into there."""
CLOSED: SealedRecord = {"refused": "E-SEALED"}
"""What is noted where something is only tried, and a rule wants to look into what is sealed."""


def depends_on_sealed(code: str, reasons: Sequence[Reason], sealed: Sequence[SealedRecord] = ()) -> bool:
    """Whether something was refused because nobody could look into what is sealed where it was tried.

    With what was asked of `sealed` contents, also whether a rule wanted to look, and went on when it could not.
    """
    closed = code == "E-SEALED" and any((reason.get("args") or {}).get("why") == DEPENDS for reason in reasons)
    return closed or CLOSED in sealed


def told_in(entry: Entry) -> str:
    """Return what commits to what the author of a refused entry was told in secret, "" where they were told nothing.

    >>> told_in({"seq": 7, "sealed": [{"took": 1}, {"told": "3fa0"}]}), told_in({"seq": 8})
    ('3fa0', '')
    """
    return next((each["told"] for each in entry.get("sealed") or () if "told" in each), "")
