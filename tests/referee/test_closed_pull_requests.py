"""Finding 5 of the table: a withdrawn pull request left its vote open, and no command for it worked."""

from __future__ import annotations

from tests.support.gathering import Gathering


def test_a_vote_whose_pull_request_is_closed_goes_on_by_its_number(gathering: Gathering) -> None:
    gathering.tea()
    gathering.referee()
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    gathering.moot("ann", "withdraw", "1", "It", "was", "a", "mistake.")
    assert any("It was a mistake." in letter for letter in gathering.letters("ann"))
    gathering.referee()
    said = gathering.moot("bob", "vote", "1", "for", code=1)
    assert "`moot vote --proposal 301 for`" in said.err
    owed = gathering.moot("bob", "status", "--json").record["owed"]
    assert [each["command"] for each in owed] == ["moot vote --proposal 301 for"]
    gathering.moot("bob", "vote", "--proposal", "301", "for")
    gathering.referee()
    assert "bob" in gathering.document("proposals/300/301")["ballots"]


def test_what_nobody_can_vote_on_is_not_sent(gathering: Gathering) -> None:
    gathering.tea()
    gathering.referee()
    said = gathering.moot("bob", "vote", "--motion", "301", "for", code=1)
    assert "there is no motion 301" in said.err
    assert "`moot vote --proposal 301 CHOICE`" in said.err
    assert gathering.letters("bob") == []
