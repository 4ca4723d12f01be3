"""No game is founded with a ruleset that is broken: what `moot check` says of it is what its founder hears."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Moot, judged, moot

__all__ = ["judged", "moot"]

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
    ("new", "dragons", "-p", "ann", "-p", "bob"),
    ("table", "dragons", "-p", "ann", "-p", "bob"),
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
