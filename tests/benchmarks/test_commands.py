"""What commands cost with 400 rules, and a past of many wordings, beside a small law and the start of the command."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from git import Repo

from folkmoot.game.rulesets import founding
from folkmoot.game.session import Session
from tests.benchmarks.measure import by_turns, figure, seconds
from tests.past.folders import as_yaml

START = 1_767_614_400
RULES = 400
PROGRAM = "import sys; sys.argv[0] = 'moot'; from folkmoot.cli.main import main; main()"


def some_rule(number: int) -> dict[str, Any]:
    """Return a rule of middling size; every other one has a script and a register."""
    rule = {"rule": str(number), "title": f"Idea {number}", "labels": {"status": "mutable"}, "text": "Be merry.\n" * 3}
    if number % 2:
        return rule
    name = f"count_{number}"
    script = f'def on_said_{number}(e):\n    add("game", "{name}", 1)\n\ndef decide_merry_{number}(p):\n'
    register = {"type": "integer", "initial": 0, "summary": "How often it was said"}
    return rule | {"script": f'{script}    return get("game", "{name}") > 3\n', "defines": {"game": {name: register}}}


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return two repositories with a game each, of Suber's rules and of 400."""
    law = founding("suber")
    many = [*law["rules"], *(some_rule(1_000 + n) for n in range(RULES - len(law["rules"])))]
    roots = []
    for rules in (law["rules"], many):
        roots.append(tmp_path_factory.mktemp("law"))
        people = [{"id": name} for name in ("ann", "bob", "cid")]
        with Repo.init(roots[-1]):
            game = {**law, "rules": rules, "title": "Many", "players": people}
            Session.found(roots[-1] / "state" / "game", game, START)
    return roots


def moot(root: Path, *arguments: str, **variables: str) -> None:
    """Run a command in a process of its own."""
    command = [sys.executable, "-c", PROGRAM, *arguments]
    subprocess.run(command, cwd=root, env={**os.environ, **variables}, check=True, capture_output=True)


def completed(root: Path, word: str) -> None:
    """Let the shell ask what may follow a word."""
    asked = {"_MOOT_COMPLETE": "bash_complete", "COMP_WORDS": f"moot {word} ", "COMP_CWORD": "2"}
    subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=root, env={**os.environ, **asked}, check=True, capture_output=True
    )


def test_commands_in_a_large_law(roots: list[Path]) -> None:
    small, large = roots
    completed(large, "vote")
    works = (
        partial(moot, large, "--version"), partial(moot, small, "status"), partial(moot, large, "status"),
        partial(moot, small, "check"), partial(moot, large, "check"), partial(moot, large, "show", "scores"),
        partial(completed, large, "vote"),
    )  # fmt: skip
    start, few_status, status, few_check, check, page, completion = by_turns(2, *works)
    figure("moot status with 400 rules, beside Suber's", status, few_status)
    figure("moot check with 400 rules, beside Suber's", check, few_check)
    figure("moot show with 400 rules, in starts of the command", page, start)
    figure("a completion with 400 rules, in starts of the command", completion, start)


def write_past(folder: Path, wordings: int) -> None:
    """Write a ruleset of six rules, each with so many wordings that are brought along with their years."""
    as_yaml(folder / "ruleset.yaml", {"ruleset": "long", "title": "A long past", "people": [{"id": "ann"}]})
    for number in range(101, 107):
        known = [{"title": f"Rule of {number}", "text": f"Wording {n} of a rule. " * 9} for n in range(wordings)]
        dated = [{"at": str(1993 + n * 30 // wordings), "cause": f"proposal {n}"} for n in range(wordings)]
        revisions = [day | (rule if rule is not known[-1] else {}) for day, rule in zip(dated, known, strict=True)]
        as_yaml(folder / "history" / f"{number}.yaml", {"revisions": revisions})
        as_yaml(folder / "rules" / f"{number}.yaml", {"rule": str(number), **known[-1]})


def test_a_past_of_many_wordings(tmp_path: Path) -> None:
    """Checked, founded and published: a wording costs no more where there are more of them."""
    commands = {
        "check": ("check", "long"),
        "new": ("new", "g", "-r", "./long", "-p", "ann", "--at", "2026-11-01T00:00:00Z", "--no-commit"),
        "serve": ("serve", "--build"),
    }
    taken = []
    for times in (1, 4):
        root = tmp_path / str(times)
        root.mkdir()
        write_past(root / "long", 8 * times)
        subprocess.run(["git", "init", "-q", str(root)], check=True)
        taken.append([seconds(partial(moot, root, *words)) for words in commands.values()])
    for name, less, more in zip(commands, *taken, strict=True):
        figure(f"moot {name} of a past, beside one with a quarter of its changes", more, less)
