"""What the tests of the law language share: ways to call a library function and to run a piece of script."""

from __future__ import annotations

from functools import cache
from typing import Any

from folkmoot.kernel.host import HOST
from folkmoot.language.binding import Compiler
from folkmoot.language.declarations import library_names


@cache
def compiler() -> Compiler:
    """Return a compiler whose host answers nothing: what runs here must not ask it."""
    return Compiler(lambda *_: None, HOST.prelude)


def run(script: str, *arguments: Any, name: str = "main") -> Any:
    """Compile a script and call one of its functions."""
    return compiler().compile(script, lambda: False).call(name, list(arguments), lambda: False)


@cache
def loading(module: str) -> str:
    """Return the statement that loads everything a library module has."""
    return f"load({module!r}, {', '.join(map(repr, sorted(library_names(module))))})\n"


@cache
def caller(module: str) -> Any:
    """Return a compiled script that calls any function of a module."""
    table = ", ".join(f'"{name}": {name}' for name in sorted(library_names(module)))
    script = f"{loading(module)}\ndef main(name, arguments):\n    return {{{table}}}[name](*arguments)\n"
    return compiler().compile(script, lambda: False)


def library(name: str, *arguments: Any) -> Any:
    """Call a library function: `library("numbers.gcd", 4, 6)`."""
    module, _, function = name.partition(".")
    return caller(module).call("main", [function, list(arguments)], lambda: False)


def evaluate(module: str, expression: str, **given: Any) -> Any:
    """Evaluate an expression with a library module loaded, with arguments by name."""
    script = f"{loading(module)}\ndef main({', '.join(given)}):\n    return {expression}\n"
    return run(script, *given.values())
