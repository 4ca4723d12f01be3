"""A script as a syntax tree, and what the law language refuses of it before anything runs.

A script is parsed once, by Python's own parser: the law language is written as Python is. Of what Python has beyond it
the better part is refused on the tree, and all the rest by the interpreter, whose parser reads every script too. So a
script is accepted only where both take it, and what both take, every version of Python from 3.11 on reads alike
(`tests/language/test_two_parsers.py`): which Python judges a game makes no difference. Positions count characters from
1 and are relative to the script; `script_check` moves them into the rule's file.
"""

from __future__ import annotations

import ast
import gc
import re
import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from string import ascii_letters, digits

from msgspec import Struct, field

from folkmoot.core.problems import Position, Problem

CODE = "E-SCRIPT"
UNREAD = "this is not written in the law language"
MAX_BYTES = 64 * 1024
MAX_NODES = 20_000
MAX_DEPTH = 250  # of an expression; the interpreter dies above some 1,500
MAX_BLOCKS = 30  # blocks within blocks
MAX_BRANCHES = 150  # `elif`s on the way to one statement
MAX_DIGITS = 1_000
MAX_PROBLEMS = 50

CONTROLS = frozenset(map(chr, (*range(9), *range(0x0B, 0x20), 0x7F, 0x85, 0x2028, 0x2029, 0xFEFF)))
REVERSING = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A))))  # the reading direction
HALVES = frozenset(map(chr, range(0xD800, 0xE000)))  # of characters
PLAIN = bytes([9, 10, *range(32, 127)])  # all that a script in English is made of
STRANGE = CONTROLS | REVERSING | HALVES
FLOAT_FORMAT = re.compile(r"[-+ #0-9.]*[eEfFgG]")
TOO_DEEP = re.compile("too many (nested parentheses|levels of indentation)")  # what Python's parser says of it
PURE = ("decide_", "forbid", "permit_", "adjust_", "show_")  # beginnings of hooks that may only look
DEFS = ("def ", "def\t", "def\\")  # begin a line that begins a function
LETTERS = frozenset(ascii_letters + digits + "_")
HOOKS = ("on_", "do_", "forbid_", "permit_", "decide_", "adjust_", "show_")

KINDS = (
    "Module FunctionDef arguments arg Return Assign AugAssign AnnAssign For If Expr Pass Break Continue BoolOp BinOp"
    " UnaryOp Lambda IfExp Dict ListComp DictComp comprehension Compare Call keyword Starred JoinedStr FormattedValue"
    " Attribute Subscript Slice List Tuple Constant Name"
)
OTHER_FIELDS = frozenset(
    "name id attr arg ctx op ops simple is_async conversion format_spec kind"
    " type_comment type_ignores type_params decorator_list".split()
)
"""Fields of these kinds that hold no nodes, or only what the interpreter refuses."""
PARTS: dict[type[ast.AST], tuple[str, ...]] = {
    getattr(ast, kind): tuple(field for field in getattr(ast, kind)._fields if field not in OTHER_FIELDS)
    for kind in KINDS.split()
} | {ast.Constant: ()}
"""What the language is made of, each with the parts that are nodes again."""
WORDS: dict[type[ast.AST], str] = {
    ast.While: "while", ast.Import: "import", ast.Try: "try", ast.Raise: "raise", ast.Assert: "assert",
    ast.Global: "global", ast.Nonlocal: "nonlocal", ast.With: "with", ast.Await: "await",
    ast.ImportFrom: "from", ast.ClassDef: "class", ast.ExceptHandler: "except", ast.Delete: "del",
    **dict.fromkeys((ast.Yield, ast.YieldFrom), "yield"),
    **dict.fromkeys((ast.AsyncFunctionDef, ast.AsyncFor, ast.AsyncWith), "async"),
}  # fmt: skip
NAMING: dict[type[ast.AST], str] = {ast.Name: "id", ast.Attribute: "attr", ast.arg: "arg", ast.keyword: "arg"}
NAMING[ast.FunctionDef] = "name"
HEAVY = (ast.BoolOp, ast.ListComp, ast.DictComp, ast.Lambda)
SIGNS: dict[type[ast.AST], str] = {ast.Div: "/", ast.LShift: "<<", ast.RShift: ">>", ast.Pow: "**"}
SIGNS |= dict.fromkeys((ast.Is, ast.IsNot), "is")


