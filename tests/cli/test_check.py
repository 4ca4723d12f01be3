"""`moot check`: rules, rulesets, scenarios and schemas; what it says of a ruleset is what its founder hears."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from folkmoot.cli.options import FILE_KINDS
from folkmoot.files.schema import json_schema
from tests.support.moot import DRAGON, Moot, write

BEGIN = ("begin", "dragons", "--forge", "github", "--home", "https://github.com/ann/game", "--founder", "ann")


HEAD = "ruleset: tea\ntitle: Tea\npeople: [{id: ann}, {id: bob}]\n"
SOUND = 'title: Tea\nrule: "1"\ntext: There is tea.\n'
BROKEN = {
    "a script that cannot be parsed": "script: |\n  def on_joined(e:\n      pass\n",
    "a script that names what there is not": "script: |\n  def on_joined(e):\n      award_tea(e.player)\n",
    "an event of the engine's": 'script: |\n  def on_stated(e):\n      emit("joined")\n',
    "an example that does not hold": "examples:\n  - scenario: Tea\n    steps: [{do: pour, by: ann}]\n",
    "a script that fails at the founding": 'script: |\n  def on_founded(e):\n      put("game", "tea", 1)\n',
}


def tea(folder: Path, more: str = "") -> Path:
    """Write a ruleset of one rule; return its folder."""
    (folder / "tea/rules").mkdir(parents=True)
    (folder / "tea/ruleset.yaml").write_text(HEAD, "utf-8")
    (folder / "tea/rules/1.yaml").write_text(SOUND + more, "utf-8")
    return folder / "tea"


@pytest.mark.parametrize("how", BROKEN)
def test_no_game_is_founded_with_a_broken_ruleset(moot: Moot, tmp_path: Path, how: str) -> None:
    tea(tmp_path, BROKEN[how])
    wrong = [line for line in moot("check", "tea").err.splitlines() if "[E-" in line]
    place = "5:5" if "examples" in BROKEN[how] else "6:"
    assert wrong[0].startswith(f"tea/rules/1.yaml:{place}")
    before = sorted(tmp_path.rglob("*"))
    for words in (("new", "dragons", "-p", "ann"), ("table", "dragons", "-p", "ann"), BEGIN):
        said = moot(*words, "-r", "./tea")
        assert said.code == 1
        assert [line for line in said.err.splitlines() if "[E-" in line] == wrong
        assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("place", ["rules", "rules/2.yaml"])
def test_no_link_and_no_pipe_is_followed_where_a_ruleset_is_read(moot: Moot, tmp_path: Path, place: str) -> None:
    folder = tea(tmp_path)
    if place == "rules":
        (folder / "rules").rename(tmp_path / "elsewhere")
        (folder / "rules").symlink_to(tmp_path / "elsewhere")
    else:
        os.mkfifo(folder / place)
    for words in (("check", "tea"), ("new", "dragons", "-r", "./tea")):
        said = moot(*words)
        assert (said.code, "is left alone [E-FILE]" in said.err) == (4, True)


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


@pytest.mark.parametrize(
    ("form", "more", "hint"),
    [("", ", summary: Wolf, seer or villager", "quotation marks"), ("summery: x\n", "", "")],
)
def test_a_file_with_a_fault_makes_no_other_complain(
    tmp_path: Path, moot: Moot, form: str, more: str, hint: str
) -> None:
    for folder, head, files in (
        ("wolves", "ruleset: wolves\n", {"1": FAULTY.format(form=form, more=more), "2": USING}),
        ("night", "ruleset: night\nextends: ../wolves\n", {"3": USING.replace('"2"', '"3"').replace("howl", "yowl")}),
    ):
        (tmp_path / folder / "rules").mkdir(parents=True)
        (tmp_path / folder / "ruleset.yaml").write_text(f"title: Wolves\n{head}")
        for number, text in files.items():
            (tmp_path / folder / f"rules/{number}.yaml").write_text(text)
    for folder in ("wolves", "night"):
        problems = json.loads(moot("check", folder, "--json").out)["problems"]
        of_broken = [each for each in problems if each["file"].endswith("1.yaml")]
        assert len(of_broken) == 1
        assert hint in of_broken[0]["hint"]
        assert [each for each in problems if each not in of_broken] == [], folder
    if not more:  # the rule beside it is not called well without a word
        write("wolves/rules/2.yaml", USING.replace('      put(a.by, "rolle", "wolf")\n', ""))
        said = moot("check", "wolves/rules/2.yaml")
        told = " ".join(f"{said.out} {said.err}".split())
        assert "1.yaml is mended, names of its ruleset are not looked up, and nothing is played" in told
        assert moot("check", "wolves/rules/2.yaml", "--json").record["unrun"] == ["wolves/rules/2.yaml"]


def test_check_names_file_line_and_column(table: Moot) -> None:
    assert table("check", write("dragons.yaml", DRAGON)).code == 0
    faulty = DRAGON.replace('meals", 1)', 'meals", 1 / 2)')
    said = table("check", write("faulty.yaml", faulty))
    assert said.code == 1
    assert "faulty.yaml:12:30: " in said.err
    assert "hint: " in said.err
    wrong = table("check", write("wrong.yaml", DRAGON.replace("score: 1}", "score: 2}")), "--json")
    assert wrong.code == 1
    assert [problem["code"] for problem in wrong.record["problems"]] == ["E-EXAMPLE"]
    assert table("check").code == 0


def test_hints_of_what_the_law_or_a_recipe_has_already(table: Moot) -> None:
    write(
        "rivals.yaml",
        "title: Rivals\ntext: x\ndefines:\n  player:\n    score: {type: integer, initial: 3, summary: x}\n",
    )
    said = table("check", "rivals.yaml")
    assert said.code == 0
    assert "state/table/rules/112.yaml" in said.out + said.err
    assert "1 file checked: 1 hint." in said.out
    said = table("check", write("market.yaml", "title: Market day\ntext: Everybody sells.\n"))
    assert "`moot propose --from market`" in said.err
    assert "--from" not in table("check", write("tea.yaml", "title: Tea\ntext: Tea is drunk.\n")).err


def test_scenarios_that_fail_are_named(moot: Moot) -> None:
    good = "scenario: a game begins\nruleset: suber\nplayers: [ann, bob]\nexpect:\n  - {game: true, next_number: 301}\n"
    write("good.yaml", good)
    assert moot("check", "good.yaml").out.endswith("all is well. 1 of 1 scenario held.\n")
    write("bad.yaml", good.replace("301", "302"))
    said = moot("check", ".")
    assert said.code == 1
    assert said.out.endswith("1 of 2 scenarios held.\n")
    assert "bad.yaml" in said.err


def test_schemas_are_written_for_editors(moot: Moot, tmp_path: Path) -> None:
    said = moot("check", "--schemas", "schemas")
    assert said.code == 0
    line = "# yaml-language-server: $schema=schemas/rule.json"
    assert line in said.err.splitlines()
    assert line in [told.strip() for told in moot("check", "--help").out.splitlines()]
    assert {path.stem for path in Path("schemas").glob("*.json")} >= {"rule", "action", "settings", "scenario"}
    assert json.loads(Path("schemas/rule.json").read_text())["type"] == "object"
    said = moot("check", "--schemas", "s", "--json")
    assert sorted(said.record["written"]) == sorted(f"s/{path.name}" for path in (tmp_path / "s").iterdir())


def test_a_schema_says_of_every_key_what_it_means_and_takes_no_other() -> None:
    for kind in FILE_KINDS:
        schema = json_schema(kind)
        assert [key for key, each in schema["properties"].items() if not each.get("description")] == [], kind
        assert schema["additionalProperties"] is False or kind == "action"


def test_a_file_whose_name_is_no_utf_8_is_checked_like_any_other(moot: Moot, tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path / "rules") + b"\xff\xfe.yaml")).write_text(
        "title: Tea\ntext: Tea.\n", "utf-8"
    )
    assert moot("check", ".").code == 0
