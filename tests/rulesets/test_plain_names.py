"""Scripts of the packaged rules call switches by their plain names; their ids are for those who look a reading up."""

from __future__ import annotations

import re

import pytest

from folkmoot.game.rulesets import founding, names
from folkmoot.kernel.host import HOST
from folkmoot.language.tree import scan

CALLED = re.compile(r"""(?:\bsetting\(|"settings", |\be\.setting == )["']([^"']+)["']""")


@pytest.mark.parametrize("ruleset", names())
def test_scripts_call_switches_by_their_plain_names(ruleset: str) -> None:
    rules = founding(ruleset)["rules"]
    plain = {switch["name"] for rule in rules for switch in rule.get("settings", {}).values()}
    called = {name for rule in rules for name in CALLED.findall(rule.get("script", ""))}
    assert called <= plain
    assert "e.setting ==" not in "".join(rule.get("script", "") for rule in rules)


@pytest.mark.parametrize("ruleset", names())
def test_no_helper_is_called_as_a_host_function_is(ruleset: str) -> None:
    """It would hide that function, and a script that seems to use `take_back` makes every act be kept."""
    defined = {
        (rule["rule"], name) for rule in founding(ruleset)["rules"] for name in scan(rule.get("script") or "").functions
    }
    assert [each for each in sorted(defined) if each[1] in HOST.words] == []
