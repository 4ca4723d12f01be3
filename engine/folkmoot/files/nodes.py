"""A YAML text as nodes that know where they stand, composed from ruamel's events behind the guard.

Nothing here recurses, so that the depth of a file costs no stack; `scalars` says what plain words stand for.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any, Literal

from msgspec import Struct, field

from folkmoot.core.problems import Position, Problem, ProblemError, fail
from folkmoot.core.values import DEEPEST_BY_HAND, DEEPEST_FILE, has_surrogates
from folkmoot.files.scalars import scalar_of
from folkmoot.files.yaml_guard import MAXIMUM_ENGINE_SIZE, MAXIMUM_SIZE, check_text

Kind = Literal["scalar", "list", "map"]

MAXIMUM_PROBLEMS = 200  # of a file that are told at once
MAXIMUM_NODES = 1_500  # keys, values and items of a rule's or an act's file; the largest rule that we know has 514


class Node(Struct):
    """One value of a file with its place; `value` is a plain scalar, a list of nodes or a list of (key, value) nodes.

    `style` is how a scalar is written: plain (empty), `'`, `"`, `|` or `>`; for lists and maps `flow` or empty.
    """

    kind: Kind
    value: Any
    position: Position
    style: str = ""
    raw: str = ""
    children: list[Node] = field(default_factory=list)

    def pairs(self) -> list[tuple[Node, Node]]:
        """Return the keys and values of a map, in the order of the file."""
        return list(zip(self.children[::2], self.children[1::2], strict=True))

    def child(self, name: str) -> Node | None:
        """Return the value of a key, None where this is no map or has no such key."""
        return next((value for key, value in self.pairs() if key.value == name), None) if self.kind == "map" else None

    def plain(self) -> Any:
        """Return the value as plain data; the file's depth is bounded, so this may recurse."""
        if self.kind == "list":
            return [child.plain() for child in self.children]
        if self.kind == "map":
            return {key.value: value.plain() for key, value in self.pairs()}
        return self.value


def graft(data: Any, near: Node) -> Node:
    """Return plain data as nodes that stand where the same path of `near` stands, or where the nearest one does."""
    if isinstance(data, dict):
        old = {key.value: (key, value) for key, value in near.pairs()} if near.kind == "map" else {}
        children: list[Node] = []
        for key, value in data.items():
            place = old.get(key, (near, near))
            children += [Node("scalar", key, place[0].position, "", key), graft(value, place[1])]
        return Node("map", None, near.position, "", "", children)
    if isinstance(data, list):
        items = near.children if near.kind == "list" else []
        return Node("list", None, near.position, "", "", [
            graft(item, items[i] if i < len(items) else near) for i, item in enumerate(data)
        ])  # fmt: skip
    style = near.style if near.kind == "scalar" and near.value == data else "|" if isinstance(data, str) else ""
    return Node("scalar", data, near.position, style, str(data))


class Allowance:
    """How many nodes may be read: of one file, and of all files that are read with the same allowance."""

    def __init__(self, file: int = MAXIMUM_NODES, together: int | None = None) -> None:
        """Allow so many nodes (keys, values, items, lists and maps) of each, and together; without end if None."""
        self.file, self.together = file, together
        self.spent = 0

    @property
    def most(self) -> int:
        """Return how many nodes the next file may have."""
        return self.file if self.together is None else min(self.file, self.together - self.spent)

    @property
    def exhausted(self) -> bool:
        """Return whether nothing more is read."""
        return self.together is not None and self.spent >= self.together

    def spend(self, nodes: int) -> None:
        """Count the nodes of a file."""
        self.spent += nodes

    def refusal(self, position: Position) -> ProblemError:
        """Return what is said of the first node that is one too many."""
        if self.most < self.file:
            message = f"the files together have more than {self.together:,} keys, values and items; no more are read"
            return fail("E-SIZE", message, position, "make several changes of it, each by itself")
        message = f"the file has more than {self.file:,} keys, values and items; no more are read"
        return fail("E-SIZE", message, position, "split it, or let a script make what repeats itself")


