"""Every command has scripts run behind the walls of the sandbox, and says which of the walls do not stand here."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from folkmoot.language import binding
from folkmoot.sandbox.client import Sandbox
from folkmoot.sandbox.connection import Connection
from folkmoot.sandbox.walls import VARIABLE, WALLS, Wall, refuse_bare_root, walls
from tests.support.gathering import Gathering
from tests.support.moot import Moot

FILES, NONE = "(Landlock)", "no wall of the sandbox stands here"
Standing = Callable[[str], None]
each_way = pytest.mark.parametrize(
    ("names", "told"), [("calls files network", ""), ("calls network", FILES), ("", NONE)]
)


@pytest.fixture
def standing(monkeypatch: pytest.MonkeyPatch) -> Standing:
    """Return what says which walls stand on this machine."""

    def say(names: str) -> None:
        def found(_class: type[Sandbox]) -> list[Wall]:
            return walls(names.split())

        monkeypatch.setattr(Sandbox, "walls", classmethod(found))

    return say


def told_in(text: str) -> list[str]:
    return [said for said in (FILES, NONE) if said in text]


@each_way
def test_a_proof_and_the_doctor_say_which_walls_are_missing(
    table: Moot, standing: Standing, names: str, told: str
) -> None:
    standing(names)
    said = table("verify")
    assert said.code == 0
    assert told_in(said.out + said.err) == [told] * bool(told)
    assert table("verify", "--json").record["missing_walls"].keys() == WALLS.keys() - set(names.split())
    (finding,) = [each for each in table("doctor", "--json").record["findings"] if each["code"] == "walls"]
    assert finding["state"] == ("warning" if told else "ok")
    assert told_in(finding["sentence"]) == [told] * bool(told)


@each_way
def test_a_run_of_the_referee_says_which_walls_are_missing(
    gathering: Gathering, standing: Standing, tmp_path: Path, names: str, told: str
) -> None:
    standing(names)
    summary = tmp_path / "summary"
    said = gathering.moot("bob", "referee", "--summary", str(summary))
    assert told_in(said.out + said.err) == told_in(summary.read_text("utf-8")) == [told] * bool(told)
    record = gathering.moot("bob", "referee", "--json").record
    assert record["missing_walls"].keys() == WALLS.keys() - set(names.split())


@pytest.mark.threat("T-01")
def test_no_command_judges_anything_for_the_superuser_where_no_wall_stands(
    gathering: Gathering, monkeypatch: pytest.MonkeyPatch
) -> None:
    gathering.tea()
    before = gathering.refs()
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr("folkmoot.sandbox.connection.refuse_bare_root", lambda _standing: refuse_bare_root([]))
    monkeypatch.setattr(Connection, "standing", None)
    rule = gathering.file("more.yaml")
    for words in (("verify",), ("referee",), ("check",), ("try", rule), ("try", "--comment", rule)):
        said = gathering.moot("bob", *words, code=5)
        assert "this is the superuser" in said.out + said.err
    assert "this is the superuser" in gathering.moot("bob", "doctor", code=1).out
    assert gathering.refs() == before
    monkeypatch.setenv(VARIABLE, "1")
    gathering.moot("bob", "referee")
    assert gathering.refs() != before


RULE = """rule: 320
title: Tea
labels: {status: mutable}
text: There is tea.
script: |
  def on_day(e):
      announce("tea")
"""
SCENARIO = """title: Somebody waits
ruleset: suber
players: [ann, bob]
play:
- {at: +1d}
"""


class Unused:
    """A language that nothing may be asked of in this process."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"starlark.{name} in the process of the command")


@pytest.mark.process
@pytest.mark.threat("T-01")
@pytest.mark.parametrize(
    "words",
    [
        "status", "show", "log", "explain rule 202", "explain ann propose", "verify", "check", "check RULE", "try RULE",
        "try --comment RULE", "check SCENARIO", "serve --build", "referee", "referee --dry-run", "doctor", "show hand",
        "init --no-commit", "propose --rule RULE --dry-run", "act pause --dry-run",
    ],
)  # fmt: skip
@pytest.mark.sampled(5)
def test_no_command_runs_a_script_in_its_own_process(
    gathering: Gathering, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    monkeypatch.setattr(binding, "starlark", Unused())
    files = {"RULE": gathering.file("tea.yaml", RULE), "SCENARIO": gathering.file("scenario.yaml", SCENARIO)}
    said = gathering._moot("-C", str(gathering.clone("ann")), *(files.get(word, word) for word in words.split()))
    assert "starlark" not in said.out + said.err
    assert said.code != 70, said
