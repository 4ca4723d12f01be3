"""Functions that begin with a test of their arguments alone, so that the interpreter need not be asked to do nothing.

Most listeners wait for one kind of what they hear: `if a.why == "accepted" and …:` with nothing after it, or a first
line like `if e.after <= LIMIT: return`. Such a test is read from the tokens and answered here, on the safe side: of
what is not plainly a comparison with a constant, or meets another type than expected, the script decides.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import takewhile
from typing import Any

from folkmoot.language.fields_used import rebound
from folkmoot.language.functions import bodies_of
from folkmoot.language.scan import scan
from folkmoot.language.tokens import CLOSING, OPENING, Token, arguments, is_plain_name, tokenize, unquote

Test = Callable[[list[Any]], bool | None]  # of the arguments of a call: None where the script must decide
Guard = Callable[[list[Any]], bool]  # whether a call with these arguments would do nothing and return None

UNKNOWN = object()
ORDERED = {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}
ASSIGNED = frozenset(("=", "+=", "-=", "*=", "//=", "%=", "&=", "|=", "^="))
TARGETS = frozenset("()[],*")  # what can stand between names that are bound together
WORDS = {"True": True, "False": False, "None": None}


@lru_cache(maxsize=8192)
def guard_of(script: str, function: str) -> Guard | None:
    """Return what tells that a call of a function is in vain; None where only the script can tell."""
    return _guards(script).of(function)


@lru_cache(maxsize=512)
def _guards(script: str) -> _Guards:
    return _Guards(script)


class _Guards:
    """The tokens of a script, and what the tests at the beginnings of its functions come to."""

    def __init__(self, script: str) -> None:
        found = scan(script)
        self.tokens = tokenize(script)
        self.bodies = bodies_of(script)
        self.functions = found.functions
        self.doubtful = {name for name, _ in found.repeated} | {name for load in found.loads for name in load.names}
        self.doubtful |= {p.lstrip("*") for made in found.functions.values() for p in made.parameters}
        self.rebound = set(rebound(self.tokens))
        self.constants: dict[str, Any] = {}
        self.places: dict[str, list[int]] = {}
        for place, token in enumerate(self.tokens):
            if token.kind == "name":
                self.places.setdefault(token.text, []).append(place)

    def of(self, function: str) -> Guard | None:
        """Return the guard of a function, if it begins with one."""
        if function not in self.functions or function in self.doubtful | self.rebound:
            return None
        body = self.bodies.get(function, [])
        parameters = [part[0].text for part in arguments(body, 2) if len(part) == 1]
        if parameters != list(self.functions[function].parameters):
            return None
        start = _after(body, ")", 0) + 1
        if start >= len(body) or body[start - 1].text != ":" or body[start].text != "if":
            return None
        end = _after(body, ":", start)
        test, rest = body[start + 1 : end - 1], body[end:]
        if not rest or rest[0].line == body[end - 1].line:
            return None
        within = list(takewhile(lambda token: token.column > body[start].column, rest))
        if len(within) == len(rest):
            return self._idle_where(test, parameters, settled=False)
        returns = [token.text for token in within] in (["return"], ["return", "None"])
        if returns and rest[len(within)].text not in ("else", "elif"):
            return self._idle_where(test, parameters, settled=True)
        return None

    def _idle_where(self, test: list[Token], parameters: list[str], *, settled: bool) -> Guard | None:
        """Return a guard that answers yes where a condition comes out as `settled`."""
        for word, decides in (("or", True), ("and", False)):
            parts = list(_split(test, word))
            if len(parts) > 1 or word == "and":
                tests = [self._test(part, parameters) for part in parts]
                known = list(takewhile(bool, tests))
                return _guard(len(parameters), known, decides, settled, whole=known == tests)
        return None

    def _test(self, part: list[Token], parameters: list[str]) -> Test | None:
        """Return one comparison of a field of an argument with a constant, as a function; None where it is more."""
        denied = part[0].text == "not" if part else False
        part = part[1:] if denied else part
        end = 1
        while end + 1 < len(part) and part[end].text == "." and part[end + 1].kind == "name":
            end += 2
        if not part or part[0].text not in parameters or part[0].kind != "name":
            return None
        look = _looking(parameters.index(part[0].text), [token.text for token in part[1:end] if token.text != "."])
        words = [token.text for token in part[end:]]
        if not words:
            return _truth(look, denied)
        length = 2 if words[:2] == ["not", "in"] else 1
        constant = self._constant(part[end + length :])
        if denied or constant is UNKNOWN:
            return None
        return _comparison(look, " ".join(words[:length]), constant)

    def _constant(self, part: list[Token]) -> Any:
        """Return the value of a literal, of a list of literals, or of a name that always stands for one."""
        if len(part) == 1 and part[0].kind == "name" and part[0].text not in WORDS:
            name = part[0].text
            if name not in self.constants:
                self.constants[name] = self._named(name)
            return self.constants[name]
        return _literal(part)

    def _named(self, name: str) -> Any:
        if name in self.doubtful or name in self.functions:
            return UNKNOWN
        uses = self.places[name]
        given, *others = uses
        assigned = [self.tokens[place + 1].text in ASSIGNED for place in uses if place + 1 < len(self.tokens)]
        if (
            assigned[:1] != [True]
            or any(assigned[1:])
            or self.tokens[given].column != 1
            or any(map(self._binds, others))
        ):
            return UNKNOWN
        line = takewhile(lambda token: token.kind != "newline", self.tokens[given + 2 :])
        value = _literal(list(line)) if self.tokens[given + 1].text == "=" else UNKNOWN
        return value if type(value) is not tuple or all(map(self._only_looks, others)) else UNKNOWN

    def _only_looks(self, place: int) -> bool:
        """Whether a list is only gone through or looked into where it is named: it may be added to while it loads."""
        following = self.tokens[place + 1].text if place + 1 < len(self.tokens) else ""
        return self.tokens[place - 1].text == "in" and following not in (".", "[", "+")

    def _binds(self, place: int) -> bool:
        """Whether a name could be the variable of a loop, a parameter, or what is assigned to together with others."""
        for token in reversed(self.tokens[:place]):
            if token.kind == "newline" or token.text in ("for", "lambda", "def"):
                return True
            if token.text not in TARGETS and not is_plain_name(token):
                return False
        return True


def _after(body: list[Token], text: str, start: int) -> int:
    """Return the place after a token that stands outside all brackets which are opened from `start` on."""
    level = 0
    for place in range(start, len(body)):
        level += (body[place].text in OPENING) - (body[place].text in CLOSING)
        if level == 0 and body[place].text == text:
            return place + 1
    return len(body)


def _split(test: list[Token], word: str) -> Iterator[list[Token]]:
    """Yield the parts of a condition between `and`s or `or`s outside brackets; nothing that holds a choice."""
    level = 0
    part: list[Token] = []
    for token in test:
        level += (token.text in OPENING) - (token.text in CLOSING)
        if level == 0 and token.text == word and token.kind == "name":
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _literal(part: list[Token]) -> Any:
    """Return what a literal says, a tuple for a list of such; UNKNOWN for all else."""
    texts = [token.text for token in part]
    if len(part) == 1 and texts[0] in WORDS:
        return WORDS[texts[0]]
    if len(part) == 1 and part[0].kind == "number" and texts[0].isdecimal():
        return int(texts[0])
    if len(part) == 2 and texts[0] == "-" and part[1].kind == "number" and texts[1].isdecimal():
        return -int(texts[1])
    if len(part) == 1 and part[0].kind == "string" and "\\" not in texts[0] and texts[0][0] in "\"'":
        return unquote(texts[0]) if texts[0][:3] not in ('"""', "'''") else UNKNOWN
    if len(part) > 2 and texts[0] in ("[", "(") and texts[-1] in ("]", ")"):
        items = [_literal([token]) for token in part[1:-1:2]]
        separate = all(text == "," for text in texts[2:-1:2])
        plain = all(type(item) in (str, int) for item in items)
        return tuple(items) if separate and plain and (texts[0] == "[" or len(items) > 1) else UNKNOWN
    return UNKNOWN


