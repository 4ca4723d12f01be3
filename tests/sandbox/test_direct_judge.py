"""A judge called directly judges as a process does, and nobody who plays can have one."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import folkmoot
from folkmoot.core.canonical_json import canonical_bytes
from folkmoot.core.events import Event, Outcome
from folkmoot.files.reader import read_scenario
from folkmoot.game.rulesets import fetch_list, founding
from folkmoot.game.secret_store import ANNOUNCE, CHANCE, SEALING
from folkmoot.kernel.replay import entry_of
from folkmoot.kernel.step import Kernel
from folkmoot.sandbox.client import Sandbox
from folkmoot.sandbox.connection import Backing, Connection
from folkmoot.sandbox.worker_process import WorkerProcess
from folkmoot.scenarios.scenario import run_scenario
from tests.conftest import FUZZ
from tests.support.judge import DirectJudge

ENGINE = Path(folkmoot.__file__).parent
ROOT = Path(__file__).parents[2]
SCENARIOS = sorted((ROOT / "tests" / "scenarios").rglob("*.yaml"))
SAMPLE = SCENARIOS[:: 20 if FUZZ else 120]
BACKINGS: tuple[type[Backing], ...] = (DirectJudge, WorkerProcess)


def with_lists(kernel: Kernel) -> None:
    kernel.documents.fetch_list = fetch_list


def events_of(file: Path) -> list[Event]:
    """Return what happens in a scenario, in the one way or the first in which its draws fall."""
    events: list[Event] = []
    apply = Kernel.apply

    def noted(kernel: Kernel, event: Event, *sources: object) -> Outcome:
        events.append(event)
        return apply(kernel, event, *sources)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "apply", noted)
        run_scenario(read_scenario(file.read_text("utf-8"), str(file)), founding, with_lists)
    again = next((n for n, event in enumerate(events) if n and event.do == "found"), len(events))
    return events[:again]


def entries(events: list[Event]) -> tuple[list[bytes], dict[str, bytes]]:
    """Return the entries of events, judged with open dice, and every document at the end."""
    with Sandbox(lists=fetch_list) as sandbox:
        applied = [sandbox.apply(event) for event in events]
        documents = {key: canonical_bytes(document) for key, document in sandbox.documents()}
        assert documents.keys() >= sandbox.current().keys()
    return [canonical_bytes(entry_of(each.event, each.outcome)) for each in applied], documents


@pytest.mark.parametrize("file", SAMPLE, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_entries_and_documents_are_the_same_to_the_byte(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    events = events_of(file)
    judged = []
    for backing in BACKINGS:
        monkeypatch.setattr(Connection, "backing", backing)
        judged.append(entries(events))
    assert len(judged[0][0]) == len(events) > 0
    assert judged[0] == judged[1]


def test_the_engine_chooses_a_process_in_one_place_and_nowhere_else() -> None:
    chosen = []
    for file in sorted(ENGINE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [getattr(node, "attr", None), getattr(node, "id", None), getattr(node, "value", None)]
            if "backing" in names:
                chosen.append((file.relative_to(ENGINE).as_posix(), ast.unparse(node)))
    assert chosen == [("sandbox/connection.py", "backing"), ("sandbox/connection.py", "type(self).backing")]


COMMAND = """
import sys
from folkmoot.cli.main import main
from folkmoot.sandbox.connection import Connection
try:
    main(sys.argv[1:])
finally:
    print(Connection.backing.__name__, "folkmoot.sandbox.worker" in sys.modules, file=sys.stderr)
"""
OF_CLONE = (
    "conftest.py",
    "folkmoot/sandbox/connection.py",
    "sitecustomize.py",
    "starlark.py",
    "tests/__init__.py",
    "tests/support/judge.py",
)


@pytest.mark.parametrize("hostile", [False, True])
def test_neither_the_environment_nor_a_clone_brings_a_judge_into_a_command(tmp_path: Path, hostile: bool) -> None:
    """Each variable is set that the engine or a test names, and the clone holds what tests judge with."""
    files = [file for folder in (ENGINE, ROOT / "tests") for file in folder.rglob("*.py")]
    names = {name for file in files for name in re.findall(r"\b(?:FOLKMOOT|PYTEST)_[A-Z_]+\b", file.read_text("utf-8"))}
    assert len(names) > 10
    variables = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ENGINE.parent)}
    if hostile:
        variables |= dict.fromkeys(names - {CHANCE, SEALING, ANNOUNCE}, "1") | {"FOLKMOOT_BACKING": "direct"}
        for name in OF_CLONE:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text("raise SystemExit('a file of the clone was run')\n")
    (tmp_path / "rule.yaml").write_text("title: Tea\ntext: Tea is served.\nscript: |\n  def on_day(e):\n      pass\n")
    for words in (("new", "tea", "-r", "lanterns", "-p", "ann"), ("check", "rule.yaml"), ("try", "rule.yaml")):
        done = subprocess.run(
            [sys.executable, "-P", "-c", COMMAND, *words],
            cwd=tmp_path, env=variables, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert (done.returncode, done.stderr.splitlines()[-1]) == (0, "WorkerProcess False"), done.stdout + done.stderr
