"""Fields that a script reads of what the engine shows it (proposals, rules, ballots, events…) and that are not there.

Which record a parameter, a field or the answer of a function is, is read from the catalogue: its meaning begins with
the record's name ("the proposal as it was", "a rule", "the ballots on it"). What a name of a script means is followed
as long as it is plain; where a name may mean two things nothing is said of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.documents import Document
from folkmoot.language.declarations import Declaration, catalogue
from folkmoot.language.functions import bodies_of
from folkmoot.language.known_names import Known
from folkmoot.language.scan import Function
from folkmoot.language.tokens import CLOSING, OPENING, Token, after_brackets, arguments

BEGINS = re.compile(r"(?:the|a|an|another) (\w+?)(s?)\b", re.ASCII)
ANSWERS = {  # functions that answer with a record, or with a list of them
    "proposal": ("proposal", False),
    "proposals": ("proposal", True),
    "rule": ("rule", False),
    "rules": ("rule", True),
    "revisions": ("revision", True),
    "me": ("rule", False),
    "ballot_of": ("ballot", False),
    "held": ("held", True),
    **dict.fromkeys(
        "submit freeze number revise open_voting close_voting recount resolve take_effect cast enrol strike".split(),
        ("proposal", False),
    ),
    **dict.fromkeys("enact amend renumber label".split(), ("rule", False)),
}
OF_OTHERS = {  # what other functions answer, and its fields
    "date": ("a time", "year month day hour minute second weekday ordinal"),
    "timer": ("a timer", "key name due edge rule"),
    "try_act": ("what `try_act` answers", "ok code why"),
    "take_back": ("what `take_back` answers", "whole left apart"),
    "ask_all": ("what `ask_all` answers", "rule answer"),
}
ASSIGNING = frozenset("= += -= *= //= %= |= &= ^=".split())
BINDING = ("for", "lambda", "def")
FARTHEST = 200  # tokens, within which the names of a `for` or `lambda` end: what is none must not cost much
PASSES = 4  # of names that are given the value of other names


class Shape(Struct, frozen=True):
    """What a value is: in words, its fields with what they are (None: not known), `each` for a list of such."""

    called: str
    fields: Mapping[str, Shape | None]
    each: bool = False
    sure: bool = True


class Wrong(Struct, frozen=True):
    """A field that is not there: where, of what, what there is instead, and whether that is certain."""

    token: Token
    called: str
    fields: tuple[str, ...]
    sure: bool


Names = dict[str, Shape | None]


@cache
def shape_of(record: str) -> Shape:
    """Return the shape of a record of the catalogue."""
    fields = _fields(catalogue("records")[record])
    called = "act that waits" if record == "held" else record
    return Shape(f"{'an' if called[0] in 'aeiou' else 'a'} {called}", fields)


def _fields(declared: Declaration) -> dict[str, Shape | None]:
    return {name.partition(".")[2]: meant(meaning) for name, meaning in declared.fields.items() if "." in name}


def meant(meaning: str) -> Shape | None:
    """Return what a parameter or field is, by the first words of its meaning; None where that is no record."""
    found = BEGINS.match(meaning)
    if found is None or found[1] not in catalogue("records"):
        return None
    return replace(shape_of(found[1]), each=bool(found[2]))


def wrong_fields(
    document: Document, functions: Mapping[str, Function], called: frozenset[str], known: Known | None
) -> Iterator[Wrong]:
    """Yield the fields that functions of a script read and that are not there.

    `called` are the functions that the script calls itself, with whatever it likes.
    """
    bodies = bodies_of(str(document.get("script") or ""))
    for name, function in functions.items():
        body = _Body(bodies.get(name, []), frozenset(functions))
        sure = name not in called or name in catalogue("events") or name in catalogue("questions")
        shown = given_to(name, document, known) if sure else ()
        given = dict(zip(function.parameters, shown, strict=False))
        shapes = body.names({parameter: given.get(parameter) for parameter in function.parameters})
        yield from body.wrong(shapes)


def given_to(hook: str, document: Document, known: Known | None) -> tuple[Shape | None, ...]:
    """Return what the engine calls a hook with."""
    kind, _, subject = hook.partition("_")
    question = catalogue("questions").get(hook)
    if question is not None:
        return tuple(meant(question.fields.get(name, "")) for name in question.names)
    if kind == "on" and subject:
        return (event(subject, known),)
    if kind == "do" and subject:
        return (_action(subject, document),)
    if kind in ("forbid", "permit"):
        return (shape_of("action"),)
    return (shape_of("award"),) if kind == "adjust" and subject else ()


def event(name: str, known: Known | None) -> Shape | None:
    """Return what an event holds; None where that is not known."""
    declared = catalogue("events").get(f"on_{name}")
    if declared is None and name.startswith("changed_"):
        declared = catalogue("events")["on_changed"]
    if declared is None and name.startswith("proposal_"):
        declared = catalogue("events")["on_proposal_adopted"]
    called = f"the event `{name}`"
    if declared is not None:
        return Shape(called, {"name": None, **_fields(declared)})
    raised = known.payloads.get(name) if known is not None else None
    return None if raised is None else Shape(called, dict.fromkeys(("name", *sorted(raised))), sure=False)


def _action(name: str, document: Document) -> Shape:
    """Return the action that a `do_` gets: its arguments are those that its rule declares."""
    declared = (document.get("actions") or {}).get(name)
    if declared is None:
        return shape_of("action")
    named = dict.fromkeys((declared or {}).get("arguments") or {})
    args = Shape(f"what the action `{name}` is given", named, sure=False)
    return replace(shape_of("action"), fields={**shape_of("action").fields, "args": args})


class _Body:
    """The tokens of a function, and what its names mean."""

    def __init__(self, tokens: list[Token], own: frozenset[str]) -> None:
        self.tokens = tokens
        self.own = own
        self.start = len(arguments(tokens, 2)) and after_brackets(tokens, 2)
        self.binding = list(self._binding())

    def names(self, shapes: Names) -> Names:
        """Return what each name means, from what the parameters mean."""
        parameters = dict(shapes)
        for _ in range(PASSES):
            found: dict[str, list[Shape | None]] = {name: [shape] for name, shape in parameters.items()}
            for name, shape in self._bound(shapes):
                found.setdefault(name, []).append(shape)
            fresh = {name: all_same(meanings) for name, meanings in found.items()}
            if fresh == shapes:
                break
            shapes = fresh
        return shapes

    def wrong(self, shapes: Names) -> Iterator[Wrong]:
        """Yield the fields that are read and are not there."""
        for place, (kind, name, _line, _column) in enumerate(self.tokens[self.start :], self.start):
            if kind != "name":
                continue
            is_called = self._text(place + 1) == "("
            if self._answered(name, shapes) if is_called else shapes.get(name):
                yield from self._follow(place, shapes)[2]

    def _bound(self, shapes: Names) -> Iterator[tuple[str, Shape | None]]:
        """Yield the names that the function gives a meaning, with what that is."""
        for place, text in self.binding:
            if text == "for":
                yield from self._repeated(place, shapes)
            elif text == "lambda":
                yield from ((name, None) for name in self._until(place, ":"))
            elif text == "def":
                named = [token for part in arguments(self.tokens, place + 2) for token in part]
                yield from ((token.text, None) for token in named)
            else:
                yield from self._assigned(place, shapes)

    def _binding(self) -> Iterator[tuple[int, str]]:
        """Yield the places at which names may be given a meaning, with what stands there."""
        level = 0
        for place, (kind, text, _line, _column) in enumerate(self.tokens[self.start :], self.start):
            if kind == "operator":
                level += (text in OPENING) - (text in CLOSING)
                if level == 0 and text in ASSIGNING:
                    yield place, text
            elif text in BINDING:
                yield place, text

    def _assigned(self, place: int, shapes: Names) -> Iterator[tuple[str, Shape | None]]:
        line = self.tokens[place].line
        left = []
        at = place - 1
        while at >= 0 and self.tokens[at].line == line and self.tokens[at].text not in (":", ";"):
            left.append(self.tokens[at])
            at -= 1
        plain = len(left) == 1 and self.tokens[place].text == "="
        shape, end, _ = self._follow(place + 1, shapes) if plain else (None, 0, [])
        whole = end >= len(self.tokens) or self.tokens[end].line > self.tokens[end - 1].line or self._text(end) == ";"
        for token in left:
            if token.kind == "name":
                yield token.text, shape if plain and whole else None

    def _repeated(self, place: int, shapes: Names) -> Iterator[tuple[str, Shape | None]]:
        names = self._until(place, "in")
        last = min(place + FARTHEST, len(self.tokens))
        at = next((i for i in range(place, last) if self.tokens[i].text == "in"), last)
        shape, end, _ = self._follow(at + 1, shapes)
        item = replace(shape, each=False) if shape is not None and shape.each else None
        plain = len(names) == 1 and self._text(end) in (":", "]", "}", ")", "if", "for")
        yield from ((name, item if plain else None) for name in names)

    def _until(self, place: int, end: str) -> list[str]:
        found = []
        for token in self.tokens[place + 1 : place + FARTHEST]:
            if token.text == end:
                break
            if token.kind == "name":
                found.append(token.text)
        return found

    def _text(self, place: int) -> str:
        return self.tokens[place].text if place < len(self.tokens) else ""

    def _follow(self, place: int, shapes: Names) -> tuple[Shape | None, int, list[Wrong]]:
        """Return what a chain of fields that begins at a place is, where it ends, and which fields are not there."""
        if place >= len(self.tokens) or self.tokens[place].kind != "name" or self._text(place - 1) == ".":
            return None, place + 1, []
        shape, at = self._first(place, shapes)
        wrong: list[Wrong] = []
        while self._text(at) in (".", "["):
            if self._text(at) == "[":
                at = after_brackets(self.tokens, at)
                shape = replace(shape, each=False) if shape is not None and shape.each else None
                continue
            if at + 1 < len(self.tokens) and shape is not None and not shape.each:
                field = self.tokens[at + 1]
                if field.kind == "name" and field.text not in shape.fields:
                    wrong.append(Wrong(field, shape.called, tuple(shape.fields), shape.sure))
                shape = shape.fields.get(field.text)
            else:
                shape = None
            at += 2
        return (None if self._text(at) == "(" else shape), at, wrong

    def _first(self, place: int, shapes: Names) -> tuple[Shape | None, int]:
        name = self.tokens[place].text
        if self._text(place + 1) != "(":
            return shapes.get(name), place + 1
        return self._answered(name, shapes), after_brackets(self.tokens, place + 1)

    def _answered(self, name: str, shapes: Names) -> Shape | None:
        """Return what a function answers that is called by a name."""
        return answer_of(name) if name not in self.own and name not in shapes else None


@cache
def answer_of(function: str) -> Shape | None:
    """Return what a function of the language answers; None where that is no record."""
    if function in ANSWERS:
        record, each = ANSWERS[function]
        return replace(shape_of(record), each=each)
    if function not in OF_OTHERS:
        return None
    called, fields = OF_OTHERS[function]
    each = function == "ask_all"
    return Shape(called, {name: shape_of("rule") if each and name == "rule" else None for name in fields.split()}, each)


def all_same(meanings: list[Shape | None]) -> Shape | None:
    """Return what a name means wherever it is given a meaning; None where that is not one thing."""
    return meanings[0] if all(meaning == meanings[0] for meaning in meanings) else None
