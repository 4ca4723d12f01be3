"""GitHub's own description of its API as the judge of what is asked and answered."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

DOCUMENT: dict[str, Any] = json.loads(Path(__file__).with_name("openapi.json").read_text("utf-8"))
_OPEN = "~open"  # what the name of a schema ends in that is one part of several and so cannot know all fields
_PATHS = {re.compile(re.sub(r"\{[a-z_]+\}", "[^/]+", path) + r"\Z"): path for path in DOCUMENT["paths"]}


class MisfitError(AssertionError):
    """Raised where GitHub's description does not allow what was asked or answered."""


def operation(method: str, path: str) -> dict[str, Any]:
    """Return what GitHub says of an operation; the most definite of several paths that fit."""
    found = [name for pattern, name in _PATHS.items() if pattern.match(path)]
    known = DOCUMENT["paths"][min(found, key=lambda name: name.count("{"))] if found else {}
    if method.lower() not in known:
        raise MisfitError(f"there is no {method} {path}")
    return dict(known[method.lower()])


def closed(schema: Any, *, part: bool = False) -> Any:
    """Return a schema that allows no fields but those that it names; as a `part` of others it leaves that to them."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: closed(each) for name, each in schema.items() if name != "allOf"}
    if "properties" in schema:
        kept["properties"] = {name: closed(each) for name, each in schema["properties"].items()}
    if "allOf" in schema:
        kept["allOf"] = [closed(each, part=True) for each in schema["allOf"]]
    if part and "$ref" in schema:
        kept["$ref"] = schema["$ref"] + _OPEN
    if not part and "additionalProperties" not in schema and ("properties" in schema or "allOf" in schema):
        kept["unevaluatedProperties"] = False
    return kept


@cache
def _definitions() -> dict[str, Any]:
    known = DOCUMENT["$defs"]
    parts = {f"{name}{_OPEN}": closed(schema, part=True) for name, schema in known.items()}
    return {name: closed(schema) for name, schema in known.items()} | parts


@cache
def _validator(schema: str) -> Any:
    return jsonschema_rs.validator_for({**closed(json.loads(schema)), "$defs": _definitions()})


def check(schema: Any, value: Any, what: str) -> None:
    """Raise MisfitError where a value does not fit its schema."""
    if schema is None:
        return
    error = next(iter(_validator(json.dumps(schema, sort_keys=True)).iter_errors(value)), None)
    if error is not None:
        raise MisfitError(f"{what}: {error.message[:300]} at {list(error.instance_path)}")


def check_request(method: str, path: str, query: dict[str, str], body: Any) -> None:
    """Raise MisfitError where a request is none that GitHub knows."""
    asked = operation(method, path)
    for name, value in query.items():
        if name not in asked["query"]:
            raise MisfitError(f"{method} {path} takes no {name}")
        schema = asked["query"][name]
        check(schema, int(value) if schema.get("type") == "integer" else value, f"{name} of {method} {path}")
    if (asked["body"] is None) != (body is None):
        raise MisfitError(f"{method} {path} is sent with a body, or without one")
    check(asked["body"], body, f"the body of {method} {path}")


def check_answer(method: str, path: str, status: int, body: Any) -> None:
    """Raise MisfitError where an answer is none that GitHub gives; limits and failures are the same everywhere."""
    answers = operation(method, path)["answers"]
    if status in (304, 401, 403, 404, 410, 422, 429) or status >= 500:
        return
    if str(status) not in answers:
        raise MisfitError(f"{method} {path} does not answer {status}")
    check(answers[str(status)], body, f"the answer of {method} {path}")


def filled(schema: str, /, **values: Any) -> Any:
    """Return the smallest value that fits a schema, with some of it given."""
    return _merged(_smallest({"$ref": f"#/$defs/{schema}"}), values)


def _merged(below: Any, above: Any) -> Any:
    if isinstance(below, dict) and isinstance(above, dict):
        return {**below, **{name: _merged(below.get(name), value) for name, value in above.items()}}
    return above


def _smallest(schema: dict[str, Any]) -> Any:
    if "$ref" in schema:
        return _smallest(DOCUMENT["$defs"][schema["$ref"].rpartition("/")[2]])
    if "enum" in schema:
        return schema["enum"][0]
    choices = schema.get("anyOf") or schema.get("oneOf")
    if choices:
        return None if {"type": "null"} in choices else _smallest(choices[0])
    if "allOf" in schema:
        return {name: value for part in schema["allOf"] for name, value in _smallest(part).items()}
    kinds = schema.get("type", "object")
    if isinstance(kinds, list):
        return None
    if kinds == "object":
        properties = schema.get("properties", {})
        return {name: _smallest(properties.get(name, {})) for name in schema.get("required", ())}
    return {"string": "x", "integer": 1, "number": 1, "boolean": False, "array": []}[kinds]
