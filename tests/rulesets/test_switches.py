"""Every alternative of every switch of the packaged rulesets is set in a scenario that shows what it does.

Of several amounts of the same (an hour, a day) one is enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from folkmoot.game import rulesets

SCENARIOS = Path(__file__).parents[1] / "scenarios"
PLAYED = sorted(folder.name for folder in SCENARIOS.iterdir() if any(folder.glob("*.yaml")))


@cache
def written(ruleset: str) -> list[Any]:
    """Return the scenarios of a ruleset, as they are written."""
    reader = YAML(typ="safe")
    return [reader.load(path.read_text("utf-8")) for path in sorted((SCENARIOS / ruleset).glob("*.yaml"))]


def set_in(scenario: Any) -> Iterator[tuple[str, str]]:
    """Yield the switches and readings that a scenario sets, in its head or in its steps."""
    if isinstance(scenario, list):
        for part in scenario:
            yield from set_in(part)
    elif isinstance(scenario, dict):
        for name, part in scenario.items():
            if name == "settings" and isinstance(part, dict):
                yield from ((str(switch), str(reading)) for switch, reading in part.items())
            yield from set_in(part)


@pytest.mark.parametrize("ruleset", PLAYED)
def test_every_alternative_is_shown_by_a_scenario(ruleset: str) -> None:
    law = rulesets.founding(ruleset)
    shown = {pair for scenario in written(ruleset) for pair in set_in(scenario)}
    switches = [(name, about) for rule in law["rules"] for name, about in (rule.get("settings") or {}).items()]
    missing = []
    for name, about in switches:
        names = {name, str(about.get("name"))}
        others = [str(reading) for reading in about.get("alternatives") or () if str(reading) != str(about["default"])]
        played = {reading for reading in others if any((each, reading) in shown for each in names)}
        amounts = {reading for reading in others if reading[0].isdigit()}
        enough = played | (amounts if amounts & played else set())
        missing += [(name, reading) for reading in others if reading not in enough]
    assert missing == []
