"""The calls that a script makes and the functions it consists of, for whoever checks it or tells of it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import lru_cache

from msgspec import Struct, field

from folkmoot.core.problems import Position
from folkmoot.language.tree import RULE, Scan, bound_names, children, place_of, scan, scope_of, tree_of, walk

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

    def argument(self, place: int, name: str = "") -> ast.expr | None:
        """Return the argument that is given at a place, or by its name; None where there is none."""
        if place < len(self.node.args):
            return self.node.args[place]
        return next((each.value for each in self.node.keywords if name and each.arg == name), None)

    def literal(self, place: int, name: str = "") -> Text | None:
        """Return the argument at a place, or of a name, if it is a plain string."""
        return plain_text(self.argument(place, name))


def plain_text(node: ast.expr | None) -> Text | None:
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
        given = children(statement.args) if isinstance(statement, ast.FunctionDef) else []
        bound = loaded | own.keys() | {each.arg for each in given if isinstance(each, ast.arg)}
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
    lines, found = script.split("\n"), {}
    for node in tree_of(script).body:
        if isinstance(node, ast.FunctionDef):
            meaning = " ".join((ast.get_docstring(node, clean=False) or "").split())
            found[node.name] = FunctionSource(meaning, "\n".join(lines[node.lineno - 1 : node.end_lineno]))
    return found


# -- whether a function answers always, whatever the state of the game: read from its syntax alone

FAILING = frozenset(["fail", "require"])
SURE = (ast.Compare, ast.BinOp, ast.UnaryOp, ast.JoinedStr, ast.List, ast.ListComp, ast.Dict, ast.DictComp, ast.Tuple)
SURE_CALLS = frozenset("all any bool int len list refuse sorted str struct verdict".split())


def always_answers(script: str, function: str) -> bool:
    """Whether a function answers something each time it is called, unless it fails by what it is given.

    One that says that it fails, or names what another rule shares, which may fail some day, does not.
    """
    nodes = tree_of(script).body
    functions = {each.name: each for each in nodes if isinstance(each, ast.FunctionDef)}
    bound = bound_names(tree_of(script).nodes)
    failing = FAILING.union(*(load.names for load in scan(script).loads if load.module.startswith(RULE)))

    def answers(name: str, opened: tuple[str, ...] = ()) -> bool:
        known = functions[name]
        named = {each.id for each in walk(known) if isinstance(each, ast.Name)}
        if name in opened or not _ends(known.body) or not failing.isdisjoint(named):
            return False
        returned = [each.value for each in scope_of(known) if isinstance(each, ast.Return)]
        return all(each is not None and is_sure(each, (*opened, name)) for each in returned)

    def is_sure(node: ast.expr, opened: tuple[str, ...]) -> bool:
        match node:
            case ast.Constant(value=value):
                return value is not None
            case ast.IfExp(body=first, orelse=other):
                return is_sure(first, opened) and is_sure(other, opened)
            case ast.BoolOp(op=ast.Or(), values=[*_, last]):
                return is_sure(last, opened)
            case ast.Call(func=ast.Name(id=name)):
                return answers(name, opened) if name in functions else name in SURE_CALLS - bound
        return isinstance(node, SURE)

    return function in functions and not scan(script).problems and answers(function)


def _ends(statements: list[ast.stmt]) -> bool:
    """Whether statements never end but by `return`."""
    return any(
        isinstance(each, ast.Return) or (isinstance(each, ast.If) and _ends(each.body) and _ends(each.orelse))
        for each in statements
    )
