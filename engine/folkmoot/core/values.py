"""What a game can keep: the one domain of values for acts, payloads, registers, effects, files and messages; pure.

A value is null, a boolean, an integer, a string, a list, or a map with strings for keys, within the bounds below.
Whatever comes in is brought into this domain or refused where it comes in; all that lies in it can be written and read
back. The reader of `folkmoot.files` reads more than the domain holds, never less.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from json import JSONEncoder
from typing import Any

from folkmoot.core.records import Arguments

DEEPEST = 24  # lists and maps within each other, in one value
WIDEST = 4_096  # bits of an integer
LONGEST_KEY = 1_000  # characters of a key as it is written: a simple key of YAML ends after 1,024
LONGEST_STRING = 262_144  # characters of a string
LARGEST_REGISTER = 262_144  # characters of one register in canonical JSON
LARGEST_ACT = 8_000_000  # size of what comes with one event (see `size`)
LARGEST_DOCUMENT = 16_000_000  # size up to which rules may let one file of a game grow
LARGEST_FILE = 50_000_000  # characters of a file that the engine writes and reads
DEEPEST_FILE = 40  # lists and maps within each other, in a file that the engine writes: a value lies some way down
MOST_DIGITS = 1_300  # of an integer in any file; those of the domain have 1,234, differences between them one more
DEEPEST_BY_HAND = 20  # lists and maps within each other, in a file that people write: what is made of it is deeper

BLANKS = (
    " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
)
BLANKS += "\u2028\u2029\u202f\u205f\u3000"  # what is blank, in one place and by no table of the interpreter's
SURELY_SHORT = 90  # characters of a key that is short enough, whatever stands in it
_LONGEST_ESCAPE = 9  # characters by which one character can grow when it is written

# Invisible or disputed characters, which are written as escapes so that one sees them and every reader agrees. What
# looks for one looks first for any that may be: of a long class, each character would be held against every part.
_NEAR = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufdd0-\ufdef\ufeff"
    "\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"
)
_FAR = "".join(chr(plane * 0x10000 + 0xFFFE) + chr(plane * 0x10000 + 0xFFFF) for plane in range(1, 14))
INVISIBLE = re.compile(f"[{_NEAR}\U0001fffe-\U0010ffff](?<=[{_NEAR}{_FAR}\U000e0000-\U000e0fff\U000efffe-\U0010ffff])")
_CAPITALS = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
_SURROGATE = re.compile("[\ud800-\udfff]")
_BEYOND_ASCII = re.compile(r"[^ -~]")
_json_string = JSONEncoder(ensure_ascii=False).encode


def escaped(text: str) -> str:
    """Return a text in double quotes on one line, with escapes for what is not seen, as YAML and JSON read it."""
    return INVISIBLE.sub(_escape, _json_string(text))


def _escape(hit: re.Match[str]) -> str:
    code = ord(hit.group())
    return f"\\U{code:08X}" if code > 0xFFFF else f"\\u{code:04X}"


def has_surrogates(text: str) -> bool:
    """Say whether a text holds half of a surrogate pair, which no file can."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def is_digits(text: str) -> bool:
    """Say whether a text is nothing but the digits 0 to 9: what Python counts as digits is another thing each year."""
    return text.isascii() and text.isdigit()


def lowered(text: str) -> str:
    """Return a text with A to Z in lower case, and no other letter."""
    return text.lower() if text.isascii() else text.translate(_CAPITALS)


# -- the domain


SEALED = "$sealed"
"""The key of a map that stands for a sealed value, by its number: only the engine makes such."""


def sealed_number(value: Any) -> int | None:
    """Return the number of the sealed value that a value stands for, None where it stands for itself.

    >>> sealed_number({"$sealed": 17}), sealed_number({"sealed": 17}), sealed_number(17)
    (17, None, None)
    """
    if type(value) is not dict or len(value) != 1:
        return None
    number = value.get(SEALED)
    return number if type(number) is int else None


def flaw_of(value: Any, *, marked: bool = False, sealed: bool = False) -> str:
    """Return why a value cannot be kept, in words that follow "it holds" ("" where it can).

    `marked` lets stand in it what marks structs that scripts pass on, by keys that begin with `$`; `sealed`, what is
    sealed.
    """
    return _flaw(value, 1, marked, sealed)


def _flaw(value: Any, depth: int, marked: bool, sealed: bool = False) -> str:
    if type(value) is str or isinstance(value, str):
        return "" if len(value) < SURELY_SHORT and value.isascii() else _flaw_of_text(value)
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, int):
        return f"a number of more than {WIDEST} bits" if value.bit_length() > WIDEST else ""
    if isinstance(value, (list, dict, tuple, Mapping)):
        return _flaw_of_many(value, depth, marked, sealed)
    return f"{value}, which is no whole number" if isinstance(value, float) else f"a {type(value).__name__}"


def _flaw_of_many(value: Any, depth: int, marked: bool, sealed: bool) -> str:
    if depth > DEEPEST:
        return f"lists and maps more than {DEEPEST} deep"
    if sealed and len(value) == 1 and sealed_number(value) is not None:
        return ""
    is_map = isinstance(value, (dict, Mapping))
    for key, item in value.items() if is_map else ():
        plain = type(key) is str and len(key) < SURELY_SHORT and key.isascii() and key[:1] != "$"
        if not plain and (flaw := flaw_of_key(key, marked=marked and _is_mark(key, item, len(value)))):
            return flaw
        plain = item is None or (type(item) is str and len(item) < SURELY_SHORT and item.isascii())
        if not plain and (flaw := _flaw(item, depth + 1, marked, sealed)):
            return flaw
    for item in () if is_map else value:
        plain = item is None or (type(item) is str and len(item) < SURELY_SHORT and item.isascii())
        if not plain and (flaw := _flaw(item, depth + 1, marked, sealed)):
            return flaw
    return ""


