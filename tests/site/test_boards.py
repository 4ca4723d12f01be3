"""Boards, maps and figures: what they draw, what they say in words, what moved, and what of them is drawn small."""

from __future__ import annotations

import random
import re
from collections import Counter
from io import StringIO
from math import dist
from typing import Any

import pytest
from msgspec.structs import replace
from rich.console import Console

from folkmoot.cli.drawing.boards import drawn_board
from folkmoot.site.block_shapes import flaw_of
from folkmoot.site.blocks import MOST_MOVES, MOST_STEPS, Drawn, Flaw, Steps, block_of, moves, small_board
from folkmoot.site.board import Picture, board_of, is_figure, spots, square_name
from folkmoot.wording.game_view import GameView, ShownPage
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from tests.support.site_game import AREAS, block, game, words_of

HERE = Here(game(), "boards/x.md")
SQUARES = {"shape": "square", "columns": 3, "rows": 3}
PLANK = {
    "shape": "free", "width": 100, "height": 40,
    "cells": {
        "ann 1": {"points": [[0, 0], [50, 5], [50, 35], [0, 40]], "zone": "raised", "label": "1", "owner": "ann"},
        "ann 2": {"points": [[50, 5], [100, 10], [100, 30], [50, 35]], "zone": "depressed", "label": "0", "owner": "ann"},
    },
    "notes": [[10, 20, "fat end"], ["here", 1, "lost"]],
}  # fmt: skip


def board(**given: Any) -> dict[str, Any]:
    return {"block": "board", "caption": "Board", "grid": SQUARES, **given}


def picture(**given: Any) -> Picture:
    found = block_of(HERE, board(**given), "b0")
    assert isinstance(found, Drawn)
    assert found.picture
    return found.picture


def frames(*states: Any) -> dict[str, Any]:
    pages = [{"title": f"Day {n}", "blocks": [each]} for n, each in enumerate(states, 1)]
    return {"block": "frames", "pages": pages, "caption": "Earlier days"}


def steps(*states: Any) -> Steps:
    found = block_of(HERE, frames(*states), "b0")
    assert isinstance(found, Steps)
    return found


# -- one board


def test_a_board_says_in_words_where_every_piece_stands() -> None:
    pieces = [{"at": "c2", "label": "K", "name": "king", "owner": "ann"}, {"at": "a1", "name": "man", "owner": "zed"}]
    given = {
        "grid": {"shape": "square", "columns": 3, "rows": 2, "wrap": ""},
        "pieces": pieces,
        "zones": {"a1": "home"},
    }
    shown = picture(**given)
    assert (shown.about, shown.form) == ("king at c2; man at a1", "squares")
    king, man = shown.pins
    assert (king.mark, king.name, king.title) == ("K", "king", "king, Ann Abel on c2")
    assert (man.mark, man.name, man.colour) == ("", "man", 5)
    assert (king.x - man.x, man.y - king.y) == (2 * shown.cell, shown.cell)
    drawn = block(HERE, board(**given))
    assert re.search(r"man\s*Zed Zhou\s*a1\s*home", words_of(drawn))
    assert 'role="img" aria-labelledby="b0-t b0-d"' in drawn
    assert '<title id="b0-t">Board</title>' in drawn


def test_a_name_that_many_share_stands_under_none_and_of_many_in_one_place_two_are_drawn() -> None:
    pieces = [{"at": f"{c}2", "name": "pawn", "owner": "ann"} for c in "abcdefgh"]
    pieces.append({"at": "a1", "name": "A very long name", "owner": "bob"})
    shown = picture(grid={"shape": "square", "columns": 8, "rows": 8}, pieces=pieces)
    assert {pin.name for pin in shown.pins} == {"", "A very l…"}
    shown = picture(pieces=[{"at": "b2", "name": f"man {n}"} for n in range(6)])
    assert [pin.mark for pin in shown.pins] == ["", "", "+4"]
    assert len({pin.x for pin in shown.pins}) == 3


@pytest.mark.parametrize("shape", ["square", "hexagonal"])
def test_a_board_of_fifty_by_fifty_is_no_heavy_page(shape: str) -> None:
    pieces = [{"at": square_name(n, n), "name": f"ship {n}", "owner": "ann"} for n in range(50)]
    zones = {square_name(c, r): "north" for c in range(50) for r in range(30, 50)}
    given = {"grid": {"shape": shape, "columns": 50, "rows": 50}, "lines": shape == "square"}
    assert len(block(HERE, board(**given, pieces=pieces))) < 30_000
    assert len(block(HERE, board(**given, zones=zones))) < 60_000