class Function(Struct, frozen=True):
    """A top-level function: place of its name, its parameters as written (`e`, `*rest`) and how many must be given."""

    line: int
    column: int
    parameters: tuple[str, ...]
    required: int


RULE = "rule/"  # begins the name of a module that is a rule's script


class Load(Struct, frozen=True):
    """A `load` statement: the module, and for each local name the name in the module."""

    module: str
    names: dict[str, str]
    line: int
    column: int


class Scan(Struct, frozen=True):
    """What is known of a script before it runs.

    `functions` holds the last definition of each name, `repeated` those before it. `unread` is set where Python's
    parser cannot take the script, or where it holds what the language has not: the interpreter says better what it is.
    """

    problems: tuple[Problem, ...] = ()
    functions: dict[str, Function] = field(default_factory=dict)
    repeated: tuple[tuple[str, Function], ...] = ()
    loads: tuple[Load, ...] = ()
    unread: Problem | None = None


def problem(check: str, message: str, place: Position, hint: str = "") -> Problem:
    """Return a problem at a place, with the name of the check among its arguments."""
    return Problem(CODE, message, place, hint, {"check": check})


START = Position("", 1, 1)


# -- the tree


class Tree(Struct, frozen=True):
    """The syntax tree of a script: all its nodes layer by layer, and how many layers these are."""

    module: ast.Module
    nodes: list[ast.AST]
    height: int

    @property
    def body(self) -> list[ast.stmt]:
        """Return the statements outside of all functions, and the functions."""
        return self.module.body


@lru_cache(maxsize=128)  # as many as a large ruleset has; each takes a tenth of a megabyte
def parse(script: str) -> Tree | Problem:
    """Return the syntax tree of a script, not to be changed, or why there is none."""
    data = script.encode("utf-8", "surrogatepass")
    if len(data) > MAX_BYTES:
        message = f"this script has {len(data)} bytes, more than the {MAX_BYTES} allowed"
        return problem("size", message, START, "split the rule, or move tables into registers")
    more = data.translate(None, PLAIN).decode("utf-8", "surrogatepass")
    for strange in _strange(script) if "\\\n" in script or not STRANGE.isdisjoint(more) else ():
        return strange
    collects = gc.isenabled()
    gc.disable()  # which would look through the growing tree over and over
    try:
        with warnings.catch_warnings(action="ignore"):
            module = ast.parse(script.replace("\\N", "\\n") + "\n")
    except SyntaxError as error:
        place = Position("", error.lineno or 1, error.offset or 1)
        return _too_deep(place) if TOO_DEEP.search(error.msg) else problem("syntax", UNREAD, place)
    except (RecursionError, MemoryError):
        return _too_deep(START)
    finally:
        if collects:
            gc.enable()
    found = [*layers(module)]
    nodes = [*chain.from_iterable(found)]
    if more or 'f"' in script or "f'" in script:
        _settle_columns(nodes, script.split("\n"))
    return Tree(module, nodes, len(found))


def tree_of(script: str) -> Tree:
    """Return the syntax tree of a script; an empty one where it cannot be read."""
    found = parse(script)
    return found if isinstance(found, Tree) else Tree(ast.Module([], []), [], 0)


def _settle_columns(nodes: list[ast.AST], lines: list[str]) -> None:
    """Count columns in characters instead of bytes, and put names in an f-string where that begins."""
    wide = {number: line.encode() for number, line in enumerate(lines, 1) if not line.isascii()}
    for node in nodes if wide else ():
        if isinstance(node, (ast.expr, ast.stmt, ast.arg, ast.keyword)):
            if node.lineno in wide:
                node.col_offset = len(wide[node.lineno][: node.col_offset].decode(errors="ignore"))
            if node.end_lineno in wide:
                node.end_col_offset = len(wide[node.end_lineno][: node.end_col_offset].decode(errors="ignore"))
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            for part in node.values:
                ast.copy_location(part.value if isinstance(part, ast.FormattedValue) else part, node)


