"""The canonical writer: one value, one text, for the files that only the engine writes.

Block style, keys in the order given, literal blocks for texts of several lines, and quotes round every string that a
reader of YAML 1.1 or 1.2 would take for something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from folkmoot.core.values import BLANKS, INVISIBLE, LONGEST_KEY, MOST_DIGITS, escaped, has_surrogates, told

Emit = Callable[[str], None]

_LETTERS = r"A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"  # by no table: what is a letter, Pythons disagree on
PLAIN = rf"[{_LETTERS}](?:[{_LETTERS}0-9_ .,+/()'$;=~^-]|:(?=[{_LETTERS}0-9_/]))*(?<! )"
"""Strings that need no quotes in a block: they begin with a letter and hold nothing that YAML gives a meaning."""
_PLAIN = re.compile(rf"{PLAIN}\Z")
_WORDS = frozenset(["null", "true", "false", "yes", "no", "on", "off", "y", "n"])
_NEEDS_INDENT_SAID = re.compile(r"\n*[ \t]")
_WIDEST = MOST_DIGITS * 33 // 10  # bits of an integer that surely has no more digits than are read


class UnwritableError(TypeError):
    """Raised for a value that no file of a game can hold, such as a float or a key that is no string."""


def write_yaml(value: Any) -> str:
    """Return `value` as canonical YAML that ends with a line break.

    Args:
        value: null, boolean, integer, string, list or tuple, or mapping with string keys, nested at will.

    Raises:
        UnwritableError: for any other type of value, a key that is no string, or half of a surrogate pair.
    """
    lines: list[str] = []
    if isinstance(value, Mapping) and value:
        _write_map(value, "", "", lines.append)
    elif isinstance(value, list | tuple) and value:
        _write_list(value, "", "", lines.append)
    else:
        lines.append(quote(value) if isinstance(value, str) else _scalar(value))
    lines.append("")
    return "\n".join(lines)


def in_order(value: Mapping[str, Any], key_order: Sequence[str]) -> dict[str, Any]:
    """Return `value` with the keys of `key_order` first, in that order."""
    first = {key: value[key] for key in key_order if key in value}
    return first | {key: value[key] for key in value if key not in first}


def _write_map(value: Mapping[str, Any], head: str, indent: str, emit: Emit) -> None:
    """Emit the lines of a mapping; `head` stands before the first of them, `indent` before the others."""
    for key, item in value.items():
        _write_item(item, f"{head}{_key(key)}:", indent, "\n", emit)
        head = indent


def _write_list(value: Sequence[Any], head: str, indent: str, emit: Emit) -> None:
    for item in value:
        _write_item(item, f"{head}-", indent, " ", emit)
        head = indent


def _write_item(item: Any, name: str, indent: str, between: str, emit: Emit) -> None:
    """Emit `item` behind `name`; lists and maps begin on the same line where `between` is a space."""
    kind = type(item)
    if kind is str:
        emit(f"{name} {literal(item, indent + '  ') or quote(item)}" if "\n" in item else f"{name} {quote(item)}")
    elif kind is int or item is None or kind is bool or not item:
        emit(f"{name} {_scalar(item)}")
    elif isinstance(item, Mapping):
        _write_map(item, _head(name, indent, between, emit), indent + "  ", emit)
    elif isinstance(item, list | tuple):
        _write_list(item, _head(name, indent, between, emit), indent + "  ", emit)
    else:
        _write_item(_known(item), name, indent, between, emit)


def _head(name: str, indent: str, between: str, emit: Emit) -> str:
    if between == " ":
        return name + " "
    emit(name)
    return indent + "  "


def _known(item: Any) -> Any:
    """Return an instance of a subclass of `str` or `int` as the plain thing."""
    if isinstance(item, str):
        return str.__str__(item) if type(item) is not str else item
    if isinstance(item, int):
        return int(item)
    raise UnwritableError(f"a {type(item).__name__} cannot be written: {told(item):.80}")


def _scalar(item: Any) -> str:
    """Return null, a boolean, an integer, or an empty list, map or string as text."""
    if item is None:
        return "null"
    if isinstance(item, bool):
        return "true" if item else "false"
    if isinstance(item, int):
        if item.bit_length() > _WIDEST:
            raise UnwritableError(f"an integer of {item.bit_length()} bits is too long to be written")
        return str(int(item))
    if isinstance(item, str):
        return quote(str(item))
    if isinstance(item, Mapping):
        return "{}"
    if isinstance(item, list | tuple):
        return "[]"
    raise UnwritableError(f"a {type(item).__name__} cannot be written: {told(item):.80}")


@lru_cache(maxsize=65536)
def quote(text: str) -> str:
    """Return `text` on one line: plain where every reader takes it for this very string, else in double quotes."""
    if _PLAIN.match(text) and not (text.isascii() and text.lower() in _WORDS):
        return text
    if has_surrogates(text):
        raise UnwritableError("half of a surrogate pair cannot be written")
    return escaped(text)


@lru_cache(maxsize=16384)
def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise UnwritableError(f"a key must be a string, not {told(key):.80}")
    written = quote(key)
    if len(written) > LONGEST_KEY:
        raise UnwritableError(f"a key of {len(written):,} characters cannot be written: {written:.80}")
    return written


def literal(text: str, indent: str) -> str:
    """Return `text` as a literal block whose lines stand behind `indent`, or nothing where that is not exact."""
    last = text.rpartition("\n")[2]
    if (last and not last.strip(" \t")) or not text.strip(BLANKS) or INVISIBLE.search(text):
        return ""
    mark = "|2" if _NEEDS_INDENT_SAID.match(text) else "|"
    body = text.removesuffix("\n")
    chomp = "-" if body == text else "+" if body.endswith("\n") else ""
    lines = [indent + line if line else "" for line in body.split("\n")]
    return "\n".join([mark + chomp, *lines])
