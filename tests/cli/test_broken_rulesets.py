"""No game is founded with a ruleset that is broken: what `moot check` says of it is what its founder hears."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from folkmoot.files import reader
from folkmoot.files.fast_reader import load_simple
from tests.support.moot import Moot

HEAD = "ruleset: tea\ntitle: Tea\npeople: [{id: ann}, {id: bob}]\n"
SOUND = 'title: Tea\nrule: "1"\ntext: There is tea.\n'
BROKEN = {
    "a script that cannot be parsed": "script: |\n  def on_joined(e:\n      pass\n",
    "a script that names what there is not": "script: |\n  def on_joined(e):\n      award_tea(e.player)\n",
    "an event of the engine's": 'script: |\n  def on_stated(e):\n      emit("joined")\n',
    "an example that does not hold": "examples:\n  - scenario: Tea\n    steps: [{do: pour, by: ann}]\n",
    "a script that fails at the founding": 'script: |\n  def on_founded(e):\n      put("game", "tea", 1)\n',
}
BEGIN = ("--forge", "github", "--home", "https://github.com/ann/game", "--founder", "ann")
WAYS = (
    ("new", "dragons", "-r", "suber", "-p", "ann", "-p", "bob"),
    ("table", "dragons", "-r", "suber", "-p", "ann", "-p", "bob"),
    ("begin", "dragons", *BEGIN),
)


@pytest.mark.parametrize("words", WAYS, ids=[words[0] for words in WAYS])
@pytest.mark.parametrize("how", BROKEN)
def test_no_game_is_founded_with_a_broken_ruleset(moot: Moot, tmp_path: Path, how: str, words: tuple[str, ...]) -> None:
    (tmp_path / "tea/rules").mkdir(parents=True)
    (tmp_path / "tea/ruleset.yaml").write_text(HEAD, "utf-8")
    (tmp_path / "tea/rules/1.yaml").write_text(SOUND + BROKEN[how], "utf-8")
    wrong = [line for line in moot("check", "tea").err.splitlines() if "[E-" in line]
    before = sorted(tmp_path.rglob("*"))
    said = moot(*words, "-r", "./tea")
    assert said.code == 1
    assert wrong
    assert [line for line in said.err.splitlines() if "[E-" in line] == wrong
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("place", ["rules", "rules/2.yaml"])
@pytest.mark.parametrize("words", [("check", "tea"), ("new", "dragons", "-r", "./tea")], ids=["check", "new"])
def test_no_link_and_no_pipe_is_followed_where_a_ruleset_is_read(
    moot: Moot, tmp_path: Path, place: str, words: tuple[str, ...]
) -> None:
    (tmp_path / "tea/rules").mkdir(parents=True)
    (tmp_path / "tea/ruleset.yaml").write_text(HEAD, "utf-8")
    (tmp_path / "tea/rules/1.yaml").write_text(SOUND, "utf-8")
    if place == "rules":
        (tmp_path / "tea/rules").rename(tmp_path / "elsewhere")
        (tmp_path / "tea/rules").symlink_to(tmp_path / "elsewhere")
    else:
        os.mkfifo(tmp_path / "tea" / place)
    said = moot(*words)
    assert said.code == 4
    assert "is left alone [E-FILE]" in said.err


FAULTY = (
    'rule: "1"\ntitle: Roles\ntext: Everybody has one.\n{form}defines:\n  player:\n    role: {{type: string{more}}}\n'
)
USING = """\
rule: "2"
title: Wolves
text: Somebody is one.
actions: {howl: {summary: Howl}}
script: |
  def do_howl(a):
      put(a.by, "role", "wolf")
      put(a.by, "rolle", "wolf")
examples:
  - {scenario: A wolf, players: [ann], steps: [{by: ann, do: howl}], expect: [{player: ann, role: wolf}]}
"""
ROLLE = "no rule declares a register `rolle`"


@pytest.mark.parametrize(
    ("form", "more", "hint", "others"),
    [
        ("", ", summary: Wolf, seer or villager", "quotation marks", {ROLLE}),
        ("summery: x\n", "", "", {ROLLE}),
        ("title: @bees\n", "", "quotation marks", set()),  # cannot be read, so that nobody knows what it declares
    ],
)
def test_a_file_with_a_fault_makes_no_other_complain(
    tmp_path: Path, moot: Moot, form: str, more: str, hint: str, others: set[str]
) -> None:
    rules = tmp_path / "wolves" / "rules"
    rules.mkdir(parents=True)
    (rules.parent / "ruleset.yaml").write_text("ruleset: wolves\ntitle: Wolves\n")
    (rules / "1.yaml").write_text(FAULTY.format(form=form, more=more))
    (rules / "2.yaml").write_text(USING)
    (tmp_path / "night" / "rules").mkdir(parents=True)
    (tmp_path / "night" / "ruleset.yaml").write_text("ruleset: night\ntitle: Night\nextends: ../wolves\n")
    (tmp_path / "night" / "rules" / "3.yaml").write_text(
        USING.replace('rule: "2"', 'rule: "3"').replace("howl", "yowl")
    )
    for folder in ("wolves", "night"):
        problems = json.loads(moot("check", folder, "--json").out)["problems"]
        of_broken = [each for each in problems if each["file"].endswith("1.yaml")]
        assert len(of_broken) == 1
        assert hint in of_broken[0]["hint"]
        assert {each["message"] for each in problems if each not in of_broken} == others, folder


def test_a_rule_beside_a_faulty_one_is_not_called_well_without_a_word(tmp_path: Path, moot: Moot) -> None:
    rules = tmp_path / "wolves" / "rules"
    rules.mkdir(parents=True)
    (rules.parent / "ruleset.yaml").write_text("ruleset: wolves\ntitle: Wolves\n")
    (rules / "1.yaml").write_text(FAULTY.format(form="summery: x\n", more=""))
    (rules / "2.yaml").write_text(USING.replace('      put(a.by, "rolle", "wolf")\n', ""))
    said = moot("check", "wolves/rules/2.yaml")
    told = " ".join(f"{said.out} {said.err}".split())
    assert "1.yaml is mended, what it may declare counts as there, and nothing is played" in told
    assert json.loads(moot("check", "wolves/rules/2.yaml", "--json").out)["unrun"] == ["wolves/rules/2.yaml"]


def test_a_ruleset_is_read_once_for_its_law_and_once_for_the_form_of_its_files(
    moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tea/rules").mkdir(parents=True)
    (tmp_path / "tea/ruleset.yaml").write_text(HEAD, "utf-8")
    (tmp_path / "tea/rules/1.yaml").write_text(SOUND, "utf-8")
    texts: list[str] = []

    def noted(text: str) -> object:
        texts.append(text)
        return load_simple(text)

    monkeypatch.setattr(reader, "load_simple", noted)
    assert moot("check", "tea").code == 0
    assert texts.count(SOUND) <= 2
