"""A rule about dragons, and the way by which a game that one person keeps gets it."""

from __future__ import annotations

from pathlib import Path

from tests.support.moot import Moot

DRAGON = """\
title: Dragons
labels: {status: mutable}
text: |
  There are dragons. Whoever feeds one gets a point.
defines:
  game:
    meals: {type: integer, initial: 0, summary: How often dragons were fed}
actions:
  feed: {summary: Feed a dragon, arguments: {food: {type: string}}}
script: |
  def do_feed(a):
      add("game", "meals", 1)
      award(a.by, "score", 1, why = "fed a dragon")

  def show_dragons():
      return [heading("Dragons"), table(["Meals"], [[get("game", "meals")]], "So far")]
examples:
  - scenario: a meal
    steps:
      - {by: ann, do: feed, args: {food: grass}}
    expect:
      - {player: ann, score: 1}
"""


def write(name: str, text: str) -> str:
    """Write a file here, and return its name."""
    Path(name).write_text(text, "utf-8")
    return name


def adopt_dragons(moot: Moot) -> None:
    """Let ann propose it, and all adopt it."""
    assert moot("act", "propose", "-b", "ann", "title=Dragons", "--rule", write("dragons.yaml", DRAGON)).code == 0
    assert moot("act", "finalise", "-b", "ann").code == 0
    for player in ("ann", "bob", "cid"):
        assert moot("act", "vote", "-b", player, "choice=for").code == 0
