"""Which parts of its arguments a function of a script can look at, so that only these need to cross the border.

Found from the tokens alone and on the safe side: what is not plainly `e.proposal.state`, or handed to a function of
which it is known what it looks at, counts as a use of the whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import takewhile
from types import MappingProxyType
from typing import Any

from folkmoot.language.functions import LOADING, bodies_of
from folkmoot.language.scan import scan
from folkmoot.language.tokens import CLOSING, OPENING, Token, arguments, tokenize

Part = Any  # WHOLE, or a map from each field looked at to the part of it; no field: not looked at

WHOLE: Part = True
IDENTITY = ""  # the field that stands for what a reference is made of
EACH = "[]"  # the field that stands for every item of a list
NONE: Part = MappingProxyType({})
REFERENCE: Part = MappingProxyType({IDENTITY: WHOLE})
COUNTED: Part = MappingProxyType({EACH: NONE})  # of a list: only how many items it has
VOTERS: Part = MappingProxyType({"ballots": {EACH: {"player": WHOLE}}})
VOTES: Part = MappingProxyType({"ballots": {EACH: {"counts": WHOLE, "choice": WHOLE, "weight": WHOLE}}})
NAMED: Part = MappingProxyType({"number": WHOLE, "uid": WHOLE, "labels": WHOLE, "over": WHOLE, "defers_to": WHOLE})
FIRST_ARGUMENT = {  # functions of the prelude and what they look at of the first argument
    **dict.fromkeys(
        ("get", "defined", "put", "add", "append", "rule", "cite", "freeze", "number", "revise", "open_voting"),
        REFERENCE,
    ),
    **dict.fromkeys(("get_in", "put_in", "registers", "reset"), REFERENCE),
    **dict.fromkeys(
        ("close_voting", "cast", "enrol", "strike", "recount", "resolve", "locks_out", "amend", "repeal", "renumber"),
        REFERENCE,
    ),
    **dict.fromkeys(("label", "suspend", "wake"), REFERENCE),
    "voted": VOTERS,
    "ballots": VOTES,
    "ballot_of": {"ballots": WHOLE},
    "len": COUNTED,
    **dict.fromkeys(("claims_over", "defers_to"), NAMED),
    "amended": {"amendments": WHOLE},
}
ANY_ARGUMENT = ("ask", "ask_all", "emit", "later")  # structs that have an identity go on as references
CONDITION = ("if", "elif", "not")
NAME_BEGINS = frozenset("_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
QUOTES = ("'", '"')
SETTLED = (":", "else", "and", "or", "]", ")")  # what may follow something of which only the truth counts


def merged(one: Part, other: Part) -> Part:
    """Return what is looked at by either of two uses."""
    if one is WHOLE or other is WHOLE:
        return WHOLE
    both = dict(one)
    for name, part in other.items():
        both[name] = merged(both[name], part) if name in both else part
    return both


@lru_cache(maxsize=4096)
def parts_used(script: str, function: str) -> tuple[Part, ...]:
    """Return for each parameter of a function what can be looked at of it; () where nothing is known of it."""
    return _uses(script).of(function) or ()


@lru_cache(maxsize=512)
def _uses(script: str) -> _Uses:
    return _Uses(script)


@lru_cache(maxsize=4096)
def words_within(script: str, function: str) -> frozenset[str] | None:
    """Return every name that a function can come upon: its own, of what it calls, and of what stands outside of all.

    None where that cannot be told apart from the rest of the script.
    """
    bodies = bodies_of(script)
    if "lambda" in script and sum(map(len, bodies.values())) < sum(t.kind != "newline" for t in tokenize(script)):
        return None  # one outside of all functions
    words: set[str] = set()
    waiting, seen = [LOADING, function], {LOADING, function}
    while waiting:
        found = {token.text for token in bodies.get(waiting.pop(), ()) if token.kind == "name"}
        called = [name for name in found - words if name in bodies and name not in seen]
        words |= found
        seen.update(called)
        waiting += called
    return frozenset(words)


class _Uses:
    """The tokens of a script by function, and what its functions look at."""

    def __init__(self, script: str) -> None:
        found = scan(script)
        self.functions = found.functions
        self.doubtful = {name for name, _ in found.repeated}
        self.bodies = bodies_of(script)
        self.doubtful |= {name for load in found.loads for name in load.names}
        self.doubtful |= rebound(tokenize(script))
        self._known: dict[str, tuple[Part, ...] | None] = {}

    def of(self, function: str) -> tuple[Part, ...] | None:
        """Return what a function looks at of each parameter, None where that cannot be told."""
        if function not in self._known:
            self._known[function] = None  # for a function that calls itself
            self._known[function] = self._read(function)
        return self._known[function]

    def _read(self, function: str) -> tuple[Part, ...] | None:
        tokens = self.bodies.get(function, [])
        if function not in self.functions or function in self.doubtful or len(tokens) < 3:
            return None
        written = arguments(tokens, 2)
        formats = any(kind == "string" and text[0] in "fFrRbB" for kind, text, _line, _column in tokens)
        if formats or not all(len(part) == 1 and part[0].kind == "name" for part in written):
            return None
        texts = [token[1] for token in tokens]
        start = texts.index(")") if ")" in texts else len(texts)
        return tuple(self._uses(texts, start, part[0].text) for part in written)

    def _uses(self, body: list[str], start: int, name: str) -> Part:
        """Return what is looked at of the values of a name from a place on; `body` are the texts of tokens."""
        found: Part = NONE
        for place in _places(body, start, name):
            if body[place - 1] != ".":
                following = _at(body, place + 1)
                bound = following == "=" or (following == "in" and body[place - 1] == "for")
                found = found if bound else merged(found, self._use(body, place))
        return found

    def _use(self, body: list[str], place: int) -> Part:
        """Return what one mention of a parameter looks at."""
        fields = []
        end = place + 1
        while _at(body, end) == "." and end + 1 < len(body) and is_name(body[end + 1]):
            fields.append(body[end + 1])
            end += 2
        used = self._end_of_chain(body, place, end)
        for field in reversed(fields):
            used = {field: used}
        return used

    def _end_of_chain(self, body: list[str], place: int, end: int) -> Part:
        before, following = body[place - 1], _at(body, end)
        if following in ("==", "!=") and _at(body, end + 1) == "None":
            return REFERENCE
        if before in CONDITION and following in SETTLED:
            return COUNTED
        if before == "in" and body[place - 3] == "for" and following in (":", "]", "}", "if"):
            return {EACH: self._uses(body, 1, body[place - 2])}
        if before == "[" and following == "for" and body[place - 2] in CONDITION and _counts(body, place):
            return NONE
        if before in ("(", ",", "=") and following in (")", ","):
            return self._argument(body, place)
        return WHOLE

    def _argument(self, body: list[str], place: int) -> Part:
        """Return what a function looks at to which something is handed that stands at a place."""
        level = position = 0
        unclear = False
        for at in range(place - 1, 0, -1):
            text = body[at]
            level += (text in CLOSING) - (text in OPENING)
            if level < 0:
                named = body[place - 1] == "="
                return WHOLE if unclear or text != "(" else self._handed(body, at - 1, position, named)
            position += level == 0 and text == ","
            unclear = unclear or (level == 0 and text in ("*", "**", "lambda"))
        return WHOLE

    def _handed(self, body: list[str], at: int, position: int, named: bool) -> Part:
        callee = body[at]
        if not is_name(callee) or callee in self.doubtful or body[at - 1] in (".", "def"):
            return WHOLE
        if callee in self.functions:
            parts = None if named else self.of(callee)
            return parts[position] if parts is not None and position < len(parts) else WHOLE
        if callee in ANY_ARGUMENT:
            return REFERENCE
        return FIRST_ARGUMENT.get(callee, WHOLE) if position == 0 and not named else WHOLE


def _places(body: list[str], start: int, name: str) -> Iterator[int]:
    """Yield each place from one on at which a name stands."""
    try:
        while True:
            start = body.index(name, start)
            yield start
            start += 1
    except ValueError:
        return


def is_name(text: str) -> bool:
    """Whether a token with this text is a name: what is a string has a quotation mark at its end."""
    return text[0] in NAME_BEGINS and text[-1] not in QUOTES


def _counts(body: list[str], place: int) -> bool:
    """Return whether of the brackets around a place only the truth is looked at."""
    level = 1
    for at in range(place, len(body)):
        level += (body[at] in OPENING) - (body[at] in CLOSING)
        if level == 0:
            return _at(body, at + 1) in SETTLED
    return False


def _at(body: list[str], place: int) -> str:
    return body[place] if place < len(body) else ""


def rebound(tokens: list[Token]) -> set[str]:
    """Return each name that may mean something else than what it is by itself: what is not only called or named."""
    names: set[str] = set()
    level, before = 0, ""
    for place, (kind, text, _line, _column) in enumerate(tokens):
        if kind == "operator":
            level += 1 if text in OPENING else -1 if text in CLOSING else 0
        elif text == "lambda":
            names.update(other.text for other in takewhile(lambda other: other.text != ":", tokens[place + 1 :]))
        elif text == "def":
            names.update(other.text for part in arguments(tokens, place + 2) for other in part)
        elif kind == "name" and text not in names and before != ".":
            following = tokens[place + 1].text if place + 1 < len(tokens) else ""
            if following != "(" and not (level > 0 and following == "="):
                names.add(text)
        before = text
    return names
