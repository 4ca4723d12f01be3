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
from folkmoot.language.shortcuts import Course, KnownRuns, unnamed_parameters
from folkmoot.language.tree import (
    REFUSED,
    RULE,
    Load,
    bound_names,
    hook_names,
    loaded_rules,
    scan,
    scope_of,
    tree_of,
    walk,
)

HERE = Path(__file__).parent  # no importlib.resources: each sandbox would load it when it starts
CALL_DEPTH = 50
MOST_LOADED = 24  # rules that a script loads from, itself or by way of others
MOST_SHARED = 1_000  # scripts of rules that stay loaded for others
LOADING_TICKS = 1_000
DEBUG = "debug"
SEALED_MARK = f'"{SEALED}"'
MARKED = "\x01"  # begins what the prelude reads as JSON
OF_SEALED = ("`record`", SEALED)
"""What an error of the interpreter says that comes of using what is sealed for what it is."""
WIDEST_INTEGER = 62  # bits that the interpreter's JSON reads as an integer
DIGITS = bytes.maketrans(b"123456789", b"000000000")
WIDE = b"0" * 19  # as many digits may be an integer too wide, of which the interpreter would make a float
PLACE = re.compile(r"--> ([^\n]*?):(\d+):(\d+)")
CALLED = re.compile(r"`?prelude\.(\w+)`?$")
CALLING = re.compile(r"--> script:\d+:(\d+)\n *\|\n\d+ \| (.*)")
MISTYPED = re.compile(r"for argument `\w+`$")
RESERVED = "Parse error: cannot use reserved keyword `"
UNPARSED = ("size", "character", "depth")  # problems of scripts that the interpreter's parser is not given
PLACELESS = ("syntax", "depth")  # problems of which the place may be another one to another Python


Host = Callable[[list[Any], bool], Any]
Loader = Callable[[str], starlark.FrozenModule]
Linked = tuple[str, ...]
"""A script, behind it the name and the script of each rule that it loads from, itself or by way of others."""


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
    """Return the globals of the prelude: it alone reads and writes JSON, and makes `record`s, which are sealed."""
    more = (starlark.LibraryExtension.Json, starlark.LibraryExtension.RecordType)
    return starlark.Globals.extended_by([starlark.LibraryExtension.StructType, *more])


unpack: Callable[[str], Any] = msgspec.json.Decoder().decode  # of JSON that the interpreter wrote


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
    """What stands before every script: its text, the names that it gives to scripts, and how each is called."""

    text: str
    names: tuple[str, ...]
    signature_of: Callable[[str], str]

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


def explain(error: starlark.StarlarkError, signature_of: Callable[[str], str] = lambda _name: "") -> ScriptError:
    """Turn the binding's error into a sentence with the last place in a rule's script, and how that is called."""
    text = str(error)
    head = re.search(r"^error: (.*)$", text, re.MULTILINE)
    message = head.group(1) if head else text.strip().splitlines()[-1]
    word = message.removeprefix(RESERVED).rstrip("`") if message.startswith(RESERVED) else ""
    message = REFUSED[word][0] if word else message
    message = message.removeprefix(f"{ScriptError.__name__}: ")  # of one that was raised as it loads
    if called := CALLED.search(message):
        message = message[: called.start()] + (signature_of(called[1]) or called[0])
    elif MISTYPED.search(message) and (called := CALLING.search(text)):
        signature = signature_of(called[2][int(called[1]) - 1 :].partition("(")[0].strip())
        message += signature and f" of {signature}"
    found = [(file, int(line), int(column)) for file, line, column in PLACE.findall(text)]
    places = [(line, column) for file, line, column in found if file == "script"]
    if found and found[-1][0].startswith(RULE):
        message += _in_rule(found[-1][0], found[-1][1] - 1)
    traced = re.findall(r"\* script:(\d+)", text)
    if places:
        line, column = places[-1]
    else:
        line, column = (int(traced[-1]), 0) if traced else (0, 0)
    return ScriptError(message, max(line - 1, 0), column, word)


def is_of_sealed(error: ScriptError) -> bool:
    """Whether a script failed because it used what stands for something sealed."""
    return any(sign in error.message for sign in OF_SEALED)


class Border:
    """What all programs of a compiler share: the way to the host, the calls under way, and those that are known."""

    def __init__(self, host: Host, prelude: Prelude) -> None:
        """Carry calls to `host([name, *arguments], holds_sealed)`."""
        self._host, self.prelude = host, prelude
        self.running: list[Course] = []
        self.known = KnownRuns()

    def ask(self, text: str) -> Any:
        """Ask the host what a script asks, in JSON."""
        return self._host(unpack(text), SEALED_MARK in text)

    def explain(self, error: starlark.StarlarkError) -> ScriptError:
        """Return why a script failed as it ran."""
        return explain(error, self.prelude.signature_of)

    def tick(self) -> bool:
        """Count one tick of the script that runs; True when it must stop."""
        return self.running[-1].tick()

    def call(self, text: str) -> Any:
        """Answer a host call of the script that runs."""
        return self.running[-1].call(text)


