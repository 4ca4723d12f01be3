"""What the scenarios of each packaged ruleset show: every action done and refused, every refusal, every reading of a switch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from folkmoot.files.fast_reader import load_own
from folkmoot.game.rulesets import founding
from folkmoot.language.tree import texts_of

SCENARIOS = Path(__file__).parents[1] / "scenarios"
PLAYED = sorted(folder.name for folder in SCENARIOS.iterdir() if any(folder.glob("*.yaml")))
EACH = pytest.mark.parametrize("ruleset", PLAYED)
CODE = re.compile("E-[A-Z0-9][A-Z0-9-]*", re.ASCII)
WITHIN = {"bank_act": "act", "act_as_deputy": "act"}
"""Actions by which others are done, and the argument that names those."""
FREE = {"leave", "forfeit", "comment", "announce", "champion", "ask_arbiter", "call_judgement"}
"""Actions that hardly anything keeps a player from."""
ELSEWHERE = {"advise", "E-TARGET"}
"""What is shown by tests of pull requests and of rules that try more than their rank."""


@cache
def written(ruleset: str) -> list[Any]:
    """Return the scenarios of a ruleset, as they are written."""
    return [load_own(path) for path in sorted((SCENARIOS / ruleset).glob("*.yaml"))]


def parts(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every map in a value."""
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from parts(part)


def declared(ruleset: str, block: str) -> dict[str, Any]:
    rules: Any = founding(ruleset)["rules"]
    return {name: about for rule in rules for name, about in (rule.get(block) or {}).items()}


@EACH
def test_every_action_is_done_and_refused_and_every_code_is_given(ruleset: str) -> None:
    done, refused, codes = set[str](), set[str](), set[str]()
    for step in (step for scenario in written(ruleset) for step in scenario.get("steps") or ()):
        name, requests = step.get("do", ""), [name for request in step.get("with") or () for name in request]
        names = {name, str((step.get("args") or {}).get(WITHIN.get(name), "")), *requests}
        (refused if "refused" in step else done).update(names)
        codes.add(str(step.get("refused")))
    offered, scripts = declared(ruleset, "actions"), [rule.get("script") or "" for rule in founding(ruleset)["rules"]]
    assert offered.keys() - done <= ELSEWHERE
    assert offered.keys() - refused <= ELSEWHERE | FREE
    assert {text for script in scripts for text in texts_of(script) if CODE.fullmatch(text)} - codes <= ELSEWHERE


@EACH
def test_every_reading_of_a_switch_is_set(ruleset: str) -> None:
    """Of several amounts of the same (an hour, a day) one is enough."""
    settings = [part["settings"] for part in parts(written(ruleset)) if isinstance(part.get("settings"), dict)]
    shown = {(str(switch), str(reading)) for each in settings for switch, reading in each.items()}
    for name, about in declared(ruleset, "settings").items():
        others = {str(reading) for reading in about.get("alternatives") or ()} - {str(about["default"])}
        missing = {each for each in others if not {(name, each), (str(about.get("name")), each)} & shown}
        amounts = {each for each in others if each[0].isdigit()}
        assert missing <= (amounts if amounts - missing else set()), name
