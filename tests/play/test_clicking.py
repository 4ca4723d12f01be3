"""An argument by clicking: on the squares of a board that would be taken, or on the cards of one's own hand."""

from __future__ import annotations

import re
from typing import Any

import pytest

from folkmoot.game.rulesets import founding
from tests.play.conftest import Evening
from tests.support.island import ISLAND
from tests.support.meeting import GAME


@pytest.fixture
def law() -> dict[str, Any]:
    given = founding("lanterns")
    return {**given, "rules": [*given["rules"], ISLAND], "settings": {}, "ruleset": "lanterns"}


def test_a_ship_sails_where_one_clicks(evening: Evening) -> None:
    bob = evening.browser("bob")
    page = bob.get(f"/{GAME}/do?action=sail").body
    squares = re.findall(r'name="a.to" value="(\w+)"', page)
    assert sorted(squares) == ["a2", "b1"], "only squares that would be taken can be chosen"
    assert 'class="squares n3"' in page
    assert "<em" in page
    assert "bob: a1" in page, "it is told in words, too"
    assert "treasure: c3" in page
    assert '<span class="z0"' in page, "a zone is seen where one clicks"
    shown = bob.get(f"/{GAME}/boards/island.html").body
    assert re.findall(r'name="a.to" value="(\w+)"', shown) == squares
    fields = bob.fields(f"/{GAME}/boards/island.html", "act")
    tried = bob.post("try", {**fields, "a.to": "a2"}).body
    assert re.search(r'value="a2"[^>]* checked', tried), "what was chosen is kept"
    far = bob.post("act", {**fields, "a.to": "c3"})
    assert (far.status, "That is not next to your ship." in far.body) == (422, True)
    assert bob.post("act", {**fields, "a.to": "a2"}).status == 303
    evening.referee()
    assert evening.document("things/player")["bob"]["at"] == "a2"
