"""The table of what each forge supports: every row is held to by tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent.parent / "site_src" / "reference" / "forges.md"
OF_THE_WEB = ("test_port.py", "test_web_*.py", "test_one_turn.py")
SUITES = {
    "Local": ("test_*.py",),
    "GitHub": (*OF_THE_WEB, "github/test_*.py"),
    "Forgejo, Gitea": (*OF_THE_WEB, "gitea/test_*.py"),
    "Gitea 1.15": (*OF_THE_WEB, "gitea/test_*.py"),
}
TESTS = {
    forge: {
        name
        for pattern in patterns
        for file in HERE.glob(pattern)
        for name in re.findall(r"def (test_\w+)\(", file.read_text("utf-8"))
    }
    for forge, patterns in SUITES.items()
}
TABLE = PAGE.read_text("utf-8").partition("\n| What | Local ")[1:]
HEAD, _, *ROWS = [
    [cell.strip() for cell in line.strip().strip("|").split("|")]
    for line in "".join(TABLE).partition("\n\n")[0].splitlines()
    if line
]


@pytest.mark.parametrize("row", ROWS, ids=[row[0][:40] for row in ROWS])
def test_a_row_is_whole_and_its_tests_are_there(row: list[str]) -> None:
    assert HEAD[1:-1] == list(SUITES)
    assert len(row) == len(HEAD)
    assert all(row)
    named = set(re.findall(r"`(test_\w+)`", row[-1]))
    assert named
    assert named <= set.union(*TESTS.values())
    for forge, said in zip(SUITES, row[1:-1], strict=True):
        if said.startswith(("yes", "three")):
            assert named & TESTS[forge], f"{forge}: {row[0]}"
