"""Finding 8 of the first hour, 12 of the table: what `moot check` takes for rules, and which files know one another."""

from __future__ import annotations

from pathlib import Path

from tests.support.moot import Moot

HEAR = "title: Hear\ntext: |\n  Somebody hears.\nscript: |\n  def decide_loud():\n      return 1\n"
ASK = "title: Ask\ntext: |\n  Somebody asks.\nscript: |\n  def on_joined(e):\n      ask('loud')\n"


def test_what_follows_from_the_journal_is_no_rule(table: Moot) -> None:
    said = table("check", "state")
    assert (said.code, said.err) == (0, "")
    assert "files checked: all is well." in said.out
    said = table("check", "state/table/head.yaml")
    assert "`moot verify` proves it" in said.err
    assert said.code == 0


def test_an_untouched_law_has_no_hints(table: Moot) -> None:
    rules = [str(path) for path in sorted(Path("state/table/rules").glob("*.yaml"))]
    said = table("check", *rules)
    assert (said.code, said.err) == (0, "")


def test_files_that_are_checked_together_know_one_another(table: Moot) -> None:
    Path("hear.yaml").write_text(HEAR)
    Path("ask.yaml").write_text(ASK)
    assert "no rule answers the question `loud`" in table("check", "ask.yaml").err
    assert table("check", "ask.yaml", "hear.yaml").err == ""


def test_an_argument_that_cannot_be_reached_is_pointed_out(table: Moot) -> None:
    text = "title: Wrap\ntext: |\n  Wrap it.\nactions:\n  wrap:\n    summary: Wrap it\n    arguments:\n      in: {type: text}\n"
    Path("wrap.yaml").write_text(text)
    said = table("check", "wrap.yaml")
    assert "wrap.yaml:8:7: `a.args.in` cannot be written" in said.err
    assert 'getattr(a.args, "in")' in said.err


def test_a_script_that_is_checked_without_a_game_is_said_to_be(moot: Moot) -> None:
    Path("hear.yaml").write_text(HEAR.replace("decide_loud()", "on_joind(e)"))
    Path("tea.yaml").write_text("title: Tea\ntext: |\n  Tea.\n")
    said = moot("check", "hear.yaml")
    assert said.code == 0
    assert "Checked without a game" in said.err
    assert moot("check", "hear.yaml", "tea.yaml", "--json").record["without_law"] == ["hear.yaml"]
    assert moot("check", "tea.yaml").err == ""
    said = moot("check", "hear.yaml", "-r", "suber")
    assert "did you mean `joined`?" in said.err
    assert "Checked without" not in said.err
