"""Who somebody on a forge is in a game, and whether what arrives from them is believed."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.forges.port import Person
from folkmoot.referee.people import distrust, new_id, player_of, plays

ROSTER: dict[str, Any] = {
    "ann": {"since": 10, "until": None, "email": "Ann@X.org", "handles": {"github": {"id": "12", "login": "annie"}}},
    "bob": {"since": 10, "until": 50, "handles": {"local": {"id": "bob@x.org", "login": "Bob"}}, "email": "old@x.org"},
    "cid": {"since": 70, "until": None, "earlier": [{"since": 10, "until": 20}]},
}


def person(identifier: str) -> Person:
    return Person(id=identifier, handle=identifier)


@pytest.mark.parametrize(
    ("forge", "identifier", "player"),
    [
        ("local", "ann@x.org", "ann"),
        ("local", "bob@x.org", "bob"),
        ("local", "old@x.org", None),  # a handle takes the place of the address
        ("github", "12", "ann"),
        ("github", "annie", None),  # a login may be given up and taken by others
        ("github", "ann@x.org", None),
        ("local", "", None),
    ],
)
def test_who_is_who(forge: str, identifier: str, player: str | None) -> None:
    assert player_of(ROSTER, forge, person(identifier)) == player


@pytest.mark.parametrize(
    ("player", "at", "played"),
    [("ann", 9, False), ("ann", 10, True), ("bob", 50, True), ("bob", 51, False), ("cid", 15, True), ("cid", 30, False),
     ("cid", 70, True), ("zed", 70, False), (None, 70, False)],
)  # fmt: skip
def test_a_stranger_of_then_stays_one(player: str | None, at: int, played: bool) -> None:
    assert plays(ROSTER, player, at) is played


KEYS = {
    "ann": {"keys": [{"key": "K1", "since": 10, "until": 30}, {"key": "K2", "since": 20, "until": None}]},
    "bob": {},
}


@pytest.mark.parametrize(
    ("player", "key", "at", "believed"),
    [
        ("bob", "", 15, True),  # a group that trusts itself
        ("bob", "K9", 15, True),
        ("ann", "", 9, True),  # they had named no key then
        ("ann", "", 10, False),
        ("ann", "K1", 29, True),
        ("ann", "K1", 30, False),  # withdrawn, whatever date the commit claims
        ("ann", "K2", 19, False),
        ("ann", "K2", 20, True),
        ("ann", "K9", 25, False),
    ],
)
def test_signatures_are_judged_by_the_time_of_arrival(player: str, key: str, at: int, believed: bool) -> None:
    assert (distrust(KEYS, player, key, at) == "") is believed


@pytest.mark.parametrize(
    ("handle", "asked", "expected"),
    [("Dan D.", "", "Dan-D"), ("ann", "", "ann-2"), ("ANN", "", "ANN-2"), ("7up", "", "player-7up"), ("Ünal", "", "nal"),
     ("…", "", "player"), ("x" * 90, "", "x" * 30), ("dan", "dd", "dd")],
)  # fmt: skip
def test_ids_of_newcomers(handle: str, asked: str, expected: str) -> None:
    assert new_id(ROSTER, handle, asked) == expected
