"""Nodes into typed records by their shape; every problem is collected, with its place and what was meant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from folkmoot.core.problems import Position, Problem
from folkmoot.files.nodes import Node
from folkmoot.files.scalars import FORMS, shown
from folkmoot.files.shapes import (
    AnyOf,
    Anything,
    Choice,
    Entries,
    FileOf,
    Items,
    Key,
    Record,
    Scalar,
    Shape,
    shape_of_kind,
)

MOST_SUGGESTIONS = 20  # of what an unknown key may have meant; comparing words is slow
WRONG: Any = object()  # stands for a value that is not there because of a problem

_NAMES = {
    "string": "a string",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
    "list": "a list",
    "map": "a map of keys and values",
}


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a hint that names the nearest known word, or all of them where they are few."""
    from difflib import get_close_matches

    words = [str(name) for name in known if name != ""]
    near = get_close_matches(word.lower(), words, 1, 0.6)
    if near:
        return f"did you mean `{near[0]}`?"
    return "choose one of " + ", ".join(words) if words else ""


class Shaper:
    """Reads nodes by shapes and keeps the problems."""

    def __init__(self) -> None:
        """Begin without problems."""
        self.problems: list[Problem] = []
        self.suggested = 0

    def report(self, code: str, message: str, position: Position, hint: str = "", **arguments: Any) -> Any:
        """Keep a problem and return the mark of a value that is wrong."""
        self.problems.append(Problem(code, message, position, hint, arguments))
        return WRONG

    def read(self, shape: Shape, node: Node, what: str) -> Any:
        """Return the value of `node` as `shape` says, or WRONG; `what` names it in messages."""
        match shape:
            case Scalar():
                value = self.scalar(shape, node, what)
            case Choice():
                value = self.choice(shape, node, what)
            case Items():
                value = self.items(shape, node, what)
            case Entries():
                value = self.entries(shape, node, what)
            case AnyOf():
                value = self.union(shape, node, what)
            case Record():
                value = self.record(shape, node, what)
            case FileOf(kind):
                value = node.plain() if self.record(shape_of_kind(kind), node, what) is not WRONG else WRONG
            case _:
                value = node.plain()
        return value

    # -- scalars

    def scalar(self, shape: Scalar, node: Node, what: str) -> Any:
        """Return a scalar of the kind that belongs here and of its form."""
        if kind_of(node) != shape.kind:
            return self.mismatch(node, what, [_NAMES[shape.kind]], quotable=shape.kind == "string")
        form = FORMS[shape.format]
        if shape.kind == "string":
            verdict = form.check(node.value)
            if verdict:
                between = " " if verdict[1].startswith("must ") else ": "
                return self.report(verdict[0], what + between + verdict[1], node.position, verdict[2])
            if shape.format == "script" and node.value and node.style != "|":
                message = f"{what} must be a literal block, so that its lines have places in the file"
                return self.report("E-BLOCK", message, node.position, "write `script: |` and indent the lines below it")
        elif shape.kind == "integer":
            return self.bounded(node, what, form.lowest, form.highest)
        return node.value

    def bounded(self, node: Node, what: str, lowest: int | None, highest: int | None) -> Any:
        """Return an integer within its bounds (None: no bound)."""
        if (lowest is not None and node.value < lowest) or (highest is not None and node.value > highest):
            bounds = f"at least {lowest}" if highest is None else f"from {lowest} to {highest}"
            return self.report("E-RANGE", f"{what} must be {bounds}, not {node.value}", node.position)
        return node.value

    def choice(self, shape: Choice, node: Node, what: str) -> Any:
        """Return one of the words that may stand here."""
        if node.kind == "scalar" and any(type(node.value) is type(w) and node.value == w != "" for w in shape.words):
            return node.value
        words = [_constant(word) for word in shape.words if word != ""]
        if kind_of(node) != kind_of_value(shape.words[0]):
            return self.mismatch(node, what, [" or ".join(words)], quotable=False)
        message = f"{what} cannot be `{shown(_constant(node.value))}`"
        return self.report("E-CHOICE", message, node.position, nearest(str(node.value), words), of=words)

    def mismatch(self, node: Node, what: str, expected: Sequence[str], *, quotable: bool) -> Any:
        """Report that a value has another type than what belongs here."""
        found = _NAMES[kind_of(node)]
        scalar = node.kind == "scalar" and node.value is not None
        hint = f'write "{node.raw}"' if quotable and scalar else ""
        if node.value is None and node.kind == "scalar":
            found, hint = "nothing", "leave the key out, or give it a value"
        said = f"{found} ({node.raw[:40]})" if scalar and node.raw else found
        return self.report("E-TYPE", f"{what} must be {' or '.join(expected)}, not {said}", node.position, hint)

    # -- lists and maps

    def items(self, shape: Items, node: Node, what: str) -> Any:
        """Return a list."""
        if node.kind != "list":
            return self.mismatch(node, what, [_NAMES["list"]], quotable=False)
        read = [self.read(shape.of, child, f"an item of {what}") for child in node.children]
        return WRONG if any(item is WRONG for item in read) else read

    def entries(self, shape: Entries, node: Node, what: str) -> Any:
        """Return a map with free keys."""
        if node.kind != "map":
            return self.mismatch(node, what, [_NAMES["map"]], quotable=False)
        read = {}
        for key, value in node.pairs():
            name = self.scalar(shape.keys, key, f"a key of {what}")
            read[name] = self.read(shape.of, value, f"`{shown(str(key.value))}`")
        return WRONG if any(WRONG in pair for pair in read.items()) else read

    def record(self, shape: Record, node: Node, what: str) -> Any:
        """Return a record of the model."""
        if node.kind != "map":
            return self.mismatch(node, what, [_NAMES["map"]], quotable=False)
        given: dict[str, Any] = {}
        rest: dict[str, Any] = {}
        for key, value in node.pairs():
            known = shape.keys.get(key.value)
            if known:
                given[known.name] = self.read(known.shape, value, f"`{key.value}`")
            elif shape.rest:
                rest[self.scalar(Scalar("string", "identifier"), key, "a register")] = value.plain()
            else:
                given[""] = self.unknown(key, shape, given)
        given |= self.missing(shape, node, what)
        if any(value is WRONG for value in given.values()) or WRONG in rest:
            return WRONG
        given.pop("probability", None)
        return shape.type(**given, **({shape.rest: rest} if shape.rest else {}))

    def unknown(self, key: Node, shape: Record, given: dict[str, Any]) -> Any:
        """Report a key that does not belong here."""
        open_keys = [name for name, entry in shape.keys.items() if entry.name not in given]
        self.suggested += 1
        hint = nearest(key.value, open_keys) if self.suggested <= MOST_SUGGESTIONS else ""
        return self.report("E-KEY", f"`{shown(key.value)}` is no key here", key.position, hint, of=open_keys)

    def missing(self, shape: Record, node: Node, what: str) -> dict[str, Any]:
        """Report the keys that must be there and are not."""
        present = {key.value for key, _ in node.pairs()}
        absent = {name: entry for name, entry in shape.keys.items() if entry.required and name not in present}
        for name, entry in absent.items():
            self.report("E-MISSING", f"{what} has no `{name}`", node.position, _wanted(name, entry))
        return {entry.name: WRONG for entry in absent.values()}

    # -- unions

    def union(self, shape: AnyOf, node: Node, what: str) -> Any:
        """Return the value by the option that fits the kind of the node."""
        if node.kind == "map" and shape.records:
            return self.one_record(shape.records, node, what)
        fitting = [option for option in shape.options if _fits(option, node)]
        if not fitting:
            expected = [_expected(option) for option in shape.options]
            return self.mismatch(node, what, list(dict.fromkeys(expected)), quotable="a string" in expected)
        return self.read(fitting[0], node, what)

    def one_record(self, records: tuple[Record, ...], node: Node, what: str) -> Any:
        """Return the record whose first key the map has."""
        present = {key.value for key, _ in node.pairs()}
        for record in records:
            if record.first in present or len(records) == 1:
                return self.record(record, node, what)
        firsts = [record.first for record in records]
        keys = [key for key, _ in node.pairs()]
        hints = (nearest(key.value, firsts) for key in keys[:MOST_SUGGESTIONS])
        hint = next((hint for hint in hints if hint.startswith("did")), "choose one of " + ", ".join(firsts))
        message = f"{what} must have one of the keys {', '.join(firsts)}"
        return self.report("E-MISSING", message, node.position, hint, of=firsts)


