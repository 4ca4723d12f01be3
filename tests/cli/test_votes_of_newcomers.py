"""Somebody who came in after a vote was opened is told, when they vote, that they are none of those who may."""

from __future__ import annotations

from tests.support.seats import Sit


def test_who_has_no_vote_is_told_when_they_vote(seats: Sit) -> None:
    table = seats()
    pull = table.propose("ann", "A dragon")
    table.referee()
    table.referee(60)
    table.moot("eve", "join", "eve", "--name", "Eve")
    table.referee(60)
    assert "eve has no vote on proposal 301" in table.moot("eve", "vote", str(pull), "for", code=3).err
    said = table.moot("eve", "vote", str(pull), "for", "--anyway")
    assert "you are none of those who may vote on proposal 301" in said.out + said.err
    said = table.moot("bob", "vote", str(pull), "for")
    assert "none of those" not in said.out + said.err
