"""The calls that a script makes and the functions it consists of, for whoever checks it or tells of it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct, field

from folkmoot.core.problems import Position
from folkmoot.language.declarations import HostFunctions, starlark_type
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


# -- which shapes a function of a script can answer with, whatever the state of the game: read from its syntax alone


TRUTH, TEXT, TEXTS, VERDICT, REFUSAL = "truth", "text", "texts", "verdict", "refusal"
OTHER, NOTHING = "other", "nothing"  # some answer of which no more is known; perhaps none
Shapes = frozenset[str]
UNKNOWN, SOME = Shapes([NOTHING]), Shapes([OTHER])
TYPES = {"bool": TRUTH, "int": OTHER, "str": TEXT, "list": OTHER, "dict": OTHER}
CALLS = dict.fromkeys(("any", "all", "bool"), TRUTH) | {"len": OTHER, "int": OTHER, "str": TEXT, "refuse": REFUSAL}
CALLS |= {"sorted": OTHER, "list": OTHER, "struct": OTHER}
METHODS = dict.fromkeys(("join", "format", "strip", "upper", "lower", "replace"), TEXT)
METHODS |= dict.fromkeys(("startswith", "endswith", "isdigit"), TRUTH)
METHODS |= dict.fromkeys(("keys", "values", "items", "split", "count", "find"), OTHER)
FIXED: dict[type, str] = {ast.JoinedStr: TEXT, ast.Compare: TRUTH} | dict.fromkeys(
    (ast.Dict, ast.DictComp, ast.Tuple), OTHER
)
FAILING = frozenset(["fail", "require"])
NO_ANSWER = ast.Constant(None)


def shapes_of(script: str, function: str, host: HostFunctions) -> tuple[int, Shapes]:
    """Return how many arguments a function takes, and what it can answer with: NOTHING is among it where it may not."""
    reader = _reader(script, host)
    known = reader.functions.get(function) if reader else None
    if reader is None or known is None or known.args.vararg or known.args.kwarg or known.args.defaults:
        return 0, UNKNOWN
    return len(known.args.args), reader.answer(known)


@lru_cache(maxsize=512)
def _reader(script: str, host: HostFunctions) -> _Reader | None:
    """Read a script once; None where it cannot be read."""
    scanned = scan(script)
    if scanned.problems or scanned.unread:
        return None
    shared = (name for load in scanned.loads if load.module.startswith(RULE) for name in load.names)
    return _Reader(tree_of(script).module, host, FAILING.union(shared))  # another rule may fail, now or some day


def _ends(statements: list[ast.stmt]) -> bool:
    """Whether statements never end but by `return`."""
    return any(
        isinstance(each, ast.Return) or (isinstance(each, ast.If) and _ends(each.body) and _ends(each.orelse))
        for each in statements
    )


class _Reader(ast.NodeVisitor):
    """The functions of a script; visiting an expression in one of them gives the shapes that it can have."""

    def __init__(self, tree: ast.Module, host: HostFunctions, failing: frozenset[str]) -> None:
        self.tree, self._host, self._failing = tree, host, failing
        self.functions = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
        self._open: list[ast.AST] = []  # what leads back to itself is not known
        self._inside: ast.AST = tree

    def answer(self, function: ast.FunctionDef) -> Shapes:
        """Return which shapes a function returns."""
        if function in self._open or not _ends(function.body) or self._fails(function):
            return UNKNOWN
        returns = [each.value or NO_ANSWER for each in scope_of(function) if isinstance(each, ast.Return)]
        return self._among(returns, function, [function])

    def _fails(self, function: ast.FunctionDef) -> bool:
        """Whether a function, or what it calls, may fail by what stands in it: says so, or divides by what may be 0."""
        called = [function]
        for each in called:  # which grows meanwhile
            names = [node.id for node in walk(each) if isinstance(node, ast.Name)]
            called += [more for more in map(self.functions.get, dict.fromkeys(names)) if more and more not in called]
            if not self._failing.isdisjoint(names) or any(self._divides(node, each) for node in walk(each)):
                return True
        return False

    def _divides(self, node: ast.AST, inside: ast.AST) -> bool:
        if not isinstance(node, (ast.BinOp, ast.AugAssign)) or not isinstance(node.op, (ast.FloorDiv, ast.Mod)):
            return False
        left, right = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
        return not (isinstance(right, ast.Constant) and right.value) and self._among([left], inside) != {TEXT}

    def _among(
        self, nodes: Sequence[ast.expr], inside: ast.AST | None = None, opened: Sequence[ast.AST] = ()
    ) -> Shapes:
        """Return which shapes any of some expressions can have."""
        outer, self._inside = self._inside, inside or self._inside
        self._open += opened
        found = Shapes().union(*map(self.visit, nodes))
        del self._open[len(self._open) - len(opened) :]
        self._inside = outer
        return found

    def generic_visit(self, node: ast.AST) -> Shapes:
        """Return the shapes of expressions of whatever other kind."""
        return Shapes([FIXED.get(type(node), NOTHING)])

    def visit_Constant(self, node: ast.Constant) -> Shapes:
        return Shapes([TYPES.get(type(node.value).__name__, NOTHING)])

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Shapes:
        return Shapes([TRUTH]) if isinstance(node.op, ast.Not) else SOME

    def visit_BinOp(self, node: ast.BinOp) -> Shapes:
        """Return a text's shape where one is formatted or lengthened; the same of lists of texts."""
        shapes = self.visit(node.left)
        same = shapes in ({TEXT}, {TEXTS}) and shapes == self.visit(node.right)
        return shapes if same or (isinstance(node.op, ast.Mod) and shapes == {TEXT}) else SOME

    def visit_BoolOp(self, node: ast.BoolOp) -> Shapes:
        if isinstance(node.op, ast.And):
            return self._among(node.values)
        first = self._among(node.values[:-1])
        return (first - UNKNOWN) | (SOME if NOTHING in first else Shapes()) | self._among(node.values[-1:])

    def visit_IfExp(self, node: ast.IfExp) -> Shapes:
        return self._among([node.body, node.orelse])

    def visit_List(self, node: ast.List) -> Shapes:
        return Shapes([TEXTS]) if self._among(node.elts) <= {TEXT} else SOME

    def visit_ListComp(self, node: ast.ListComp) -> Shapes:
        first = node.generators[0]
        names = isinstance(node.elt, ast.Name) and isinstance(first.target, ast.Name) and node.elt.id == first.target.id
        return self.visit(first.iter) if names and self.visit(first.iter) == {TEXTS} else SOME

    def visit_Name(self, node: ast.Name) -> Shapes:
        """Return the shapes of all that is given to a name in the function, else outside of all functions."""
        for place in (self._inside, self.tree):
            nodes = scope_of(place)
            assigned = [each for each in nodes if isinstance(each, ast.Assign)]
            given = [each for each in assigned if node.id in bound_names(each.targets)]
            if bound := sum(node.id in bound_names([each]) for each in nodes):
                plain = bound == len(given) and not any(each in self._open for each in given)
                return self._among([each.value for each in given], place, given) if plain else UNKNOWN
        return UNKNOWN

    def visit_Call(self, node: ast.Call) -> Shapes:
        if isinstance(node.func, ast.Attribute):
            return Shapes([METHODS.get(node.func.attr, NOTHING)])
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in self.functions:
            return self.answer(self.functions[name])
        if name in bound_names(walk(self.tree)):
            return UNKNOWN
        first = self.visit(node.args[0]) if node.args else UNKNOWN
        if name == "verdict":
            return Shapes([VERDICT]) if first == {TRUTH} else UNKNOWN
        if name in ("sorted", "list") and first == {TEXTS}:
            return first
        answer = self._host.words[name].answer if name in self._host.words else ""
        shape = TEXTS if answer == "list[str]" else TYPES.get(starlark_type(answer), NOTHING)
        return Shapes([CALLS.get(name, shape)])