def children(*nodes: ast.AST) -> list[ast.AST]:
    """Return the nodes that some nodes are made of, in the order of the text; operators are none."""
    found: list[ast.AST] = []
    for node in nodes:
        parts = PARTS.get(node.__class__)
        if parts is None:  # it is none of the language, but what is in it may be refused too
            found += ast.iter_child_nodes(node)
            continue
        for name in parts:
            part = getattr(node, name)
            if part.__class__ is list:
                found += filter(None, part)
            elif part is not None:
                found.append(part)
    return found


def layers(node: ast.AST) -> Iterator[list[ast.AST]]:
    """Yield a node, then the nodes it is made of, then what those are made of, and so on to the innermost."""
    layer = [node]
    while layer:
        yield layer
        layer = children(*layer)


def walk(node: ast.AST) -> list[ast.AST]:
    """Return a node and all within it, layer by layer."""
    return [*chain.from_iterable(layers(node))]


def place_of(node: ast.AST) -> Position:
    """Return where a node begins; of an attribute, where its name does."""
    if isinstance(node, ast.Attribute):
        return Position("", node.end_lineno or node.lineno, (node.end_col_offset or 0) - len(node.attr) + 1)
    return Position("", getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1)


def shift(position: Position | None, place: Position) -> Position | None:
    """Return a place in a script as a place in its file; the script begins at `place`."""
    if position is None or not position.line:
        return Position(place.file, place.line if position else 0)
    column = position.column + place.column - 1 if position.column else 0
    return Position(place.file, position.line + place.line - 1, column)


def scope_of(node: ast.AST) -> list[ast.AST]:
    """Return all that a node is made of, but not what functions within it are."""
    found = children(node)
    for each in found:  # which grows meanwhile
        if not isinstance(each, (ast.FunctionDef, ast.Lambda)):
            found += children(each)
    return found


