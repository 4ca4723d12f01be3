"""JSON Schemas of the files that people write, for editors; made from the model, without any host in their names."""

from __future__ import annotations

from typing import Any

from folkmoot.files.scalars import FORMS
from folkmoot.files.shapes import AnyOf, Choice, Entries, FileOf, Items, Record, Scalar, Shape, shape_of_kind
from folkmoot.files.upgrades import VERSIONS

TITLES = {
    "rule": "A rule of a game",
    "action": "An action of a player",
    "settings": "What a new game begins with",
    "scenario": "A scenario: a test that reads like the rules",
    "ruleset": "An opening position",
}


def schema_id(kind: str) -> str:
    """Return the name of a schema with its version, e.g. `folkmoot:rule:1`."""
    return f"folkmoot:{kind}:{VERSIONS[kind]}"


def json_schema(kind: str) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a kind of file.

    Args:
        kind: rule, action, settings, scenario or ruleset; raises KeyError for any other.
    """
    definitions: dict[str, Any] = {}
    body = dict(_record(shape_of_kind(kind), definitions))
    body["properties"] = {"schema": {"const": VERSIONS[kind]}, **body["properties"]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": schema_id(kind),
        "title": TITLES[kind],
        **body,
        "$defs": dict(sorted(definitions.items())),
    }


def _shape(shape: Shape, definitions: dict[str, Any]) -> dict[str, Any]:
    match shape:
        case Scalar():
            body = _scalar(shape)
        case Choice(words):
            body = {"enum": [word for word in words if word != ""]}
        case Items(of):
            body = {"type": "array", "items": _shape(of, definitions)}
        case Entries(keys, of):
            of_any = _shape(of, definitions)
            body = {"type": "object", "propertyNames": _scalar(keys), "additionalProperties": of_any}
        case AnyOf(options):
            body = {"anyOf": [_shape(option, definitions) for option in options]}
        case FileOf(kind):
            body = _reference(shape_of_kind(kind), definitions)
        case Record():
            body = _reference(shape, definitions)
        case _:
            body = {}
    return body


def _scalar(shape: Scalar) -> dict[str, Any]:
    form = FORMS[shape.format]
    body: dict[str, Any] = {"type": shape.kind}
    if shape.kind == "string" and form.pattern:
        body["pattern"] = rf"^(?:{form.pattern})$"
    if shape.kind == "integer":
        body |= {k: v for k, v in (("minimum", form.lowest), ("maximum", form.highest)) if v is not None}
    return body


def _reference(record: Record, definitions: dict[str, Any]) -> dict[str, Any]:
    name = record.type.__name__ + ("WithProbability" if "probability" in record.keys else "")
    if name not in definitions:
        definitions[name] = {}  # a place for records that hold themselves
        definitions[name] = _record(record, definitions)
    return {"$ref": f"#/$defs/{name}"}


def _record(record: Record, definitions: dict[str, Any]) -> dict[str, Any]:
    required = [key for key, entry in record.keys.items() if entry.required]
    body: dict[str, Any] = {"type": "object", "description": record.summary}
    body["properties"] = {key: _shape(entry.shape, definitions) for key, entry in record.keys.items()}
    if required:
        body["required"] = required
    if record.rest:
        body["propertyNames"] = _scalar(Scalar("string", "identifier"))
    else:
        body["additionalProperties"] = False
    return body
