"""What the commands cost that people run most: `moot status` and `moot check` on the law of Suber and on 400 rules.

Seconds are printed, the least of several runs by turns, with those of the processor (the judge's among them); only
ratios of the latter are asserted.
"""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from git import Repo

from folkmoot.game.rulesets import founding
from folkmoot.game.session import Session

START = 1_767_614_400
RULES = 400
RUNS = 3 if os.environ.get("FOLKMOOT_BENCHMARK_ENTRIES") else 5  # fewer in the short form
HERE = Path(__file__).parents[2]

Record = dict[str, Any]

pytestmark = pytest.mark.benchmark


def some_rule(number: int) -> Record:
    """Return a rule of middling size; every other one has a script and a register."""
    rule = {"rule": str(number), "title": f"Idea {number}", "labels": {"status": "mutable"}, "text": "Be merry.\n" * 3}
    if number % 2:
        return rule
    name = f"count_{number}"
    script = f'def on_said_{number}(e):\n    add("game", "{name}", 1)\n\ndef decide_merry_{number}(p):\n'
    register = {"type": "integer", "initial": 0, "summary": "How often it was said"}
    return rule | {"script": f'{script}    return get("game", "{name}") > 3\n', "defines": {"game": {name: register}}}


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Return two repositories with a game each, by the number of its rules."""
    law = founding("suber")
    many = [*law["rules"], *(some_rule(1_000 + n) for n in range(RULES - len(law["rules"])))]
    roots = {}
    for rules in (law["rules"], many):
        roots[len(rules)] = root = tmp_path_factory.mktemp("law")
        people = [{"id": name} for name in ("ann", "bob", "cid")]
        with Repo.init(root):
            Session.found(root / "state" / "game", {**law, "rules": rules, "title": "Many", "players": people}, START)
    return roots


def run(root: Path, *arguments: str) -> tuple[float, float]:
    """Run a command and return the seconds that passed and those of the processor, its children's among them."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "folkmoot", "-C", str(root), *arguments]
    subprocess.run(command, cwd=HERE, check=True, stdout=subprocess.DEVNULL)
    passed, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return passed, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@pytest.mark.parametrize("command", ["status", "check"])
def test_a_large_law_costs_little_more_than_a_small_one(roots: dict[int, Path], command: str) -> None:
    small, large = roots
    cases = {"start": (small, "--version"), "small": (small, command), "large": (large, command)}
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in cases}
    for _ in range(RUNS):
        for name, (size, word) in cases.items():
            taken[name].append(run(roots[size], word))
    wall = {name: min(passed for passed, _ in times) for name, times in taken.items()}
    used = {name: min(processor for _, processor in times) for name, times in taken.items()}
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    figures = ", ".join(f"{name} {wall[name]:.2f} s ({used[name]:.2f} s)" for name in cases)
    print(f"\nmoot {command}, {small} and {large} rules, wall (processor): {figures}  [{machine}]")
    assert used["large"] <= 4 * used["small"], "a rule more must cost little against the start of the command"


def completed(root: Path, *words: str) -> float:
    """Let the shell ask what may follow some words, and return the seconds of the processor that this takes."""
    variables = {"_MOOT_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(("moot", *words, ""))}
    variables["COMP_CWORD"] = str(1 + len(words))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", "import sys; sys.argv[0] = 'moot'; from folkmoot.cli.main import main; main()"]
    done = subprocess.run(command, cwd=root, env={**os.environ, **variables}, capture_output=True, check=True)
    assert done.stdout or words[-1] in ("demo", "begin")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_a_page_is_shown_soon(roots: dict[int, Path]) -> None:
    root = roots[RULES]
    pairs = [(run(root, "show", "scores")[1], run(root, "--version")[1]) for _ in range(RUNS)]
    changed, start = min(changed for changed, _ in pairs), min(start for _, start in pairs)
    print(f"\nmoot show scores, {RULES} rules, changed: {changed:.2f} s of the processor, the start {start:.2f} s")
    assert changed <= 8 * start, "two processes, and what draws"


@pytest.mark.parametrize(
    "words",
    [
        ("vote",),
        ("demo",),
        pytest.param(("explain", "rule"), marks=pytest.mark.long),
        pytest.param(("show", "--open"), marks=pytest.mark.long),
        pytest.param(("begin",), marks=pytest.mark.long),
    ],
)
def test_a_shell_waits_little_longer_than_the_command_takes_to_start(
    roots: dict[int, Path], words: tuple[str, ...]
) -> None:
    root = roots[RULES]
    completed(root, *words)
    pairs = [(completed(root, *words), run(root, "--version")[1]) for _ in range(RUNS)]
    asked, start = min(asked for asked, _ in pairs), min(start for _, start in pairs)
    print(f"\ncompletion of moot {' '.join(words)}, {RULES} rules: {asked:.2f} s of the processor, start {start:.2f} s")
    assert asked <= 4 * start, "the law is not loaded for what lies in files"
