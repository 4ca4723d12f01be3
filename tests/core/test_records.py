"""What stands in documents and journal has types, and no package hands another a map of anything under a fine name."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ENGINE = Path(__file__).resolve().parents[2] / "engine"
DECLARED = (
    "folkmoot.core.records",
    "folkmoot.core.documents",
    "folkmoot.core.rule_blocks",
)  # open maps with names that say so
OPEN = {"dict[str, Any]", "Mapping[str, Any]"}


def module_of(file: Path) -> str:
    return ".".join(file.relative_to(ENGINE).with_suffix("").parts).removesuffix(".__init__")


def package_of(module: str) -> str:
    return ".".join(module.split(".")[:2])


def trees() -> dict[str, ast.Module]:
    files = sorted((ENGINE / "folkmoot").rglob("*.py"))
    return {module_of(file): ast.parse(file.read_text("utf-8")) for file in files}


def open_aliases(tree: ast.Module) -> set[str]:
    found = set()
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(target, ast.Name) and value is not None and ast.unparse(value) in OPEN:
            found.add(target.id)
    return found


def handed_on(trees: dict[str, ast.Module]) -> Iterator[str]:
    aliases = {module: open_aliases(tree) for module, tree in trees.items() if module not in DECLARED}
    for module, tree in trees.items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom) or package_of(node.module or "") == package_of(module):
                continue
            for name in node.names:
                if name.name in aliases.get(node.module or "", ()):
                    yield f"{module} imports {name.name} of {node.module}"


def test_no_alias_of_a_map_of_anything_crosses_a_border() -> None:
    assert list(handed_on(trees())) == []


def test_an_alias_that_crosses_a_border_is_found() -> None:
    planted = {
        "folkmoot.kernel.next_timer": ast.parse("Record = dict[str, Any]"),
        "folkmoot.game.session": ast.parse("from folkmoot.kernel.next_timer import Record"),
        "folkmoot.kernel.step": ast.parse("from folkmoot.kernel.next_timer import Record"),
    }
    assert list(handed_on(planted)) == ["folkmoot.game.session imports Record of folkmoot.kernel.next_timer"]


WRONG = """\
from folkmoot.core.documents import Ballot, Proposal
from folkmoot.core.records import Entry


def wrong(proposal: Proposal, ballot: Ballot, entry: Entry) -> None:
    proposal["stat"]
    ballot["choise"]
    entry["effects"][0]["applyed"]
"""


def test_strict_types_know_the_fields(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    snippet = tmp_path / "snippet.py"
    snippet.write_text(WRONG, "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path / 'cache'}"]
    ran = subprocess.run([*command, str(snippet)], capture_output=True, text=True, cwd=ENGINE, check=False)
    convicted = [line for line in ran.stdout.splitlines() if "has no key" in line]
    assert [line.split(":")[1] for line in convicted] == ["6", "7", "8"], ran.stdout + ran.stderr
