"""One pass over the tokens of a script: what the law language refuses before anything is parsed.

The Starlark parser of the binding can be crashed by deep expressions, computes some shifts wrongly and knows floats, so
this scan must not depend on it. Positions count from 1 and are relative to the script; `script_check` moves them
into the rule's file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from msgspec import Struct, field

from folkmoot.core.problems import Position, Problem
from folkmoot.language.tokens import (
    CLOSING,
    KEYWORD_OPERATORS,
    OPENING,
    Token,
    arguments,
    first_of_lines,
    is_operand,
    is_plain_name,
    tokenize,
    unquote,
)

CODE = "E-SCRIPT"
MAX_BYTES = 64 * 1024
MAX_TOKENS = 20_000
MAX_CHAIN = 250  # operators, calls and brackets of one expression; the parser of the binding dies above some 1,500
LAMBDA_WEIGHT = 4
MAX_BLOCKS = 30  # blocks within blocks
MAX_BRANCHES = 150  # `elif`s on the way to one statement
MAX_DIGITS = 1_000
MAX_PROBLEMS = 50

STRANGE = re.compile("[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
FLOAT_FORMAT = re.compile(r"[-+ #0-9.]*[eEfFgG]")
DIGITS = frozenset("0123456789")
PURE = ("decide_", "forbid", "permit_", "adjust_", "show_")  # beginnings of hooks that may only look


class Function(Struct, frozen=True):
    """A top-level function: place of its name, its parameters as written (`e`, `*rest`) and how many must be given."""

    line: int
    column: int
    parameters: tuple[str, ...]
    required: int


class Load(Struct, frozen=True):
    """A `load` statement: the module, and for each local name the name in the module."""

    module: str
    names: dict[str, str]
    line: int
    column: int


class Scan(Struct, frozen=True):
    """What a scan found; `functions` holds the last definition of each name, `repeated` those before it.

    `statements` are the places of the tokens with which statements begin, also those within blocks.
    """

    problems: tuple[Problem, ...] = ()
    functions: dict[str, Function] = field(default_factory=dict)
    repeated: tuple[tuple[str, Function], ...] = ()
    loads: tuple[Load, ...] = ()
    statements: tuple[int, ...] = ()


@lru_cache(maxsize=1024)
def scan(script: str) -> Scan:
    """Scan a script; never raises, whatever the text.

    Positions in the result have an empty file name and are relative to the script. A script that is too large is not
    looked at any further.
    """
    too_large = measure(script)
    if too_large:
        return Scan(problems=(too_large,))
    tokens = tokenize(script)
    if len(tokens) > MAX_TOKENS:
        message = f"this script has {len(tokens)} words and signs, more than the {MAX_TOKENS} allowed"
        return Scan(problems=(problem("size", message, tokens[MAX_TOKENS], "split the rule"),))
    margin = [place for place, token in enumerate(tokens) if token[3] == 1]
    functions, repeated = find_functions(tokens, margin)
    loads, ill_loads = find_loads(tokens, margin)
    ill_words = () if are_plain(tokens) else refused(tokens)
    statements, are_short = survey(tokens)
    too_deep = () if are_short else too_long(tokens)
    ill_blocks = () if has_few_blocks(script) else too_many_blocks(tokens)
    found = [*islice(strange(script), MAX_PROBLEMS), *ill_words, *too_deep, *ill_blocks, *ill_loads]
    found.sort(key=lambda p: (p.position.line, p.position.column) if p.position else (0, 0))
    return Scan(tuple(found[:MAX_PROBLEMS]), functions, repeated, loads, statements)


@lru_cache(maxsize=4096)
def takes_back(script: str) -> bool:
    r"""Whether a script may take acts back: whether the function is named in it, be it not in a comment or a text.

    >>> takes_back("def do_undo(a):\n    take_back (a.args.act)"), takes_back("# take_back"), takes_back("")
    (True, False, False)
    """
    return "take_back" in script and any(t.kind == "name" and t.text == "take_back" for t in tokenize(script))


def problem(check: str, message: str, token: Token, hint: str = "") -> Problem:
    """Return a problem at a token, with the name of the check among its arguments."""
    return Problem(CODE, message, Position("", token.line, token.column), hint, {"check": check})


def measure(script: str) -> Problem | None:
    """Return the problem of a script that is larger than MAX_BYTES, counted in UTF-8."""
    size = len(script.encode("utf-8", "surrogatepass"))
    if size <= MAX_BYTES:
        return None
    message = f"this script has {size} bytes, more than the {MAX_BYTES} allowed"
    return problem("size", message, Token("", "", 1, 1), "split the rule, or move tables into registers")


def strange(script: str) -> Iterator[Problem]:
    """Yield a problem for each control character and each character that reverses the reading direction."""
    for match in STRANGE.finditer(script):
        line = script.count("\n", 0, match.start()) + 1
        column = match.start() - script.rfind("\n", 0, match.start())
        message = f"the character U+{ord(match.group()):04X} cannot stand in a script"
        yield problem("character", message, Token("", "", line, column), "it is invisible or breaks lines: take it out")


def are_plain(tokens: list[Token]) -> bool:
    """Whether none of these tokens can be refused, as far as that is seen sooner than by looking at each."""
    texts = {token[1] for token in tokens}
    if not REFUSED.keys().isdisjoint(texts):
        return False
    if "**" in texts and any(token[1] == "**" and is_operand(tokens[at - 1]) for at, token in enumerate(tokens)):
        return False
    formatting = "%" in texts
    for text in texts:
        if text[-2:] == "__" or (text[0] in DIGITS and (not text.isdecimal() or len(text) > MAX_DIGITS)):
            return False
        if text[0] == "." and len(text) > 1:
            return False
        if formatting and "%" in text and writes_float(text.replace("%%", "")):
            return False
    return True


def refused(tokens: list[Token]) -> Iterator[Problem]:
    """Yield a problem for each token that the law language does not have."""
    for place, token in enumerate(tokens):
        kind, text = token.kind, token.text
        if text in REFUSED:
            message, hint = REFUSED[text]
            yield problem("word", message, token, hint)
        elif kind == "name" and text[-2:] == "__":
            yield problem("name", f"`{shorten(text)}` belongs to the engine", token, "drop the underscores")
        elif kind == "float":
            yield problem("float", f"{shorten(text)} is a float", token, NO_FLOATS)
        elif text == "%" and formats_float(tokens, place):
            yield problem("float", "%e, %f and %g write floats", token, "use %d or %s; " + NO_FLOATS)
        elif text == "**" and place and is_operand(tokens[place - 1]):
            yield problem("word", "there is no `**` in the law language", token, 'load("numbers", "power")')
        elif kind == "number" and len(text) > MAX_DIGITS:
            yield problem("size", f"this number has more than {MAX_DIGITS} digits", token)


def shorten(text: str) -> str:
    """Return a text as it fits into a message."""
    return text if len(text) <= 40 else text[:37] + "…"


def formats_float(tokens: list[Token], place: int) -> bool:
    """Return whether the `%` at a place formats a string literal that asks for a float."""
    before = place - 1
    while before >= 0 and tokens[before].text in (")", "\n"):
        before -= 1
    if before < 0 or tokens[before].kind != "string":
        return False
    return writes_float(tokens[before].text.replace("%%", ""))


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


COUNTED_KINDS = ("operator", "newline")  # of tokens that can change a depth, beside the words among the operators


class Depth:
    """How deep the syntax tree of an expression can get, counted from above, token by token.

    Each level of brackets keeps the number of operators since its last comma; a closing bracket adds what its deepest
    part had to the level around it. `lambda` counts on beyond a comma, which may belong to its parameters.
    """

    def __init__(self) -> None:
        """Begin outside all brackets."""
        self.total = 0
        self.levels: list[list[int]] = []  # of the levels around this one: operators, deepest part, lambdas
        self.operators, self.deepest, self.lambdas = 0, 0, 0

    def take(self, token: Token) -> int:
        """Take the next token and return the depth reached so far."""
        kind, text = token.kind, token.text
        if kind == "operator":
            if text in OPENING:
                self.levels.append([self.operators, self.deepest, self.lambdas])
                self.operators, self.deepest, self.lambdas = 0, 0, 0
                self.total += 1
            elif text in CLOSING:
                self.close()
            elif text in ",;":
                self.settle(self.lambdas)
            else:
                self.count(1)
        elif kind == "newline":
            if not self.levels:
                self.lambdas = 0
                self.settle(0)
        elif text in KEYWORD_OPERATORS:
            self.count(LAMBDA_WEIGHT if text == "lambda" else 1)
            self.lambdas += LAMBDA_WEIGHT * (text == "lambda")
        return self.total

    def count(self, weight: int) -> None:
        """Count an operator at this level."""
        self.operators += weight
        self.total += weight

    def settle(self, kept: int) -> None:
        """End one part of a list, of arguments or of a line."""
        self.deepest = max(self.deepest, self.operators)
        self.total -= self.operators - kept
        self.operators = kept

    def close(self) -> None:
        """Leave a bracket; one too many is the parser's to report."""
        if self.levels:
            self.settle(0)
            depth = self.deepest + 1
            self.operators, self.deepest, self.lambdas = self.levels.pop()
            self.total -= 1
            self.count(depth)


