"""Whether the parts of a proposed rule are well formed, told in sentences.

Parts come from players and from scripts; what is let in here must never be able to stop the kernel later.
"""

from __future__ import annotations

import re
import types
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from engine import calendar
from engine.law.errors import Fault
from engine.law.records import flaw_of
from engine.law.registers import check
from engine.model.rulefile import Currency, Register, RuleFile, Timer
from engine.problems import ProblemError

PARTS = {"title", "labels", "text", "script", "defines", "actions", "timers", "settings", "precedence", "examples"}
BESIDE = {"source": str, "because": str}
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}", re.ASCII)
NUMBER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,38}", re.ASCII)
LONGEST = 262_144  # characters of one text
WORDS: dict[Any, str] = {str: "text", int: "a whole number", bool: "true or false", type(None): "null"}


def check_parts(parts: Any) -> list[str]:
    """Return what is wrong with the parts of a rule, one sentence each."""
    if not isinstance(parts, dict):
        return ["the parts of a rule must be a map (title, text, script, …)"]
    hints = {**{name: hint for name, hint in _hints(RuleFile).items() if name in PARTS}, **BESIDE}
    problems = [f"{name!r} is no part of a rule" for name in parts if name not in hints]
    for name, hint in hints.items():
        if name in parts:
            problems += _wrong(parts[name], hint, name)
    return problems


def check_number(number: Any) -> str:
    """Return what is wrong with the number of a rule or proposal ("" if nothing); it may become the name of a file."""
    fits = isinstance(number, str) and NUMBER.fullmatch(number) and ".." not in number
    return "" if fits else f"{str(number)[:40]!r} cannot be a number; use letters, digits, ., - and _"


@cache
def _hints(form: type) -> dict[str, Any]:
    return get_type_hints(form)


def _wrong(value: Any, hint: Any, path: str) -> Iterator[str]:
    """Yield what in a value does not fit a type of the model."""
    origin = get_origin(hint)
    if is_dataclass(hint):
        yield from _wrong_form(value, hint, path)  # type: ignore[arg-type]
    elif hint is Any:
        flaw = flaw_of(value)
        if flaw:
            yield f"{path} cannot hold {flaw}"
    elif origin is Literal:
        if value not in get_args(hint):
            yield f"{path} must be one of {', '.join(map(str, get_args(hint)))}, not {str(value)[:40]!r}"
    elif origin in (Union, types.UnionType):
        if all(list(_wrong(value, option, path)) for option in get_args(hint)):
            yield from _wrong(value, get_args(hint)[0], path)
    elif origin is list:
        yield from _wrong_items(value, hint, path)
    elif origin is dict:
        yield from _wrong_entries(value, hint, path)
    elif not isinstance(value, hint) or (isinstance(value, bool) and hint is not bool):
        yield f"{path} must be {WORDS[hint]}, not {str(value)[:40]!r}"
    elif isinstance(value, str) and len(value) > LONGEST:
        yield f"{path} is longer than {LONGEST} characters"


def _wrong_items(value: Any, hint: Any, path: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{path} must be a list"
        return
    for place, item in enumerate(value):
        yield from _wrong(item, get_args(hint)[0], f"{path}[{place}]")


def _wrong_entries(value: Any, hint: Any, path: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{path} must be a map"
        return
    for name, item in value.items():
        if not isinstance(name, str) or not NAME.fullmatch(name):
            yield f"{path} has the name {str(name)[:40]!r}; use letters, digits, ., - and _"
        yield from _wrong(item, get_args(hint)[1], f"{path}.{name}")


def _wrong_form(value: Any, form: type, path: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{path} must be a map"
        return
    known = {field.name.rstrip("_"): field for field in fields(form)}
    for name, item in value.items():
        if name in known:
            yield from _wrong(item, _hints(form)[known[name].name], f"{path}.{name}")
        else:
            yield f"{path} has no {str(name)[:40]!r}; it takes {', '.join(known)}"
    missing = [name for name, field in known.items() if _is_required(field) and name not in value]
    yield from (f"{path} needs {name}" for name in missing)
    if not missing:
        yield from _ill_set(value, form, path)


def _is_required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _ill_set(value: dict[str, Any], form: type, path: str) -> Iterator[str]:
    """Yield what is wrong with a register's initial value or a timer's time."""
    try:
        if form in (Register, Currency) and value.get("initial") is not None:
            check({"type": "integer", **value}, f"{path}.initial", value["initial"])
        if form is Timer and value.get("every"):
            calendar.next_firing(value, 0)
    except Fault as fault:
        yield fault.message
    except ProblemError as error:
        yield f"{path}: {error.problems[0].message}"
    except (TypeError, ValueError):
        yield f"{path} is not well formed"
