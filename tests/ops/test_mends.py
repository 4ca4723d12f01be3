"""Whatever the doctor finds wrong, it says what to type, or which page of the forge to open."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import folkmoot.ops.doctor

FOLDER = Path(folkmoot.ops.doctor.__file__).parent
SAID = ("moot ", "git ", "gh ", "/do ", "place.home}/", "{home}", "{page}", "{start}", "APPLY", "tea ", "{how_to_give(")
"""What begins a command, or the address of a page."""
ELSEWHERE = {
    "install git 2.31 or newer",
    "let the machine set its clock by the network",
    "use a token of an administrator of the repository",
    "judge on Linux, where the container or the system's settings let these stand",
    "update Folkmoot, or report it",
    'f"update it to {oldest} or newer"',
    'problem.hint or "run it again"',
    "RENEW",
    'mend.rstrip(".")',  # of a warning of `clock_warning`
    "failed.problems[0].hint",
}
"""What no command of this repository mends, and no page of its forge; also what is worded elsewhere."""


def mends() -> Iterator[tuple[str, str]]:
    """Yield where it stands and how it is written: every way to mend that a finding names."""
    for file in sorted(FOLDER.glob("*.py")):
        text = file.read_text("utf-8")
        for node in ast.walk(ast.parse(text)):
            named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id
            if named in ("warning", "error", "unknown") and len(node.args) >= 3:  # type: ignore[union-attr]
                given = node.args[2]  # type: ignore[union-attr]
            elif (isinstance(node, ast.keyword) and node.arg == "mend") or (
                isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in ("mend", "allow")
            ):
                given = node.value
            else:
                continue
            written = ast.get_source_segment(text, given) or ""
            if written not in ("mend", "allow"):
                yield f"{file.name}:{given.lineno}", written


def test_each_mend_is_a_command_or_a_page() -> None:
    known = [any(word in said for word in SAID) or {said, said.strip('"')} & ELSEWHERE for _, said in mends()]
    assert [mend for mend, is_known in zip(mends(), known, strict=True) if not is_known] == []


def test_there_are_mends() -> None:
    assert len(list(mends())) > 60
    assert not any(len(written) > 200 for _, written in mends())
