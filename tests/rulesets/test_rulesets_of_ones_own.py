"""A ruleset in a folder founds games, is checked and plays its scenarios as a packaged one does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from folkmoot.cli.main import moot
from folkmoot.core.problems import ProblemError
from folkmoot.game import rulesets
from folkmoot.game.rulesets import founding_for, founding_in, founding_named
from folkmoot.game.session import Session

HEAD = "ruleset: tea\ntitle: Tea\npeople: [{id: ann}, {id: bob}]\noffices: {host: ann}\n"
POUR = """title: Pouring
rule: "1"
text: Whoever pours has poured.
defines: {player: {poured: {type: integer}}, offices: {host: {}}}
actions: {pour: {}}
script: |
  def do_pour(a):
      add(a.by, "poured", 1)
"""
SCENARIO = """scenario: Somebody pours
ruleset: %s
steps: [{do: pour, by: ann}]
expect: [{player: ann, poured: 1}]
"""
Run = Callable[..., Result]


@pytest.fixture
def tea(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a ruleset, in the folder that is the present one."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("ruleset.yaml", HEAD), ("rules/1.yaml", POUR), ("scenarios/pour.yaml", SCENARIO % "tea")):
        file = tmp_path / "tea" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return tmp_path / "tea"


@pytest.fixture
def run() -> Run:
    return lambda *arguments: CliRunner().invoke(moot, [str(each) for each in arguments])


def problems(folder: Path) -> list[str]:
    with pytest.raises(ProblemError) as caught:
        founding_in(folder)
    return [
        f"{p.code} {p.position.file.rpartition('/')[2] if p.position else ''}".strip() for p in caught.value.problems
    ]


def test_a_game_is_founded_from_a_folder(tea: Path, run: Run) -> None:
    done = run("new", "party", "-r", "./tea", "--no-commit")
    assert done.exit_code == 0, done.output
    with Session.open(Path("state/party")) as session:
        assert [rule["title"] for rule in session.rules()] == ["Pouring"]
        assert session.document("game")["ruleset"] == "tea"
        assert session.document("things/office")["host"]["holder"] == "ann"
    done = run("new", "empty", "-r", "./tea", "-p", "cid", "--no-commit")
    assert "Nobody holds the office of host yet" in done.output


def test_a_settings_file_names_it_as_seen_from_itself(tea: Path, run: Run) -> None:
    (tea / "party.yaml").write_text("ruleset: .\ntitle: Five o'clock\n")
    assert run("new", "party", "-f", tea / "party.yaml", "--no-commit").exit_code == 0
    with Session.open(Path("state/party")) as session:
        assert session.document("game")["title"] == "Five o'clock"


def test_it_may_extend_a_packaged_one(tea: Path) -> None:
    (tea / "ruleset.yaml").write_text(HEAD + "extends: suber\n")
    (tea / "rules" / "213.yaml").write_text('title: No last resort\nrule: "213"\nuid: "213"\ntext: None.\n')
    rules = {rule["uid"]: rule for rule in founding_in(tea)["rules"]}
    assert set(rules) == {rule["uid"] for rule in rulesets.founding("suber")["rules"]} | {"1"}
    assert rules["213"]["title"] == "No last resort"


@pytest.mark.parametrize("named", ["tea", "..", "./../../tea"])
def test_its_scenarios_play_by_it(tea: Path, run: Run, named: str) -> None:
    (tea / "scenarios" / "pour.yaml").write_text(SCENARIO % named)
    done = run("check", tea, "--json")
    found = json.loads(done.output)
    assert (found["passed"], found["failed"]) == (1, []), done.output


def test_a_scenario_elsewhere_names_its_folder_and_the_folder_goes_before_a_packaged_one(tea: Path) -> None:
    file = tea.parent / "pour.yaml"
    assert founding_for("./tea", file)["title"] == "Tea"
    (tea / "ruleset.yaml").write_text(HEAD.replace("ruleset: tea", "ruleset: suber"))
    assert founding_for("suber", tea / "scenarios" / "pour.yaml")["title"] == "Tea"
    assert founding_for("suber", file)["title"] == rulesets.founding("suber")["title"]
    assert founding_named("suber", tea)["title"] == rulesets.founding("suber")["title"]


MALFORMED: dict[str, tuple[dict[str, str | None], list[str]]] = {
    "no head": ({"ruleset.yaml": None}, ["E-NO-SUCH"]),
    "no rules": ({"rules/1.yaml": None}, ["E-NO-SUCH"]),
    "extends nothing": ({"ruleset.yaml": HEAD + "extends: subber\n"}, ["E-NO-SUCH ruleset.yaml"]),
    "no number": ({"rules/1.yaml": "title: x\ntext: y\n"}, ["E-MISSING 1.yaml"]),
    "two faults": ({"rules/1.yaml": "titel: x\n", "rules/2.yaml": "title: x\n"},
                   ["E-KEY 1.yaml", "E-MISSING 1.yaml", "E-MISSING 2.yaml"]),
}  # fmt: skip


@pytest.mark.parametrize("case", MALFORMED)
def test_a_malformed_one_is_told_in_whole(tea: Path, run: Run, case: str) -> None:
    files, expected = MALFORMED[case]
    for name, text in files.items():
        (tea / name).unlink(missing_ok=True)
        if text is not None:
            (tea / name).write_text(text)
    assert sorted(problems(tea)) == sorted(expected)
    assert run("new", "party", "-r", "./tea", "--no-commit").exit_code != 0
    assert not Path("state").exists()
    if case not in ("no head", "no rules"):
        found: list[dict[str, Any]] = json.loads(run("check", tea, "--json").output)["problems"]
        assert [p["code"] for p in found if p["code"].startswith("E-")] == [each.split()[0] for each in expected]
