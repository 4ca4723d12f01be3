"""Write the part of GitHub's published examples that the adapter is tried on: `tests/forges/github/webhooks.json`.

python ci/github_webhooks.py package/api.github.com/index.json   from the npm package @octokit/webhooks-examples

Kept are the objects that the API gives in the same shape, without the addresses in them.
"""

import json
import sys
from pathlib import Path
from typing import Any

TARGET = Path(__file__).resolve().parent.parent / "tests" / "forges" / "github" / "webhooks.json"
KEPT = {
    "pull_request": ("pull_request",),
    "pull_request_review": ("pull_request", "review"),
    "pull_request_review_comment": ("comment",),
    "issue_comment": ("issue", "comment"),
    "issues": ("issue", "label"),
}
NEEDED = ("html_url", "issue_url", "repository_url")


def short(node: Any) -> Any:
    """Return a value without addresses of things; of repositories only which they are."""
    if isinstance(node, list):
        return [short(each) for each in node]
    if not isinstance(node, dict):
        return node
    if "full_name" in node:
        return {name: node[name] for name in ("id", "full_name")}
    dropped = {name for name in node if name == "_links" or (name.endswith("_url") and name not in NEEDED)}
    return {name: short(value) for name, value in node.items() if name not in dropped}


def main() -> None:
    """Write the extract of the file that is named."""
    found = []
    for event in json.loads(Path(sys.argv[1]).read_text("utf-8")):
        for example in event["examples"] if event["name"] in KEPT else ():
            parts = {part: short(example[part]) for part in KEPT[event["name"]] if part in example}
            each = {"event": event["name"], "action": example["action"], **parts}
            if each not in found:
                found.append(each)
    TARGET.write_text("[\n" + ",\n".join(json.dumps(each, sort_keys=True) for each in found) + "\n]\n", "utf-8")
    sys.stdout.write(f"{TARGET.name}: {len(found)} examples, {TARGET.stat().st_size:,} bytes\n")


main()