class Program:
    """A compiled script: which functions it has and how to call them."""

    def __init__(
        self, script: str, names: frozenset[str], module: starlark.FrozenModule, border: Border, number: int
    ) -> None:
        """`number` is another one for each program of a border."""
        self.names, self._unnamed = names, unnamed_parameters(script)
        self._module, self._border, self._number = module, border, number
        self._options = starlark.EvalOptions(check_cancelled=border.tick, max_callstack_size=CALL_DEPTH)

    def call(self, name: str, arguments: list[Any], cancelled: Callable[[], bool]) -> Any:
        """Call a function of the script with plain records; returns plain data. Raises ScriptError."""
        known, course = self._border.known, Course(cancelled, self._border.ask)
        unnamed = self._unnamed.get(name, ()) if known.on else ()
        text = pack([None if place in unnamed else each for place, each in enumerate(arguments)])
        answer = known.answer((self._number, name, text), course, lambda: self._run(name, text, course))
        return unpack(answer) if isinstance(answer, str) else answer

    def _run(self, name: str, text: str, course: Course) -> Any:
        running = self._border.running
        running.append(course)
        try:
            return self._module.call_with(self._options, f"{name}__", text).value
        except starlark.StarlarkError as error:
            raise self._border.explain(error) from None
        finally:
            running.pop()


def linked(script: str, script_of: Callable[[str], str]) -> Linked:
    """Return a script with those of the rules it loads from by any way (`script_of` gives them), up to one too many."""
    rules: dict[str, str] = {}
    waiting = [script]
    for text in waiting:
        for module in loaded_rules(text):
            if module not in rules and len(rules) <= MOST_LOADED:
                rules[module] = script_of(module)
                waiting.append(rules[module])
    return (script, *(part for pair in rules.items() for part in pair))


@cache
def interface(module: str, prelude: Prelude) -> starlark.Interface:
    """Return the types of the names in a module, for the type check of those who load it."""
    if module == "prelude":
        found = starlark.parse(module, prelude.text, dialect()).typecheck(border_language(), {})
    else:
        text = f"{RANGE_ONLY}\n{library_text(module) or ''}"
        parsed = starlark.parse(module, text, dialect())
        loads = {load.module_id: interface(load.module_id, prelude) for load in parsed.loads()}
        found = parsed.typecheck(language(), loads)
    return found[1]


def diagnose(script: str, prelude: Prelude) -> list[ScriptError]:
    """Return what the parser, or else the type check, has against a script that is not too deep; nothing is run."""
    try:
        # Without the last line's end, for which the parser has no place
        parsed = starlark.parse("script", f"{prelude.header}\n{script}".rstrip("\n"), dialect())
        if scan(script).unread is not None:  # so that nobody knows how deep it is
            return []
        if unknown := [*_unknown_lists(script, prelude)]:
            return unknown
        modules = [load.module_id for load in parsed.loads() if not load.module_id.startswith(RULE)]
        loads = {module: interface(module, prelude) for module in modules}
        loads |= {load.module: _untyped(load) for load in scan(script).loads if load.module.startswith(RULE)}
        errors = parsed.typecheck(language(), loads)[0]
    except starlark.StarlarkError as error:
        return [explain(error)]
    return [_diagnosed(error) for error in errors]


def _untyped(load: Load) -> starlark.Interface:
    """Return the names that are loaded from a rule as such of which no type is known."""
    names = "".join(f"{name} = any__()\n" for name in dict.fromkeys(load.names.values()))
    parsed = starlark.parse(load.module, f"def any__():\n    return None\n{names}", dialect())
    return parsed.typecheck(language(), {})[1]


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


def _in_rule(module: str, line: int) -> str:
    return f", in line {line} of the script of {module.replace('/', ' ')}"


def _diagnosed(error: starlark.Error) -> ScriptError:
    message = str(error).partition("\n")[0].removeprefix("error: ")
    place = error.span.span.begin if error.span else None
    return ScriptError(message, place.line, place.column + 1) if place else ScriptError(message)