def survey(tokens: list[Token]) -> tuple[tuple[int, ...], bool]:
    """Return where statements begin, and whether none has so many operators that their depth has to be counted."""
    starts: list[int] = []
    level = weight = 0
    fresh = is_short = True
    for place, (kind, text, _line, _column) in enumerate(tokens):
        if kind == "newline":
            if not level:
                fresh, is_short, weight = True, is_short and weight <= MAX_CHAIN, 0
            continue
        if fresh:
            starts.append(place)
            fresh = False
        if kind == "operator":
            weight += 1
            if text in OPENING:
                level += 1
            elif level and text in CLOSING:
                level -= 1
        elif text in KEYWORD_OPERATORS:
            weight += LAMBDA_WEIGHT
    return tuple(starts), is_short and weight <= MAX_CHAIN


def too_long(tokens: list[Token]) -> Iterator[Problem]:
    """Yield the first expression that is deeper than the parser can bear."""
    take = Depth().take
    for token in tokens:
        if token.kind not in COUNTED_KINDS and token.text not in KEYWORD_OPERATORS:
            continue
        if take(token) > MAX_CHAIN:
            hint = f"at most {MAX_CHAIN} operators, calls and brackets in one: name the parts, or use a loop"
            yield problem("depth", "this expression is too long or too deeply nested", token, hint)
            return