def bound_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that some nodes give a value: assignments, loops, parameters, functions and loads."""
    found = set()
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name) | ast.FunctionDef(name=name):
                found.add(name)
            case ast.Call(func=ast.Name(id="load"), args=[_, *names], keywords=more):
                found |= {*map(text_in, names), *(str(each.arg) for each in more)}
    return found


def texts_of(script: str) -> list[str]:
    """Return the plain strings that stand in a script."""
    values = (node.value for node in tree_of(script).nodes if isinstance(node, ast.Constant))
    return [value for value in values if isinstance(value, str)]


def written(script: str, node: ast.expr) -> str:
    """Return the first line of the text of an expression."""
    end = node.end_col_offset if node.end_lineno == node.lineno else None
    return script.split("\n")[node.lineno - 1][node.col_offset : end]


def _between(lines: list[str], left: ast.expr, right: ast.expr, sign: str) -> Position:
    """Return where a sign stands between two expressions: only blanks, brackets and comments can be beside it."""
    start = left.end_col_offset or 0
    for number in range(left.end_lineno or left.lineno, right.lineno + 1):
        place = lines[number - 1][start:].partition("#")[0].find(sign)
        if place >= 0:
            return Position("", number, start + place + 1)
        start = 0
    return place_of(right)


# -- what is refused


@lru_cache(maxsize=1024)
def scan(script: str) -> Scan:
    """Scan a script; never raises, whatever the text. Positions in the result have an empty file name."""
    tree = parse(script)
    if isinstance(tree, Problem):
        if tree.arguments["check"] == "syntax":
            return Scan(unread=tree)
        return Scan((*islice(_strange(script), MAX_PROBLEMS),) if tree.arguments["check"] == "character" else (tree,))
    if len(tree.nodes) > MAX_NODES:
        message = f"this script has {len(tree.nodes)} words and signs, more than the {MAX_NODES} allowed"
        return Scan((problem("size", message, START, "split the rule"),))
    functions, repeated = _functions(tree, script)
    loads = tuple(_loads(tree))
    found = [*_refused(script, tree.nodes), *_deep(tree), *_ill_loads(loads)]
    found.sort(key=lambda each: each.position or START)
    strange = next((node for node in tree.nodes if node.__class__ not in PARTS and node.__class__ not in WORDS), None)
    unread = problem("syntax", UNREAD, place_of(strange)) if strange else None
    return Scan(tuple(found[:MAX_PROBLEMS]), functions, repeated, loads, unread)


@lru_cache(maxsize=4096)
def hook_names(script: str) -> tuple[str, ...]:
    r"""Return the hooks that a script may define, in order: an index of lines, in which no more is read.

    All rules of a game are asked, and a tree of each would take a hundred times as long. It holds at least the hooks of
    the tree, and those of a script that cannot be read: a rule that fails to load still stands in the way.

    >>> hook_names("def on_bell(e):\n    pass\ndef mine():\n    pass\ndef forbid (a):\n    pass\n")
    ('on_bell', 'forbid')
    """
    begun = (line[4:].partition("(") for line in script.split("\n") if line[:4] in DEFS)
    names = (name.strip(" \t") for name, bracket, _rest in begun if bracket)
    hooks = (n for n in names if n == "forbid" or (n.startswith(HOOKS) and n not in HOOKS and LETTERS.issuperset(n)))
    return tuple(dict.fromkeys(hooks))


def takes_back(script: str) -> bool:
    r"""Whether a script may take acts back: whether the function is named in it, be it not in a comment or a text.

    >>> takes_back("def do_undo(a):\n    take_back (a.args.act)"), takes_back("# take_back"), takes_back("")
    (True, False, False)
    """
    nodes = tree_of(script).nodes if "take_back" in script else []
    return any(isinstance(node, ast.Name) and node.id == "take_back" for node in nodes)


def _strange(script: str) -> Iterator[Problem]:
    """Yield a problem for each control character and each character that reverses the reading direction.

    And for a backslash that is all of a line, which the two parsers indent unlike, or hides a hook from `hook_names`.
    """
    for number, line in enumerate(script.split("\n"), 1):
        if line.strip(" ") == "\\" or (line[-1:] == "\\" and line[:4] in DEFS and "(" not in line):
            place = Position("", number, len(line))
            yield problem("character", "a backslash cannot end this line", place, "take it out")
        for column, character in enumerate(line, 1) if not STRANGE.isdisjoint(line) else ():
            if character in STRANGE:
                message = f"the character U+{ord(character):04X} cannot stand in a script"
                hint = "it is invisible or breaks lines: take it out"
                yield problem("character", message, Position("", number, column), hint)


def _refused(script: str, nodes: list[ast.AST]) -> Iterator[Problem]:
    """Yield a problem for each word, sign and number that the law language does not have."""
    lines = script.split("\n")
    has_ill_names = "__" in script or "float" in script
    for node in nodes:
        kind = node.__class__
        if kind is ast.Constant:
            yield from _ill_numbers(node, script)
        elif kind in NAMING:
            name = getattr(node, NAMING[kind]) if has_ill_names else None
            if name and (name == "float" or name[-2:] == "__"):
                yield _ill_name(name, _name_of(node, lines) if isinstance(node, ast.FunctionDef) else place_of(node))
        elif isinstance(node, (ast.BinOp, ast.AugAssign, ast.Compare)):
            yield from _ill_signs(node, lines)
        elif kind in WORDS:
            yield refusal(WORDS[kind], place_of(node))


def _ill_numbers(node: ast.AST, script: str) -> Iterator[Problem]:
    match node:
        case ast.Constant(value=float()):
            yield problem("float", f"{_shortened(written(script, node))} is a float", place_of(node), NO_FLOATS)
        case ast.Constant(value=int(number)) if number.bit_length() > 3 * MAX_DIGITS:
            if len(written(script, node)) > MAX_DIGITS:
                yield problem("size", f"this number has more than {MAX_DIGITS} digits", place_of(node))


def _ill_signs(node: ast.AST, lines: list[str]) -> Iterator[Problem]:
    match node:
        case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod()):
            if writes_float(text.replace("%%", "")):
                place = _between(lines, node.left, node.right, "%")
                yield problem("float", "%e, %f and %g write floats", place, "use %d or %s; " + NO_FLOATS)
        case ast.BinOp() if node.op.__class__ in SIGNS:
            yield _ill_sign(lines, node.left, SIGNS[node.op.__class__], node.right)
        case ast.AugAssign() if node.op.__class__ in SIGNS:
            yield _ill_sign(lines, node.target, f"{SIGNS[node.op.__class__]}=", node.value)
        case ast.Compare():
            sides = [node.left, *node.comparators]
            for left, sign, right in zip(sides, node.ops, sides[1:], strict=False):
                if sign.__class__ in SIGNS:
                    yield _ill_sign(lines, left, SIGNS[sign.__class__], right)


def refusal(word: str, place: Position) -> Problem:
    """Return the problem of a word or sign that the law language does not have."""
    message, hint = REFUSED[word]
    return problem("word", message, place, hint)


def _ill_name(name: str, place: Position) -> Problem:
    if name == "float":
        return refusal(name, place)
    return problem("name", f"`{_shortened(name)}` belongs to the engine", place, "drop the underscores")


def _ill_sign(lines: list[str], left: ast.expr, sign: str, right: ast.expr) -> Problem:
    return refusal(sign, _between(lines, left, right, sign))


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "…"


def writes_float(text: str) -> bool:
    """Return whether a text to be formatted has %e, %f or %g, or one with a name such as %(share)f; in linear time."""
    place, close, looked = text.find("%"), 0, -1
    while place >= 0:
        rest = place + 1
        if text.startswith("(", rest):
            if close < rest:  # looked for once, whatever else begins before it
                close = text.find(")", rest)
                close = len(text) if close < 0 else close
            rest = close + 1
        if rest != looked and FLOAT_FORMAT.match(text, rest):
            return True
        place, looked = text.find("%", place + 1), rest
    return False


# -- how deep


def _too_deep(place: Position) -> Problem:
    hint = f"at most {MAX_DEPTH} operators, calls and brackets in one: name the parts, or use a loop"
    return problem("depth", "this expression is too long or too deeply nested", place, hint)


def _deep(tree: Tree) -> Iterator[Problem]:
    """Yield the first statement under more blocks, or the first expression that is deeper, than can be borne."""
    statements: list[tuple[ast.stmt, int, int]] = [(each, 1, 0) for each in tree.body if tree.height > MAX_BLOCKS]
    for node, blocks, branches in statements:  # which grow meanwhile
        if blocks > MAX_BLOCKS or branches > MAX_BRANCHES:
            hint = f"at most {MAX_BLOCKS} blocks within blocks and {MAX_BRANCHES} `elif`s: use functions or a map"
            yield problem("depth", "there are too many blocks around this statement", place_of(node), hint)
            return
        for body in (getattr(node, "body", []), getattr(node, "orelse", [])):
            goes_on = len(body) == 1 and isinstance(body[0], ast.If) and body[0].col_offset == node.col_offset
            statements += [(each, blocks + (not goes_on), branches + goes_on) for each in body]
    if tree.height + sum(_extra_weight(node) for node in tree.nodes if node.__class__ in HEAVY) <= MAX_DEPTH:
        return
    expressions: list[tuple[ast.AST, int]] = [(node, 0) for node in tree.nodes if isinstance(node, ast.stmt)]
    for within, above in expressions:
        for each in children(within):
            if not isinstance(each, ast.stmt):
                depth = above + isinstance(each, ast.expr) + _extra_weight(each)
                expressions.append((each, depth))
                if depth > MAX_DEPTH:
                    yield _too_deep(place_of(each))
                    return


def _extra_weight(node: ast.AST) -> int:
    """Return how many more levels of the interpreter's own tree than one a node stands for."""
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 2
    if isinstance(node, (ast.ListComp, ast.DictComp)):
        return sum(1 + len(each.ifs) for each in node.generators)
    return 3 if isinstance(node, ast.Lambda) else 0


