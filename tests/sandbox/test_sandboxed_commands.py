"""Commands that try, check or run what somebody wrote do it where a watchdog ends it, and say what was ended."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from folkmoot.cli.check import check_rule, run
from folkmoot.core.problems import Problem, ProblemError
from folkmoot.sandbox.client import Sandbox
from folkmoot.scenarios.check_files import read_rules
from tests.support.bench import documents, found, striking
from tests.support.table import START

SWIFT = 0.1  # seconds
ENDLESS = "for i in range(60000):\n          sorted(range(100000), key = lambda n: -n)"
LOOPING = f"""title: Loops
text: It loops.
script: |
  def on_acted(e):
      {ENDLESS}
examples:
  - scenario: it loops
    ruleset: blank
    steps:
      - {{by: ann, do: state, args: {{text: hello}}}}
"""
LAW = {"title": "x", "zone": "UTC", "settings": {}, "players": [{"id": "ann"}], "rules": []}


def checked(judge: Sandbox, file: Path, law: dict[str, Any] | None) -> list[Problem]:
    return check_rule(judge, file, read_rules([file])[0][file], law)


def typed_for_ever() -> str:
    """Return a script of 40 short lines on which the type check goes on and on."""
    lines = ["def f(x):", "    a0 = [x]"]
    lines += [f"    a{n + 1} = [a{n}, a{n}, (a{n}, a{n}), {{'k': a{n}}}]" for n in range(40)]
    return "\n".join([*lines, "    return a40", ""])


@pytest.fixture
def judge():
    with Sandbox(seconds=SWIFT) as judge:
        yield judge


def test_an_example_that_never_ends_is_ended_and_its_file_named(judge: Sandbox, tmp_path: Path) -> None:
    file = tmp_path / "7.yaml"
    file.write_text(LOOPING, "utf-8")
    began = time.monotonic()
    problems = checked(judge, file, LAW)
    assert time.monotonic() - began < 30
    [ended] = [problem for problem in problems if problem.code == "E-EXAMPLE"]
    assert str(file) in str(ended)
    assert "a rule that this would make (on_acted)" in ended.message
    assert checked(judge, file, None) == [], "the next file is checked"


def test_a_type_check_that_never_ends_is_ended(judge: Sandbox, tmp_path: Path) -> None:
    file = tmp_path / "8.yaml"
    script = "".join(f"  {line}\n" for line in typed_for_ever().splitlines())
    file.write_text(f"title: Typed\ntext: x\nscript: |\n{script}", "utf-8")
    began = time.monotonic()
    checked(judge, file, None)
    assert time.monotonic() - began < 30


def test_a_scenario_that_never_ends_is_ended_and_its_file_named(tmp_path: Path) -> None:
    law = {**LAW, "rules": [{"rule": "7", "title": "Loops", "text": "", "script": LOOPING.split("script: |\n")[1]}]}
    law["rules"][0]["script"] = "def on_acted(e):\n    for i in range(60000):\n        sorted(range(100000))\n"
    steps = [{"by": "ann", "do": "state", "args": {"text": "hello"}}]
    with Sandbox(seconds=0.02) as judge:
        [problem] = judge.scenario({"scenario": "loops", "ruleset": "x", "steps": steps}, law, "loops.yaml")
    assert "rule 7 (on_acted)" in problem.message
    assert str(problem).startswith("loops.yaml")


def test_a_trial_that_never_ends_is_ended_and_leaves_nothing() -> None:
    with Sandbox() as judge:
        found(judge, striking("def do_strike(a):\n    add('game', 'total', 5)"))
        game = documents(judge)
    script = "def on_rule_enacted(e):\n    for i in range(60000):\n        sorted(range(100000))\n"
    with (
        Sandbox(game, seconds=0.02) as judge,
        pytest.raises(ProblemError, match="so that the trial was ended") as raised,
    ):
        judge.try_out([{"enact": {"title": "Loops", "text": "", "script": script}}], [], 1, START, ["new.yaml"])
    assert str(raised.value).startswith("new.yaml")


def test_a_packaged_scenario_holds_in_the_judge_too() -> None:
    files = sorted((Path(__file__).parent.parent / "scenarios" / "suber").glob("*.yaml"))[:2]
    with Sandbox() as judge:
        assert [run(judge, file).problems for file in files] == [(), ()]


def test_no_command_builds_a_kernel() -> None:
    engine = Path(__file__).parent.parent.parent / "engine" / "folkmoot"
    building = {
        path.relative_to(engine).as_posix() for path in engine.rglob("*.py") if "Kernel(" in path.read_text("utf-8")
    }
    assert building == {"sandbox/worker.py", "scenarios/scenario.py"}
    running = ("run_scenario(", "try_changes(", "rule_problems(", "check_script(", "diagnose(")
    above = ("cli", "forges", "game", "journal", "ops", "player", "referee", "site", "wording")
    parents = [path for part in above for path in (engine / part).rglob("*.py")]
    assert [path.name for path in parents if any(word in path.read_text("utf-8") for word in running)] == []
