"""Finding 10 of the first hour: `moot vote 3 for --proposal 303` sent a vote for the choice “3”."""

from __future__ import annotations

from tests.support.gathering import Gathering


def test_a_pull_request_and_a_proposal_are_not_named_at_once(gathering: Gathering) -> None:
    gathering.tea()
    said = gathering.moot("bob", "vote", "1", "for", "--proposal", "301", code=2)
    assert "`moot vote --proposal 301 for`" in said.err
    assert gathering.letters("bob") == []
