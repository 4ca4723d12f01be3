"""The only module that touches the Starlark binding: compile scripts, call hooks, translate errors.

A script is compiled as a module whose first line loads the prelude and whose last lines hand a dispatcher to the host,
so that positions stay those of the script. Errors of host functions are stashed, because the binding turns every
exception into text; the caller re-raises the original.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import starlark
from msgspec import Struct

from folkmoot.core.misspelt import did_you_mean
from folkmoot.core.values import SEALED
from folkmoot.language.call_cache import REST, TRIES, Border, Course, Host, Key, Node, unpack
from folkmoot.language.calls import unnamed_parameters
from folkmoot.language.tree import REFUSED, bound_names, hook_names, scan, scope_of, tree_of, walk

HERE = Path(__file__).parent  # no importlib.resources: each sandbox would load it when it starts
CALL_DEPTH = 50
MARKED = "\x01"  # begins what the prelude reads as JSON
OF_SEALED = ("`record`", SEALED)
"""What an error of the interpreter says that comes of using what is sealed for what it is."""
WIDEST_INTEGER = 62  # bits that the interpreter's JSON reads as an integer
DIGITS = bytes.maketrans(b"123456789", b"000000000")
WIDE = b"0" * 19  # as many digits may be an integer too wide, of which the interpreter would make a float
PLACE = re.compile(r"--> ([^\n]*?):(\d+):(\d+)")
RESERVED = "Parse error: cannot use reserved keyword `"
UNPARSED = ("size", "character", "depth")  # problems of scripts that the interpreter's parser is not given
PLACELESS = ("syntax", "depth")  # problems of which the place may be another one to another Python


class ScriptError(Exception):
    """A script failed: `message` in one sentence, `line` and `column` in the script (0 where unknown)."""

    def __init__(self, message: str, line: int = 0, column: int = 0, word: str = "") -> None:
        """Keep where and why; `word` is what the language reserves, where it is that."""
        super().__init__(message)
        self.message, self.line, self.column, self.word = message, line, column, word


def dialect() -> starlark.Dialect:
    """Return the dialect of the law language: extended Starlark with checked types and f-strings."""
    chosen = starlark.Dialect.extended()
    chosen.enable_types = starlark.DialectTypes.ENABLE
    chosen.enable_load_reexport = False
    chosen.enable_f_strings = True
    return chosen


@cache
def language() -> starlark.Globals:
    """Return the globals every script sees besides the prelude."""
    return starlark.Globals.extended_by([starlark.LibraryExtension.StructType])


@cache
def border_language() -> starlark.Globals:
    """Return the globals of the prelude: it may also read and write JSON, which is how records cross the border.

    It alone makes values of the type `record`: they stand for what is sealed.
    """
    more = (starlark.LibraryExtension.Json, starlark.LibraryExtension.RecordType)
    return starlark.Globals.extended_by([starlark.LibraryExtension.StructType, *more])


def pack(value: Any) -> str:
    """Return plain data as the JSON that the prelude reads; integers too wide for it travel as text."""
    try:
        text = msgspec.json.encode(value)
    except (OverflowError, msgspec.MsgspecError):
        return json.dumps(_narrow(value))
    # Looked for in this way because a regular expression takes ten times as long, twelve times an event
    return json.dumps(_narrow(value)) if WIDE in text.translate(DIGITS) else text.decode()


def _narrow(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _narrow(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_narrow(item) for item in value]
    wide = isinstance(value, int) and value.bit_length() > WIDEST_INTEGER
    return {"$int": str(value)} if wide else value


def pack_answer(value: Any) -> Any:
    """Return what a host function gives to a script: scalars as they are, the rest as marked JSON in one piece."""
    kind = type(value)
    if kind is dict or kind is list:
        return MARKED + pack(value) if value else value
    if kind is int:
        return value if value.bit_length() <= WIDEST_INTEGER else MARKED + pack(value)
    return MARKED + pack(value) if kind is str and value[:1] == MARKED else value


@cache
def prelude_text() -> str:
    """Return what is written of the prelude by hand."""
    return (HERE / "prelude.star").read_text("utf-8")


class Prelude(Struct, frozen=True):
    """What stands before every script: its text, and the names that it gives to scripts, in order of definition."""

    text: str
    names: tuple[str, ...]

    @property
    def header(self) -> str:
        """Return the line put before a script; it stands on the line of the `script:` key."""
        names = ", ".join(f'"{name}"' for name in self.names)
        return f'load("prelude", {names}, enter__ = "enter__", range = "limited_range__")'


@cache
def libraries() -> dict[str, str]:
    """Return the source of every library module by name."""
    return {path.stem: path.read_text("utf-8") for path in (HERE / "lib").glob("*.star")}


def library_text(name: str) -> str | None:
    """Return the source of a library module, or None if there is none of that name."""
    return libraries().get(name)


def explain(error: starlark.StarlarkError) -> ScriptError:
    """Turn the binding's rendering of an error into a sentence with a place.

    The last place that lies in a rule's script is the one its author can mend.
    """
    text = str(error)
    head = re.search(r"^error: (.*)$", text, re.MULTILINE)
    message = head.group(1) if head else text.strip().splitlines()[-1]
    word = message.removeprefix(RESERVED).rstrip("`") if message.startswith(RESERVED) else ""
    message = REFUSED[word][0] if word else message
    places = [(int(line), int(column)) for file, line, column in PLACE.findall(text) if file == "script"]
    traced = re.findall(r"\* script:(\d+)", text)
    if places:
        line, column = places[-1]
    else:
        line, column = (int(traced[-1]), 0) if traced else (0, 0)
    return ScriptError(message, max(line - 1, 0), column, word)


def without(unnamed: frozenset[int], arguments: list[Any]) -> list[Any]:
    """Return arguments with None in the places of those at which a function cannot look."""
    return [None if place in unnamed else argument for place, argument in enumerate(arguments)]


def is_of_sealed(error: ScriptError) -> bool:
    """Whether a script failed because it used what stands for something sealed."""
    return any(sign in error.message for sign in OF_SEALED)


class Program:
    """A compiled script: which functions it has and how to call them."""

    def __init__(
        self,
        names: frozenset[str],
        module: starlark.FrozenModule,
        border: Border,
        number: int,
        unnamed: Mapping[str, frozenset[int]],
    ) -> None:
        """`number` is another one for each program of a border.

        `unnamed` gives the places of the arguments of a function that it cannot look at.
        """
        self.names = names
        self._module, self._border, self._number = module, border, number
        self._options = starlark.EvalOptions(check_cancelled=border.tick, max_callstack_size=CALL_DEPTH)
        self._credit: dict[str, int] = {}
        self._unnamed = unnamed

    def call(self, name: str, arguments: list[Any], cancelled: Callable[[], bool]) -> Any:
        """Call a function of the script with plain records; returns plain data.

        Raises ScriptError; exceptions of host functions are stashed by the host, not raised here.
        """
        if unnamed := self._unnamed.get(name):
            arguments = without(unnamed, arguments)
        text = pack(arguments)
        credit = self._credit.get(name, TRIES)
        if credit <= 0:
            self._credit[name] = credit - 1 if credit > -REST else TRIES
            answer = self._run(name, text, Course(cancelled))
        else:
            answer = self._recall((self._number, name, text), cancelled, credit)
        return unpack(answer) if isinstance(answer, str) else answer

    def _recall(self, key: Key, cancelled: Callable[[], bool], credit: int) -> Any:
        """Go along the known course of a call; where it ends, run the script and keep what it did."""
        course = self._border.follow(key, cancelled)
        if isinstance(course, Node):
            self._credit[key[1]] = min(credit + 2, 4 * TRIES)
            return course.answer
        self._credit[key[1]] = credit - 1
        answer = self._run(key[1], key[2], course)
        self._border.keep(key, course, answer)
        return answer

    def _run(self, name: str, text: str, course: Course) -> Any:
        running = self._border.running
        running.append(course)
        try:
            return self._module.call_with(self._options, f"{name}__", text).value
        except starlark.StarlarkError as error:
            raise explain(error) from None
        finally:
            running.pop()


@cache
def interface(module: str, prelude: Prelude) -> starlark.Interface:
    """Return the types of the names in a module, for the type check of those who load it."""
    if module == "prelude":
        found = starlark.parse(module, prelude.text, dialect()).typecheck(border_language(), {})
    else:
        text = f"{RANGE_ONLY}\n{library_text(module) or ''}"
        parsed = starlark.parse(module, text, dialect())
        found = parsed.typecheck(
            language(), {load.module_id: interface(load.module_id, prelude) for load in parsed.loads()}
        )
    return found[1]


def diagnose(script: str, prelude: Prelude) -> list[ScriptError]:
    """Return what the parser, or else the type check, has against a script; nothing is run.

    No script that is too deep may come here: the type check itself dies of it.
    """
    try:
        # Without the last line's end, for which the parser has no place
        parsed = starlark.parse("script", f"{prelude.header}\n{script}".rstrip("\n"), dialect())
        if scan(script).unread is not None:  # so that nobody knows how deep it is
            return []
        if unknown := [*_unknown_lists(script, prelude)]:
            return unknown
        loads = {load.module_id: interface(load.module_id, prelude) for load in parsed.loads()}
        errors = parsed.typecheck(language(), loads)[0]
    except starlark.StarlarkError as error:
        return [explain(error)]
    return [_diagnosed(error) for error in errors]


def _unknown_lists(script: str, prelude: Prelude) -> Iterator[ScriptError]:
    """Yield what is lengthened under a name that nothing has, of which the type check would die."""
    known = {*prelude.names, *bound_names(scope_of(tree_of(script).module))}
    for statement in tree_of(script).body:
        nodes = walk(statement)
        bound = known | bound_names(nodes)
        for node in nodes:
            match node:
                case ast.Attribute(value=ast.Name(id=name), attr="append" | "extend") if name not in bound:
                    hint = did_you_mean(name, bound)
                    said = f"Variable `{name}` not found" + (f", {hint}" if hint else "")
                    yield ScriptError(said, node.lineno, node.col_offset + 1)


def refuse(script: str) -> None:
    """Raise ScriptError where a script cannot be taken, in the same words whatever Python parses it.

    Of what Python's parser and the interpreter's both refuse the interpreter speaks; of what its parser refuses alone,
    or only in some versions, nothing is said that it says.
    """
    scanned = scan(script)
    first = next(iter(scanned.problems), scanned.unread)
    if first is None:
        return
    if first.arguments["check"] not in UNPARSED:
        try:
            starlark.parse("script", _entered("", script, frozenset(hook_names(script))), dialect())
        except starlark.StarlarkError as error:
            raise explain(error) from None
    place = first.position if first.arguments["check"] not in PLACELESS else None
    raise ScriptError(first.message, place.line if place else 0, place.column if place else 0)


def _diagnosed(error: starlark.Error) -> ScriptError:
    message = str(error).partition("\n")[0].removeprefix("error: ")
    place = error.span.span.begin if error.span else None
    return ScriptError(message, place.line, place.column + 1) if place else ScriptError(message)


class Compiler:
    """Compiles scripts against one host; the prelude and the library are loaded once."""

    def __init__(self, host: Host, prelude: Prelude) -> None:
        """Bind the border function that all host functions go through."""
        self._border, self._header, self._count = Border(host), prelude.header, 0
        module = starlark.Module()
        module.add_callable("border__", self._border.call)
        starlark.eval(module, starlark.parse("prelude", prelude.text, dialect()), border_language())
        self._modules = {"prelude": module.freeze()}

    def _load(self, name: str) -> starlark.FrozenModule:
        if name not in self._modules:
            text = f"{RANGE_ONLY}\n{_library(name)}"
            self._modules[name] = self._evaluate(name, text, starlark.EvalOptions())
        return self._modules[name]

    def _evaluate(self, file: str, text: str, options: starlark.EvalOptions) -> starlark.FrozenModule:
        module = starlark.Module()
        loader = starlark.FileLoader(self._load)  # not kept: a circle through the binding is never collected
        starlark.eval_with(options, module, starlark.parse(file, text, dialect()), language(), loader)
        return module.freeze()

    def compile(self, script: str, cancelled: Callable[[], bool]) -> Program:
        """Compile and load a script; raises ScriptError with the place in the script."""
        refuse(script)
        names = frozenset(scan(script).functions)
        options = starlark.EvalOptions(check_cancelled=cancelled, max_callstack_size=CALL_DEPTH)
        self._count += 1
        self._border.running.append(Course(cancelled))
        try:
            module = self._evaluate("script", _entered(self._header, script, names), options)
            return Program(names, module, self._border, self._count, unnamed_parameters(script))
        except starlark.StarlarkError as error:
            raise explain(error) from None
        finally:
            self._border.running.pop()


def _library(name: str) -> str:
    text = library_text(name)
    if text is None:
        raise KeyError(f"there is no library module {name!r}")
    return text


def _entered(first: str, script: str, names: frozenset[str]) -> str:
    """Return a script with the line before it, and behind it the functions by which the host enters it."""
    entries = (f"def {name}__(arguments):\n    return enter__({name}, arguments)\n" for name in sorted(names))
    return f"{first}\n{script}\n\n{''.join(entries)}"


RANGE_ONLY = 'load("prelude", range = "limited_range__")'
