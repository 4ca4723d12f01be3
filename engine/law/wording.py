"""Whether the parts of a proposed rule are well formed, told in sentences."""

from __future__ import annotations

from typing import Any

STRINGS = ("title", "text", "script", "source", "because")
MAPS = ("labels", "defines", "actions", "timers", "settings", "precedence")


def check_parts(parts: Any) -> list[str]:
    """Return what is wrong with the parts of a rule, one sentence each."""
    if not isinstance(parts, dict):
        return ["the parts of a rule must be a map (title, text, script, …)"]
    problems = [f"{name!r} is no part of a rule" for name in parts if name not in (*STRINGS, *MAPS, "examples")]
    problems += [f"{name} must be text" for name in STRINGS if not isinstance(parts.get(name, ""), str)]
    problems += [f"{name} must be a map" for name in MAPS if not isinstance(parts.get(name, {}), dict)]
    return problems
