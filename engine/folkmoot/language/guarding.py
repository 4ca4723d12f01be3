"""The guarded form of a script: the same, but that it fails where it looks at what stands for something sealed.

The interpreter compares, prints and asks for the truth of whatever it is given, and nothing can be had from it that
refuses. So a script that has come to hold something sealed is run in another form, in which functions of `guards.star`
stand around what is compared, printed, sorted, made a key or asked whether it is true. Lines stay as they are, and
columns can be told back. All that is never sealed goes through as it is.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from msgspec import Struct

from folkmoot.language.guarded_expressions import ASSIGNING, END, Expressions, Scope
from folkmoot.language.tokens import Token, unquote


class Guarded(Struct, frozen=True):
    """A script in its guarded form; `anchors` tell of each line which columns stood where, in order."""

    text: str
    anchors: dict[int, list[tuple[int, int]]]

    def column(self, line: int, column: int) -> int:
        """Return the column in the script as it was written."""
        known = self.anchors.get(line, [])
        at = bisect_right(known, (column, 1 << 30)) - 1
        if at < 0:
            return column
        here, there = known[at]
        following = known[at + 1][1] if at + 1 < len(known) else 1 << 30
        return min(there + column - here, following)


@lru_cache(maxsize=512)
def guarded(script: str, *, but_internal: bool = False) -> Guarded:
    """Return the guarded form of a script that the interpreter has read; `but_internal` functions stay as they are.

    >>> guarded("x = a == 'b'").text
    "x = plain__(a) == 'b'"
    """
    reader = Reader(script, but_internal)
    reader.read()
    return _edited(script, reader.edits())


class Reader(Expressions):
    """Reads a whole script, statement by statement."""

    def __init__(self, script: str, but_internal: bool) -> None:
        """Begin at the first token; functions that are `but_internal` are left as they are."""
        super().__init__(script)
        self._but_internal = but_internal
        self._indents: list[tuple[int, Scope]] = []

    def read(self) -> None:
        """Read the whole script."""
        while self._tokens[self._at] is not END:
            before = self._at
            if not self._take("\n"):
                self._leave_blocks()
                self._statement()
            if self._at == before:  # what the interpreter has read has no such place; whatever this is, go on
                self._at += 1

    def _leave_blocks(self) -> None:
        token = self._tokens[self._at]
        first = self._at == 0 or self._tokens[self._at - 1].text == "\n"
        while first and self._indents and token.column <= self._indents[-1][0]:
            _, self._scope = self._indents.pop()
            if not self._indents:
                self._quiet = 0

    def _statement(self) -> None:
        word = self._text
        if word == "def":
            self._definition()
        elif word in ("if", "elif"):
            self._at += 1
            self._condition()
            self._take(":")
        elif word == "for":
            self._at += 1
            self._targets()
            self._take("in")
            self._several()
            self._take(":")
        elif word == "load" and self._tokens[self._at].column == 1:
            self._loaded()
        elif word in ("else", "break", "continue", "pass", ";", ":"):
            self._at += 1
        else:
            self._take("return")
            self._simple()

    def _definition(self) -> None:
        column, name = self._tokens[self._at].column, self._tokens[self._at + 1].text
        self._scope.bound.add(name)
        self._at += 2
        outer = self._scope
        self._indents.append((column, outer))
        if self._but_internal and name.endswith("__"):
            self._quiet = 1
        inner = Scope(outer)
        self._take("(")
        self._parameters(")", inner)
        self._take(")")
        if self._take("->"):
            self._type()
        self._scope = inner
        self._take(":")

    def _loaded(self) -> None:
        while self._text not in ("\n", "") or self._tokens[self._at].kind == "string":
            token, before = self._tokens[self._at], self._tokens[self._at - 1]
            if token.kind == "name" or (token.kind == "string" and before.text != "="):
                self._top.bound.add(unquote(token.text))
            self._at += 1

    def _simple(self) -> None:
        start = self._at
        self._several()
        sign = self._text
        if sign == ":":
            self._at += 1
            self._type()
            sign = self._text
        if sign not in ASSIGNING:
            return
        self._bind(start, self._at)
        self._at += 1
        value = self._at
        what = self._several()
        if sign == "%=":
            self._guard(value, what, "print__")


def _edited(script: str, edits: list[tuple[Token, str, str, str]]) -> Guarded:
    """Return a script with what is written before, instead of and after some of its tokens."""
    lines = script.split("\n")
    starts, total = [0], 0
    for line in lines:
        total += len(line) + 1
        starts.append(total)
    pieces, done = [], 0
    anchors: dict[int, list[tuple[int, int]]] = {}
    shift: dict[int, int] = {}
    for token, before, instead, after in edits:
        start = starts[token.line - 1] + token.column - 1
        end = start + len(token.text)
        pieces += [script[done:start], before, instead, after]
        done = end
        moved = shift.get(token.line, 0) + len(before)
        anchors.setdefault(token.line, []).append((token.column + moved, token.column))
        last = token.line + token.text.count("\n")
        column = end - starts[last - 1] + 1
        moved = (moved if last == token.line else 0) + len(instead) - len(token.text) + len(after)
        moved = moved if last == token.line else len(after)
        shift[last] = moved
        anchors.setdefault(last, []).append((column + moved, column))
    return Guarded("".join([*pieces, script[done:]]), anchors)
