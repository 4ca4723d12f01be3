"""Whatever was sent and is not judged yet is told in `moot status`, so that nobody sends it twice."""

from __future__ import annotations

import pytest

from tests.support.meeting import rule
from tests.support.seats import Seats, Sit


@pytest.fixture
def table(seats: Sit) -> Seats:
    return seats()


@pytest.mark.parametrize("looked", [False, True])
def test_everything_in_flight_is_told(table: Seats, *, looked: bool) -> None:
    """Before a referee looked, and while one has seen it and judged nothing yet."""
    pull = table.open("bob", {"rules/x.yaml": rule("X")})
    table.referee(60)
    table.moot("bob", "comment", "/do finalise", "--anyway")
    table.moot("bob", "comment", "/vote for proposal=301")
    table.moot("bob", "comment", "--on", str(pull), "/do state text=hi")
    table.moot("bob", "withdraw", str(pull))
    if looked:
        table.forge.look(table.now + 1)
    said = table.status("bob")
    for words in ("/do finalise", "/vote for proposal=301", "/do state text=hi", f"close (pull request {pull})"):
        assert words in said, (words, said)
    table.referee(60)
    assert "not judged" not in table.status("bob")
    assert "not looked at" not in table.status("bob")
