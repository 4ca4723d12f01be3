"""JSON Schemas of the files that people write, for editors; made from their forms, without any host in their names."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from folkmoot.core.records import Shown
from folkmoot.files.fast_reader import load_own
from folkmoot.files.file_forms import IDENTIFIER, KINDS, VERSION, Form
from folkmoot.files.string_forms import FORMATS

CHANCES = "WithProbability"
"""How the names of forms end that differ from others only in what they add for chances."""


def json_schema(kind: str) -> Shown:
    """Return the JSON Schema (draft 2020-12) of a kind of file.

    Args:
        kind: rule, action, settings, scenario or ruleset; raises KeyError for any other.
    """
    definitions: dict[str, Any] = {}
    body = _map(KINDS[kind].form, definitions)
    version = {"const": VERSION, "description": sentence("", "schema")}
    body["properties"] = {"schema": version, **body["properties"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"folkmoot:{kind}:{VERSION}",
        "title": KINDS[kind].heading,
        **body,
        "$defs": dict(sorted(definitions.items())),
    }


def _schema(form: Form, definitions: dict[str, Any]) -> dict[str, Any]:
    if form.words:
        return {"enum": [word for word in form.words if word != ""]}
    if form.options:
        kept = {option.first for option in form.options if option.properties and option.first}
        return {"anyOf": [_option(option, sorted(kept), definitions) for option in form.options]}
    if form.properties:
        if form.name not in definitions:
            definitions[form.name] = _map(form, definitions)
        return {"$ref": f"#/$defs/{form.name}"}
    if form.items is None:
        return {} if form.type == "any" else _scalar(form)
    of = _schema(form.items, definitions)
    if form.keys is None:
        return {"type": "array", "items": of}
    return {"type": "object", "propertyNames": _scalar(form.keys), "additionalProperties": of}


def _option(form: Form, kept: list[str], definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of one of several forms; one that any key may lead has none of those that lead the others."""
    found = _schema(form, definitions)
    if form.leader is None:
        return found
    led = _schema(form.leader, definitions)
    bare = {"properties": {key: {} for key in form.properties}, "additionalProperties": {"not": led}}
    return {"allOf": [found], "propertyNames": {"not": {"enum": kept}}, "not": bare}


def _scalar(form: Form) -> dict[str, Any]:
    pattern = FORMATS[form.format].pattern if form.format else ""
    said = {"pattern": rf"^(?:{pattern})$" if pattern else None, "minimum": form.lowest, "maximum": form.highest}
    return {"type": form.type} | {key: value for key, value in said.items() if value is not None}


def _map(form: Form, definitions: dict[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = {"type": "object", "description": form.summary}
    body["properties"] = {
        key: {**_said(form.name, key), **_schema(part, definitions)} for key, part in form.properties.items()
    }
    if form.required:
        body["required"] = list(form.required)
    if form.others is not None:
        return body | {"propertyNames": _scalar(IDENTIFIER), "additionalProperties": _schema(form.others, definitions)}
    free = form.open or form.leader is not None
    return body | ({"propertyNames": _scalar(IDENTIFIER)} if free else {"additionalProperties": False})


# -- sentences


def _said(form: str, key: str) -> dict[str, str]:
    said = sentence(form, key)
    return {"description": said} if said else {}


def sentence(form: str, key: str) -> str:
    """Return what a property of a form says, "" where nobody has said it, which a test forbids.

    >>> sentence("RuleFile", "title"), sentence("GameClaimWithProbability", "game")
    ('What the rule is called.', 'Always true: the further keys are registers of the game.')
    """
    said = _sentences()
    own = said.get(form.removesuffix(CHANCES), {})
    return own.get(key) or said["Every"].get(key, "")


@cache
def _sentences() -> Mapping[str, Mapping[str, str]]:
    found: Mapping[str, Mapping[str, str]] = load_own(Path(__file__).with_name("file_form_sentences.yaml"))
    return found
