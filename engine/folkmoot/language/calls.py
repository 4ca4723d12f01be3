"""The calls that a script makes and the functions it consists of, for whoever checks it or tells of it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import lru_cache

from msgspec import Struct, field

from folkmoot.core.problems import Position
from folkmoot.language.tree import Scan, children, place_of, scan, tree_of, walk

LOADING = ""  # stands for the statements outside all functions
Text = ast.Constant  # one that holds a string


class Call(Struct, frozen=True):
    """A call of a plain name: its node, and in which top-level function it stands."""

    name: str
    node: ast.Call
    inside: str

    @property
    def place(self) -> Position:
        """Return where it stands."""
        return place_of(self.node)

    def literal(self, place: int) -> Text | None:
        """Return the string that a positional argument is; None where it is no plain string."""
        return plain_text(self.node.args[place]) if place < len(self.node.args) else None

    def named(self, name: str) -> Text | None:
        """Return the string that an argument given by its name is; None where it is no plain string."""
        return next((plain_text(each.value) for each in self.node.keywords if each.arg == name), None)

    def has(self, place: int, name: str) -> bool:
        """Return whether an argument is given, at its place or by its name."""
        return place < len(self.node.args) or any(each.arg == name for each in self.node.keywords)


def plain_text(node: ast.expr) -> Text | None:
    """Return an expression that is a plain string; None where it is another one."""
    return node if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


class Reading(Struct):
    """A script with its scan, its calls in order, and the top-level functions that each function mentions."""

    scan: Scan
    calls: list[Call] = field(default_factory=list)
    mentions: dict[str, dict[str, ast.Name]] = field(default_factory=dict)
    called: dict[str, dict[str, ast.Name]] = field(default_factory=dict)  # those of them that it calls


@lru_cache(maxsize=16)
def read(script: str) -> Reading:
    """Read the calls of a script, which are none where it cannot be parsed; not to be changed."""
    reading = Reading(scan(script))
    own = reading.scan.functions
    loaded = {name for load in reading.scan.loads for name in load.names}
    for statement in tree_of(script).body:
        inside = statement.name if isinstance(statement, ast.FunctionDef) else LOADING
        bound = loaded | own.keys() | (_parameters(statement) if isinstance(statement, ast.FunctionDef) else set())
        for node in walk(statement) if inside else _at_once(statement):
            if isinstance(node, ast.Name) and node.id in own:
                reading.mentions.setdefault(inside, {}).setdefault(node.id, node)
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id in own:
                    reading.called.setdefault(inside, {}).setdefault(node.func.id, node.func)
                elif node.func.id not in bound:
                    reading.calls.append(Call(node.func.id, node, inside))
    reading.calls.sort(key=lambda call: call.place)
    return reading


def _parameters(function: ast.FunctionDef) -> set[str]:
    return {each.arg for each in children(function.args) if isinstance(each, ast.arg)}


def _at_once(statement: ast.stmt) -> list[ast.AST]:
    """Return those nodes of a statement outside of all functions that are carried out as the script loads."""
    found: list[ast.AST] = [statement]
    for node in found:  # which grows meanwhile
        later = node.body if isinstance(node, ast.Lambda) else None
        found += [each for each in children(node) if each is not later]
    return found


def reached(leading: Mapping[str, Iterable[str]], start: str) -> list[str]:
    """Return the top-level functions to which one leads, directly or through others, itself first."""
    found, waiting = {start: None}, [start]
    for name in waiting:
        fresh = [other for other in leading.get(name, ()) if other not in found]
        found.update(dict.fromkeys(fresh))
        waiting.extend(fresh)
    return waiting


class FunctionSource(Struct, frozen=True):
    """A top-level function as it stands in a script: what its docstring says, on one line, and its source."""

    meaning: str
    source: str


def function_sources(script: str) -> dict[str, FunctionSource]:
    r"""Return the top-level functions of a script by name, as they are written.

    >>> function_sources("def on_bell(e):\n    'Ring.'\n    emit('ring')\n")["on_bell"].meaning
    'Ring.'
    """
    lines, body = script.split("\n"), tree_of(script).body
    ends = [*(each.lineno - 1 for each in body[1:]), len(lines)]
    found = {}
    for node, end in zip(body, ends, strict=False):
        if isinstance(node, ast.FunctionDef):
            source = lines[node.lineno - 1 : max(end, node.lineno)]
            while not source[-1].strip() or source[-1].startswith("#"):  # comments on what comes next
                source.pop()
            meaning = " ".join((ast.get_docstring(node, clean=False) or "").split())
            found[node.name] = FunctionSource(meaning, "\n".join(source))
    return found