def kind_of(node: Node) -> str:
    """Return list, map, or which scalar a node is."""
    return node.kind if node.kind != "scalar" else kind_of_value(node.value)


def kind_of_value(value: Any) -> str:
    """Return which scalar a value is."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    return "integer" if isinstance(value, int) else "string"


def _fits(shape: Shape, node: Node) -> bool:
    if isinstance(shape, Scalar):
        return kind_of(node) == shape.kind
    if isinstance(shape, Choice):
        return kind_of(node) == kind_of_value(shape.words[0])
    if isinstance(shape, Items):
        return node.kind == "list"
    return node.kind == "map" or isinstance(shape, Anything)


def _expected(shape: Shape) -> str:
    if isinstance(shape, Scalar):
        return _NAMES[shape.kind]
    if isinstance(shape, Choice):
        words = [_constant(word) for word in shape.words if word != ""]
        return "one of " + ", ".join(words) if len(words) > 2 else " or ".join(words)
    if isinstance(shape, AnyOf):
        return " or ".join(dict.fromkeys(_expected(option) for option in shape.options))
    return _NAMES["list" if isinstance(shape, Items) else "map"]


def _constant(word: Any) -> str:
    return str(word).lower() if isinstance(word, bool) else str(word)


def _wanted(name: str, entry: Key) -> str:
    return f"add `{name}:` with {_expected(entry.shape)}" if not isinstance(entry.shape, Anything) else f"add `{name}:`"
