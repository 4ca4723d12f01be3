"""Whether the parts of a proposed rule are well formed, told in sentences."""

from __future__ import annotations

from typing import Any

from engine.problems import Problem
from engine.text.reader import check_rule_parts

MOST_SHOWN = 5


def check_parts(parts: Any) -> list[str]:
    """Return what is wrong with the parts of a rule, one sentence each; an author's `source` must be text."""
    if not isinstance(parts, dict):
        return ["the parts of a rule must be a map (title, text, script, …)"]
    if not isinstance(parts.get("source", ""), str):
        return ["source must be text"]
    fixed = [f"{name} is the engine's to give" for name in ("rule", "uid") if name in parts]
    known = {name: value for name, value in parts.items() if name not in ("source", "rule", "uid")}
    return [*fixed, *(_said(problem) for problem in check_rule_parts(known))][:MOST_SHOWN]


def _said(problem: Problem) -> str:
    return f"{problem.message} ({problem.hint})" if problem.hint else problem.message
