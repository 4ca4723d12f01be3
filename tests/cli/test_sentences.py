"""Sentences that were wrong, hid what they spoke of, or named no next step."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.referee.people import distrust
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from folkmoot.wording.sentences import effect
from tests.support.meeting import rule
from tests.support.moot import Moot
from tests.support.quick import SMALL, VOTES
from tests.support.seats import Seats, Sit


@pytest.fixture
def table(seats: Sit) -> Seats:
    return seats()


def test_a_renumbered_rule_is_called_by_its_number_of_then() -> None:
    here = Here(
        GameView(slug="g", documents={"law": {"rules": {"212": {"number": "304", "in_force": True}}}}), "index.md"
    )
    said = strip(effect(here, {}, {"effect": "renumber", "of": "212", "from": "212", "to": "304"}))
    assert said == "Rule 212 has number 304 from now on"


def test_an_action_is_named_once_where_its_argument_is_wrong(table: Seats) -> None:
    table.say("bob", 0, "/do notify mentions=some")
    table.referee(60)
    said = table.status("bob")
    assert "notify: mentions is one of (" in said
    assert "notify: notify" not in said


def test_choices_and_numbers_are_checked_before_anything_is_sent(table: Seats) -> None:
    table.open("zed", {"README.md": b"x"})
    pull = table.open("bob", {"rules/x.yaml": rule("X")})
    table.referee(60)
    assert (
        "'fro' is no choice of vote here; choose for, against"
        in table.moot("cid", "vote", str(pull), "fro", code=1).err
    )
    assert "did you mean for?" in table.moot("cid", "vote", "--proposal", "301", "fro", code=1).err
    table.moot("cid", "vote", str(pull), "abstain")
    assert f"Proposal 301 is pull request {pull}" in table.moot("cid", "vote", "301", "for", "--dry-run").err


def test_what_is_a_command_of_its_own_is_named(table: Seats) -> None:
    assert "`moot try PULL`" in table.moot("cid", "act", "preview", code=1).err


def test_a_rule_that_was_asked_for_is_shown(seats: Sit) -> None:
    table = seats({**SMALL, "rules": [{**VOTES, "text": "Votes are cast.\nThen they are counted."}]})
    table.say("cid", 0, "/rule 1")
    table.referee(60)
    said = table.status("cid")
    assert "    Votes are cast.\n    Then they are counted.\n" in said


def test_a_long_statement_is_shown_whole_by_explain(moot: Moot) -> None:
    words = "so it was said, " * 20 + "and that is the end"
    assert moot("new", "g", "-r", "suber", "-p", "ann,surname=Abel", "-p", "bob,surname=Bond").code == 0
    assert moot("act", "state", "--by", "ann", words).code == 0
    assert words in moot("explain", "entry", "2").out


def test_a_trial_shows_a_page_as_it_would_be_shown(moot: Moot, tmp_path: Path) -> None:
    """A history was its name alone, also of nobody, and a board was “an empty board”."""
    assert moot("new", "g", "-r", "suber", "-p", "ann,surname=Abel", "-p", "bob,surname=Bond").code == 0
    file = tmp_path / "crumbs.yaml"
    script = """
  def show_crumbs():
      return [board(struct(columns = 2, rows = 2)), history("player", "crumbs"), history("ann", "crumbs")]
"""
    declared = "defines:\n  currencies:\n    crumbs: {summary: What is left of a cake}\n"
    file.write_text(f"title: Crumbs\nlabels: {{status: mutable}}\ntext: Eat.\n{declared}script: |{script}")
    steps = tmp_path / "steps.yaml"
    steps.write_text("- {tick: +1h}\n")
    said = moot("try", str(file), "--steps", str(steps), "--show", "crumbs")
    assert said.code == 0
    assert "│ 1 │ · │ · │" in said.out
    assert "There is no history to draw: “player” is nobody" in said.out
    assert "Crumbs (UTC)" in said.out


def test_what_is_unsigned_is_told_how_to_sign() -> None:
    roster = {"ann": {"keys": [{"key": "k", "since": 0, "until": None}]}}
    assert "moot key --help" in distrust(roster, "ann", "", 5)


def test_a_label_that_is_a_slip_is_pointed_out(moot: Moot, tmp_path: Path) -> None:
    file = tmp_path / "tea.yaml"
    file.write_text("title: Tea\nlabels: {status: mutabel}\ntext: There is tea.\n")
    said = moot("check", str(file), "--ruleset", "suber")
    assert "no rule has the status 'mutabel'; did you mean mutable?" in said.out + said.err
    assert "tea.yaml:2:" in said.out + said.err
    file.write_text("title: Tea\nlabels: {status: mutable, mood: mutabel}\ntext: There is tea.\n")
    assert "all is well" in moot("check", str(file), "--ruleset", "suber").out
