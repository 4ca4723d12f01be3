"""What the law language declares, read from its own sources: the prelude, the library and the catalogue of hooks.

A declaration is a Starlark function, mostly with a docstring: its first paragraphs say what it means, lines
`name: meaning` after them describe what an argument holds, lines after `>>>` are a call with its answer, and lines that
begin with a bar are an example; where there is none, as in the catalogue, the body of the function is it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.language.binding import libraries, library_text
from folkmoot.language.tree import children, tree_of, walk

STARLARK = {
    **{type_: type_ for type_ in ("bool", "int", "str", "list", "dict")},
    **dict.fromkeys(
        "register currency kind new_kind office setting question event timer action outcome".split(), "str"
    ),
    "amount": "int",
}
"""Which type of the interpreter's a declared one is; what is none of these may be anything.

What names something of the game is a text. An `amount` is a number that may be too wide for the border.
"""
NOT_GIVEN = "unset__"  # the value in the prelude of an argument with the default `...`
INDENT = "    "


class Parameter(Struct, frozen=True):
    """A parameter of a function: its stars, its name, what it is declared as and its default, as they are written."""

    stars: str
    name: str
    type: str
    default: str

    def written(self, not_given: str = NOT_GIVEN) -> str:
        """Return the parameter in Starlark; a default of `...` is written as `not_given`."""
        type_ = starlark_type(self.type)
        default = not_given if self.default == "..." else self.default
        return f"{self.stars}{self.name}{type_ and f': {type_}'}{default and f' = {default}'}"


class Declaration(Struct, frozen=True):
    """A function: `meaning` in sentences, `fields` name to meaning, `examples` call and answer, `body` an example.

    `answer` is what it is declared to answer; `calls` are the functions that its code calls.
    """

    name: str
    takes: tuple[Parameter, ...]
    answer: str
    meaning: str
    fields: dict[str, str]
    examples: tuple[tuple[str, str], ...]
    body: str
    section: str
    calls: tuple[str, ...]

    @property
    def parameters(self) -> str:
        """Return the parameters as they are written in Starlark, a default that is none as `…`."""
        return ", ".join(each.written("…") for each in self.takes)

    @property
    def signature(self) -> str:
        """Return name, parameters and type of the answer as they are written in Starlark."""
        return f"{self.name}({self.parameters}){arrow_of(self.answer)}"

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the parameters."""
        return tuple(each.stars + each.name for each in self.takes)

    def place_of(self, *types: str) -> int | None:
        """Return the place of the first parameter that is declared as one of some types."""
        return next((place for place, each in enumerate(self.takes) if each.type in types), None)


def starlark_type(declared: str) -> str:
    """Return the type that the interpreter checks, "" for any.

    >>> starlark_type("register"), starlark_type("list[proposal]"), starlark_type("proposal")
    ('str', 'list', '')
    """
    if declared[:1] == "[" or declared[:5] == "list[":
        return "list"
    return STARLARK.get(declared, "")


def arrow_of(answer: str) -> str:
    """Return the type of an answer as it stands behind the parameters."""
    type_ = starlark_type(answer)
    return f" -> {type_}" if type_ else ""


def declarations(source: str) -> dict[str, Declaration]:
    """Return the functions of a Starlark source by name, in its order; private ones are left out."""
    lines = source.split("\n")
    heads = [(number, line.strip("# -")) for number, line in enumerate(lines) if line.startswith("# -- ")]
    functions = [node for node in tree_of(source).body if isinstance(node, ast.FunctionDef)]
    return {
        node.name: _declare(node, lines, next((head for number, head in reversed(heads) if number < node.lineno), ""))
        for node in functions
        if is_given(node.name)
    }


def is_given(name: str) -> bool:
    """Whether a name of a source of our own is there for others."""
    return not name.startswith("_") and not name.endswith("__")


def _declare(node: ast.FunctionDef, lines: list[str], section: str) -> Declaration:
    documented = ast.get_docstring(node, clean=False)
    code = node.body[1:] if documented is not None else node.body
    body = "\n".join(lines[code[0].lineno - 1 : code[-1].end_lineno]) + "\n" if code else ""
    takes, answer = tuple(_parameters(node.args, lines)), _text(node.returns, lines)
    return declared_as(Declaration(node.name, takes, answer, "", {}, (), body, section, (*_called(node),)), documented)


