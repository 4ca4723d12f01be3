"""What Gitea and Forgejo say of their APIs, as the judge of what is asked and answered."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Literal

import jsonschema_rs

Described = Literal["gitea", "forgejo"]
DOCUMENT: dict[str, Any] = json.loads(Path(__file__).with_name("models.json").read_text("utf-8"))
_PATHS = {
    forge: [(re.compile(re.sub(r"\{[a-z]+\}", "[^/]+", key) + r"\Z"), key) for key in document["operations"]]
    for forge, document in DOCUMENT.items()
}


class MisfitError(AssertionError):
    """Raised where the description does not allow what was asked or answered."""


def operation(forge: Described, method: str, path: str) -> dict[str, Any]:
    """Return what the description says of an operation; the most definite of several that fit."""
    found = [key for pattern, key in _PATHS[forge] if pattern.match(f"{method} {path}")]
    if not found:
        raise MisfitError(f"there is no {method} {path}")
    return dict(DOCUMENT[forge]["operations"][min(found, key=lambda key: key.count("{"))])


@cache
def _validator(forge: Described, schema: str) -> Any:
    return jsonschema_rs.validator_for({**json.loads(schema), "$defs": DOCUMENT[forge]["$defs"]})


def misfits(forge: Described, schema: Any, value: Any) -> list[str]:
    """Return what does not fit a schema, each with where it stands."""
    if schema is None:
        return []
    errors = _validator(forge, json.dumps(schema, sort_keys=True)).iter_errors(value)
    return [f"{error.message[:300]} at {'/'.join(map(str, error.instance_path))}" for error in errors]


def check_request(forge: Described, method: str, path: str, query: dict[str, str], body: Any) -> None:
    """Raise MisfitError where a request is none that the server knows."""
    asked = operation(forge, method, path)
    for name, value in query.items():
        if name not in asked["query"]:
            raise MisfitError(f"{method} {path} takes no {name}")
        if asked["query"][name]["type"] == "integer" and not value.isdigit():
            raise MisfitError(f"{name} of {method} {path} is no number")
    if (asked["body"] is None) != (body is None):
        raise MisfitError(f"{method} {path} is sent with a body, or without one")
    if path.endswith("/merge"):  # which is said in the words of all servers; each passes over what it does not know
        body = {name: body[name] for name in body if name in DOCUMENT[forge]["$defs"][asked["body"]]["properties"]}
    wrong = misfits(forge, asked["body"] and {"$ref": f"#/$defs/{asked['body']}"}, body)
    if wrong:
        raise MisfitError(f"the body of {method} {path}: {wrong[0]}")


def check_answer(forge: Described, method: str, path: str, status: int, body: Any) -> None:
    """Raise MisfitError where an answer is none that the server gives; refusals are the same everywhere."""
    answers = operation(forge, method, path)["answers"]
    if status in (401, 403, 404, 429) or status >= 500:
        return
    if str(status) not in answers:
        raise MisfitError(f"{method} {path} does not answer {status}")
    wrong = misfits(forge, answers[str(status)], body)
    if wrong:
        raise MisfitError(f"the answer of {method} {path}: {wrong[0]}")


def without(node: Any, *names: str) -> Any:
    """Return an answer without fields that servers send though they do not describe them, such as `username`."""
    if isinstance(node, dict):
        return {name: without(value, *names) for name, value in node.items() if name not in names}
    return [without(value, *names) for value in node] if isinstance(node, list) else node