def test_a_board_may_have_its_pieces_where_lines_cross_and_a_terminal_shows_it() -> None:
    given = {"grid": {"shape": "square", "columns": 9, "rows": 3}, "lines": True}
    pieces = [{"at": "b2", "label": "ann"}]
    assert picture(**given, pieces=pieces).form == "lines"
    assert "`$.lines`" in flaw_of(board(lines="yes"))
    drawn = Console(width=80, record=True, file=StringIO())
    for part in drawn_board(board_of(HERE, {**given, "pieces": pieces}), 80):
        drawn.print(part)
    assert drawn.export_text().splitlines()[2:5] == [
        "2 ┼─A─┼─┼─┼─┼─┼─┼─┼", "1 ┼─┼─┼─┼─┼─┼─┼─┼─┼", "  a b c d e f g h i",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("wrap", "words"), [("rows", "top row joins"), ("columns", "left column"), ("both", "All edges")]
)
def test_a_board_that_joins_itself_says_so(wrap: str, words: str) -> None:
    shown = picture(grid={**SQUARES, "wrap": wrap})
    assert words in words_of(block(HERE, board(grid={**SQUARES, "wrap": wrap})))
    assert (shown.across, shown.upright) == (wrap != "rows", wrap != "columns")


def test_pieces_may_be_named_by_the_ids_of_things() -> None:
    documents = {**HERE.view.documents, "things/stone": {"s1": {"place": "b2", "owner": "bob", "name": "Stone"}}}
    here = Here(GameView(slug="x", documents=documents), "boards/x.md")
    drawn = block_of(here, board(pieces=["s1", "gone"]), "b0")
    assert [pin.title for pin in drawn.picture.pins] == ["Stone, Bob Baker on b2"]  # type: ignore[union-attr]


# -- maps and figures


def test_a_map_names_its_areas_neighbours_and_occupants() -> None:
    given = {"grid": {"areas": AREAS}, "pieces": [{"at": "MAW", "owner": "ann", "name": "ann"}]}
    words = words_of(block(HERE, board(**given)))
    assert "Ann Abel Mawson Southern Ocean, South Pole" in words
    assert "MAW Mawson land SOO, SOP" in words
    shown = picture(**given)
    assert [(pin.mark, pin.title) for pin in shown.pins] == [("AA", "Ann Abel on Mawson")]
    assert len(shown.labels) + 1 == len(shown.dots) == len(AREAS)
    assert any(line[2] in (0, shown.width) for line in shown.borders), "what is far apart leaves at the sides"


def test_areas_that_say_no_place_lie_beside_those_that_they_border_on() -> None:
    for borders in ({"a": "b", "b": "a", "c": "d", "d": "c"}, {"a": "c", "b": "d", "c": "a", "d": "b"}):
        place = spots(borders, {})
        assert {
            name: min({*place} - {name}, key=lambda to, at=place[name]: dist(at, place[to])) for name in place
        } == borders


def test_a_figure_is_drawn_and_said_in_words() -> None:
    given = board(grid=PLANK)
    assert is_figure(given)
    shown = block(HERE, given, "b0")
    assert "M0 0 50 5 50 35 0 40z" in shown
    assert {kind: len(cells) for kind, cells, _steps in picture(grid=PLANK).ground} == {"z0": 1, "z1": 1}
    words = words_of(shown)
    for said in ("2 cells; 1 depressed; 1 raised", "Ann Abel raised 1 Ann Abel depressed 2", "fat end"):
        assert said in words
    assert "lost" not in words


@pytest.mark.parametrize("grid", [
    {}, {"columns": 0, "rows": 3}, {"columns": 100, "rows": 100}, {"shape": "map"}, {"areas": {}},
    *({**PLANK, **change} for change in (
        {"cells": {}}, {"cells": None}, {"cells": {"a": 3}}, {"cells": {"a": {"points": [[1, 2], [3, 4]]}}},
        {"cells": {"a": {"points": [["x", 2], [3, 4], None]}}}, {"width": 0}, {"height": "tall"})),
])  # fmt: skip
def test_what_cannot_be_drawn_says_so(grid: dict[str, Any]) -> None:
    assert isinstance(block_of(HERE, board(grid=grid), "b0"), Flaw)


# -- boards over time


def test_what_moved_leads_from_one_state_to_the_other() -> None:
    """Whatever stands where: what left and what came is all that differs, and no piece is told twice."""
    chance = random.Random(11)
    for _ in range(60):
        before, after = (
            [(f"{chance.choice('abc')}{chance.randrange(3)}", (chance.choice(("man", "king")), chance.choice("xy")))
             for _ in range(chance.randrange(8))] for _ in range(2)
        )  # fmt: skip
        found = moves(before, after)
        now = Counter((at, name) for at, (name, _) in before)
        now.subtract((origin, name) for name, origin, _target in found if origin)
        now.update((target, name) for name, _origin, target in found if target)
        assert +now == Counter((at, name) for at, (name, _) in after)
        assert all(count >= 0 for count in now.values())
    assert moves([], [(f"a{n}", ("man", "")) for n in range(MOST_MOVES)])
    assert moves([], [(f"a{n}", ("man", "")) for n in range(MOST_MOVES + 1)]) == [], "where everything moved"