# -- functions and loads


def _name_of(node: ast.FunctionDef, lines: list[str]) -> Position:
    """Return where the name of a function stands."""
    at = lines[node.lineno - 1].find(node.name, node.col_offset + 3)
    return Position("", node.lineno, (at if at >= 0 else node.col_offset) + 1)


def _functions(tree: Tree, script: str) -> tuple[dict[str, Function], tuple[tuple[str, Function], ...]]:
    """Return the top-level functions by name, and those that a later one of the same name replaces."""
    functions: dict[str, Function] = {}
    repeated = []
    lines = script.split("\n")
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            if node.name in functions:
                repeated.append((node.name, functions[node.name]))
            functions[node.name] = _function(node, _name_of(node, lines))
    return functions, tuple(repeated)


def _function(node: ast.FunctionDef, place: Position) -> Function:
    given, named = node.args, node.args.kwonlyargs
    plain = [*given.posonlyargs, *given.args]
    rest = f"*{given.vararg.arg}" if given.vararg else "*" if named else ""
    parameters = [*(each.arg for each in plain), *([rest] if rest else []), *(each.arg for each in named)]
    parameters += [f"**{given.kwarg.arg}"] if given.kwarg else []
    required = len(plain) - len(given.defaults) + sum(each is None for each in given.kw_defaults)
    return Function(place.line, place.column, tuple(parameters), required)


