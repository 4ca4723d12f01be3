"""What scripts may call: host functions, each declared where it is carried out, and the prelude that is made of them.

A host function is a function of Python with the decorator `host`: its signature is what scripts see, in Starlark, its
docstring what the reference says, with an example; it gets the play, and the arguments as they came. The type of an
argument says what it is: one of `STARLARK`; `ref`, an owner, rule or proposal, of which it gets which one it is;
`sealed`, which may hold something sealed; `registers`, which are given by their names and may, too; or `handed`, which
may, and other scripts get to see it. The default `...` stands for none: then the function is not given the argument. An
answer is a type of the interpreter's, a record of the catalogue or a list of them, a set of fields, `plain` (a text, a
number or a truth), or None.

What does more in Starlark is written in `prelude.star`, with its documentation, and asks a function without a section.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from types import ModuleType
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.language.binding import Prelude, prelude_text
from folkmoot.language.declarations import (
    INDENT,
    Declaration,
    Parameter,
    arrow_of,
    declarations,
    declared_as,
    in_starlark,
    names_given,
)

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
        declared = HostFunction(
            signature, section, function.__doc__ or "", carries_out, looks, law, keeps, grows, effects or {}
        )
        setattr(function, DECLARED, declared)
        return function

    return declare


class HostFunctions:
    """All host functions by name, and the words that scripts have of them and of the prelude's own functions."""

    def __init__(self, *modules: ModuleType) -> None:
        """Collect what some modules declare, in their order."""
        found = [
            getattr(each, DECLARED)
            for module in modules
            for each in vars(module).values()
            if hasattr(each, DECLARED) and each.__module__ == module.__name__
        ]
        self._functions: dict[str, HostFunction] = {each.name: each for each in found}
        if len(self._functions) < len(found):
            raise ValueError("two host functions have one name")
        self.effects = {kind: undo for each in found for kind, undo in each.effects.items()}

    def __getitem__(self, name: str) -> HostFunction:
        return self._functions[name]

    def __contains__(self, name: str) -> bool:
        return name in self._functions

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    @cached_property
    def signatures(self) -> dict[str, Declaration]:
        """Return how each host function is called."""
        text = "".join(f"def {each.signature}:\n{INDENT}pass\n" for each in self._functions.values())
        found = declarations(text).values()
        return {each.name: replace(each, section=self[each.name].section, calls=(each.name,)) for each in found}

    @cached_property
    def prelude(self) -> Prelude:
        """Return the prelude as the interpreter reads it."""
        generated = [each for each in self.signatures.values() if each.section]
        text = "\n".join([in_starlark(prelude_text()), *map(_in_prelude, generated)])
        return Prelude(text, (*sorted([*names_given(prelude_text()), *(each.name for each in generated)]),))

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