def _looking(position: int, fields: list[str]) -> Callable[[list[Any]], Any]:
    """Return a function that finds a field of an argument; UNKNOWN where there is none."""

    def look(given: list[Any]) -> Any:
        value = given[position] if position < len(given) else UNKNOWN
        for field in fields:
            if type(value) is not dict or "$" not in value:
                return UNKNOWN
            value = value.get(field, UNKNOWN)
        return value

    return look


def _truth(look: Callable[[list[Any]], Any], denied: bool) -> Test:
    def test(given: list[Any]) -> bool | None:
        value = look(given)
        return None if value is UNKNOWN else bool(value) is not denied

    return test


def _comparison(look: Callable[[list[Any]], Any], word: str, constant: Any) -> Test | None:
    several = type(constant) is tuple
    if word in ("in", "not in") and several:
        return _among(look, constant, word == "in")
    if several:
        return None
    if word in ("==", "!="):
        return _equal(look, constant, word == "==")
    return _ordered(look, ORDERED[word], constant) if word in ORDERED and type(constant) is int else None


def _same(value: Any, constant: Any) -> bool | None:
    """Whether a value is a constant; None where the language might see it otherwise."""
    if type(value) is type(constant):
        return bool(value == constant)
    return None if {type(value), type(constant)} == {bool, int} else False


def _equal(look: Callable[[list[Any]], Any], constant: Any, wanted: bool) -> Test:
    def test(given: list[Any]) -> bool | None:
        value = look(given)
        same = None if value is UNKNOWN else _same(value, constant)
        return None if same is None else same is wanted

    return test


def _among(look: Callable[[list[Any]], Any], constants: tuple[Any, ...], wanted: bool) -> Test:
    def test(given: list[Any]) -> bool | None:
        value = look(given)
        if type(value) is not str:
            return None
        return (value in constants) is wanted

    return test


def _ordered(look: Callable[[list[Any]], Any], compare: Callable[[Any, Any], bool], constant: int) -> Test:
    def test(given: list[Any]) -> bool | None:
        value = look(given)
        return compare(value, constant) if type(value) is int else None

    return test


def _guard(arity: int, tests: list[Test | None], decides: bool, settled: bool, *, whole: bool) -> Guard | None:
    """Return whether conditions joined by `or` (`decides`: one that holds does) or `and` come out as `settled`."""
    asked = [test for test in tests if test is not None]
    if not asked or (settled is not decides and not whole):
        return None

    def guard(given: list[Any]) -> bool:
        if len(given) != arity:
            return False
        for test in asked:
            found = test(given)
            if found is None:
                return False
            if found is decides:
                return settled is decides
        return whole and settled is not decides

    return guard
