"""Whether the parts of a proposed rule are well formed, told in sentences.

Parts come from players and from scripts as plain data; the schemas of rule files judge them.
"""

from __future__ import annotations

import re
from typing import Any

from folkmoot.core.portable_names import unportable
from folkmoot.core.problems import Problem
from folkmoot.core.values import flaw_of, told

NUMBER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,38}", re.ASCII)
BESIDE = ("source", "because")
MOST_SHOWN = 5


def check_parts(parts: Any) -> list[str]:
    """Return what is wrong with the parts of a rule, one sentence each; `source` and `because` must be text."""
    if not isinstance(parts, dict):
        return ["the parts of a rule must be a map (title, text, script, …)"]
    flaw = flaw_of(parts)
    if flaw:
        return [f"a rule cannot hold {flaw}"]
    from folkmoot.files.reader import check_rule_parts

    wrong = [f"{name} must be text" for name in BESIDE if not isinstance(parts.get(name, ""), str)]
    wrong += [f"{told(name)} is the engine's to give" for name in ("rule", "uid") if name in parts]
    known = {name: value for name, value in parts.items() if name not in (*BESIDE, "rule", "uid")}
    return [*wrong, *(_said(problem) for problem in check_rule_parts(known))][:MOST_SHOWN]


def _said(problem: Problem) -> str:
    return f"{problem.message} ({problem.hint})" if problem.hint else problem.message


def check_number(number: Any) -> str:
    """Return what is wrong with the number of a rule or proposal ("" if nothing); it may become the name of a file."""
    fits = isinstance(number, str) and NUMBER.fullmatch(number) and ".." not in number
    if not fits:
        return f"{told(str(number)[:40])} cannot be a number; use letters, digits, ., - and _"
    return unportable(str(number))
