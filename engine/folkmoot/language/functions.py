"""A script cut up for the checks: which tokens belong to which top-level function, and which calls they make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct, field

from folkmoot.language.scan import Scan, scan
from folkmoot.language.tokens import CLOSING, OPENING, Token, arguments, tokenize, unquote

LOADING = ""  # stands for the statements outside all functions


class Call(Struct, frozen=True):
    """A call of a plain name: where, in which function, and its arguments as tokens."""

    name: str
    token: Token
    inside: str
    arguments: tuple[tuple[Token, ...], ...]

    def literal(self, place: int) -> tuple[str, Token] | None:
        """Return the string that a positional argument is, with its place; None where it is no plain string."""
        if place < len(self.arguments) and len(self.arguments[place]) == 1:
            token = self.arguments[place][0]
            if token.kind == "string" and "\\" not in token.text:
                return unquote(token.text), token
        return None

    def named(self, name: str) -> tuple[str, Token] | None:
        """Return the string that an argument given by its name is, with its place; None where it is no plain string."""
        for argument in self.arguments:
            if len(argument) == 3 and argument[1].text == "=" and argument[0].text == name:
                token = argument[2]
                return (unquote(token.text), token) if token.kind == "string" and "\\" not in token.text else None
        return None

    def has(self, place: int, name: str) -> bool:
        """Return whether an argument is given, at its place or by its name."""
        given = [argument[0].text for argument in self.arguments if len(argument) > 1 and argument[1].text == "="]
        return name in given or place < len(self.arguments) - len(given)


@lru_cache(maxsize=512)
def bodies_of(script: str) -> dict[str, list[Token]]:
    """Return the tokens of a script by the top-level function around them; not to be changed."""
    tokens = tokenize(script)
    found: dict[str, list[Token]] = {LOADING: []}
    for inside, start, end in _pieces(script, tokens):
        body = found.setdefault(inside, [])
        piece = [token for token in tokens[start:end] if token[0] != "newline"]
        body += _at_once(piece) if inside == LOADING else piece
    return found


def _pieces(script: str, tokens: list[Token]) -> Iterator[tuple[str, int, int]]:
    """Yield (top-level function, first place, place after the last) of functions and of statements outside of them."""
    inside, start = LOADING, 0
    for place in scan(script).statements:
        is_top = tokens[place].column == 1
        if is_top or inside == LOADING:
            yield inside, start, place
            start = place
        if is_top:
            is_function = tokens[place].text == "def" and place + 1 < len(tokens)
            inside = tokens[place + 1].text if is_function else LOADING
    yield inside, start, len(tokens)


def _at_once(tokens: list[Token]) -> list[Token]:
    """Return those tokens of a statement outside of all functions that are carried out as the script loads."""
    return next((tokens[:place] for place, token in enumerate(tokens) if token.text == "lambda"), tokens)


def unnamed_parameters(script: str, function: str) -> frozenset[int]:
    """Return the places of those parameters that a function never names, so that it cannot look at what it is given.

    None where the script could mean another function by that name, or where names may stand within a text.
    """
    own, body = scan(script).functions[function], bodies_of(script)[function]
    names = Counter(token.text for token in body if token.kind == "name")
    formats = any(token.kind == "string" and token.text[0] in "fF" for token in body)
    header = [part[0].text for part in arguments(body, 2) if len(part) == 1]  # without a type or a default
    if formats or sum(token.text == function and token.kind == "name" for token in tokenize(script)) > 1:
        return frozenset()
    return frozenset(place for place, name in enumerate(own.parameters) if name in header and names[name] == 1)


class Reading(Struct):
    """A script with its scan, its calls, and the top-level functions that each function mentions."""

    scan: Scan
    calls: list[Call] = field(default_factory=list)
    mentions: dict[str, dict[str, Token]] = field(default_factory=dict)
    called: dict[str, dict[str, Token]] = field(default_factory=dict)  # those of them that it calls
    fields: list[tuple[str, Token, Token]] = field(default_factory=list)  # (function, name, attribute)


@lru_cache(maxsize=512)
def read(script: str) -> Reading:
    """Cut up a script, which need not parse; what is returned is not to be changed."""
    reading = Reading(scan(script))
    tokens = tokenize(script)
    own = reading.scan.functions
    loaded = {name for load in reading.scan.loads for name in load.names}
    for inside, place in belonging(tokens):
        token = tokens[place]
        before = tokens[place - 1].text if place else ""
        if token.kind != "name" or before in (".", "def"):
            continue
        following = tokens[place + 1].text if place + 1 < len(tokens) else ""
        if token.text in own:
            reading.mentions.setdefault(inside, {}).setdefault(token.text, token)
            if following == "(":
                reading.called.setdefault(inside, {}).setdefault(token.text, token)
        elif following == "(" and token.text not in loaded and not shadowed(reading.scan, inside, token.text):
            parts = tuple(tuple(part) for part in arguments(tokens, place + 1))
            reading.calls.append(Call(token.text, token, inside, parts))
        if following == "." and place + 2 < len(tokens):
            reading.fields.append((inside, token, tokens[place + 2]))
    return reading


class Written(Struct, frozen=True):
    """A top-level function as it stands in a script: what its docstring says, on one line, and its source."""

    meaning: str
    source: str


@lru_cache(maxsize=512)
def functions_written(script: str) -> dict[str, Written]:
    r"""Return the top-level functions of a script by name, as they are written; not to be changed.

    >>> functions_written("def on_bell(e):\n    'Ring.'\n    emit('ring')\n")["on_bell"].meaning
    'Ring.'
    """
    tokens, lines = tokenize(script), script.split("\n")
    begun = frozenset(scan(script).statements)
    found = {}
    for name, start, end in _pieces(script, tokens):
        if name != LOADING:
            source = lines[tokens[start].line - 1 : tokens[end].line - 1 if end < len(tokens) else len(lines)]
            while not source[-1].strip() or source[-1].startswith("#"):  # comments on what comes next
                source.pop()
            first = next((place for place in range(start + 1, end) if place in begun), start)
            alone = tokens[first].kind == "string" and "".join(t.text for t in tokens[first + 1 : first + 2]) in (
                "",
                "\n",
            )
            found[name] = Written(" ".join(unquote(tokens[first].text).split()) if alone else "", "\n".join(source))
    return found


def shadowed(found: Scan, inside: str, name: str) -> bool:
    """Return whether a name is a parameter of the function around it."""
    function = found.functions.get(inside)
    return function is not None and name in (p.lstrip("*") for p in function.parameters)


def belonging(tokens: list[Token]) -> Iterator[tuple[str, int]]:
    """Yield (top-level function, place) of each token; LOADING outside functions and after a `lambda` nothing."""
    inside, level, fresh, lazy = LOADING, 0, True, False
    for place, (kind, text, _line, column) in enumerate(tokens):
        if kind == "newline":
            fresh = fresh or level == 0
            lazy = lazy and level > 0
            continue
        if fresh and column == 1:
            inside = tokens[place + 1].text if text == "def" and place + 1 < len(tokens) else LOADING
        fresh = False
        if kind == "operator":
            level = level + 1 if text in OPENING else level - 1 if level and text in CLOSING else level
        elif text == "lambda" and inside == LOADING:
            lazy = True
        if not lazy:
            yield inside, place