def compose(text: str, file: str, maximum: int = MAXIMUM_SIZE, allowance: Allowance | None = None) -> Node:
    """Return the one document of `text` as nodes; an empty file is a null.

    Args:
        text: the file's text.
        file: its name, for messages.
        maximum: how many characters it may have.
        allowance: how many nodes; without end where there is none.

    Raises:
        ProblemError: what the guard refuses, the first syntax error, floats, too many nodes, or every doubled or odd
            key.
    """
    check_text(text, file, maximum)
    composer = _Composer(text, file, allowance, by_engine=maximum == MAXIMUM_ENGINE_SIZE)
    try:
        root = composer.compose()
    finally:
        if allowance:
            allowance.spend(composer.nodes)
    problems: list[Problem] = []
    _check_keys(root, problems)
    if problems:
        raise ProblemError(*sorted(problems, key=place_of)[:MAXIMUM_PROBLEMS])
    return root


def place_of(problem: Problem) -> Position:
    """Return where a problem lies, to sort by."""
    return problem.position or Position("")


class _Composer:
    """Builds nodes from events, with a stack of the lists and maps that are open."""

    def __init__(self, text: str, file: str, allowance: Allowance | None, *, by_engine: bool) -> None:
        self.text = text
        self.deepest = DEEPEST_FILE if by_engine else DEEPEST_BY_HAND
        self.file = file
        self.allowance = allowance
        self.nodes = 0
        self.open: list[Node] = []
        self.roots: list[Node] = []
        self.documents = 0

    def compose(self) -> Node:
        from ruamel.yaml import YAML
        from ruamel.yaml.error import MarkedYAMLError, YAMLError

        try:
            yaml = YAML(typ="safe", pure=True)
            yaml.Scanner = lambda **how: _bounded_scanner()(self.check_depth, **how)
            for event in yaml.parse(self.text):
                self.take(event)
        except MarkedYAMLError as error:
            raise ProblemError(_known_slip(self.text, error, self.file) or _syntax_problem(error, self.file)) from None
        except (YAMLError, AssertionError, ArithmeticError, ValueError, IndexError, AttributeError, TypeError) as error:
            message = f"this is not YAML: {str(error).partition(chr(10))[0]}"
            raise ProblemError(Problem("E-SYNTAX", message, Position(self.file, 1, 1))) from None
        return self.roots[0] if self.roots else Node("scalar", None, Position(self.file, 1, 1))

    def take(self, event: Any) -> None:
        name = type(event).__name__
        position = Position(self.file, event.start_mark.line + 1, event.start_mark.column + 1)
        if name == "ScalarEvent":
            self.check_plain(event, position)
            self.add(self.scalar(event, position))
        elif name in ("SequenceStartEvent", "MappingStartEvent"):
            self.check_plain(event, position)
            self.enter(Node("list" if name[0] == "S" else "map", None, position, "flow" if event.flow_style else ""))
        elif name in ("SequenceEndEvent", "MappingEndEvent"):
            self.open.pop()
        elif name == "AliasEvent":
            raise fail("E-ALIAS", f"`*{event.anchor}` refers to another place of the file", position, "write it out")
        elif name == "DocumentStartEvent":
            self.check_document(event, position)

    def check_document(self, event: Any, position: Position) -> None:
        self.documents += 1
        if self.documents > 1:
            raise fail("E-DOCUMENTS", "a second document begins here", position, "one file holds one document")
        if event.version or event.tags:
            place = next((n for n, line in enumerate(self.text.split("\n"), 1) if line.startswith("%")), position.line)
            message = "directives (%YAML, %TAG) are not read"
            raise fail("E-TAG", message, Position(self.file, place, 1), "delete them")

    def check_plain(self, event: Any, position: Position) -> None:
        if event.anchor:
            raise fail("E-ALIAS", f"`&{event.anchor}` names a part of the file", position, "write it out")
        if event.tag:
            hint = "delete it; quote the value if it is to be a string"
            raise fail("E-TAG", f"the tag `{event.tag}` is not read", position, hint)

    def scalar(self, event: Any, position: Position) -> Node:
        style = event.style or ""
        within = self.open[-1] if self.open else None
        if not event.value and not style and within and within.kind == "map" and len(within.children) % 2:
            position = within.children[-1].position  # nothing stands there: point at the key
        value = event.value if style else scalar_of(event.value, position)
        if style and has_surrogates(value):
            message = "half of a surrogate pair is no character"
            raise fail("E-CHARACTER", message, position, "write the character itself")
        return Node("scalar", value, position, style, event.value)

    def add(self, node: Node) -> None:
        if self.allowance and self.nodes >= self.allowance.most:
            raise self.allowance.refusal(node.position)
        self.nodes += 1
        (self.open[-1].children if self.open else self.roots).append(node)

    def enter(self, node: Node) -> None:
        self.check_depth(len(self.open), node.position.line, node.position.column)
        self.add(node)
        self.open.append(node)

    def check_depth(self, depth: int, line: int, column: int) -> None:
        """Refuse a list or map within so many others."""
        if depth >= self.deepest:
            message = f"lists and maps lie more than {self.deepest} deep within each other here"
            raise fail("E-DEPTH", message, Position(self.file, line, column), "make it flatter")


