"""Whoever wrote something that came to nothing when the vote opened is called to it all the same."""

from __future__ import annotations

from pathlib import Path

from folkmoot.referee.run import Referee
from tests.support.meeting import GAME, rule
from tests.support.town import Town, TownForge


class Settling(TownForge):
    """The town's forge where what is said waits for two minutes."""

    settle = 120


def run(town: Town, seconds: int) -> None:
    town.now += seconds
    with Referee(Settling(town.bare, town.board), town.repo, lambda: town.now) as referee:
        referee.run()


def test_a_voter_whose_review_is_void_is_called(tmp_path: Path) -> None:
    town = Town(tmp_path)
    files = {f"state/{GAME}/rules/dragon.yaml": rule("A lizard")}
    old = town.change("ann", files)
    pull = town.pull(old)
    run(town, 0)
    town.put(f"refs/pull/{pull}/head", town.change("ann", {f"state/{GAME}/rules/dragon.yaml": rule("A dragon")}))
    run(town, 0)
    town.now += 60
    town.say("bob", pull, "", "approve", head=old)
    run(town, 61)
    assert sorted(name for people in town.board.called(pull, "vote") for name in people) == ["cid", "dee"]
    for _ in range(3):
        run(town, 180)
    assert sorted(name for people in town.board.called(pull, "vote") for name in people) == ["bob", "cid", "dee"]


def test_whoever_votes_is_not_called(tmp_path: Path) -> None:
    town = Town(tmp_path)
    pull = town.propose("ann", "A dragon")
    run(town, 0)
    town.now += 100
    town.say("bob", pull, "/vote for")
    for _ in range(4):
        run(town, 60)
    assert sorted(name for people in town.board.called(pull, "vote") for name in people) == ["cid", "dee"]
