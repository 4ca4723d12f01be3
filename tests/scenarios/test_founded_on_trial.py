"""Language P6: `moot check` founds a ruleset on trial, and says what no game can begin with, with its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from folkmoot.scenarios.known_names import known_in
from folkmoot.scenarios.script_check import check_script
from tests.support.moot import Moot, Said

HEAD = """ruleset: tea
title: Tea
people:
  - {id: ann}
  - {id: bob}
offices:
  host: ann
settings: {sugar: "one"}
given:
  - {player: ann, cups: 2}
history:
  "1":
    - {at: 2024-01-01T10:00:00Z, text: Nobody pours.}
    - {at: 2025-01-01T10:00:00Z, cause: the second evening}
"""
POUR = """title: Pouring
rule: "1"
text: Whoever pours has poured.
defines:
  player: {cups: {type: integer}}
  offices: {host: {}}
  kinds:
    pot: {registers: {full: {type: boolean}}}
settings:
  sugar: {question: How much?, default: none, alternatives: {none: None., one: One.}}
actions:
  pour: {as: host}
script: |
  def do_pour(a):
      add(a.by, "cups", 1)
"""
Run = Callable[..., Any]


class Checked:
    """What a run of `moot` said in all, and how it ended."""

    def __init__(self, said: Said) -> None:
        self.exit_code, self.output = said.code, said.out + said.err


@pytest.fixture
def run(moot: Moot) -> Run:
    return lambda *arguments: Checked(moot(*map(str, arguments)))


def tea(head: str = HEAD, rule: str = POUR) -> Path:
    """Write the folder of a ruleset, and return it."""
    for name, text in (("ruleset.yaml", head), ("rules/1.yaml", rule)):
        file = Path("tea", name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return Path("tea")


def test_a_sound_ruleset_is_well(run: Run) -> None:
    done = run("check", tea())
    assert (done.exit_code, done.output) == (0, "2 files checked: all is well.\n")


WRONG = [
    ("player: ann, cups: 2", "player: ann, cubs: 2", "ruleset.yaml:10:5", "declares a register 'cubs' of player"),
    ("player: ann, cups: 2", "player: eve, cups: 2", "ruleset.yaml:10:5", "eve"),
    ("player: ann, cups: 2", "kind: kettle, id: k", "ruleset.yaml:10:5", "kind of thing called 'kettle'"),
    ("player: ann, cups: 2", "kind: pot, full: 7", "ruleset.yaml:10:5", "full"),
    ("host: ann", "host: eve", "ruleset.yaml:7:3", "eve"),
    ("offices:\n  host: ann", "offices_in_turn: [host, guest]", "ruleset.yaml:6:25", "guest"),
    ("host: ann", "hsot: ann", "ruleset.yaml:7:3", "hsot"),
    ('sugar: "one"', 'sugar: "two"', "ruleset.yaml:8:12", "two"),
    ('"1":', '"9":', "ruleset.yaml:12:3", "history of rule 9"),
    ("2025-01-01", "2023-01-01", "ruleset.yaml:14:12", "order of their times"),
]


@pytest.mark.parametrize(("before", "after", "place", "why"), WRONG)
def test_what_no_game_can_begin_with_is_told(run: Run, before: str, after: str, place: str, why: str) -> None:
    assert HEAD.count(before) == 1
    done = run("check", tea(HEAD.replace(before, after)))
    assert done.exit_code == 1, done.output
    assert place in done.output.replace("\n", ""), done.output
    assert why in " ".join(done.output.split()), done.output
    assert "1 problem" in done.output


def test_every_mistake_is_told_not_the_first(run: Run) -> None:
    head = HEAD.replace("host: ann", "host: eve").replace("cups: 2", "cubs: 2")
    assert "2 problems" in run("check", tea(head)).output


@pytest.mark.parametrize("people", [True, False])
def test_scripts_that_fail_at_the_founding_are_told(run: Run, people: bool) -> None:
    rule = POUR + "  def on_joined(e):\n      put(e.player, 'cups', 1 // 0)\n"
    head = HEAD if people else "ruleset: tea\ntitle: Tea\n"
    said = " ".join(run("check", tea(head, rule)).output.split())
    assert "tea/rules/1.yaml:17:29:" in said, said
    assert "rule 1: on_joined fails when a game is founded" in said
    assert "1 problem" in said


def test_a_founding_that_never_ends_is_ended(run: Run) -> None:
    rule = POUR + "  def on_founded(e):\n      for i in range(10000000):\n          x = [0] * 100000\n"
    said = run("check", tea(rule=rule))
    assert said.exit_code == 1
    assert "when a game" in said.output


def test_rules_whose_examples_fail_are_told(run: Run) -> None:
    failing = POUR + "examples:\n  - {scenario: one, steps: [{by: ann, do: pour}], expect: [{player: ann, cups: 9}]}\n"
    said = run("check", tea(rule=failing))
    assert said.exit_code == 1
    assert "rules/1.yaml:17:5: one: expected" in said.output
    holding = failing.replace("cups: 9", "cups: 3")
    assert run("check", tea(rule=holding)).exit_code == 0


def test_an_action_as_an_office_that_nobody_declares(run: Run) -> None:
    said = " ".join(run("check", tea(rule=POUR.replace("as: host", "as: hots"))).output.split())
    assert "no rule declares the office `hots`, as which one does `pour`" in said
    assert "did you mean `host`?" in said


def test_examples_that_are_not_run_are_told(run: Run) -> None:
    Path("alone.yaml").write_text("title: Alone\ntext: x\nexamples:\n  - {scenario: one, expect: [{winner: null}]}\n")
    said = run("check", "alone.yaml")
    assert said.exit_code == 0
    assert "The examples of alone.yaml were not run" in said.output
    assert '"unrun": ["alone.yaml"]' in run("check", "alone.yaml", "--json").output.replace("\n", "").replace("  ", "")
    assert "not run" not in run("check", "alone.yaml", "-r", "suber").output


def hints(script: str, **parts: object) -> list[str]:
    rule = {"uid": "1", "script": script, **parts}
    return [f"{p.message}; {p.hint}" for p in check_script(rule, known_in([rule]))]


@pytest.mark.parametrize(
    "call",
    [
        "owe(e.player, 'pour', do = 'puor')",
        "owe(e.player, 'pour', None, None, 'puor')",
        "owe_all(things('player'), 'pour', do = ['vote', 'puor'])",
    ],
)
def test_a_duty_to_do_what_nobody_can_is_told(call: str) -> None:
    actions = {"pour": {"summary": "Pour"}}
    done = "def do_pour(a):\n    pass\n"
    found = hints(f"def on_left(e):\n    {call}\n{done}", actions=actions)
    assert found == ["no rule offers the action `puor`; did you mean `pour`?"]
    assert hints(f"def on_left(e):\n    {call.replace('puor', 'pour')}\n{done}", actions=actions) == []


def test_several_actions_that_take_rule_changes_and_none_is_marked(run: Run) -> None:
    takes = "{arguments: {changes: {type: changes}}}"
    rule = POUR.replace("pour: {as: host}", f"sow: {takes}\n  reap: {takes}").replace("do_pour", "do_sow")
    rule += "  def do_reap(a):\n      pass\n"
    said = " ".join(run("check", tea(rule=rule)).output.split())
    assert "a pull request that changes rules may be sow or reap, and no rule says which" in said
    for mended in (rule.replace("reap: {arg", "reap: {takes: pull_requests, arg"),
                   rule + "  def decide_taken_as(pull):\n      return 'sow'\n"):  # fmt: skip
        assert "no rule says which" not in run("check", tea(rule=mended)).output