def has_few_blocks(script: str) -> bool:
    """Whether no statement can stand under too many blocks, as each has an indentation of its own."""
    lines = script.split("\n")
    indentations = {len(line) - len(line.lstrip(" \t")) for line in lines}
    return len(indentations) <= MAX_BLOCKS and script.count("elif") <= MAX_BRANCHES


def too_many_blocks(tokens: list[Token]) -> Iterator[Problem]:
    """Yield the first statement under more blocks or more `elif`s than the parser can bear."""
    levels: list[tuple[int, int]] = []  # (column, number of `elif`s) of each block on the way
    for token in first_of_lines(tokens):
        while levels and levels[-1][0] > token.column:
            levels.pop()
        if not levels or levels[-1][0] < token.column:
            levels.append((token.column, 0))
        if token.text == "elif":
            levels[-1] = (token.column, levels[-1][1] + 1)
        if len(levels) > MAX_BLOCKS or sum(count for _, count in levels) > MAX_BRANCHES:
            hint = f"at most {MAX_BLOCKS} blocks within blocks and {MAX_BRANCHES} `elif`s: use functions or a map"
            yield problem("depth", "there are too many blocks around this statement", token, hint)
            return


def find_functions(
    tokens: list[Token], margin: list[int]
) -> tuple[dict[str, Function], tuple[tuple[str, Function], ...]]:
    """Return the top-level functions by name, and those that a later one of the same name replaces.

    `margin` are the places of the tokens that stand in the first column.
    """
    functions: dict[str, Function] = {}
    repeated = []
    for place in margin:
        if tokens[place].text == "def" and place + 1 < len(tokens) and is_plain_name(tokens[place + 1]):
            name = tokens[place + 1]
            if name.text in functions:
                repeated.append((name.text, functions[name.text]))
            functions[name.text] = read_function(tokens, place + 1)
    return functions, tuple(repeated)


def read_function(tokens: list[Token], place: int) -> Function:
    """Read the parameters after the name at a place."""
    parameters, required = [], 0
    for part in arguments(tokens, place + 1):
        star = part[0].text if part[0].text in ("*", "**") else ""
        name = "".join(t.text for t in part[:2] if t.kind == "name" and t is part[1 if star else 0])
        if part[0].text == "/":
            continue
        parameters.append(star + name)
        required += not star and all(t.text != "=" for t in part)
    return Function(tokens[place].line, tokens[place].column, tuple(parameters), required)


def find_loads(tokens: list[Token], margin: list[int]) -> tuple[tuple[Load, ...], list[Problem]]:
    """Return the `load` statements and a problem for each that takes what belongs to the engine."""
    loads, problems = [], []
    for place in margin:
        token = tokens[place]
        if token.text == "load":
            parts = arguments(tokens, place + 1)
            module, names = (unquote(parts[0][0].text) if parts else ""), {}
            for part in parts[1:]:
                names[part[0].text if len(part) == 3 else unquote(part[0].text)] = unquote(part[-1].text)
            loads.append(Load(module, names, token.line, token.column))
            if module == "prelude" or any(name.endswith("__") for name in names.values()):
                hint = "what rules may call is in scope without loading"
                problems.append(problem("load", "the engine's own names cannot be loaded", token, hint))
    return tuple(loads), problems


# -- words and signs that the law language refuses, each with what to write in its place


NO_FLOATS = "amounts are whole numbers here: use // and %, or load fractions from the library `numbers`"
NO_SHIFTS = 'load("bits", "shift_left", "shift_right") instead'
REFUSED = {
    "/": ("`/` would make a float", NO_FLOATS),
    "/=": ("`/=` would make a float", NO_FLOATS),
    "float": ("`float` is not part of the law language", NO_FLOATS),
    "<<": ("shifts are not part of the law language", NO_SHIFTS),
    ">>": ("shifts are not part of the law language", NO_SHIFTS),
    "<<=": ("shifts are not part of the law language", NO_SHIFTS),
    ">>=": ("shifts are not part of the law language", NO_SHIFTS),
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
