"""`moot explain`: of a register every change with its reason, of a rule, a ballot, a proposal and a setting where it stands."""

from __future__ import annotations

from tests.support.moot import Moot, adopt_dragons, write


def test_explain_tells_of_rules_ballots_proposals_and_settings(table: Moot) -> None:
    adopt_dragons(table)
    assert "revision 1" in table("explain", "rule", "301").out
    assert "decided by rule 203" in table("explain", "ballot", "301", "bob").out
    assert "3 of 3" in table("explain", "proposal", "301").out
    assert table("explain", "setting", "compound", "--json").record["value"] == "one-rule"


SAGA = """\
title: The saga
labels: {status: mutable}
text: |
  Whoever states something adds to the saga.
defines:
  game:
    saga: {type: list}
script: |
  def on_stated(e):
      append("game", "saga", e.text)
"""


def test_what_a_list_grew_by_and_a_long_statement_are_shown_whole(table: Moot) -> None:
    words = "so it was said, " * 20 + "and that is the end"
    write("saga.yaml", SAGA)
    for typed in ("propose --by ann title=Saga --rule saga.yaml", "finalise --by ann"):
        assert table("act", *typed.split()).code == 0
    for player in ("ann", "bob", "cid"):
        assert table("act", "vote", "--by", player, "choice=for").code == 0
    assert table("act", "state", "--by", "bob", words).code == 0
    said = table("explain", "game", "saga")
    assert "+ so it was said" in said.out
    assert "nothing ever changed it" not in said.out
    assert words in table("explain", "entry", str(table("status", "--json").record["seq"])).out


def test_limits_and_all_settings_are_explained_in_words(table: Moot) -> None:
    assert "timer_period: 60 seconds (1 to 604,800)\n  The smallest period" in table("explain", "limits").out
    (line,) = [line for line in table("explain", "settings").out.split("\n") if line.startswith("mode ")]
    assert line.split()[1] == "101"
    assert table("explain", "settings", "--json").record["settings"][0]["name"] == "mode"
