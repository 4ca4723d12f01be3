"""`moot try`: what a rule, a branch or a pull request would do, with steps and as a proposal; nothing of it is recorded."""

from __future__ import annotations

from pathlib import Path

import click

from tests.support.gathering import TEA, Gathering
from tests.support.meeting import GAME, git
from tests.support.moot import DRAGON, Moot, write


def test_a_preview_shows_a_pull_request_a_file_and_a_branch(gathering: Gathering) -> None:
    gathering.tea()
    assert "There is tea for everybody." in gathering.moot("bob", "try", "1").out
    text = TEA.replace("for everybody", "for `all_of_us` *now*")
    said = gathering.moot("bob", "try", "--comment", gathering.file("tea.yaml", text)).out
    for wanted in ("If this were proposed · Tea", "It enacts a new rule", "    + There is tea for `all_of_us` *now*."):
        assert wanted in said
    assert not [mark for mark in ("**", "####", "```", "\\", "stands still") if mark in said]
    assert "your checked-out branch changes no rule" in gathering.moot("bob", "try", code=1).err
    clone = gathering.clone("bob")
    (clone / f"state/{GAME}/rules/tea.yaml").write_text(TEA)
    git(clone, "add", ".")
    git(clone, "commit", "--quiet", "-m", "Tea")
    assert "There is tea for everybody." in gathering.moot("bob", "try").out
    assert "has not said anything" in gathering.moot("bob", "try", "1", "--said").out
    gathering.referee()
    assert "Proposal 301" in gathering.moot("bob", "try", "1", "--said").out


def test_what_is_wrong_with_a_pull_request_is_said_once_and_ends_with_1(gathering: Gathering) -> None:
    gathering.open("bob", {"game.yaml": b"title: mine\n"})
    assert f"state/{GAME}/game.yaml" in gathering.moot("ann", "try", "1", code=1).out
    gathering.moot("ann", "propose", "--repeal", "101", "--anyway")
    assert gathering.moot("bob", "try", "2", code=1).out.count("rule 101 is immutable") == 1


def test_try_shows_what_a_rule_would_do_and_leaves_the_game_alone(table: Moot) -> None:
    before = {path: path.read_bytes() for path in Path("state").rglob("*.yaml")}
    steps = write("steps.yaml", "- {by: bob, do: feed, args: {food: hay}}\n- {expect: [{player: bob, score: 1}]}\n")
    said = table("try", write("dragons.yaml", DRAGON), "--steps", steps, "--show", "dragons")
    assert said.code == 0
    assert "New actions: feed" in said.out
    assert click.unstyle(said.out).splitlines()[-4:] == ["So far", "Meals", "─────", "    1"]
    assert {path: path.read_bytes() for path in Path("state").rglob("*.yaml")} == before
    wrong = write("steps.yaml", "- {expect: [{player: bob, score: 7}]}\n")
    assert table("try", "dragons.yaml", "--steps", wrong).code == 1


def test_try_warns_of_a_rule_that_would_end_all_rule_changes(table: Moot) -> None:
    trap = 'title: Silence\nlabels: {status: mutable}\ntext: Nobody may propose.\nscript: |\n  def forbid_propose(a):\n      return refuse("E-STATUS", "silence")\n'
    said = table("try", write("trap.yaml", trap))
    assert "Beware" in said.err
