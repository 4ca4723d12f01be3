"""Boards as small pictures, for cards and front pages."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from folkmoot.site.blocks import small_board
from folkmoot.wording.game_view import ShownPage
from folkmoot.wording.page_links import Here
from tests.support.site_game import game


def _board(**parts: Any) -> dict[str, Any]:
    return {"block": "board", "grid": {"shape": "square", "columns": 4, "rows": 4}, **parts}


def _small(*blocks: Any) -> str:
    now = replace(game(), shown=[ShownPage(name="b", title="B", rule="202", blocks=blocks)])
    found = small_board(Here(now, "index.md"))
    return found[1] if found else ""


def test_boards_are_drawn_small_with_what_stands_on_them() -> None:
    drawn = _small(_board(pieces=[{"at": "a1", "name": "x", "owner": "bob"}, {"at": "z9", "name": "y"}], caption="C"))
    assert drawn.count("<circle") == 1
    assert 'aria-label="C"' in drawn
    assert drawn.count("<text") == 1, "names of pieces, and none at the edges"
    assert ' id="' not in drawn
    assert "<path" in _small(_board(lines=True))
    hexagons = _small(_board(grid={"shape": "hexagonal", "columns": 5, "rows": 5}))
    assert hexagons.count("<path") == 5
    assert ' id="' not in hexagons, "several may stand on one page"
    assert "cell z0" in _small(_board(zones={"b2": "lake"}))


def test_of_a_series_the_last_state_is_drawn() -> None:
    states = [{"title": "1", "blocks": [_board(caption="first")]}, {"title": "2", "blocks": [_board(caption="last")]}]
    assert 'aria-label="last"' in _small({"block": "frames", "pages": states})


def test_the_law_says_whose_board_is_drawn_first() -> None:
    pieces = [{"at": "a1", "name": "x"}]
    shown = [
        ShownPage(name=name, title=name, rule="202", blocks=[_board(caption=name, pieces=pieces)])
        for name in ("isle", "zoo")
    ]
    now = game()
    for answer, first in ((None, "isle"), ("zoo", "zoo"), ("moon", "isle")):
        answers = {**now.answers, "front_page": answer}
        found = small_board(Here(replace(now, shown=shown, answers=answers), "index.md"))
        assert found
        assert found[0] == first


@pytest.mark.parametrize("block", [
    _board(grid={"shape": "square", "columns": 40, "rows": 40}), _board(grid={"shape": "square"}), {"block": "board"},
    _board(grid={"shape": "square", "columns": 2, "rows": 30}), _board(grid={"around": {"x": ["y"]}, "shape": "map"}),
    _board(grid={"shape": "free", "width": 9, "height": 9, "cells": {}}), _board(grid=7), "board", None,
])  # fmt: skip
def test_what_cannot_be_drawn_small_is_not(block: Any) -> None:
    assert _small(block) == ""
