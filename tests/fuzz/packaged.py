"""What the packaged games bring: their actions by name, and their rule files as bytes."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml_rs

RULE_FILES: dict[str, bytes] = {
    f"{path.parent.parent.name}/{path.name}": path.read_bytes()
    for path in sorted(Path(str(files("folkmoot.game.rulesets"))).glob("*/rules/*.yaml"))
}


def _actions() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for data in RULE_FILES.values():
        found.update(yaml_rs.loads(data.decode(), parse_datetime=False).get("actions") or {})
    return found


ACTIONS = _actions()
"""The actions of all packaged games: name → declaration."""
