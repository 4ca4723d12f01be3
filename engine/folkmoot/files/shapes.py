"""The shape of a file, made from the model's types: one description for the reader and for the published schema."""

from __future__ import annotations

import types
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from dataclasses import Field as DataclassField
from functools import cache
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from folkmoot.files.file_types import ActionFile, RulesetFile, ScenarioFile, SettingsFile
from folkmoot.files.formats import Format, Rest
from folkmoot.files.rule_file import RuleFile

KINDS: dict[str, type] = {
    "rule": RuleFile,
    "action": ActionFile,
    "settings": SettingsFile,
    "scenario": ScenarioFile,
    "ruleset": RulesetFile,
}


@dataclass(frozen=True, slots=True)
class Anything:
    """Any plain value."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """One scalar: `kind` is string, integer, boolean or null; `format` narrows it."""

    kind: Literal["string", "integer", "boolean", "null"]
    format: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some words or constants."""

    words: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    of: Shape


@dataclass(frozen=True, slots=True)
class Entries:
    """A map with free keys."""

    keys: Scalar
    of: Shape


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a record; `name` is the field of the dataclass, `default` None where it is required."""

    name: str
    shape: Shape
    required: bool


@dataclass(frozen=True, slots=True)
class Record:
    """A map with known keys; where `rest` is set, further keys go into that field."""

    type: type
    keys: dict[str, Key]
    rest: str = ""
    summary: str = ""

    @property
    def first(self) -> str:
        """Return the key that tells this record from others."""
        return next(iter(self.keys))


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Any of several shapes; records among them are told apart by their first keys."""

    options: tuple[Shape, ...]

    @property
    def records(self) -> tuple[Record, ...]:
        """Return the options that are maps with known keys."""
        return tuple(option for option in self.options if isinstance(option, Record))


@dataclass(frozen=True, slots=True)
class FileOf:
    """A whole file of another kind inside this one, which is checked and kept as plain data."""

    kind: str


Shape = Anything | FileOf | Scalar | Choice | Items | Entries | Record | AnyOf

_SCALARS: dict[Any, Literal["string", "integer", "boolean", "null"]] = {
    str: "string",
    int: "integer",
    bool: "boolean",
    types.NoneType: "null",
}


@cache
def shape_of_kind(kind: str) -> Record:
    """Return the shape of a kind of file; every file may say which version of its form it has (`schema`)."""
    record = shape_of(KINDS[kind])
    assert isinstance(record, Record)
    return record


def shape_of(hint: Any, form: str = "") -> Shape:
    """Return the shape of a type; `form` is the name of the format that was said beside it."""
    if hint in _SCALARS:
        return Scalar(_SCALARS[hint], form)
    if get_origin(hint) is not None:
        return _OF_ORIGIN[get_origin(hint)](get_args(hint), form)
    return Anything() if hint is Any else _record(hint)


def _annotated(arguments: tuple[Any, ...], form: str) -> Shape:
    marks = [mark.name for mark in arguments[1:] if isinstance(mark, Format)]
    if marks and marks[0] in KINDS:
        return FileOf(marks[0])
    inner = shape_of(arguments[0], marks[0] if marks else form)
    return with_probability(inner) if marks == ["chance"] else inner


def _any_of(arguments: tuple[Any, ...], form: str) -> Shape:
    return AnyOf(tuple(shape_of(option, form) for option in arguments))


def _entries(arguments: tuple[Any, ...], _form: str) -> Shape:
    keys = shape_of(arguments[0])
    assert isinstance(keys, Scalar)
    return Entries(keys, shape_of(arguments[1]))


_OF_ORIGIN: dict[Any, Callable[[tuple[Any, ...], str], Shape]] = {
    Annotated: _annotated,
    Literal: lambda words, _form: Choice(words),
    Union: _any_of,
    types.UnionType: _any_of,
    list: lambda arguments, _form: Items(shape_of(arguments[0])),
    dict: _entries,
}


@cache
def _record(hint: type) -> Record:
    hints = get_type_hints(hint, include_extras=True)
    keys: dict[str, Key] = {}
    rest = ""
    for entry in fields(cast(Any, hint)):
        if any(isinstance(mark, Rest) for mark in getattr(hints[entry.name], "__metadata__", ())):
            rest = entry.name
        else:
            keys[entry.name.removesuffix("_")] = Key(entry.name, shape_of(hints[entry.name]), _is_required(entry))
    return Record(hint, keys, rest, (hint.__doc__ or "").split("\n")[0])


def _is_required(entry: DataclassField[Any]) -> bool:
    return entry.default is MISSING and entry.default_factory is MISSING


def with_probability(shape: Shape) -> Shape:
    """Return a list of claims, each of which may also say its exact probability."""
    assert isinstance(shape, Items)
    assert isinstance(shape.of, AnyOf)
    key = Key("probability", shape_of(str | int, "fraction"), required=False)
    options = (Record(r.type, {**r.keys, "probability": key}, r.rest, r.summary) for r in shape.of.records)
    return Items(AnyOf(tuple(options)))
