"""What has to stand around the expressions of a script in its guarded form: see `guarding`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct, field

from folkmoot.language.tokens import Token, tokenize

BUILTINS = frozenset("all any bool dict dir fail getattr hasattr max min repr sorted str".split())
METHODS = frozenset("index remove get pop setdefault update format".split())
GUARDS = ("plain__", "key__", "print__", "said__", "truth__", "whole__", "sought__", "method__")
COMPARING = frozenset({"==", "!=", "<", ">", "<=", ">="})
BINARY = frozenset({"|", "^", "&", "+", "-", "*", "//", "%"})
UNARY = frozenset({"-", "+", "~"})
ASSIGNING = frozenset({"=", "+=", "-=", "*=", "//=", "%=", "&=", "|=", "^="})
NAMED = re.compile(r"\{\{|\}\}|\{[ \t]*([A-Za-z_][A-Za-z0-9_]*)")
OTHER, LITERAL, NOTHING, TRUTH = "other", "literal", "None", "truth"  # what an expression is: these are never sealed
WORDS = ("operator", "name", "newline")  # kinds of tokens by whose text the reader finds its way
END = Token("end", "", 0, 0)


class Scope(Struct):
    """Names that a function, a lambda or a comprehension binds."""

    outer: Scope | None = None
    bound: set[str] = field(default_factory=set)

    def binds(self, name: str) -> bool:
        """Whether a name is bound here or around."""
        return name in self.bound or (self.outer is not None and self.outer.binds(name))


class Expressions:
    """Reads a script once, from token to token, and notes what has to stand around its parts."""

    def __init__(self, script: str) -> None:
        """Begin at the first token."""
        self._tokens = [*_without_breaks(tokenize(script)), END]
        self._texts = [text if kind in WORDS else "" for kind, text, _line, _column in self._tokens]
        self._at = 0
        self._scope = self._top = Scope()
        self._quiet = 0
        self._before: dict[int, list[str]] = {}
        self._after: dict[int, list[str]] = {}
        self._instead: dict[int, str] = {}
        self._called: list[tuple[int, Scope]] = []

    def edits(self) -> list[tuple[Token, str, str, str]]:
        """Return each token around which something is to be written: before it, instead of it, and after it."""
        for place, scope in self._called:
            if not scope.binds(self._tokens[place].text):
                self._instead[place] = f"{self._tokens[place].text}__"
        places = sorted({*self._before, *self._after, *self._instead})
        found = []
        for place in places:
            token = self._tokens[place]
            before = "".join(reversed(self._before.get(place, [])))
            found.append((token, before, self._instead.get(place, token.text), "".join(self._after.get(place, []))))
        return found

    # -- tokens

    @property
    def _text(self) -> str:
        return self._texts[self._at]

    def _take(self, text: str) -> bool:
        """Go on where this is the next token."""
        if self._texts[self._at] != text or self._tokens[self._at] is END:
            return False
        self._at += 1
        return True

    def _wrap(self, start: int, guard: str, more: str = "") -> None:
        """Write a guard around all from a place up to here."""
        if not self._quiet:
            self._before.setdefault(start, []).append(f"{guard}(")
            self._after.setdefault(self._at - 1, []).append(f"{more})")

    def _guard(self, start: int, what: str, guard: str) -> None:
        """Write a guard around what may be sealed."""
        if what == OTHER:
            self._wrap(start, guard)

    def _parameters(self, end: str, inner: Scope) -> None:
        while self._text != end and self._tokens[self._at] is not END:
            if self._text in ("*", "**", ",", "/"):
                self._at += 1
                continue
            inner.bound.add(self._text)
            self._at += 1
            if end == ")" and self._take(":"):
                self._type()
            if self._take("="):
                self._test()

    def _type(self) -> None:
        """Read an annotation, in which nothing is computed."""
        self._quiet += 1
        self._test()
        self._quiet -= 1

    def _targets(self) -> None:
        start = self._at
        while self._tokens[self._at] is not END and self._text != "in":
            if not self._take(","):
                before = self._at
                self._primary()
                self._at += self._at == before
        self._bind(start, self._at)

    def _bind(self, start: int, end: int) -> None:
        """Note the names to which something is assigned between two places: not those within an index."""
        inside: list[bool] = []
        for place in range(start, end):
            token, before = self._tokens[place], self._tokens[place - 1] if place > start else END
            if token.text in ("[", "("):
                inside.append(before.text in (")", "]") or before.kind in ("name", "string"))
            elif token.text in ("]", ")") and inside:
                inside.pop()
            elif token.kind == "name" and not any(inside) and self._ends_name(place, before):
                self._scope.bound.add(token.text)

    def _ends_name(self, place: int, before: Token) -> bool:
        return before.text != "." and self._tokens[place + 1].text not in (".", "[", "(")

    # -- from the outside to the inside

    def _several(self) -> str:
        """Read expressions with commas between them."""
        what = self._test()
        while self._take(","):
            what = OTHER
            if self._starts():
                self._test()
        return what

    def _starts(self) -> bool:
        token = self._tokens[self._at]
        return token is not END and (token.kind in ("string", "number") or self._text not in {*ASSIGNING, *")]}:;\n"})

    def _condition(self) -> None:
        start = self._at
        self._guard(start, self._test(), "truth__")

    def _test(self) -> str:
        if self._text == "lambda":
            return self._lambda()
        what = self._either()
        if not self._take("if"):
            return what
        start = self._at
        self._guard(start, self._either(), "truth__")
        self._take("else")
        other = self._test()
        return what if what == other else OTHER

    def _lambda(self) -> str:
        self._at += 1
        inner = Scope(self._scope)
        self._parameters(":", inner)
        self._take(":")
        outer, self._scope = self._scope, inner
        self._test()
        self._scope = outer
        return OTHER

    def _either(self) -> str:
        """Read what stands between `or`s and `and`s; all but the last of it is asked whether it is true."""
        start = self._at
        found = [self._both()]
        while self._text == "or":
            self._guard(start, found[-1], "truth__")
            self._at += 1
            start = self._at
            found.append(self._both())
        return found[0] if len(found) == 1 or len(set(found)) == 1 else OTHER

    def _both(self) -> str:
        start = self._at
        found = [self._negation()]
        while self._text == "and":
            self._guard(start, found[-1], "truth__")
            self._at += 1
            start = self._at
            found.append(self._negation())
        return found[0] if len(set(found)) == 1 else OTHER

    def _negation(self) -> str:
        if self._take("not"):
            start = self._at
            self._guard(start, self._negation(), "truth__")
            return TRUTH
        return self._comparison()

    def _comparison(self) -> str:
        start = self._at
        what = self._arithmetic()
        sign, first_end = self._text, self._at
        if sign not in COMPARING and sign not in ("in", "not"):
            return what
        self._at += 2 if sign == "not" else 1
        second = self._at
        other = self._arithmetic()
        end = self._at
        if NOTHING not in (what, other) or sign not in ("==", "!="):
            self._guard(second, other, "plain__" if sign in COMPARING else "sought__")
            self._at = first_end
            self._guard(start, what, "plain__")
            self._at = end
        return TRUTH

    def _arithmetic(self) -> str:
        """Read operands of operators that compute: of those only `%` takes what is sealed, to print it."""
        what = self._operand()
        while self._text in BINARY:
            sign = self._text
            self._at += 1
            start = self._at
            other = self._operand()
            if sign == "%":
                self._guard(start, other, "print__")
            what = OTHER
        return what

    def _operand(self) -> str:
        signed = False
        while self._text in UNARY:
            self._at += 1
            signed = True
        what = self._primary()
        return OTHER if signed and what != LITERAL else what

    def _primary(self) -> str:
        start = self._at
        what = self._atom()
        while self._text in (".", "(", "["):
            what = OTHER
            if self._take("."):
                self._attribute(start)
            elif self._take("("):
                self._arguments()
            else:
                self._at += 1
                self._index()
        return what

    def _attribute(self, start: int) -> None:
        name = self._text
        self._at += 1
        if name in METHODS and not self._quiet:
            self._instead[self._at - 2] = ", "
            self._instead[self._at - 1] = f'"{name}"'
            self._wrap(start, "method__")

    def _arguments(self) -> None:
        while not self._take(")") and self._tokens[self._at] is not END:
            before = self._at
            if self._text in ("*", "**"):
                self._at += 1
                start = self._at
                self._guard(start, self._test(), "whole__")
            elif self._tokens[self._at].kind == "name" and self._tokens[self._at + 1].text == "=":
                self._at += 2
                self._test()
            else:
                self._test()
            self._take(",")
            self._at += self._at == before

    def _index(self) -> None:
        start = self._at
        what = self._test() if self._text != ":" else LITERAL
        if self._text == "]":
            self._guard(start, what, "key__")
        while not self._take("]") and self._tokens[self._at] is not END:
            if self._text in (":", ","):
                self._at += 1
            else:
                before = self._at
                self._test()
                self._at += self._at == before

    def _atom(self) -> str:
        token = self._tokens[self._at]
        if token.text in ("(", "[", "{") and token.kind == "operator":
            return self._bracketed(token.text)
        if token.kind == "string":
            return self._string(token)
        if token.kind in ("number", "name") or token.text == "...":
            self._at += 1
        if token.text in BUILTINS and token.kind == "name" and not self._quiet:
            self._called.append((self._at - 1, self._scope))
        if token.text in ("True", "False") or token.kind == "number":
            return LITERAL
        return NOTHING if token.text == "None" or token.text[-2:] == "__" else OTHER

    def _string(self, token: Token) -> str:
        self._at += 1
        names = [name for name in NAMED.findall(token.text) if name] if token.text[0] in "fF" else []
        if names:
            self._wrap(self._at - 1, "said__", f", [{', '.join(dict.fromkeys(names))}]")
        return LITERAL

    def _bracketed(self, opening: str) -> str:
        self._at += 1
        outer, self._scope = self._scope, Scope(self._scope)
        closing = {"(": ")", "[": "]", "{": "}"}[opening]
        parts = []
        while not self._take(closing) and self._tokens[self._at] is not END:
            before = self._at
            if self._text == "for":
                self._comprehended(outer, first="for" not in parts)
                parts.append("for")
            else:
                parts.append(self._item(opening))
            parts += [","] if self._take(",") else []
            self._at += self._at == before
        self._scope = outer
        return parts[0] if opening == "(" and len(parts) == 1 else OTHER

    def _item(self, opening: str) -> str:
        start = self._at
        what = self._test()
        if opening == "{" and self._text == ":":
            self._guard(start, what, "key__")
            self._at += 1
            self._test()
        return what

    def _comprehended(self, outer: Scope, *, first: bool) -> None:
        """Read one `for` of a comprehension and its conditions; the first goes over what is known around it."""
        self._at += 1
        self._targets()
        self._take("in")
        inner = self._scope
        self._scope = outer if first else inner
        self._either()
        self._scope = inner
        while self._take("if"):
            start = self._at
            self._guard(start, self._either(), "truth__")


def _without_breaks(tokens: Iterable[Token]) -> Iterable[Token]:
    """Yield tokens without the ends of lines that stand within brackets."""
    level = 0
    for token in tokens:
        if token.kind == "operator":
            level += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
        if token.kind != "newline" or level <= 0:
            yield token