class Compiler:
    """Compiles scripts against one host; the prelude and the library are loaded once."""

    def __init__(self, host: Host, prelude: Prelude) -> None:
        """Bind the border function that all host functions go through."""
        self._border, self._header, self._count = Border(host, prelude), prelude.header, 0
        module = starlark.Module()
        module.add_callable("border__", self._border.call)
        starlark.eval(module, starlark.parse("prelude", prelude.text, dialect()), border_language())
        self._modules = {"prelude": module.freeze()}
        self._shared: dict[Linked, starlark.FrozenModule] = {}  # scripts of rules that others load from

    def _load(self, name: str) -> starlark.FrozenModule:
        if name not in self._modules:
            if name not in libraries():
                raise KeyError(f"there is no library module {name!r}")
            text = f"{RANGE_ONLY}\n{libraries()[name]}"
            self._modules[name] = self._evaluate(name, text, starlark.EvalOptions(), self._load)
        return self._modules[name]

    def _evaluate(self, file: str, text: str, options: starlark.EvalOptions, load: Loader) -> starlark.FrozenModule:
        module = starlark.Module()
        loader = starlark.FileLoader(load)  # not kept: a circle through the binding is never collected
        starlark.eval_with(options, module, starlark.parse(file, text, dialect()), language(), loader)
        return module.freeze()

    def _loader(self, script: str, rules: Mapping[str, str]) -> Loader:
        """Return what loads for a script: modules of the library, and of `rules` those that it names."""
        begun: dict[str, starlark.FrozenModule | None] = {}

        def loader_of(script: str) -> Loader:
            return lambda name: load(name, loaded_rules(script)) if name.startswith(RULE) else self._load(name)

        def load(name: str, named: tuple[str, ...]) -> starlark.FrozenModule:
            if len(rules) > MOST_LOADED:
                raise ScriptError(f"a script loads from at most {MOST_LOADED} rules, itself or by way of others")
            text = rules.get(name) if name in named else None
            if not text:
                shown = name.removeprefix(RULE).replace("\n", r"\n")  # of a message no more than a line is told
                raise ScriptError(f"no rule {shown} with a script is in force")
            if name not in begun:
                begun[name] = None
                begun[name] = self._share(name, linked(text, rules.__getitem__), loader_of(text))
            module = begun[name]
            if module is None:
                raise ScriptError(f"rule {name.removeprefix(RULE)} loads from itself, by way of others")
            return module

        return loader_of(script)

    def _share(self, name: str, linked: Linked, load: Loader) -> starlark.FrozenModule:
        """Load the script of a rule for others, once, within a limit of its own: alike whoever loads from it."""
        key = (name, *linked)
        if key not in self._shared:
            if len(self._shared) >= MOST_SHARED:
                self._shared.clear()
            self._shared[key] = self._evaluate_rule(name, linked[0], load)
        return self._shared[key]

    def _evaluate_rule(self, name: str, script: str, load: Loader) -> starlark.FrozenModule:
        try:
            refuse(script)
        except ScriptError as error:
            raise ScriptError(f"{error.message}{_in_rule(name, error.line)}") from None
        fuel = iter(range(LOADING_TICKS))
        options = starlark.EvalOptions(check_cancelled=lambda: next(fuel, None) is None, max_callstack_size=CALL_DEPTH)
        try:
            return self._evaluate(name, f"{self._header}\n{script}", options, load)
        except starlark.StarlarkError as error:
            if next(fuel, None) is None:
                why = f"the script of {name.replace('/', ' ')} runs too long while it loads"
                raise ScriptError(why) from None
            raise ScriptError(self._border.explain(error).message) from None

    def compile(self, script: str, cancelled: Callable[[], bool], *rules: str) -> Program:
        """Compile and load a script, with the `rules` behind it where linked; raises ScriptError with the place."""
        refuse(script)
        names = frozenset(scan(script).functions)
        options = starlark.EvalOptions(check_cancelled=cancelled, max_callstack_size=CALL_DEPTH)
        self._count += 1
        self._border.running.append(Course(cancelled, self._border.ask))
        try:
            load = self._loader(script, dict(zip(rules[::2], rules[1::2], strict=True)))
            header, text = _with_lines(self._header, script)
            module = self._evaluate("script", _entered(header, text, names), options, load)
            return Program(script, names, module, self._border, self._count)
        except starlark.StarlarkError as error:
            raise self._border.explain(error) from None
        finally:
            self._border.running.pop()


def _with_lines(header: str, script: str) -> tuple[str, str]:
    """Return the line before a script and the script, in which `debug` has in each line a name that knows the line.

    It is as long, so that all else stands where it stood.
    """
    if DEBUG not in script or DEBUG in bound_names(tree_of(script).nodes):
        return header, script
    rows, names = script.split("\n"), {}
    for node in tree_of(script).nodes:
        match node:
            case ast.Call(func=ast.Name(id=name, lineno=line, col_offset=start)) if name == DEBUG:
                row, alias = rows[line - 1], f"D{line:04}"
                if row[start:].startswith(DEBUG) and len(alias) == len(DEBUG) and alias not in script:
                    rows[line - 1] = f"{row[:start]}{alias}{row[start + len(DEBUG) :]}"
                    names[alias] = line
    given = "".join(f"; {alias} = lambda *values: debug_in__({line}, values)" for alias, line in names.items())
    return f'{header}; load("prelude", "debug_in__"){given}', "\n".join(rows)


def _entered(first: str, script: str, names: frozenset[str]) -> str:
    """Return a script with the line before it, and behind it the functions by which the host enters it."""
    entries = (f"def {name}__(arguments):\n    return enter__({name}, arguments)\n" for name in sorted(names))
    return f"{first}\n{script}\n\n{''.join(entries)}"


RANGE_ONLY = 'load("prelude", range = "limited_range__")'
