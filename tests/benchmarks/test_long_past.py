"""What a past costs that a group brings along: checked, founded and published, for few wordings and for many.

Seconds of the processor are printed; only their ratio is asserted: a wording costs no more where there are more of them.
The long form has the rules of Agora, with 155 in force and 191 repealed, and its 2,268 changes.
`FOLKMOOT_BENCHMARK_ENTRIES` asks for the short one.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

import pytest

from tests.past.long_past import write_long_past

LONG = not os.environ.get("FOLKMOOT_BENCHMARK_ENTRIES")
SCALE = 1.0 if LONG else 0.15
TIMES = 4
MOST_TIMES = 1.3 * TIMES
SLACK = 0.6
"""Seconds by which the measure is unsure: starting a command, laying out a site."""

pytestmark = pytest.mark.benchmark
COMMANDS = {
    "check": ["check", "long"],
    "found": ["new", "g", "-r", "./long", "-p", "ann", "--at", "2026-11-01T00:00:00Z", "--no-commit"],
    "publish": ["serve", "--build"],
}


def spent(folder: Path, longer: int) -> dict[str, float]:
    """Return what each command takes of the processor, in seconds, for a past of so many times as many changes."""
    folder.mkdir()
    write_long_past(folder / "long", SCALE, longer)
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    found = {}
    for name, words in COMMANDS.items():
        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "folkmoot", *words], cwd=folder, check=True, capture_output=True)
        after = getrusage(RUSAGE_CHILDREN)
        found[name] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return found


def test_a_wording_costs_no_more_where_there_are_more(tmp_path: Path) -> None:
    few, many = spent(tmp_path / "few", 1), spent(tmp_path / "many", TIMES)
    for name in COMMANDS:
        print(f"{name}: {few[name]:.1f} s, and {many[name]:.1f} s with {TIMES} times as many changes")
    for name in COMMANDS:
        assert many[name] <= few[name] * MOST_TIMES + SLACK, name
