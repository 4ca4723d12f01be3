"""The table of what each forge supports: every row is held to by tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "site_src" / "reference" / "forges.md"
FORGES = ("Local", "GitHub", "Forgejo, Gitea", "Gitea 1.15")
SUITES = {"Local": ".", "GitHub": "github", "Forgejo, Gitea": "gitea", "Gitea 1.15": "gitea"}


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


TABLE = PAGE.read_text("utf-8").partition("\n| What | Local ")[1:]
HEAD, _, *ROWS = [cells(line) for line in "".join(TABLE).partition("\n\n")[0].splitlines() if line]


def suite_of(folder: str) -> set[str]:
    """Return the tests of a folder, and those that all forges pass."""
    suites = [HERE / "conformance.py"]
    if folder != ".":
        suites += [
            HERE / name for name in ("web_conformance.py", "web_faults.py", "web_reading.py", "test_one_turn.py")
        ]
    files = [*suites, *(HERE / folder).glob("test_*.py")]
    return {name for file in files for name in re.findall(r"def (test_\w+)\(", file.read_text("utf-8"))}


def test_the_table_has_a_column_for_each_forge() -> None:
    assert HEAD[1:-1] == list(FORGES)
    assert len(ROWS) > 20


@pytest.mark.parametrize("row", ROWS, ids=[row[0][:40] for row in ROWS])
def test_a_row_is_whole_and_its_tests_are_there(row: list[str]) -> None:
    assert len(row) == len(HEAD)
    assert all(row)
    named = re.findall(r"`(test_\w+)`", row[-1])
    assert named
    assert set(named) <= {name for folder in SUITES.values() for name in suite_of(folder)}
    for forge, said in zip(FORGES, row[1:-1], strict=True):
        if said.startswith(("yes", "three")):
            assert set(named) & suite_of(SUITES[forge]), f"{forge}: {row[0]}"
