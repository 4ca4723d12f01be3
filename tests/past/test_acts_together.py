"""Many acts of a file are entered at once: with one commit, the timers between them, all of them or none."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.past.folders import write
from tests.support.moot import Moot

RULE = """\
title: Pouring
rule: "1"
text: Whoever pours has poured.
defines: {player: {cups: {type: integer, initial: 0, maximum: 3}}, game: {days: {type: integer, initial: 0}}}
actions: {pour: {arguments: {cups: {type: integer}}}}
timers: {dawn: {every: day}}
script: |
  def do_pour(a):
      add(a.by, "cups", a.args.cups)

  def on_dawn(e):
      add("game", "days", 1)
"""
GAMES = Path("state/g"), Path("state/h")
ACTS = """\
acts:
  - {do: pour, by: ann, args: {cups: 1}, at: 2026-01-02T12:00:00Z}
  - {do: pour, by: bob, args: {cups: 2}, at: +2h}
  - {do: pour, args: {cups: 1}, at: 2026-01-05T12:00:00Z, by: bob}
"""


@pytest.fixture
def tea(moot: Moot) -> Path:
    subprocess.run(["git", "init", "-q", "."], check=True)
    write(Path("tea"), {"ruleset.yaml": "ruleset: tea\ntitle: Tea\n", "rules/1.yaml": RULE})
    new = moot("new", "g", "-t", "g", "-r", "./tea", "-p", "ann", "-p", "bob", "--at", "2026-01-01T12:00:00Z")
    assert new.code == 0, new
    return Path("acts.yaml")


def entries() -> int:
    return len([*Path("state/g/journal").glob("*/*.yaml")])


def commits() -> int:
    log = subprocess.run(["git", "log", "--oneline"], check=True, capture_output=True, text=True)
    return len(log.stdout.splitlines())


def test_all_acts_are_entered_in_one_commit_with_the_timers_between_them(moot: Moot, tea: Path) -> None:
    tea.write_text(ACTS)
    before = commits()
    assert "3 acts entered" in moot("act", "--file", "acts.yaml", "--dry-run").out
    assert (entries(), commits()) == (1, before)
    done = moot("act", "--file", "acts.yaml", "--json")
    assert (done.code, done.record["acts"], done.record["entries"]) == (0, 3, 7)
    assert (entries(), commits()) == (8, before + 1)
    assert "days: 4" in Path("state/g/things/game.yaml").read_text()
    assert moot("verify").code == 0


@pytest.mark.parametrize(
    ("line", "code", "why"),
    [
        ("  - {do: pour, by: bob, args: {cups: 1}, at: +1h}\n", 3, "pour is refused"),
        ("  - {do: pour, by: zed, args: {cups: 1}, at: +1h}\n", 3, "zed is no player"),
        ("  - {do: pour, by: ann, args: {cups: 1}, at: 2026-01-03T12:00:00Z}\n", 1, "lies before the last entry"),
        ("  - {do: puor, by: ann, at: +1h}\n", 1, "there is no action puor"),
        ("  - {do: pour, by: ann, args: {cusp: 1}, at: +1h}\n", 3, "cusp"),
        ("  - {do: pour, args: {cups: 1}, at: +1h}\n", 1, "nobody acts here"),
        ("  - {do: set_clock, by: ann, at: +1h}\n", 1, "can only be done by itself"),
    ],
)
def test_one_bad_act_and_nothing_is_entered(moot: Moot, tea: Path, line: str, code: int, why: str) -> None:
    tea.write_text(ACTS + line)
    before = Path("state/g/head.yaml").read_bytes()
    done = moot("act", "--file", "acts.yaml")
    assert done.code == code, done
    assert "acts.yaml:5:5" in done.err, done
    assert why in done.err
    assert Path("state/g/head.yaml").read_bytes() == before
    assert entries() == 1
    assert moot("verify").code == 0


def test_refusals_are_recorded_where_that_is_wanted(moot: Moot, tea: Path) -> None:
    tea.write_text(ACTS + "  - {do: pour, by: bob, args: {cups: 1}, at: +1h}\n")
    done = moot("act", "--file", "acts.yaml", "--anyway", "--json")
    assert (done.code, done.record["refused"], entries()) == (0, 1, 9)
    assert moot("verify").code == 0


def test_it_is_the_same_as_one_act_after_another(moot: Moot, tea: Path) -> None:
    tea.write_text(ACTS)
    assert moot("act", "--file", "acts.yaml").code == 0
    same = ("-t", "g", "-r", "./tea", "-p", "ann", "-p", "bob", "--at", "2026-01-01T12:00:00Z", "--no-commit")
    assert moot("new", "h", "-r", "suber", *same).code == 0
    for by, cups, at in (("ann", 1, "2026-01-02T12:00:00Z"), ("bob", 2, "+2h"), ("bob", 1, "2026-01-05T12:00:00Z")):
        assert moot("act", "pour", f"cups={cups}", "--by", by, "--at", at, "--game", "h", "--no-commit").code == 0
    one, other = ({path.relative_to(game): path.read_bytes() for path in game.rglob("*.yaml")} for game in GAMES)
    assert one == other
