"""Finding 12 of the table: a list of what was broken or unfinished in commands."""

from __future__ import annotations

from pathlib import Path

from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from folkmoot.wording.sentences import effect
from tests.support.gathering import Gathering
from tests.support.moot import Moot
from tests.support.site_game import game

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


def test_what_a_list_grew_by_is_explained(table: Moot) -> None:
    Path("saga.yaml").write_text(SAGA)
    assert table("act", "propose", "--by", "ann", "title=Saga", "--rule", "saga.yaml").code == 0
    assert table("act", "finalise", "--by", "ann").code == 0
    for player in ("ann", "bob", "cid"):
        assert table("act", "vote", "--by", player, "choice=for").code == 0
    assert table("act", "state", "--by", "bob", "Once upon a time").code == 0
    said = table("explain", "game", "saga")
    assert "+ Once upon a time" in said.out
    assert "nothing ever changed it" not in said.out


def test_of_a_map_only_what_changed_is_said() -> None:
    before = {f"square {number}": number for number in range(50)}
    after = {**before, "square 7": 70, "new": 1}
    del after["square 9"]
    what = {"effect": "put", "of": "game", "name": "board", "from": before, "to": after}
    said = strip(effect(Here(game(), "x.md"), {}, what))
    assert said == "Board: square 7: 7 → 70, new: 1, square 9 is gone"


def test_the_form_of_an_act_may_say_who_acts(gathering: Gathering) -> None:
    mine = gathering.file("act.yaml", "do: state\nby: ann\nargs: {text: Hear me.}\n")
    gathering.moot("ann", "act", "--file", mine)
    assert "/do state" in gathering.letters("ann")[0]
    assert "you act, and nobody else" in gathering.moot("bob", "act", "--file", mine, code=1).err


def test_newer_content_is_named_by_its_pull_request(gathering: Gathering) -> None:
    gathering.tea()
    gathering.referee()
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    gathering.moot("ann", "propose", "--update", "1", "--repeal", "206")
    assert "newer content was pushed to pull request 1 since" in gathering.moot("bob", "vote", "1", "for").err
