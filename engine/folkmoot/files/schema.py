"""JSON Schemas of the files that people write, for editors; made from their forms, without any host in their names."""

from __future__ import annotations

from typing import Any

from folkmoot.files.file_forms import IDENTIFIER, KINDS, VERSION, Form
from folkmoot.files.scalars import FORMATS


def json_schema(kind: str) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a kind of file.

    Args:
        kind: rule, action, settings, scenario or ruleset; raises KeyError for any other.
    """
    definitions: dict[str, Any] = {}
    body = _map(KINDS[kind].form, definitions)
    body["properties"] = {"schema": {"const": VERSION}, **body["properties"]}
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
        return {"anyOf": [_schema(option, definitions) for option in form.options]}
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


def _scalar(form: Form) -> dict[str, Any]:
    pattern = FORMATS[form.format].pattern if form.format else ""
    said = {"pattern": rf"^(?:{pattern})$" if pattern else None, "minimum": form.lowest, "maximum": form.highest}
    return {"type": form.type} | {key: value for key, value in said.items() if value is not None}


def _map(form: Form, definitions: dict[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = {"type": "object", "description": form.summary}
    body["properties"] = {key: _schema(part, definitions) for key, part in form.properties.items()}
    if form.required:
        body["required"] = list(form.required)
    return body | ({"propertyNames": _scalar(IDENTIFIER)} if form.open else {"additionalProperties": False})