@cache
def _bounded_scanner() -> Any:
    """Return a scanner that asks `check_depth` at each bracket, before it looks on.

    The library's own looks a thousand characters ahead first, in a time in proportion to the square of the depth.
    """
    from ruamel.yaml.scanner import Scanner

    class BoundedScanner(Scanner):
        def __init__(self, check_depth: Callable[[int, int, int], None], **how: Any) -> None:
            super().__init__(**how)
            self.check_depth = check_depth

        def fetch_flow_collection_start(self, *token: Any, **how: Any) -> None:
            depth = len(self.indents) + len(self.flow_context)  # of what is open in lines, and in brackets
            self.check_depth(depth, self.reader.line + 1, self.reader.column + 1)
            super().fetch_flow_collection_start(*token, **how)

    return BoundedScanner


def _check_keys(node: Node, problems: list[Problem]) -> None:
    if node.kind == "map":
        seen: dict[str, Position] = {}
        for key, _ in node.pairs():
            _check_key(key, seen, problems)
    for child in node.children:
        _check_keys(child, problems)


def _check_key(key: Node, seen: dict[str, Position], problems: list[Problem]) -> None:
    if key.kind != "scalar" or not isinstance(key.value, str) or (key.value == "<<" and not key.style):
        hint = f'write "{key.raw}"' if key.kind == "scalar" and key.raw else "use a word as key"
        if key.raw == "<<":
            hint = "nothing is merged in here (`<<`): write out the keys that you mean"
        problems.append(Problem("E-KEY", "a key must be a string", key.position, hint))
    elif key.value in seen:
        message = f"the key `{key.value}` stands here a second time; first in line {seen[key.value].line}"
        problems.append(Problem("E-DUPLICATE", message, key.position, "keep one of the two"))
    else:
        seen[key.value] = key.position


_CONFLICT = re.compile(r"^<{7} .*$|^={7}$|^>{7} .*$", re.MULTILINE)


def _known_slip(text: str, error: Any, file: str) -> Problem | None:
    """Return what is wrong where that is one of two slips which the words of a parser of YAML only hide."""
    mark = error.problem_mark or error.context_mark
    marks = _CONFLICT.findall(text)
    if any(each.startswith("<") for each in marks) and "=======" in marks:
        line = text.count("\n", 0, text.index("<<<<<<< ")) + 1
        message = "git left the marks of a merge conflict here: both sides stand in the file"
        hint = "keep what shall stand, take out the lines with <<<<<<<, ======= and >>>>>>>, and end the merge"
        return Problem("E-SYNTAX", message, Position(file, line, 1), hint)
    if mark and "'\\t'" in str(error.problem):
        position = Position(file, mark.line + 1, mark.column + 1)
        return Problem("E-SYNTAX", "a tab stands here, and YAML is indented by blanks", position, "write blanks")
    return None


def _syntax_problem(error: Any, file: str) -> Problem:
    mark = error.problem_mark or error.context_mark
    position = Position(file, mark.line + 1, mark.column + 1) if mark else Position(file, 1, 1)
    parts = [str(part).strip() for part in (error.context, error.problem) if part]
    code = "E-ALIAS" if "alias" in parts[-1] else "E-SYNTAX"
    hint = "mind indentation, colons and quotes"
    if parts[-1] == "mapping values are not allowed here":
        hint = "a text with a colon stands in quotation marks, or in lines of its own below `text: |`"
    elif parts[-1].endswith("cannot start any token"):
        sign = parts[-1].split("'")[1]
        hint = f'a text that begins with {sign} stands in quotation marks, as in "{sign}bees"'
    return Problem(code, "this is not YAML: " + ", ".join(parts), position, hint)
