"""Every command that has a rule's script run has it run behind the walls: none is parsed or run in its own process."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.language import binding
from tests.support.gathering import Gathering

RULE = """rule: 320
title: Tea
labels: {status: mutable}
text: There is tea.
script: |
  def on_day(e):
      announce("tea")
"""
SCENARIO = """title: Somebody waits
ruleset: suber
players: [ann, bob]
play:
- {at: +1d}
"""


pytestmark = pytest.mark.process


class Unused:
    """A language that nothing may be asked of in this process."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"starlark.{name} in the process of the command")


@pytest.fixture
def shut(gathering: Gathering, monkeypatch: pytest.MonkeyPatch) -> Gathering:
    """Return a gathering in whose process no script can be parsed or run; only workers, started anew, run any."""
    monkeypatch.setattr(binding, "starlark", Unused())
    return gathering


@pytest.mark.threat("T-01")
@pytest.mark.parametrize(
    "words",
    [
        "status", "show", "log", "explain rule 202", "explain ann propose", "verify", "check", "check RULE", "try RULE",
        "try --comment RULE", "check SCENARIO", "serve --build", "referee", "referee --dry-run", "doctor", "show hand",
        "init --forms",
        "propose --rule RULE --dry-run", "do pause --dry-run",
    ],
)  # fmt: skip
def test_no_command_runs_a_script_in_its_own_process(shut: Gathering, words: str) -> None:
    files = {"RULE": shut.file("tea.yaml", RULE), "SCENARIO": shut.file("scenario.yaml", SCENARIO)}
    said = shut._moot("-C", str(shut.clone("ann")), *(files.get(word, word) for word in words.split()))
    assert "starlark" not in said.out + said.err
    assert said.code != 70, said