def declared_as(declared: Declaration, documented: str | None) -> Declaration:
    """Return a declaration with what a docstring says: its meaning, fields, calls with their answers, an example."""
    paragraphs: list[str] = []
    fields: dict[str, str] = {}
    examples: list[tuple[str, str]] = []
    body = declared.body
    for paragraph in (documented or "").split("\n\n"):
        lines = [line.strip() for line in paragraph.strip().split("\n")]
        named = dict(line.split(": ", 1) for line in lines if _is_name(line.partition(": ")[0]) and ": " in line)
        if lines[0][:2] == "| ":
            body = "\n".join(line[2:] for line in lines) + "\n"
        elif lines[0][:4] == ">>> ":
            examples += [(line[4:], answer) for line, answer in pairwise(lines) if line[:4] == ">>> "]
        elif paragraphs and lines[0].partition(": ")[0] in named:
            fields |= named
        elif any(lines):
            paragraphs.append(" ".join(" ".join(lines).split()))
    return replace(declared, meaning="\n\n".join(paragraphs), fields=fields, examples=tuple(examples), body=body)


def _called(function: ast.FunctionDef) -> Iterator[str]:
    """Yield what a function calls; `host__("name", …)` is a call of that, and `border__` one of the function's name."""
    for node in walk(function):
        match node:
            case ast.Call(func=ast.Name(id="host__"), args=[ast.Constant(value=str(name)), *_]):
                yield name
            case ast.Call(func=ast.Name(id=name)):
                yield function.name if name == "border__" else name


def _parameters(given: ast.arguments, lines: list[str]) -> Iterator[Parameter]:
    plain = [*given.posonlyargs, *given.args]
    defaults = [*[None] * (len(plain) - len(given.defaults)), *given.defaults, None, *given.kw_defaults, None]
    stars = [*[""] * len(plain), "*", *[""] * len(given.kwonlyargs), "**"]
    for star, each, default in zip(
        stars, [*plain, given.vararg, *given.kwonlyargs, given.kwarg], defaults, strict=True
    ):
        if each is not None:
            yield Parameter(star, each.arg, _text(each.annotation, lines), _text(default, lines))


def _text(node: ast.expr | None, lines: list[str]) -> str:
    """Return the text of an expression that stands on one line, "" of none."""
    return "" if node is None else lines[node.lineno - 1][node.col_offset : node.end_col_offset]


def _is_name(text: str) -> bool:
    """Whether a text is the name of a parameter or of a field of one."""
    return text[:1].islower() and text.isascii() and text.replace(".", "", 1).isidentifier()


def in_starlark(source: str) -> str:
    """Return a source of our own in which the types of its functions are those of the interpreter."""
    lines = source.split("\n")
    for function in reversed([node for node in tree_of(source).body if isinstance(node, ast.FunctionDef)]):
        line = lines[function.lineno - 1]
        head = line[: line.index("(") + 1]
        takes = ", ".join(each.written() for each in _parameters(function.args, lines))
        lines[function.lineno - 1] = f"{head}{takes}){arrow_of(_text(function.returns, lines))}:"
    return "\n".join(lines)


def introduction(source: str) -> str:
    """Return the docstring of a Starlark source."""
    return (ast.get_docstring(tree_of(source).module, clean=False) or "").strip()


PARTS = ("hooks", "events", "questions", "records")


@cache
def catalogue(part: str) -> dict[str, Declaration]:
    """Return a part of the catalogue by name: `hooks`, `events`, `questions` or `records`."""
    return declarations(catalogue_text(part))


def hook_like(name: str) -> Declaration | None:
    """Return what the catalogue says of a hook of this name, by itself or by its beginning, as on_EVENT of on_bell."""
    known, begun = catalogue("hooks"), name[: name.find("_") + 1]
    return known.get(name) or next(
        (known[each] for each in known if begun and each == begun + each[len(begun) :].upper()), None
    )


@cache
def catalogue_text(part: str) -> str:
    """Return the source of a part of the catalogue."""
    return files("folkmoot.language").joinpath("catalogue", f"{part}.star").read_text(encoding="utf-8")


@cache
def library(module: str) -> dict[str, Declaration]:
    """Return the functions of a library module by name; none if there is no such module."""
    return declarations(library_text(module) or "")


@cache
def library_modules() -> tuple[str, ...]:
    """Return the names of the library modules."""
    return tuple(sorted(libraries()))  # which the sandbox has read before its walls stand


@cache
def library_names(module: str) -> frozenset[str]:
    """Return every name that a library module lets scripts load: its functions and constants."""
    return frozenset(names_given(library_text(module) or ""))


def names_given(source: str) -> list[str]:
    """Return the functions and constants of a Starlark source that others may use, in its order."""
    names: list[str] = []
    for node in tree_of(source).body:
        if isinstance(node, ast.FunctionDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            names += [each.id for each in children(node) if isinstance(each, ast.Name) and each in node.targets]
    return [name for name in dict.fromkeys(names) if is_given(name)]
