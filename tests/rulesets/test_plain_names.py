"""Scripts of the packaged rules call switches by their plain names; their ids are for those who look a reading up."""

from __future__ import annotations

import re

import pytest

from folkmoot.game.rulesets import founding, names

CALLED = re.compile(r"""(?:\bsetting\(|"settings", |\be\.setting == )["']([^"']+)["']""")


@pytest.mark.parametrize("ruleset", names())
def test_scripts_call_switches_by_their_plain_names(ruleset: str) -> None:
    rules = founding(ruleset)["rules"]
    plain = {switch["name"] for rule in rules for switch in rule.get("settings", {}).values()}
    called = {name for rule in rules for name in CALLED.findall(rule.get("script", ""))}
    assert called <= plain
    assert "e.setting ==" not in "".join(rule.get("script", "") for rule in rules)
