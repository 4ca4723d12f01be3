"""Fields that a script reads of what the engine shows it (proposals, rules, ballots, events…) and that are not there.

Which record a parameter, a field or the answer of a function is, is read from the catalogue: its meaning begins with
the record's name ("the proposal as it was", "a rule", "the ballots on it"). What a name of a script means is followed
as long as it is plain; where a name may mean two things nothing is said of it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.documents import Document
from folkmoot.kernel.host import HOST
from folkmoot.language.declarations import Declaration, catalogue, hook_like, starlark_type
from folkmoot.language.tree import tree_of, walk
from folkmoot.scenarios.known_names import Known

BEGINS = re.compile(r"(?:the|a|an|another) (\w+?)(s?)\b", re.ASCII)
PASSES = 4  # of names that are given the value of other names


class Shape(Struct, frozen=True):
    """What a value is: in words, its fields with what they are (None: not known), `each` for a list of such."""

    called: str
    fields: Mapping[str, Shape | None]
    each: bool = False
    sure: bool = True


class Wrong(Struct, frozen=True):
    """A field that is not there: its node, of what, what there is instead, and whether that is certain."""

    node: ast.Attribute
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


def wrong_fields(document: Document, called: frozenset[str], known: Known | None) -> Iterator[Wrong]:
    """Yield the fields that functions of a script read and that are not there.

    `called` are the functions that the script calls itself, with whatever it likes.
    """
    functions = [node for node in tree_of(str(document.get("script") or "")).body if isinstance(node, ast.FunctionDef)]
    own = frozenset(function.name for function in functions)
    for function in functions:
        name = function.name
        sure = name not in called or name in catalogue("events") or name in catalogue("questions")
        yield from _Body(function, given_to(name, document, known) if sure else (), own).wrong()


def given_to(hook: str, document: Document, known: Known | None) -> tuple[Shape | None, ...]:
    """Return what the engine calls a hook with."""
    kind, _, subject = hook.partition("_")
    if kind == "on" and subject:
        return (event(subject, known),)
    if kind == "do" and subject:
        return (_action(subject, document),)
    declared = catalogue("questions").get(hook) or hook_like(hook)
    return tuple(meant(declared.fields.get(name, "")) for name in declared.names) if declared else ()


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
    """A function, and what its names mean."""

    def __init__(self, function: ast.FunctionDef, given: Sequence[Shape | None], own: frozenset[str]) -> None:
        """Learn what each name means, from what the parameters mean; where that may be two things it is not known."""
        self.own = own
        self.nodes = [node for statement in function.body for node in walk(statement)]
        parameters: Names = {each.arg: None for each in walk(function.args) if isinstance(each, ast.arg)}
        called = [each.arg for each in [*function.args.posonlyargs, *function.args.args]]
        self.shapes = parameters = parameters | dict(zip(called, given, strict=False))
        for _ in range(PASSES):
            found = {name: [shape] for name, shape in parameters.items()}
            for name, shape in self._bound():
                found.setdefault(name, []).append(shape)
            fresh = {name: each[0] if all(one == each[0] for one in each) else None for name, each in found.items()}
            if fresh == self.shapes:
                break
            self.shapes = fresh

    def wrong(self) -> Iterator[Wrong]:
        """Yield the fields that are read and are not there."""
        for node in self.nodes:
            of = self._shape(node.value) if isinstance(node, ast.Attribute) else None
            if isinstance(node, ast.Attribute) and of is not None and not of.each and node.attr not in of.fields:
                yield Wrong(node, of.called, tuple(of.fields), of.sure)

    def _bound(self) -> Iterator[tuple[str, Shape | None]]:
        """Yield the names that the function gives a meaning, with what that is."""
        for node in self.nodes:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    yield name, self._shape(value)
                case (
                    ast.For(target=ast.Name(id=name), iter=things)
                    | ast.comprehension(target=ast.Name(id=name), iter=things)
                ):
                    shape = self._shape(things)
                    yield name, replace(shape, each=False) if shape is not None and shape.each else None
                case ast.Assign(targets=targets):
                    yield from _unknown(*targets)
                case ast.For(target=target) | ast.comprehension(target=target):
                    yield from _unknown(target)
                case ast.AugAssign(target=target) | ast.AnnAssign(target=target):
                    yield from _unknown(target)
                case ast.FunctionDef(name=name) | ast.arg(arg=name):
                    yield name, None

    def _shape(self, node: ast.expr) -> Shape | None:
        """Return what an expression is; None where that is no record, and no list of such."""
        match node:
            case ast.Name(id=name):
                return self.shapes.get(name)
            case ast.Call(func=ast.Name(id=name)):
                return answer_of(name) if name not in self.own and name not in self.shapes else None
            case ast.Subscript(value=value):
                shape = self._shape(value)
                return replace(shape, each=False) if shape is not None and shape.each else None
            case ast.Attribute(value=value, attr=attr):
                shape = self._shape(value)
                return shape.fields.get(attr) if shape is not None and not shape.each else None
        return None


def _unknown(*targets: ast.expr) -> Iterator[tuple[str, None]]:
    """Yield the names to which something is assigned of which no more is known."""
    yield from ((node.id, None) for target in targets for node in walk(target) if isinstance(node, ast.Name))


@cache
def answer_of(function: str) -> Shape | None:
    """Return what a function of the language answers; None where that is no record."""
    declared = HOST.words[function].answer if function in HOST.words else ""
    each = starlark_type(declared) == "list"
    answer = declared.removeprefix("list").strip("[]")
    if answer in catalogue("records"):
        return replace(shape_of(answer), each=each)
    if not answer.startswith("{"):
        return None
    fields = {name: shape_of(name) if each and name == "rule" else None for name in answer.strip("{}").split(", ")}
    return Shape(f"what `{function}` answers", fields, each)
