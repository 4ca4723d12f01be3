"""Checking files before they are used: form, scripts and examples of rules, acts, settings and scenarios."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from engine.problems import Position, Problem, ProblemError
from engine.scenario import Failed, run_scenario
from engine.script.check import check_script, script_place
from engine.script.known import known_in
from engine.text import (
    locate,
    read_action,
    read_rule,
    read_ruleset,
    read_scenario,
    read_settings,
    rule_document,
)

Record = dict[str, Any]
KINDS: dict[str, tuple[tuple[str, ...], Callable[[str, str], Any]]] = {
    "scenario": (("scenario",), read_scenario),
    "action": (("do",), read_action),
    "ruleset": (("ruleset",), read_ruleset),
    "settings": (("settings",), read_settings),
}


def kind_of(text: str) -> str:
    """Return what a file is meant to be, from its keys: scenario, action, ruleset, settings, else rule."""
    keys = set(re.findall(r"^([A-Za-z_]+)[ \t]*:", text, re.MULTILINE))
    if keys & {"text", "script", "title"} and not keys & {"scenario", "ruleset"}:
        return "rule"
    return next((kind for kind, (marks, _) in KINDS.items() if keys.issuperset(marks)), "rule")


def check_file(path: Path, law: Record | None = None) -> list[Problem]:
    """Return everything that is wrong with a file.

    `law` (what a game is founded with) is the law on which the examples of a rule are run; without it they are not.
    """
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        return [Problem("E-UTF8", "the file is not UTF-8 text", Position(str(path), text_line(path, error.start)))]
    kind = kind_of(text)
    try:
        if kind == "rule":
            return check_rule(text, str(path), law)
        KINDS[kind][1](text, str(path))
    except ProblemError as error:
        return list(error.problems)
    return []


def text_line(path: Path, offset: int) -> int:
    """Return the line on which a byte of a file stands, from 1."""
    return path.read_bytes()[:offset].count(b"\n") + 1


def check_rule(text: str, file: str, law: Record | None) -> list[Problem]:
    """Return everything that is wrong with a rule: form, script, examples; raises what its form gets."""
    return rule_problems(rule_document(read_rule(text, file)), law, text, file)


def rule_problems(rule: Record, law: Record | None, text: str, file: str) -> list[Problem]:
    """Return what is wrong with a rule's script, and on a law which of its examples do not hold."""
    known = known_in([*with_rule(law, rule)["rules"]]) if law is not None else None
    problems = check_script(rule, known, script_place(text, file))
    if law is not None and not any(problem.code.startswith("E-") for problem in problems):
        problems += example_problems(rule, law, text, file)
    return problems


def example_problems(rule: Record, law: Record, text: str, file: str) -> Iterator[Problem]:
    """Run a rule's examples on the law with the rule in it; yield those that do not hold."""
    for place, example in enumerate(rule.get("examples") or ()):
        name = example.get("scenario") or f"example {place + 1}"
        try:
            run_scenario({"ruleset": "", **example}, lambda _name: with_rule(law, rule))
        except Failed as failed:
            yield Problem(
                "E-EXAMPLE",
                f"{name}: {failed}",
                locate(text, file, ["examples", place]),
                "mend the rule or the example",
            )


def with_rule(law: Record, rule: Record) -> Record:
    """Return a law with a rule in it: in the place of the one with its uid, else under the next number."""
    uid = rule.get("uid")
    others = [known for known in law["rules"] if str(known.get("uid") or known["rule"]) != uid]
    highest = max((int(str(known["rule"])) for known in law["rules"] if str(known["rule"]).isdigit()), default=0)
    number = rule.get("rule") or str(highest + 1)
    return {**law, "rules": [*others, {**rule, "rule": str(number), "uid": str(uid or number)}]}
