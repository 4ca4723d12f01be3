"""The size of a game has a stated bound, a warning before it, and a refusal that says so."""

from __future__ import annotations

import pytest

from folkmoot.core.limits import LIMITS, limit_of
from folkmoot.game.status import size_told
from folkmoot.kernel.documents import size_in_play
from tests.support.table import VOTING, Found, Table, rule

STORE = rule(
    "1",
    """
    def do_write(a):
        put("game", a.args.name, "x" * a.args.size)
    """,
    defines={"game": {name: {"type": "string", "initial": ""} for name in ("one", "two", "three")}},
    actions={"write": {"arguments": {"name": {"type": "string"}, "size": {"type": "integer"}}}},
)


SMALL = {"limits": {"game_size": LIMITS["game_size"].least}}


def grown(found: Found) -> Table:
    """Return a game that is nearly as large as it may be."""
    table = found(STORE, VOTING, **SMALL)
    room = SMALL["limits"]["game_size"] - size_in_play(table.kernel.documents.all())
    table.ok("ann", "write", name="one", size=room - 1_000)
    return table


@pytest.mark.threat("T-55")
def test_what_would_exceed_the_size_of_a_game_is_refused_and_says_why(found: Found) -> None:
    table = grown(found)
    assert table.refused("ann", "write", name="two", size=2_000) == "E-BOUNDS"
    outcome = table.act("ann", "write", name="two", size=2_000)
    assert "100,000 are the most (the limit game_size)" in outcome.reasons[-1]["args"]["why"]


@pytest.mark.threat("T-55")
def test_what_makes_a_full_game_smaller_is_let_through(found: Found) -> None:
    table = grown(found)
    table.ok("root", "set_limit", name="game_size", value=150_000)
    table.ok("ann", "write", name="two", size=40_000)
    table.ok("root", "set_limit", name="game_size", value=100_000)
    assert table.refused("ann", "write", name="two", size=40_100) == "E-BOUNDS"
    table.ok("ann", "write", name="two", size=30_000)


def test_administrators_repair_a_game_that_is_full(found: Found) -> None:
    table = grown(found)
    table.ok("root", "correct", of="game", name="two", to="x" * 3_000, why="room")
    table.ok("root", "repair", changes=[{"amend": "1", "text": "New words."}], why="room")


def test_the_past_does_not_count(found: Found) -> None:
    table = found(STORE, VOTING, **SMALL)
    before = size_in_play(table.kernel.documents.all())
    for number in range(10):
        table.adopt({"amend": "1", "text": f"{number} " * 1_000})
    table.adopt({"amend": "1", "text": ""})
    assert size_in_play(table.kernel.documents.all()) < before + 2_000


def test_of_eighty_per_cent_it_is_warned(found: Found) -> None:
    table = found(STORE, VOTING, **SMALL)
    assert not size_told(table.kernel.documents.all())["warning"]
    told = size_told(grown(found).kernel.documents.all())
    assert told["warning"]
    assert told["limit"] == limit_of(table.document("game"), "game_size")
