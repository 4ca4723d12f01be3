"""Boards, maps and charts: what they draw and what they say in words."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from folkmoot.cli.drawing.boards import drawn_board
from folkmoot.site.blocks import MOST_STEPS, Drawn, Flaw, Steps, balances, block_of, flaw_of
from folkmoot.site.board import Picture, apart, board_of, is_figure, land, spots, square_name
from folkmoot.site.chart import chart, colours_of
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from tests.support.site_game import block, game, view
from tests.support.site_law import AREAS
from tests.support.table import Table, rule

HERE = Here(game(), "boards/x.md")


def _drawn(here: Here = HERE, **given: Any) -> Drawn:
    """Return a board as data."""
    found = block_of(here, {"block": "board", "caption": "Board", **given}, "b0")
    assert isinstance(found, Drawn)
    return found


def _picture(**given: Any) -> Picture:
    found = _drawn(**given).picture
    assert found
    return found


def test_squares_are_named_as_the_grid_library_names_them() -> None:
    assert [square_name(0, 0), square_name(25, 0), square_name(26, 11)] == ["a1", "z1", "aa12"]


def test_a_board_says_in_words_where_every_piece_stands() -> None:
    pieces = [{"at": "c2", "label": "K", "name": "king", "owner": "ann"}, {"at": "a1", "name": "man", "owner": "zed"}]
    given = {
        "grid": {"shape": "square", "columns": 3, "rows": 2, "wrap": ""},
        "pieces": pieces,
        "zones": {"a1": "home"},
    }
    shown = _picture(**given)
    assert shown.about == "king at c2; man at a1"
    king, man = shown.pins
    assert (king.mark, king.name, king.title) == ("K", "king", "king, Ann Abel on c2")
    assert (man.mark, man.name, man.colour) == ("", "man", 5)
    assert king.x - man.x == 2 * shown.cell
    assert man.y - king.y == shown.cell
    drawn = block(HERE, {"block": "board", "caption": "Board", **given})
    assert re.search(r"man\s*Zed Zhou\s*a1\s*home", strip_of(drawn))
    assert 'role="img" aria-labelledby="b0-t b0-d"' in drawn
    assert '<title id="b0-t">Board</title>' in drawn


def test_a_name_that_many_pieces_share_stands_under_none_of_them() -> None:
    grid = {"shape": "square", "columns": 8, "rows": 8}
    pieces = [{"at": f"{c}2", "name": "pawn", "owner": "ann"} for c in "abcdefgh"]
    shown = _picture(grid=grid, pieces=[*pieces, {"at": "a1", "name": "A very long name", "owner": "bob"}])
    assert {pin.name for pin in shown.pins} == {"", "A very l…"}


def test_of_many_pieces_in_one_place_two_are_drawn_and_the_others_counted() -> None:
    grid, pieces = {"columns": 3, "rows": 3}, [{"at": "b2", "name": f"man {n}"} for n in range(6)]
    shown = _picture(grid=grid, pieces=pieces)
    assert [pin.mark for pin in shown.pins] == ["", "", "+4"]
    assert len({pin.x for pin in shown.pins}) == 3


def test_pieces_stand_where_lines_cross() -> None:
    grid = {"shape": "square", "columns": 3, "rows": 2}
    assert _picture(grid=grid, pieces=[{"at": "c2", "label": "o"}], lines=True).form == "lines"
    assert _picture(grid=grid).form == "squares"
    assert "`lines` holds a text" in flaw_of({"block": "board", "grid": grid, "lines": "yes"})


@pytest.mark.parametrize("shape", ["square", "hexagonal"])
@pytest.mark.parametrize("lines", [False, True])
def test_a_board_of_fifty_by_fifty_is_no_heavy_page(shape: str, lines: bool) -> None:
    pieces = [{"at": square_name(n, n), "name": f"ship {n}", "owner": "ann"} for n in range(50)]
    zones = {square_name(c, r): "north" for c in range(50) for r in range(30, 50)}
    given = {"block": "board", "grid": {"shape": shape, "columns": 50, "rows": 50}, "lines": lines}
    assert len(block(HERE, {**given, "pieces": pieces})) < 30_000
    assert len(block(HERE, {**given, "zones": zones})) < 60_000


def test_those_who_stand_on_a_board_have_different_colours_while_there_are() -> None:
    players = [f"p{n}" for n in range(20)]
    assert [colours_of(players, players[:3])[player] for player in ("p0", "p1", "p2", "p9")] == [0, 1, 2, 1]
    here = ["p7", "p15", "p2", "p10"]
    colours = colours_of(players, here)
    assert (colours["p7"], colours["p2"]) == (7, 2), "who joined first keeps theirs"
    assert len({colours[player] for player in here}) == 4
    assert len({colours_of(players, players)[player] for player in players}) == 8


def test_a_terminal_shows_where_lines_cross() -> None:
    given = {"grid": {"shape": "square", "columns": 9, "rows": 3}, "lines": True}
    shown = board_of(HERE, {**given, "pieces": [{"at": "b2", "label": "ann"}]})
    drawn = Console(width=80, record=True, file=StringIO())
    for part in drawn_board(shown, 80):
        drawn.print(part)
    assert drawn.export_text().splitlines()[2:5] == [
        "2 ┼─A─┼─┼─┼─┼─┼─┼─┼",
        "1 ┼─┼─┼─┼─┼─┼─┼─┼─┼",
        "  a b c d e f g h i",
    ]


def strip_of(markup: str) -> str:
    """Return text with a blank for every tag."""
    from folkmoot.wording.markup import Html

    return " ".join(strip(Html(markup.replace("<", " <"))).split())


@pytest.mark.parametrize(
    ("wrap", "words"), [("rows", "top row joins"), ("columns", "left column"), ("both", "All edges")]
)
def test_a_board_that_joins_itself_says_so(wrap: str, words: str) -> None:
    shown = _drawn(grid={"shape": "square", "columns": 4, "rows": 4, "wrap": wrap})
    assert words in shown.caption
    assert shown.picture
    assert (shown.picture.across, shown.picture.upright) == (wrap != "rows", wrap != "columns")


def test_pieces_may_be_named_by_the_ids_of_things() -> None:
    documents = {**HERE.view.documents, "things/stone": {"s1": {"place": "b2", "owner": "bob", "name": "Stone"}}}
    here = Here(GameView(slug="x", documents=documents), "boards/x.md")
    grid = {"shape": "square", "columns": 3, "rows": 3, "wrap": ""}
    assert [pin.title for pin in _drawn(here, grid=grid, pieces=["s1", "gone"]).picture.pins] == [
        "Stone, Bob Baker on b2"
    ]


def test_a_map_names_its_areas_neighbours_and_occupants() -> None:
    given = {"grid": {"areas": AREAS}, "pieces": [{"at": "MAW", "owner": "ann", "name": "ann"}]}
    words = strip_of(block(HERE, {"block": "board", **given}))
    assert "Ann Abel Mawson Southern Ocean, South Pole" in words
    assert "MAW Mawson land SOO, SOP" in words
    shown = _picture(**given)
    assert [(pin.mark, pin.title) for pin in shown.pins] == [("AA", "Ann Abel on Mawson")]
    assert len(shown.labels) + 1 == len(shown.dots) == len(AREAS)
    assert any(line[2] in (0, shown.width) for line in shown.borders), "what is far apart leaves at the sides"


def test_land_lies_around_its_places_and_is_nearer_to_none_but_its_own() -> None:
    place = {"a": (100, 100), "b": (140, 100), "c": (500, 400)}
    one, two, far = land(place, ["a", "b", "c"], 54)
    assert max(x for x, _y in one) == 120 == min(x for x, _y in two)
    assert {abs(x - 500) <= 54 and abs(y - 400) <= 54 for x, y in far} == {True}
    assert len(far) == 20


@pytest.mark.parametrize(
    "grid", [{}, {"columns": 0, "rows": 3}, {"columns": 100, "rows": 100}, {"shape": "map"}, {"areas": {}}]
)
def test_a_board_without_a_shape_says_so(grid: dict[str, Any]) -> None:
    assert isinstance(block_of(HERE, {"block": "board", "grid": grid}, "b0"), Flaw)


def test_boxes_are_moved_apart_and_stay_inside() -> None:
    place = apart({str(n): (50 + 7 * (n % 4), 50 + 5 * (n // 4)) for n in range(12)}, (20, 10), (200, 100))
    spread = list(place.values())
    touching = [
        (a, b) for n, a in enumerate(spread) for b in spread[n + 1 :] if abs(a[0] - b[0]) < 20 and abs(a[1] - b[1]) < 10
    ]
    assert touching == []
    assert all(10 <= x <= 190 and 5 <= y <= 95 for x, y in spread)


def test_a_map_without_places_is_drawn_alike_every_time() -> None:
    near = {name: list(area["adj"]) for name, area in AREAS.items()}
    assert spots(near, {}) == spots(near, {})
    assert len(set(spots(near, {}).values())) == len(near)


def test_a_chart_has_its_data_as_a_table() -> None:
    shown = chart({"Ann": [(1, 0), (3, 12)], "Bob": [(1, -5), (2, 4)]}, "Score", "c")
    assert shown
    assert shown.about == "Ann ends at 12; Bob ends at 4"
    assert shown.rows == (("3", ("12", "4")), ("2", ("0", "4")), ("1", ("0", "−5")))


def test_a_chart_without_data_or_of_one_point_is_no_crash() -> None:
    assert chart({}, "x", "c") is None
    assert chart({"a": [(1, 0)]}, "x", "c")


@pytest.mark.parametrize(
    "given", [None, 7, {"block": "unheard"}, {"block": ["x"]}, {"block": "table"}, {"block": "chart"}, {}]
)
def test_nonsense_from_a_script_is_shown_as_what_it_is(given: Any) -> None:
    assert isinstance(block(HERE, given, "b"), str)


def test_scripts_tables_have_links_to_players_and_numbers_to_the_right() -> None:
    shown = block(HERE, {"block": "table", "columns": ["Who", "Points"], "rows": [["ann", 3], ["bob", None]]}, "b")
    assert 'href="../players/ann.html"' in shown
    assert '<td class="r">3</td>' in shown


# -- figures, histories and frames


PLANK = {
    "shape": "free",
    "width": 100,
    "height": 40,
    "cells": {
        "ann 1": {"points": [[0, 0], [50, 5], [50, 35], [0, 40]], "zone": "raised", "label": "1", "owner": "ann"},
        "ann 2": {
            "points": [[50, 5], [100, 10], [100, 30], [50, 35]],
            "zone": "depressed",
            "label": "0",
            "owner": "ann",
        },
    },
    "notes": [[10, 20, "fat end"], ["here", 1, "lost"]],
}


def test_a_figure_is_drawn_and_said_in_words() -> None:
    given = {"block": "board", "grid": PLANK, "caption": "Plank"}
    assert is_figure(given)
    shown = block(HERE, given, "b0")
    assert "M0 0 50 5 50 35 0 40z" in shown
    assert {kind: len(cells) for kind, cells, _steps in _picture(grid=PLANK).ground} == {"z0": 1, "z1": 1}
    words = strip_of(shown)
    assert "2 cells; 1 depressed; 1 raised" in words
    assert re.search(r"Ann Abel raised 1 Ann Abel depressed 2", words)
    assert "fat end" in words
    assert "lost" not in words


@pytest.mark.parametrize(
    "change",
    [
        {"cells": {}},
        {"cells": None},
        {"cells": {"a": 3}},
        {"cells": {"a": {"points": [[1, 2], [3, 4]]}}},
        {"cells": {"a": {"points": [["x", 2], [3, 4], None]}}},
        {"width": 0},
        {"height": "tall"},
    ],
)
def test_a_figure_that_cannot_be_drawn_is_no_crash(change: dict[str, Any]) -> None:
    assert isinstance(block_of(HERE, {"block": "board", "grid": {**PLANK, **change}}, "b0"), Flaw)


def test_one_steps_from_one_state_to_the_next() -> None:
    pages = [{"title": f"Day {n}", "blocks": [{"block": "board", "grid": PLANK}, f"It is day {n}."]} for n in (1, 2, 3)]
    shown = block(HERE, {"block": "frames", "pages": [*pages, "odd"], "caption": "Earlier days"}, "b0")
    assert re.findall(r'<input type="radio" class="(t\d)"', shown) == ["t0", "t1", "t2"]
    assert shown.count(" checked>") == 1
    assert shown.index(" checked>") > shown.index('class="t2"')
    assert shown.count("<svg") == 1, "of one board there is one drawing"
    assert "Day 2 2 of 3" in strip_of(shown)
    assert shown.count("The figure in words") == 2
    alone = block(HERE, {"block": "frames", "pages": pages[:1]}, "b0")
    assert "<input" not in alone
    assert "at-" not in re.sub(r'class="[^"]*soft[^"]*"', "", alone)


def test_states_of_different_boards_are_drawn_each() -> None:
    grids = [{"columns": 3, "rows": 3}, {"columns": 4, "rows": 4}]
    found = block_of(
        HERE, {"block": "frames", "pages": [{"blocks": [{"block": "board", "grid": g}]} for g in grids]}, "b"
    )
    assert isinstance(found, Steps)
    assert found.board is None
    assert [type(step.blocks[0]) for step in found.steps] == [Drawn, Drawn]


def test_of_too_many_states_the_last_are_shown_and_none_holds_others() -> None:
    inner = {"block": "frames", "pages": [{"blocks": []}]}
    pages = [{"title": f"Day {n}", "blocks": [inner]} for n in range(100)]
    found = block_of(HERE, {"block": "frames", "pages": pages}, "b0")
    assert isinstance(found, Steps)
    assert [strip(step.title) for step in found.steps] == [f"Day {n}" for n in range(100 - MOST_STEPS, 100)]
    assert {type(step.blocks[0]) for step in found.steps} == {Flaw}


COOLING = rule(
    "1",
    """
    def do_cool(a):
        award("game", "heat", -5)
    """,
    defines={"currencies": {"heat": {"owners": "game", "initial": 303}}},
    actions={"cool": {}},
)


def test_a_history_is_read_from_the_ledger() -> None:
    table = Table(COOLING)
    here = Here(view(table, "x"), "boards/x.md")
    assert balances(here, "game", "heat") == [(table.now, 303)], "as it begins, before anything is paid"
    table.pass_time(86400)
    table.ok("ann", "cool")
    here = Here(view(table, "x"), "boards/x.md")
    shown = strip_of(block(here, {"block": "history", "owner": "game", "register": "heat", "caption": "So far"}, "b0"))
    assert "So far" in shown
    assert "Heat ends at 298" in shown
    assert "303" in shown
    empty = block(here, {"block": "history", "owner": "ann", "register": "score"}, "b1")
    assert "“ann” is nobody and nothing that has score" in strip_of(empty)


def test_what_is_known_of_one_moment_is_a_line_to_the_right_edge() -> None:
    shown = chart({"Ann": [(86_400, 7)]}, "Points", "c", when=HERE.moment)
    assert shown
    (line,) = shown.wide.lines
    path = re.fullmatch(r"M(\d+) (\d+)H(\d+)", line.path)
    assert path
    assert int(path[1]) == line.x == shown.wide.right
    assert int(path[3]) < line.x
    assert [words for _at, words, _held in shown.wide.marks] == ["Fri 2 Jan 1970"]
