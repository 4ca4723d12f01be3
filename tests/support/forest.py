"""Commits of a game made object by object, so that they can hold what no git would write."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pygit2

WHO = pygit2.Signature("Ann", "ann@x.org", 1_767_225_600, 0)
Files = dict[bytes, Any]  # name → bytes of a file, (mode, bytes | id), or a folder
LAW = {
    "203": """\
rule: "203"
uid: "203"
title: Votes
labels: {status: mutable}
text: |
  Everybody has a vote.
script: |
  def decide_weight(p, player):
      return 1
""",
    "101": """\
rule: "101"
uid: "101"
# the oldest of all
title: Obedience
labels: {status: immutable}
text: |
  Everybody obeys.
""",
}


def game(**changed: str | None) -> Files:
    """Return the files of a small game; `changed` are rule files by name without suffix, None takes one away."""
    rules: dict[str, str | None] = {**LAW, **changed}
    return {
        b"README.md": b"Hello\n",
        b"state": {
            b"toy": {
                b"head.yaml": b"seq: 1\n",
                b"journal": {b"000": {b"000001.yaml": b"do: found\n"}},
                b"rules": {f"{name}.yaml".encode(): text.encode() for name, text in rules.items() if text is not None},
            }
        },
    }


def with_files(files: Mapping[bytes, Any], added: Mapping[str, Any]) -> Files:
    """Return files with further ones at paths; None takes one away."""
    fresh = dict(files)
    for path, content in added.items():
        put(fresh, path.encode("utf-8", "surrogateescape").split(b"/"), content)
    return fresh


def put(files: Files, path: list[bytes], content: Any) -> None:
    first, *rest = path
    if rest:
        files[first] = dict(files[first]) if isinstance(files.get(first), dict) else {}
        put(files[first], rest, content)
    elif content is None:
        files.pop(first, None)
    else:
        files[first] = content.encode() if isinstance(content, str) else content


class Forest:
    """A repository whose commits are made from files in memory."""

    def __init__(self, path: Path) -> None:
        self.repo = pygit2.init_repository(path, bare=True)

    def tree(self, files: Files) -> pygit2.Oid:
        rows = []
        for name, content in files.items():
            mode, id_ = self.entry(content)
            rows.append((name + (b"/" if mode == b"40000" else b""), mode + b" " + name + b"\0" + id_.raw))
        return self.repo.odb.write(pygit2.enums.ObjectType.TREE, b"".join(row for _, row in sorted(rows)))

    def entry(self, content: Any) -> tuple[bytes, pygit2.Oid]:
        if isinstance(content, dict):
            return b"40000", self.tree(content)
        mode, inner = content if isinstance(content, tuple) else (b"100644", content)
        return mode, inner if isinstance(inner, pygit2.Oid) else self.repo.create_blob(inner)

    def commit(self, files: Files | pygit2.Oid, *parents: str, at: int = 0) -> str:
        tree = files if isinstance(files, pygit2.Oid) else self.tree(files)
        who = pygit2.Signature(WHO.name, WHO.email, WHO.time + at, 0)
        return str(self.repo.create_commit(None, who, who, "change", tree, [pygit2.Oid(hex=p) for p in parents]))
