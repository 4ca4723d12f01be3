"""An account whose name looks like a player's is shown with its number everywhere, before it joins and after."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.forges.port import Person
from folkmoot.kernel.names import outlines_of, shown_login
from folkmoot.referee.outbox import astray_of
from folkmoot.referee.people import named, whose
from folkmoot.site.pages.players import accounts
from folkmoot.wording.game_view import GameView
from folkmoot.wording.page_links import Here
from tests.support.meeting import rule
from tests.support.quick import QuickMeeting

ROSTER: dict[str, Any] = {
    "ann": {"name": "Ann", "surname": "Abel", "handles": {"gitea": {"id": "7", "login": "tea-time"}}},
    "ANN-2": {"handles": {"gitea": {"id": "8", "login": "\u0430nn"}}},
    "bob": {"handles": {"gitea": {"id": "1", "login": "bob"}}},
}


@pytest.mark.parametrize(
    "login", ["ann", "Ann", "\u0430nn", "\u1d00nn", "Ann Abel", "TEA-TIME", "tea-t\u0456me", "BOB", "b0b", "ANN-2"]
)
def test_a_strangers_account_is_never_taken_for_a_player(login: str) -> None:
    """By id, by what they are called, and by the name of their account: other capitals, other scripts."""
    assert whose(Person(id="99", handle=login), ROSTER, "gitea") == f"{login} (99)"
    assert named(Person(id="99", handle=login), [{}, ROSTER], "gitea") == f"{login} (99)"


def test_nor_is_a_players_own_account() -> None:
    outlines = outlines_of(ROSTER)
    assert shown_login("ANN-2", ROSTER["ANN-2"]["handles"]["gitea"], outlines) == "\u0430nn (account 8)"
    assert shown_login("ann", {"id": "7", "login": "tea-time"}, outlines) == "tea-time"
    assert shown_login("bob", {"id": "1", "login": "bob"}, outlines) == "bob"
    assert shown_login("ann", {"id": "7", "login": "B0B"}, outlines) == "B0B (account 7)"
    view = GameView(slug="g", documents={"roster": ROSTER, "things/player": {}, "things/office": {}})
    assert "(account 8)" in "".join(accounts(Here(view, "index.md"), "ANN-2", ROSTER["ANN-2"]))
    assert "(account" not in "".join(accounts(Here(view, "index.md"), "ann", ROSTER["ann"]))


def test_at_a_table(tmp_path: Path) -> None:
    """Refused, joined, pushing, taken back: every sentence of the referee's tells the two apart."""
    table = QuickMeeting(tmp_path)
    false = "Ann <eve@x.org>"
    pull = table.open("ann", {"rules/x.yaml": rule("X")})
    table.referee(60)
    table.say(false, pull, "/vote for")
    table.say(false, 0, "/state I am ann")
    nowhere = table.pull(table.change(false, {"engine/x.py": b"x"}))
    table.say(false, nowhere, "/vote for")
    table.approve(false, nowhere)
    table.referee(60)
    for place in (pull, 0, nowhere):
        assert "Ann (eve" in table.said(place).replace("\\", ""), table.said(place)
    table.say(false, 0, "/join id=Ann")
    table.say(false, 0, "/join name='Ann'")
    table.referee(60)
    assert "ann" in table.document("roster")
    joined = set(table.document("roster")) - {"ann", "bob", "cid", "dee"}
    assert len(joined) <= 1
    for player in joined:
        assert table.document("roster")[player].get("name") != "Ann"


def test_who_has_no_roster_is_named_as_they_are() -> None:
    assert astray_of([], "", []) == []
    assert named(Person(id="ann@x.org", handle="ann@x.org"), [ROSTER], "x") == "ann@x.org"
