"""Finding W6 of the language: a scenario can claim, and wait for, a timer whatever key a script has given it."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.files.reader import read_scenario
from folkmoot.scenarios.scenario import run_scenario
from tests.support.table import rule

BELLS = rule(
    "1",
    """
    def do_wind(a):
        after(HOUR, "bell", key = a.args.key)
    def on_bell(e):
        announce(e.key)
    """,
    actions={"wind": {"summary": "Wind", "arguments": {"key": {"type": "string"}}}},
    timers={"bell": {}},
)
FILE = """scenario: bells
ruleset: bells
players: [ann]
steps:
  - {{by: ann, do: wind, args: {{key: "{key}"}}}}
  - expect: [{{timer: "{key}", running: true, due: 2026-01-05T13:00:00Z}}]
  - tick: {{to: "{key}"}}
expect:
  - {{timer: "{key}", running: false}}
"""


@pytest.mark.parametrize("key", ["bell", "seat/north", "vote/proposal/301/ann", "2 o'clock", "ä", "7"])
def test_a_timer_of_any_key_is_claimed(key: str) -> None:
    law: dict[str, Any] = {"title": "Bells", "rules": [{**BELLS, "uid": "1"}], "players": []}
    assert run_scenario(read_scenario(FILE.format(key=key), "bells.yaml"), lambda _name: law)
