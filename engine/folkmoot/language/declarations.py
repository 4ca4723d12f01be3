"""What the law language declares, read from its own sources: the prelude, the library and the catalogue of hooks.

A declaration is a Starlark function, mostly with a docstring: its first paragraphs say what it means, lines
`name: meaning` after them describe what an argument holds, lines after `>>>` are a call with its answer, and lines that
begin with a bar are an example; where there is none, as in the catalogue, the body of the function is it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property
from itertools import pairwise
from types import ModuleType
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.language.binding import HERE, Prelude, libraries, library_text, prelude_text
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
    """A function: `meaning` in sentences, `fields` by name, `examples` (call, answer), `body`; what it `calls`."""

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
    takes = [*plain, given.vararg, *given.kwonlyargs, given.kwarg]
    for star, each, default in zip(stars, takes, defaults, strict=True):
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
    alike = (known[each] for each in known if begun and each == begun + each[len(begun) :].upper())
    return known.get(name) or next(alike, None)


@cache
def catalogue_text(part: str) -> str:
    """Return the source of a part of the catalogue."""
    return HERE.joinpath("catalogue", f"{part}.star").read_text(encoding="utf-8")


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


# -- what scripts may call: host functions, each declared where it is carried out, and the prelude that is made of them


F = TypeVar("F", bound=Callable[..., Any])
Undo = Callable[[Any, Any, int], str]  # (play, effect, its entry): why it stays, "" where it is as it was
CHANGED = "it has changed since"  # the commonest reason why something stays
NOTHING, TEXTS, VALUES = "nothing", "texts", "values"
PLAIN = frozenset({"bool", "int", "str", "plain", "None"})  # answers that are what they are on either side
DECLARED = "__host__"  # the attribute of a function under which its declaration lies


class HostFunction(Struct, frozen=True):
    """A host function: what it `carries_out`, and what there is to know of it.

    It only `looks`, perhaps at nothing but the law (`law`); `keeps` nothing of its arguments, texts of them, or values,
    in which a rule or proposal is kept as which one it is; the game's files may grow (`grows`). `effects` are the kinds
    that it brings: how each is taken back, or why it stays, "" where nobody would ask for that.
    """

    signature: str
    section: str
    documentation: str
    carries_out: Callable[..., Any]
    looks: bool
    law: bool
    keeps: str
    grows: bool
    effects: Mapping[str, Undo | str]

    @property
    def name(self) -> str:
        """Return the name by which scripts, or else the prelude, ask for it."""
        return self.signature.partition("(")[0]


def host(
    section: str,
    signature: str,
    *,
    looks: bool = False,
    law: bool = False,
    keeps: str = "",
    grows: bool | None = None,
    effects: Mapping[str, Undo | str] | None = None,
    asks_first: Callable[..., None] | None = None,
) -> Callable[[F], F]:
    """Declare a function that scripts may call, in a section of the prelude; without one the prelude alone calls it.

    What looks keeps nothing, if nothing else is said; the game's files may grow by what keeps something. What
    `asks_first` gets the play, the name and the arguments before it is carried out for a script.
    """
    looks = looks or law
    keeps = keeps or (NOTHING if looks else TEXTS)
    grows = keeps != NOTHING if grows is None else grows

    def declare(function: F) -> F:
        def checked(play: Any, *arguments: Any) -> Any:
            assert asks_first is not None
            asks_first(play, signature.partition("(")[0], *arguments)
            return function(play, *arguments)

        carries_out = checked if asks_first else function
        what, brings = function.__doc__ or "", effects or {}
        declared = HostFunction(signature, section, what, carries_out, looks, law, keeps, grows, brings)
        setattr(function, DECLARED, declared)
        return function

    return declare


class HostFunctions(dict[str, HostFunction]):
    """All host functions by name, and the words that scripts have of them and of the prelude's own functions."""

    def __init__(self, *modules: ModuleType) -> None:
        """Collect what some modules declare, in their order."""
        found = [
            getattr(each, DECLARED)
            for module in modules
            for each in vars(module).values()
            if hasattr(each, DECLARED) and each.__module__ == module.__name__
        ]
        super().__init__({each.name: each for each in found})
        if len(self) < len(found):
            raise ValueError("two host functions have one name")
        self.effects = {kind: undo for each in found for kind, undo in each.effects.items()}

    @cached_property
    def signatures(self) -> dict[str, Declaration]:
        """Return how each host function is called."""
        text = "".join(f"def {each.signature}:\n{INDENT}pass\n" for each in self.values())
        found = declarations(text).values()
        return {each.name: replace(each, section=self[each.name].section, calls=(each.name,)) for each in found}

    @cached_property
    def prelude(self) -> Prelude:
        """Return the prelude as the interpreter reads it."""
        generated = [each for each in self.signatures.values() if each.section]
        text = "\n".join([in_starlark(prelude_text()), *map(_in_prelude, generated)])
        names = sorted([*names_given(prelude_text()), *(each.name for each in generated)])
        return Prelude(text, tuple(names), lambda name: self.words[name].signature if name in self.words else "")

    @cached_property
    def words(self) -> dict[str, Declaration]:
        """Return what scripts may call, with its documentation, by name in the sections of the prelude."""
        found = [*declarations(prelude_text()).values()]
        found += [declared_as(e, self[e.name].documentation) for e in self.signatures.values() if e.section]
        heads = [line.strip("# -") for line in prelude_text().split("\n") if line.startswith("# -- ")]
        return {each.name: each for each in sorted(found, key=lambda each: (heads.index(each.section), each.name))}

    @cached_property
    def sealed(self) -> dict[str, int | None]:
        """Return for each function which of its arguments may hold something sealed."""
        return {
            name: each.place_of("sealed", "list[sealed]", "registers", "handed")
            for name, each in self.signatures.items()
        }

    def asks(self, word: str) -> bool:
        """Whether what scripts call so asks the host: all else looks at nothing but its arguments."""
        return any(True for _ in self._asked(word))

    def writes(self, word: str) -> bool:
        """Whether what scripts call so changes something, draws or raises an event."""
        return any(not function.looks for function in self._asked(word))

    def _asked(self, word: str) -> Iterator[HostFunction]:
        """Yield the host functions to which a word leads, by itself or by others."""
        for called in self.words[word].calls if word in self.words else ():
            if called in self.words and called != word:
                yield from self._asked(called)
            elif called in self:
                yield self[called]


def _in_prelude(declared: Declaration) -> str:
    """Return what scripts call in Starlark: it asks the host, and reads what that answers."""
    takes = ", ".join(each.written() for each in declared.takes)
    asked = f"host__({', '.join([repr(declared.name), *map(_across, declared.takes)])})"
    answer = asked if declared.answer in PLAIN else f"read__({asked})"
    return f"def {declared.name}({takes}){arrow_of(declared.answer)}:\n{INDENT}return {answer}\n"


def _across(parameter: Parameter) -> str:
    """Return in Starlark how an argument crosses the border."""
    name = parameter.name
    if parameter.default == "...":
        return f"*given__({name})"
    if parameter.type == "handed":
        return f"[mark__(each) for each in {name}]" if parameter.stars == "*" else f"mark__({name})"
    return f"ref__({name})" if parameter.type == "ref" else name
