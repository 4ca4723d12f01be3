"""Codes that a ruleset knows under names of its own: what a scenario claims by them, in the engine's codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from folkmoot.core.records import Written

CLAIMS = ("refused", "refusal", "code")
"""The keys of steps and expectations that hold a code."""


def in_engine_codes(scenario: Written, codes: Mapping[str, str]) -> Written:
    """Return a scenario whose claims name the engine's codes in place of the ruleset's of the same meaning.

    >>> in_engine_codes({"steps": [{"do": "nod", "refused": "E-FUNDS"}]}, {"E-FUNDS": "E-BOUNDS"})
    {'steps': [{'do': 'nod', 'refused': 'E-BOUNDS'}]}
    """
    if not codes:
        return scenario
    parts = {
        name: [_step(each, codes) for each in scenario[name]] for name in ("steps", "expect") if scenario.get(name)
    }
    return {**scenario, **parts}


def _step(step: Any, codes: Mapping[str, str]) -> Any:
    if not isinstance(step, dict):
        return step
    claimed = {key: codes.get(step[key], step[key]) for key in CLAIMS if isinstance(step.get(key), str)}
    within = {"expect": [_step(each, codes) for each in step["expect"]]} if isinstance(step.get("expect"), list) else {}
    return {**step, **claimed, **within}
