"""Write the part of GitHub's OpenAPI that the adapter is judged by: `tests/forges/github/openapi.json`.

python ci/github_openapi.py package/generated/api.github.com.json   from the npm package @octokit/openapi

Only the paths that the adapter uses are kept, without texts and examples; the schemas become JSON Schema 2020-12.
"""

import json
import sys
from pathlib import Path
from typing import Any

TARGET = Path(__file__).resolve().parent.parent / "tests" / "forges" / "github" / "openapi.json"
REPOSITORY = "/repos/{owner}/{repo}"
USED = {
    f"{REPOSITORY}/pulls": ["get", "post"],
    f"{REPOSITORY}/pulls/{{pull_number}}": ["get", "patch"],
    f"{REPOSITORY}/pulls/{{pull_number}}/reviews": ["get"],
    f"{REPOSITORY}/pulls/{{pull_number}}/comments": ["get"],
    f"{REPOSITORY}/commits/{{ref}}/statuses": ["get"],
    f"{REPOSITORY}/statuses/{{sha}}": ["post"],
    f"{REPOSITORY}/issues": ["get", "post"],
    f"{REPOSITORY}/issues/{{issue_number}}": ["get", "patch"],
    f"{REPOSITORY}/issues/comments": ["get"],
    f"{REPOSITORY}/issues/{{issue_number}}/comments": ["get", "post"],
    f"{REPOSITORY}/issues/comments/{{comment_id}}": ["get", "patch", "delete"],
    f"{REPOSITORY}/issues/{{issue_number}}/timeline": ["get"],
    "/user/{account_id}": ["get"],
    f"{REPOSITORY}/actions/runs": ["get"],
    "/user": ["get"],
}
SETTINGS = {
    REPOSITORY: ["get", "patch"],
    f"{REPOSITORY}/actions/permissions": ["get", "put"],
    f"{REPOSITORY}/actions/permissions/fork-pr-contributor-approval": ["get"],
    f"{REPOSITORY}/actions/permissions/selected-actions": ["get"],
    f"{REPOSITORY}/actions/permissions/workflow": ["get", "put"],
    f"{REPOSITORY}/actions/secrets/{{secret_name}}": ["get"],
    f"{REPOSITORY}/actions/workflows": ["get"],
    f"{REPOSITORY}/actions/workflows/{{workflow_id}}/enable": ["put"],
    f"{REPOSITORY}/actions/workflows/{{workflow_id}}/runs": ["get"],
    f"{REPOSITORY}/branches/{{branch}}/protection": ["get"],
    f"{REPOSITORY}/collaborators": ["get"],
    f"{REPOSITORY}/compare/{{basehead}}": ["get"],
    f"{REPOSITORY}/environments/{{environment_name}}": ["get", "put"],
    f"{REPOSITORY}/environments/{{environment_name}}/deployment-branch-policies": ["get", "post"],
    f"{REPOSITORY}/environments/{{environment_name}}/secrets/public-key": ["get"],
    f"{REPOSITORY}/environments/{{environment_name}}/secrets/{{secret_name}}": ["get", "put"],
    f"{REPOSITORY}/git/matching-refs/{{ref}}": ["get"],
    f"{REPOSITORY}/labels": ["get", "post"],
    f"{REPOSITORY}/labels/{{name}}": ["get"],
    f"{REPOSITORY}/pages": ["get", "post", "put"],
    f"{REPOSITORY}/rules/branches/{{branch}}": ["get"],
    f"{REPOSITORY}/rulesets": ["post"],
    f"{REPOSITORY}/rulesets/{{ruleset_id}}": ["get"],
    "/rate_limit": ["get"],
    "/users/{username}": ["get"],
}
DROPPED = {"description", "example", "examples", "externalDocs", "title", "deprecated", "xml", "discriminator"}
JSON = "application/json"
Names = dict[str, Any]


def schema(node: Any, *, names: bool = False) -> Any:
    """Return a schema as JSON Schema, without texts; `names` says that the keys are those of properties."""
    if isinstance(node, list):
        return [schema(each) for each in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return {"$ref": "#/$defs/" + node["$ref"].rpartition("/")[2]}
    dropped = set() if names else DROPPED | {name for name in node if name.startswith("x-")}
    kept = {k: schema(v, names=k == "properties" and not names) for k, v in node.items() if k not in dropped}
    return nullable(kept) if not names and kept.pop("nullable", False) is True else kept


def nullable(node: Names) -> Names:
    """Return a schema that allows null beside."""
    if isinstance(node.get("type"), str):
        enum = {"enum": [*node["enum"], None]} if "enum" in node else {}
        return {**node, "type": [node["type"], "null"], **enum}
    return {"anyOf": [node, {"type": "null"}]} if node else node


def referred(node: Any) -> set[str]:
    """Return the names of the schemas that a schema refers to."""
    if isinstance(node, dict):
        own = {node["$ref"].rpartition("/")[2]} if isinstance(node.get("$ref"), str) else set()
        return own.union(*(referred(each) for each in node.values()))
    return set().union(*(referred(each) for each in node)) if isinstance(node, list) else set()


def resolved(document: Names, node: Names) -> Names:
    """Return what a reference to a parameter or a response stands for."""
    while "$ref" in node:
        _, kind, name = node["$ref"].rsplit("/", 2)
        node = document["components"][kind][name]
    return node


def body(node: Names) -> Any:
    """Return the schema of what is sent, None for nothing."""
    content = node.get("content", {})
    found = content.get(JSON) or next(iter(content.values()), None)
    return schema(found["schema"]) if found else None


def operation(document: Names, node: Names) -> Names:
    """Return what is asked with and what is answered."""
    asked = [resolved(document, each) for each in node.get("parameters", [])]
    query = {each["name"]: schema(each["schema"]) for each in asked if each["in"] == "query"}
    answers = {status: body(resolved(document, each)) for status, each in node["responses"].items()}
    return {"query": query, "body": body(node["requestBody"]) if "requestBody" in node else None, "answers": answers}


def main() -> None:
    """Write the file."""
    document = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    paths = {
        path: {method: operation(document, document["paths"][path][method]) for method in methods}
        for path, methods in (USED | SETTINGS).items()
    }
    kept: Names = {}
    while missing := referred([paths, kept]) - set(kept):
        kept |= {name: schema(document["components"]["schemas"][name]) for name in sorted(missing)}
    made = {"version": document["info"]["version"], "paths": paths, "$defs": dict(sorted(kept.items()))}
    TARGET.write_text(json.dumps(made, separators=(",", ":"), sort_keys=True) + "\n", "utf-8")
    print(f"{TARGET.name}: {len(paths)} paths, {len(kept)} schemas, {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
