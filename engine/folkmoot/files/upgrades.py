"""Versions of the forms of files, and what makes an older file one of today's, on its raw data.

A file may say which version it has (`schema: 1`); without, it has today's. An upgrade takes and returns plain data, so
that it needs no old types; the places of what it leaves alone stay known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from folkmoot.core.problems import Position, Problem, ProblemError
from folkmoot.files.nodes import Node

Upgrade = Callable[[dict[str, Any]], dict[str, Any]]

VERSIONS: dict[str, int] = {"rule": 1, "action": 1, "settings": 1, "scenario": 1, "ruleset": 1}
UPGRADES: dict[tuple[str, int], Upgrade] = {}  # (kind, version) → what makes it one of the next version


def upgrade(kind: str, root: Node, upgrades: Mapping[tuple[str, int], Upgrade] = UPGRADES) -> Node:
    """Return the nodes of a file as today's form, without its `schema` key.

    Args:
        kind: what the file is.
        root: the file as it is.
        upgrades: the steps to take.

    Raises:
        ProblemError: E-SCHEMA for a version that is newer than this engine or that no upgrade leads on from.
    """
    found = root.child("schema")
    if found is None:
        return root
    version = _version(kind, found, upgrades)
    if version == VERSIONS[kind]:
        return _without(root, "schema")
    data = _without(root, "schema").plain()
    for step in range(version, VERSIONS[kind]):
        data = upgrades[kind, step](data)
    return graft(data, root)


def _version(kind: str, node: Node, upgrades: Mapping[tuple[str, int], Upgrade]) -> int:
    version, newest = node.value, VERSIONS[kind]
    if type(version) is not int:
        raise _refusal("`schema` is the version of the file's form, a whole number", node.position, f"write {newest}")
    if version > newest:
        message = f"version {version} of the form of {kind} files is newer than this engine, which knows {newest}"
        raise _refusal(message, node.position, "use a newer engine")
    if any((kind, step) not in upgrades for step in range(version, newest)):
        raise _refusal(f"there is no version {version} of the form of {kind} files", node.position, f"write {newest}")
    return version


def _refusal(message: str, position: Position, hint: str) -> ProblemError:
    return ProblemError(Problem("E-SCHEMA", message, position, hint))


def _without(root: Node, name: str) -> Node:
    kept = [node for key, value in root.pairs() if key.value != name for node in (key, value)]
    return Node(root.kind, root.value, root.position, root.style, root.raw, kept)


def graft(data: Any, near: Node) -> Node:
    """Return plain data as nodes that stand where the same path of `near` stands, or where the nearest one does."""
    if isinstance(data, dict):
        old = {key.value: (key, value) for key, value in near.pairs()} if near.kind == "map" else {}
        children: list[Node] = []
        for key, value in data.items():
            place = old.get(key, (near, near))
            children += [Node("scalar", key, place[0].position, "", key), graft(value, place[1])]
        return Node("map", None, near.position, "", "", children)
    if isinstance(data, list):
        items = near.children if near.kind == "list" else []
        return Node("list", None, near.position, "", "", [
            graft(item, items[i] if i < len(items) else near) for i, item in enumerate(data)
        ])  # fmt: skip
    style = near.style if near.kind == "scalar" and near.value == data else "|" if isinstance(data, str) else ""
    return Node("scalar", data, near.position, style, str(data))
