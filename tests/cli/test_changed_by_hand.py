"""Finding 6 of the first hour: a clone that is up to date showed what somebody had pushed by hand without a word."""

from __future__ import annotations

from tests.support.gathering import Gathering
from tests.support.meeting import GAME, git


def test_a_game_changed_by_hand_says_so_before_anything_else(gathering: Gathering) -> None:
    gathering.referee()
    clone = gathering.clone("eve")
    path = clone / "state" / GAME / "things" / "player.yaml"
    path.write_text(path.read_text().replace("score: 0", "score: 300", 1))
    git(clone, "commit", "--quiet", "-am", "I am rich")
    git(clone, "push", "--quiet", "origin", "HEAD:main")
    said = gathering.moot("bob", "status")
    assert "changed" in said.err
    assert "by hand" in said.err
    assert "moot verify --repair" in said.err
    assert "player.yaml" in said.err
    assert gathering.moot("bob", "status", "--json").record["changed_by_hand"]