def _is_mark(key: Any, item: Any, fields: int) -> bool:
    """Say whether a key marks what scripts hand over: a struct, a rule or proposal by which it is, something sealed."""
    return type(item) is int and (item in (1, 2, 4) if key == "$" else key == SEALED and fields == 1)


def _flaw_of_text(text: str) -> str:
    if len(text) > LONGEST_STRING:
        return f"a text of {len(text):,} characters; at most {LONGEST_STRING:,} are kept"
    return "half of a surrogate pair, which is no character" if has_surrogates(text) else ""


def flaw_of_key(key: Any, *, marked: bool = True) -> str:
    """Return why something cannot be the key of a map, in words that follow "it holds" ("" where it can)."""
    if not isinstance(key, str):
        return f"the key {told(key)}, which is no text"
    if not marked and key.startswith("$"):
        return f"the key {told(key)}; no key begins with $"
    if has_surrogates(key):
        return "half of a surrogate pair in a key"
    if len(key) > SURELY_SHORT and len(escaped(key)) > LONGEST_KEY:
        return f"the key {told(key[:20])}…, which is longer than {LONGEST_KEY:,} characters"
    return ""


def flaw_of_event(event: Arguments) -> str:
    """Return why what comes with an event cannot be kept, in one sentence ("" where it can).

    `event` has some of `by`, `as`, `do` (names) and `with`, `via` (values). Names, and by which fact of a forge
    something came, become keys of maps.
    """
    via = event.get("via") or {}
    names = [(name, event.get(name)) for name in ("by", "as", "do")] + [("via.fact", via.get("fact"))]
    for name, word in names:
        flaw = "" if word is None else flaw_of_key(word) or ("" if word else "no name")
        if flaw:
            return f"`{name}` holds {flaw}"
    for name, value in ((name, event.get(name) or {}) for name in ("with", "via")):
        if not isinstance(value, Mapping):
            return f"`{name}` holds {told(value)[:40]}, which is no map"
        flaw = flaw_of(value, marked=True) or _too_large(value)
        if flaw:
            return f"`{_where(name, value, flaw)}` holds {flaw}"
    return ""


def _where(name: str, value: Any, flaw: str) -> str:
    """Return which part of an event has a flaw: the argument, if it is one."""
    parts = value.items() if isinstance(value, Mapping) else ()
    for key, item in parts:
        if flaw_of_key(key):
            break
        if _flaw(item, 2, marked=True) == flaw:
            return f"{name}.{key}"
    return name


def _too_large(value: Any) -> str:
    return f"more than {LARGEST_ACT:,} characters" if size(value) > LARGEST_ACT else ""


# -- how large, and how shown


def size(value: Any, depth: int = 1) -> int:
    """Return about how many characters a value takes in a file: what is written is never more than twice as long.

    `depth` is in how many lists and maps it lies there, for every line of it is indented.
    """
    kind = type(value)
    if kind is str:
        return _length(value, depth)
    total, line = 4, 2 * depth + 3
    if kind is dict:
        for name, item in value.items():
            if type(name) is str:  # a map of others cannot be kept
                length = len(name) if len(name) < SURELY_SHORT and name.isascii() else _length(name, 0)
                text = type(item) is str and item.isascii() and item.isprintable()  # as most are: no call for each
                total += length + line + (len(item) + 2 if text else size(item, depth + 1))
    elif isinstance(value, (list, tuple)):
        for item in value:
            text = type(item) is str and item.isascii() and item.isprintable()
            total += line + (len(item) + 2 if text else size(item, depth + 1))
    else:
        return 8 if kind is not int or value.bit_length() < 24 else 8 + value.bit_length() * 3 // 10
    return total


def _length(text: str, depth: int) -> int:
    if text.isascii() and text.isprintable():
        return len(text) + 2
    escaped, lines = _growth(text)
    return len(text) + 6 + escaped + lines * (2 * depth + 2)


def _growth(text: str) -> tuple[int, int]:
    """Return by how many characters escapes lengthen a text, at most, and of how many lines it is."""
    plain = text.isascii() and text.replace("\n", "").replace("\t", "").isprintable()
    return 0 if plain else len(INVISIBLE.findall(text)) * _LONGEST_ESCAPE, text.count("\n") + 1


def in_a_row(names: Iterable[str], most: int = 12, what: str = "more") -> str:
    """Return names in a row, of many the first and how many were left out; `what` may say where those are listed.

    >>> in_a_row(["ann", "bob", "cid"], 2)
    'ann, bob and 1 more'
    """
    every = list(names)
    return ", ".join(every[:most]) + (f" and {len(every) - most} {what}" if len(every) > most else "")


def told(value: Any) -> str:
    """Return a value as messages show it: like Python's `repr`, but by no table of the interpreter's.

    Characters beyond ASCII stand for themselves; those that nobody sees, for their numbers.
    """
    if isinstance(value, str):
        return _told_text(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{told(key)}: {told(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(told, value)) + "]"
    return repr(value)


def _told_text(text: str) -> str:
    mark = '"' if "'" in text and '"' not in text else "'"
    return mark + _BEYOND_ASCII.sub(_told_character, text.replace("\\", "\\\\").replace(mark, "\\" + mark)) + mark


def _told_character(hit: re.Match[str]) -> str:
    character = hit.group()
    short = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(character)
    if short or not INVISIBLE.match(character):
        return short or character
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def within(low: int | None, high: int | None, verb: str) -> str:
    """Say between which bounds a number must lie or stay; either may be open."""
    if low is None or high is None:
        return f"be at most {high}" if low is None else f"be at least {low}"
    return f"{verb} between {low} and {high}"