@pytest.mark.parametrize("grid", [SQUARES, {**SQUARES, "shape": "hexagonal"}, {"a1": ["b2"], "b2": ["a1"], "c3": []}])
def test_each_state_tells_what_moved_since_the_one_before(grid: dict[str, Any]) -> None:
    states = [[("a1", "man")], [("b2", "man"), ("c3", "queen")], [("b2", "man")]]
    pieces = [[{"at": at, "name": name, "owner": "ann"} for at, name in each] for each in states]
    shown = steps(*(board(grid=grid, pieces=each) for each in pieces))
    assert [list(map(strip, step.moved)) for step in shown.steps] == [
        [], ["man went from a1 to b2.", "queen came to c3."], ["queen left c3."],
    ]  # fmt: skip
    assert isinstance(shown.board, Drawn)
    assert shown.board.picture
    assert {pin.title.split()[-1]: (pin.steps, pin.came) for pin in shown.board.picture.pins} == {
        "a1": ((0,), ()), "b2": ((1, 2), (1,)), "c3": ((1,), (1,)),
    }  # fmt: skip


def test_zones_that_change_stand_at_their_steps_and_others_always() -> None:
    shown = steps(*(board(zones=dict.fromkeys(cells, "mine")) for cells in (("a1", "b2"), ("a1",), ("a1", "c3"))))
    assert shown.board
    assert shown.board.picture
    assert sorted(steps for _kind, _cells, steps in shown.board.picture.ground) == [(), (0,), (2,)]


def test_one_steps_from_one_state_to_the_next() -> None:
    given = frames(*[board(grid=PLANK)] * 3)
    shown = block(HERE, {**given, "pages": [*given["pages"], "odd"]}, "b0")
    assert re.findall(r'<input type="radio" class="(t\d)"', shown) == ["t0", "t1", "t2"]
    assert shown.count(" checked>") == 1
    assert shown.index(" checked>") > shown.index('class="t2"')
    assert shown.count("<svg") == 1, "of one board there is one drawing"
    assert "Day 2 2 of 3" in words_of(shown)
    assert shown.count("The figure in words") == 2
    alone = block(HERE, frames(board(grid=PLANK)), "b0")
    assert "<input" not in alone
    assert "at-" not in re.sub(r'class="[^"]*soft[^"]*"', "", alone)


def test_states_of_different_boards_are_drawn_each_and_of_too_many_the_last() -> None:
    shown = steps(board(), board(grid={**SQUARES, "columns": 4}))
    assert (shown.board, [type(step.blocks[0]) for step in shown.steps]) == (None, [Drawn, Drawn])
    many = steps(*[{"block": "frames", "pages": [{"blocks": []}]}] * 100)
    assert [strip(step.title) for step in many.steps] == [f"Day {n}" for n in range(101 - MOST_STEPS, 101)]
    assert {type(step.blocks[0]) for step in many.steps} == {Flaw}, "and none holds others"


# -- small ones, for cards and front pages


def small(*blocks: Any) -> str:
    now = replace(game(), shown=[ShownPage(name="b", title="B", rule="202", blocks=blocks)])
    found = small_board(Here(now, "index.md"))
    return found[1] if found else ""


def test_boards_are_drawn_small_with_what_stands_on_them() -> None:
    drawn = small(board(pieces=[{"at": "a1", "name": "x", "owner": "bob"}, {"at": "z9", "name": "y"}], caption="C"))
    assert drawn.count("<circle") == 1
    assert 'aria-label="C"' in drawn
    assert drawn.count("<text") == 1, "names of pieces, and none at the edges"
    assert "<path" in small(board(lines=True))
    hexagons = small(board(grid={"shape": "hexagonal", "columns": 5, "rows": 5}))
    assert hexagons.count("<path") == 5
    assert ' id="' not in drawn + hexagons, "several may stand on one page"
    assert "cell z0" in small(board(zones={"b2": "lake"}))
    assert 'aria-label="last"' in small(frames(board(caption="first"), board(caption="last")))


def test_the_law_says_whose_board_is_drawn_first() -> None:
    shown = [ShownPage(name=name, title=name, rule="202", blocks=[board(pieces=[{"at": "a1", "name": "x"}])])
             for name in ("isle", "zoo")]  # fmt: skip
    now = game()
    for answer, first in ((None, "isle"), ("zoo", "zoo"), ("moon", "isle")):
        seen = replace(now, shown=shown, answers={**now.answers, "front_page": answer})
        drawn = small_board(Here(seen, "index.md"))
        assert drawn is not None
        assert drawn[0].name == first


@pytest.mark.parametrize("given", [
    board(grid={"shape": "square", "columns": 40, "rows": 40}), board(grid={"shape": "square"}), {"block": "board"},
    board(grid={"shape": "square", "columns": 2, "rows": 30}), board(grid={"around": {"x": ["y"]}, "shape": "map"}),
    board(grid={"shape": "free", "width": 9, "height": 9, "cells": {}}), board(grid=7), "board", None,
])  # fmt: skip
def test_what_cannot_be_drawn_small_is_not(given: Any) -> None:
    assert small(given) == ""