@lru_cache(maxsize=4096)
def loaded_rules(script: str) -> tuple[str, ...]:
    r"""Return the modules that a script loads which are rules, such as `rule/207`.

    >>> loaded_rules('load("grid", "square")\nload("rule/207", "fee", "pay")\n')
    ('rule/207',)
    """
    modules = (load.module for load in scan(script).loads if load.module.startswith(RULE)) if "load" in script else ()
    return tuple(dict.fromkeys(modules))


def given_names(script: str) -> set[str]:
    r"""Return the names that a script gives to those that load it: its functions and values.

    >>> sorted(given_names('load("grid", "square")\nFEE = 3\n_pence = 4\ndef pay(whom):\n    left = FEE\n'))
    ['FEE', 'pay']
    """
    loaded = {name for load in scan(script).loads for name in load.names}
    return {name for name in bound_names(scope_of(tree_of(script).module)) - loaded if not name.startswith("_")}


def _loads(tree: Tree) -> Iterator[Load]:
    """Yield the `load` statements."""
    for node in tree.body:
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "load":
            module, *names = [text_in(each) for each in call.args] or [""]
            loaded = {name: name for name in names} | {str(each.arg): text_in(each.value) for each in call.keywords}
            yield Load(module, loaded, node.lineno, node.col_offset + 1)


def text_in(node: ast.expr) -> str:
    """Return the text that an expression is; "" where it is no plain one."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _ill_loads(loads: Iterable[Load]) -> Iterator[Problem]:
    """Yield a problem for each `load` that takes what belongs to the engine."""
    for load in loads:
        if load.module == "prelude" or any(name.endswith("__") for name in load.names.values()):
            hint = "what rules may call is in scope without loading"
            place = Position("", load.line, load.column)
            yield problem("load", "the engine's own names cannot be loaded", place, hint)


# -- words and signs that the law language refuses, each with what to write in its place


NO_FLOATS = "amounts are whole numbers here: use // and %, or load fractions from the library `numbers`"
NO_SHIFTS = 'load("bits", "shift_left", "shift_right") instead'
REFUSED = {
    "/": ("`/` would make a float", NO_FLOATS),
    "/=": ("`/=` would make a float", NO_FLOATS),
    "float": ("`float` is not part of the law language", NO_FLOATS),
    **dict.fromkeys(("<<", ">>", "<<=", ">>="), ("shifts are not part of the law language", NO_SHIFTS)),
    **dict.fromkeys(("**", "**="), ("there is no `**` in the law language", 'load("numbers", "power")')),
    "while": ("there is no `while` in the law language", "write `for _ in range(limit):` and leave it with `break`"),
    "import": ("nothing can be imported into a rule", 'load a library module: load("grid", "square")'),
    "from": ("nothing can be imported into a rule", 'load a library module: load("grid", "square")'),
    "class": ("there are no classes in the law language", "use struct(name = value), or declare a kind of thing"),
    "try": ("there is no `try` in the law language", "use try_act(…) to see whether an action succeeds"),
    "except": ("there is no `except` in the law language", "use try_act(…) to see whether an action succeeds"),
    "finally": ("there is no `finally` in the law language", "use try_act(…) to see whether an action succeeds"),
    "raise": ("there is no `raise` in the law language", 'use require(condition, "E-ORDER", why)'),
    "assert": ("there is no `assert` in the law language", 'use require(condition, "E-ORDER", why)'),
    "is": ("there is no `is` in the law language", "compare with == or !="),
    "del": ("there is no `del` in the law language", "use pop(key) of the map or list"),
    "global": ("names of a script cannot be rebound by a function", "keep what changes in a register"),
    "nonlocal": ("names of a script cannot be rebound by a function", "keep what changes in a register"),
    "with": ("there is no `with` in the law language", ""),
    "as": ("`as` is a reserved word", "the office of an action is `a.as_`"),
    "yield": ("there are no generators in the law language", "return a list"),
    "async": ("`async` is a reserved word", ""),
    "await": ("`await` is a reserved word", ""),
}
