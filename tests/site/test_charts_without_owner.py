"""Finding 11 of the first hour: a history of an owner that is none was drawn as a chart."""

from __future__ import annotations

import pytest

from folkmoot.wording.page_links import Here
from tests.support.site_game import block, game

VIEW = game()


@pytest.mark.parametrize(("owner", "register"), [("player", "score"), ("nobody", "score"), ("ann", "crumbs"), ("", "")])
def test_nothing_is_drawn_of_what_is_not_there(owner: str, register: str) -> None:
    shown = block(Here(VIEW, "x.md"), {"block": "history", "owner": owner, "register": register}, "h")
    assert "<svg" not in shown
    assert "no history to draw" in shown


def test_who_never_got_a_point_has_a_chart_all_the_same() -> None:
    for player in VIEW.players:
        assert "<svg" in block(Here(VIEW, "x.md"), {"block": "history", "owner": player, "register": "score"}, "h")
