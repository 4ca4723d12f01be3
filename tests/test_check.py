"""Checking several files at once: registers that two rules declare, and so share."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.problems import Problem
from folkmoot.scenarios.check_files import cut_short, read_rules, shared_registers

RULE = """\
title: {title}
text: |
  Something.
defines:
  {owner}:
    {name}: {{type: integer, initial: 0, summary: A number}}
"""


def shared(files: Iterable[Path], law: dict[str, Any] | None = None, home: str = "") -> list[Problem]:
    return shared_registers(read_rules(files)[0], law, home)


def rule(folder: Path, file: str, owner: str = "player", name: str = "mood") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / file
    path.write_text(RULE.format(title=file, owner=owner, name=name), "utf-8")
    return path


def test_two_rules_with_one_register_are_both_named(tmp_path: Path) -> None:
    first, second = rule(tmp_path, "a.yaml"), rule(tmp_path, "b.yaml")
    (problem,) = shared([first, second])
    assert problem.code == "W-REGISTER"
    assert str(first) in problem.message
    assert problem.position is not None
    assert (problem.position.file, problem.position.line) == (str(second), 6)


def test_another_owner_name_or_folder_is_another_register(tmp_path: Path) -> None:
    files = [
        rule(tmp_path, "a.yaml"),
        rule(tmp_path, "b.yaml", owner="rule"),
        rule(tmp_path, "c.yaml", name="hunger"),
        rule(tmp_path / "other", "a.yaml"),
    ]
    assert shared(files) == []


def test_a_rule_is_held_against_the_law_but_not_against_itself(tmp_path: Path) -> None:
    law = {"rules": [{"rule": "206", "uid": "206", "defines": {"player": {"mood": {"type": "integer"}}}}]}
    new, changed = rule(tmp_path, "new.yaml"), rule(tmp_path / "of-law", "206.yaml")
    changed.write_text('rule: "206"\nuid: "206"\n' + changed.read_text("utf-8"), "utf-8")
    (problem,) = shared([new], law, "state/table/rules")
    assert "state/table/rules/206.yaml" in problem.message
    assert shared([changed], law, "state/table/rules") == []


def test_a_currency_is_a_register_of_its_owners(tmp_path: Path) -> None:
    rule(tmp_path, "a.yaml", name="gold")
    money = tmp_path / "b.yaml"
    money.write_text("title: Gold\ntext: x\ndefines:\n  currencies:\n    gold: {summary: Gold}\n", "utf-8")
    assert [p.code for p in shared(sorted(tmp_path.glob("*.yaml")))] == ["W-REGISTER"]


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("title: Bees # and honey\n", 13),
        ("text: Rule #5 and # more\n", 12),
        ("title: C#\n", None),
        ('title: "Bees # and honey"\n', None),
        ("# Bees\ntitle: Bees\ntext: |\n  a # b\n", None),
    ],
)
def test_a_title_or_text_that_a_comment_cuts_short_is_told(text: str, column: int | None) -> None:
    found = [(problem.code, problem.position and problem.position.column) for problem in cut_short(text, "x.yaml")]
    assert found == ([] if column is None else [("W-TEXT", column)])
