"""Boards, maps and charts: what they draw and what they say in words."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from folkmoot.cli.drawing.boards import drawn_board
from folkmoot.site.block_shapes import flaw_of
from folkmoot.site.blocks import block
from folkmoot.site.board import board, board_of, square_name
from folkmoot.site.chart import chart, colours_of
from folkmoot.site.map_layout import apart, spots
from folkmoot.site.polygon_boards import figure, is_figure
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import strip
from folkmoot.wording.page_links import Here
from tests.kernel.table import Table, rule
from tests.site.game import game, view
from tests.site.law import AREAS

HERE = Here(game(), "boards/x.md")


def _board(**given: Any) -> str:
    return board(HERE, {"block": "board", "caption": "Board", **given}, "b0")


def test_squares_are_named_as_the_grid_library_names_them() -> None:
    assert [square_name(0, 0), square_name(25, 0), square_name(26, 11)] == ["a1", "z1", "aa12"]


def test_a_board_says_in_words_where_every_piece_stands() -> None:
    pieces = [{"at": "c2", "label": "K", "name": "king", "owner": "ann"}, {"at": "a1", "name": "man", "owner": "zed"}]
    shown = _board(grid={"shape": "square", "columns": 3, "rows": 2, "wrap": ""}, pieces=pieces, zones={"a1": "home"})
    assert shown.count("<rect") == 6
    assert shown.count('<circle class="fm-piece') + len(re.findall(r"<circle[^>]*fm-piece", shown)) >= 2
    words = strip_of(shown)
    assert "king at c2" in words
    assert re.search(r"a1\s*man\s*Zed Zhou\s*home", words)
    assert '<svg viewBox="0 0 192 148"' in shown
    assert 'role="img" aria-labelledby="b0-title b0-desc"' in shown


def test_pieces_stand_where_lines_cross() -> None:
    grid = {"shape": "square", "columns": 3, "rows": 2}
    shown = _board(grid=grid, pieces=[{"at": "c2", "label": "o"}], lines=True)
    assert shown.count("fm-crossing") == 3 + 2
    assert "fm-cell0" not in shown
    assert "fm-cell1" not in shown
    assert "fm-crossing" not in _board(grid=grid)
    assert "`lines` holds a text" in flaw_of({"block": "board", "grid": grid, "lines": "yes"})


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
    shown = _board(grid={"shape": "square", "columns": 4, "rows": 4, "wrap": wrap})
    assert words in shown
    assert shown.count("fm-edge--open") == (4 if wrap == "both" else 2)


def test_pieces_may_be_named_by_the_ids_of_things() -> None:
    documents = {**HERE.view.documents, "things/stone": {"s1": {"place": "b2", "owner": "bob", "name": "Stone"}}}
    here = Here(GameView(slug="x", documents=documents), "boards/x.md")
    grid = {"shape": "square", "columns": 3, "rows": 3, "wrap": ""}
    assert "Stone at b2" in board(here, {"grid": grid, "pieces": ["s1", "gone"]}, "b")


def test_a_map_names_its_areas_neighbours_and_occupants() -> None:
    shown = _board(grid={"areas": AREAS}, pieces=[{"at": "MAW", "owner": "ann", "name": "ann"}])
    words = strip_of(shown)
    assert "Mawson land Ann Abel SOO, SOP" in words
    assert shown.count("fm-area__name") == len(AREAS)
    assert "fm-border--round" in shown


@pytest.mark.parametrize(
    "grid", [{}, {"columns": 0, "rows": 3}, {"columns": 100, "rows": 100}, {"shape": "map"}, {"areas": {}}]
)
def test_a_board_without_a_shape_is_no_crash(grid: dict[str, Any]) -> None:
    assert "cannot be drawn" in _board(grid=grid)


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
    assert shown.rows == (("3", ["12", "4"]), ("2", ["0", "4"]), ("1", ["0", "−5"]))


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
    assert '<td class="fm-number" data-label="Points">3</td>' in shown


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
    assert shown.count("<polygon") == 2
    assert 'points="0,0 50,5 50,35 0,40" class="fm-cell fm-cell0 fm-z1"' in shown
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
    assert "cannot be drawn" in figure(HERE, {"grid": {**PLANK, **change}}, "b0")


def test_frames_lead_from_one_to_the_next() -> None:
    pages = [
        {"title": f"Day {n}", "blocks": [{"block": "board", "grid": PLANK, "caption": "Plank"}]} for n in (1, 2, 3)
    ]
    shown = block(HERE, {"block": "frames", "pages": [*pages, "odd"], "caption": "Earlier days"}, "b0")
    assert len(set(re.findall(r'id="([^"]+)-title"', shown))) == 3
    ids = re.findall(r'<section id="([^"]+)" class="([^"]+)"', shown)
    assert ids == [("b0-frame-0", "fm-frame"), ("b0-frame-1", "fm-frame"), ("b0-frame-2", "fm-frame fm-frame--last")]
    first, middle, last = (re.findall(r'href="#([^"]+)">(\w+)<', nav) for nav in re.findall(r"<nav.*?</nav>", shown))
    assert first == [("b0-frame-1", "Later"), ("b0-frame-2", "Last")]
    assert [to.removeprefix("b0-frame-") for to, _ in middle] == ["0", "0", "2", "2"]
    assert [words for _, words in middle] == ["First", "Earlier", "Later", "Last"]
    assert last == [("b0-frame-0", "First"), ("b0-frame-1", "Earlier")]
    assert "Day 2 (2 of 3)" in strip_of(shown)
    assert shown.count("The figure in words") == 3


def test_of_too_many_frames_the_last_are_shown() -> None:
    pages = [{"title": f"Day {n}", "blocks": []} for n in range(100)]
    words = strip_of(block(HERE, {"block": "frames", "pages": pages}, "b0"))
    assert "Day 39" not in words
    assert "Day 40 (1 of 60)" in words
    assert "Day 99 (60 of 60)" in words


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
    assert [mark.words for mark in shown.wide.marks] == ["Fri 2 Jan 1970"]
