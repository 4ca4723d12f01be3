"""Arguments that people write as `name: value`, line by line, in the field of a form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from folkmoot.core.misspelt import meant_by
from folkmoot.core.problems import ProblemError
from folkmoot.files.fast_reader import load_yaml
from folkmoot.files.typed_words import VERBATIM
from folkmoot.referee.commands import bare_argument

Record = Mapping[str, Any]
_NAMED = re.compile(r"(?P<name>[A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(?P<rest>.*)|[ \t]*)")
_BLOCK = re.compile(r"[|>][+-]?")


class Arguments(Struct):
    """Arguments as they were read, and what is wrong with them."""

    values: dict[str, Any] = field(default_factory=dict)
    flaw: str = ""


def read_arguments(do: str, text: str, declared: Record, *, free: bool = False) -> Arguments:
    r"""Return arguments written as `name: value`, each beginning a line; a text may go on in the lines below.

    Where the action needs its one text and no name stands in front, all is that text; `free` allows any name.

    >>> read_arguments("x", "to: bob\nfor: a horse\n  and a cart", {"to": {"type": "player"}, "for": {}}).values
    {'to': 'bob', 'for': 'a horse\n  and a cart'}
    """
    known = [*declared, "as"]
    lines = [line.rstrip() for line in text.strip("\n").split("\n")]
    first = next((line for line in lines if line and not line.startswith("#")), "")
    if not first:
        return Arguments()
    bare = bare_argument(declared)
    begun = _NAMED.fullmatch(first)
    if (begun is None or (begun["name"] not in known and not free)) and bare and not _near(begun, known):
        return Arguments({bare: text.strip()})
    found, flaw = _parted(do, lines, declared, free=free)
    if flaw:
        return Arguments(flaw=flaw)
    read = Arguments()
    for name, value in found.items():
        try:
            typed = _typed(value, str((declared.get(name) or {}).get("type") or ("any" if free else "text")))
        except ProblemError as error:
            return Arguments(flaw=f"{do}: the value of {name} cannot be read: {error.problems[0].message}")
        if typed is not None:
            read.values[name] = typed
    return read


def _near(begun: re.Match[str] | None, known: list[str]) -> str:
    return meant_by(begun["name"], known, 0.75) if begun else ""


def _parted(do: str, lines: list[str], declared: Record, *, free: bool) -> tuple[dict[str, list[str]], str]:
    """Return the lines of each argument, and what is wrong with the names."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in lines:
        begun = _NAMED.fullmatch(line)
        word = begun["name"] if begun else ""
        if begun and (free or word in declared or word == "as"):
            if word in found:
                return {}, f"{do}: {word} is given twice"
            name = word
            found[name] = [begun["rest"] or ""]
        elif begun and (near := _near(begun, [*declared, "as"])) and near not in found:
            return {}, f"{do} takes no argument {word}, did you mean {near}?"
        elif name and _goes_on(line, (declared.get(name) or {}).get("type", "text")):
            found[name].append(line)
        elif line and not line.startswith("#"):
            takes = f"it takes {', '.join(declared) or 'none'}"
            if begun:
                return {}, f"{do} takes no argument {word}; {takes}"
            return {}, f"{do}: arguments are written `name: value`, each on a line of its own; {takes}"
    return found, ""


def _goes_on(line: str, kind: str) -> bool:
    """Say whether a line may be more of a value of a type."""
    return kind in ("text", "string") or line[:1] in (" ", "\t", "-", "]", "}")


def _typed(lines: list[str], kind: str) -> Any:
    """Return a value of a declared type, None for an empty one; raises ProblemError for YAML that cannot be read."""
    text = "\n".join(lines).strip()
    if not text or (kind not in ("text", "string") and text.startswith("#")):
        return None
    if kind not in VERBATIM:
        return load_yaml("\n".join(["value: " + lines[0], *(f"  {line}" for line in lines[1:])]), "the form")["value"]
    if _BLOCK.fullmatch(lines[0].strip()):
        return "\n".join(_dedented(lines[1:])).strip("\n")
    return _unquoted(text)


def _dedented(lines: list[str]) -> Iterator[str]:
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return (line[margin:] for line in lines)


def _unquoted(text: str) -> str:
    """Return a text without the quotation marks around all of it."""
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" and text[0] not in text[1:-1] and "\n" not in text:
        return text[1:-1]
    return text
