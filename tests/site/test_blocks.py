"""Tables, charts and logs that rules show; and whatever a rule shows, the site is built, and soon."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from folkmoot.site.block_shapes import AREA, CELL, GRID, PIECE, SHAPES, STATE, flaw_of
from folkmoot.site.blocks import balances
from folkmoot.site.chart import DIGIT, LEFT, chart
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, strip
from folkmoot.wording.page_links import Here
from tests.support.site_game import block, game, view, words_of
from tests.support.table import Table, rule
from tests.support.timing import Spent

HERE = Here(game(), "boards/x.md")
EMPTY = Here(GameView(slug="x", documents={}), "boards/x.md")


def cells(*column: Any, here: Here = HERE) -> str:
    """Return the body of a table of one column."""
    shown = block(here, {"block": "table", "columns": ["A"], "rows": [[cell] for cell in column]}, "b")
    return str(shown).partition("<tbody>")[2]


@pytest.mark.parametrize(
    ("words", "paths"),
    [
        ("rule 203", ["law/203"]), ("Rule 203", ["law/203"]), ("proposal 308", ["proposals/308"]),
        ("Proposal 308/2", ["proposals/308"]), ("ann, bob", ["players/ann", "players/bob"]),
        *((words, []) for words in ("rule 9999", "rule 203 of old", "Proposal 9999/0", "zither 308", "ann, nobody", ", ")),
    ],
)  # fmt: skip
def test_a_cell_that_names_something_is_a_link_to_it_in_its_own_words(words: str, paths: list[str]) -> None:
    shown = cells(words)
    assert re.findall(r'href="([^"]+)"', shown) == [f"../{path}.html" for path in paths]
    assert len(paths) > 1 or re.sub(r"<[^>]+>", "", shown).strip() == words.strip()


@pytest.mark.parametrize(("column", "numbers"), [
    *((column, True) for column in ([1, 2], ["1", "-2"], ["7.50", 3], [None, "12"])),
    *((column, False) for column in (["1", "one"], ["1/2"], [True], ["2026-01-05"], ["1" * 40])),
])  # fmt: skip
def test_numbers_are_set_as_numbers_and_other_columns_are_not(column: list[Any], numbers: bool) -> None:
    assert cells(*column).count('class="r"') == (len(column) if numbers else 0)


def test_a_table_or_cell_that_says_nothing_is_empty_or_says_so() -> None:
    assert len(re.findall(r"<td[^>]*></td>", cells("", None, "a"))) == 2
    sealed = {"block": "table", "columns": ["Sealed", "From day"], "rows": []}
    assert strip(block(HERE, sealed, "b1")) == "Sealed, From day Nothing yet."
    assert strip(block(HERE, {**sealed, "caption": "Swaps."}, "b1")) == "Swaps. Nothing yet."


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("2026-01-05 12:00", "Mon 5 Jan 2026, 12:00"), ("2026-01-05 12:00:30", "Mon 5 Jan 2026, 12:00:30"),
        ("2026-01-05T12:00:00Z", "Mon 5 Jan 2026, 13:00"), ("2026-01-05", "Mon 5 Jan 2026"),
        ("2026-02-30", "2026-02-30"), ("on 2026-01-05", "on 2026-01-05"), ("1-2-3", "1-2-3"),
    ],
)  # fmt: skip
def test_a_time_is_shown_as_all_times_are(written: str, shown: str) -> None:
    seen = game()
    documents = {**seen.documents, "game": {**seen.documents["game"], "zone": "Europe/Vienna"}}
    here = Here(replace(seen, documents=documents), "x.md")
    assert strip(Html(cells(written, here=here))) == shown
    assert strip(block(here, {"block": "log", "lines": [written]}, "b1")) == shown


# -- charts


def test_a_chart_has_its_data_as_a_table() -> None:
    shown = chart({"Ann": [(1, 0), (3, 12)], "Bob": [(1, -5), (2, 4)]}, "Score", "c")
    assert shown
    assert shown.about == "Ann ends at 12; Bob ends at 4"
    assert shown.rows == (("3", ("12", "4")), ("2", ("0", "4")), ("1", ("0", "−5")))
    assert chart({}, "x", "c") is None
    assert chart({"a": [(1, 0)]}, "x", "c")


def test_what_is_known_of_one_moment_is_a_line_to_the_right_edge() -> None:
    shown = chart({"Ann": [(86_400, 7)]}, "Points", "c", when=HERE.moment)
    assert shown
    (line,) = shown.wide.lines
    path = re.fullmatch(r"M(\d+) (\d+)H(\d+)", line.path)
    assert path
    assert int(path[1]) == line.x == shown.wide.right > int(path[3])
    assert [words for _at, words, _held in shown.wide.marks] == ["Fri 2 Jan 1970"]


@pytest.mark.parametrize("top", [9, 999_999, -999_999, 10**12])
def test_every_tick_stands_inside_the_drawing(top: int) -> None:
    drawn = chart({"ann": [(0, 0), (5, top)]}, "Scores", "c")
    assert drawn
    for each in (drawn.wide, drawn.narrow):
        assert all(each.left - 8 - DIGIT * len(words) >= 0 for _at, words in each.ticks)
        assert each.left < each.right
    assert (drawn.wide.left == LEFT) == (top == 9), "small numbers leave the margin as it is"


@pytest.mark.parametrize(("owner", "register"), [("player", "score"), ("nobody", "score"), ("ann", "crumbs"), ("", "")])
def test_nothing_is_drawn_of_what_is_not_there(owner: str, register: str) -> None:
    shown = block(HERE, {"block": "history", "owner": owner, "register": register}, "h")
    assert "<svg" not in shown
    assert "no history to draw" in shown
    for player in HERE.view.players:
        assert "<svg" in block(HERE, {"block": "history", "owner": player, "register": "score"}, "h")


def test_a_history_is_read_from_the_ledger() -> None:
    script = 'def do_cool(a):\n    award("game", "heat", -5)\n'
    currency = {"currencies": {"heat": {"owners": "game", "initial": 303}}}
    table = Table(rule("1", script, defines=currency, actions={"cool": {}}))
    assert balances(Here(view(table, "x"), "x.md"), "game", "heat") == [(table.now, 303)], "before anything is paid"
    table.pass_time(86400)
    table.ok("ann", "cool")
    here = Here(view(table, "x"), "boards/x.md")
    shown = words_of(block(here, {"block": "history", "owner": "game", "register": "heat", "caption": "So far"}, "b0"))
    assert all(words in shown for words in ("So far", "Heat ends at 298", "303"))


# -- whatever a rule shows

ODD: dict[str, Any] = {
    "nothing": None, "truth": True, "number": 5, "below": -1, "huge": 10**40, "text": "words",
    "list": [1], "list of texts": ["a", "b"], "list of lists": [[1, 2], [3]], "list of maps": [{"a": 1}],
    "mixed": [None, 1, "a", [], {}, [None]], "map": {"a": 1}, "map of maps": {"a": {"b": {}}},
    "map of lists": {"a": [1], "b": [[1, 2], ["x", "y"]]}, "empty list": [], "empty map": {},
}  # fmt: skip
GOOD: dict[str, dict[str, Any]] = {
    "paragraph": {"text": "Words."},
    "heading": {"text": "Words", "level": 2},
    "table": {"columns": ["Who", "What"], "rows": [["ann", 1], ["bob", None]], "caption": "A table"},
    "board": {
        "grid": {"shape": "square", "columns": 3, "rows": 3},
        "pieces": [{"at": "a1", "label": "K"}],
        "zones": {},
    },
    "chart": {"series": {"ann": [[1, 2], [2, 3]]}, "caption": "A chart"},
    "log": {"lines": ["one", "two"], "caption": "A log"},
    "history": {"owner": "ann", "register": "score", "caption": "Score"},
    "frames": {"pages": [{"title": "One", "blocks": [{"block": "paragraph", "text": "x"}]}], "caption": "Then"},
}


def malformed() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every kind of block with each of its fields, and each part of those, being what it should not be."""
    for kind, shape in SHAPES.items():
        for field in shape.__struct_fields__:
            for name, value in ODD.items():
                yield f"{kind} {field} {name}", {"block": kind, **GOOD[kind], field: value}
    for name, value in ODD.items():
        for part in GRID.__struct_fields__:
            for shape in ("square", "map", "hexagonal", "free", "odd"):
                grid = {"shape": shape, "columns": 2, "rows": 2, "width": 9, "height": 9, part: value}
                yield f"{shape} {part} {name}", {"block": "board", "grid": grid}
        for part in (*AREA.__struct_fields__, "x", "y"):
            yield f"area {part} {name}", {"block": "board", "grid": {"a": {"adj": ["b"], part: value}, "b": {}}}
        for part in (*PIECE.__struct_fields__, "at", "label", "name", "mark", "id", "place", "kind"):
            yield f"piece {part} {name}", {"block": "board", **GOOD["board"], "pieces": [{"at": "a1", part: value}]}
        for part in STATE.__struct_fields__:
            yield f"frame {part} {name}", {"block": "frames", "pages": [{"title": "x", part: value}]}
        for part in CELL.__struct_fields__:
            grid = {
                "shape": "free",
                "width": 9,
                "height": 9,
                "cells": {"a": {"points": [[0, 0], [9, 0], [9, 9]], part: value}},
            }
            yield f"free cell {part} {name}", {"block": "board", "grid": grid}
        yield f"cell {name}", {"block": "table", "columns": ["a"], "rows": [[value]]}
        yield f"line {name}", {"block": "log", "lines": [value]}
        yield f"point {name}", {"block": "chart", "series": {"a": [value, [value, 1], [1, value]]}}
        yield f"block {name}", value


MALFORMED = dict(malformed())
LARGE: dict[str, Callable[[], dict[str, Any]]] = {
    "map of 4,000 areas": lambda: {
        "block": "board", "grid": {f"a{n}": {"adj": [f"a{(n + 1) % 4000}", f"a{n * 7 % 4000}"]} for n in range(4000)}},
    "map of 190 areas": lambda: {"block": "board", "grid": {f"a{n}": {"adj": [f"a{(n + 1) % 190}"]} for n in range(190)}},
    "map in one place": lambda: {"block": "board", "grid": {f"a{n}": {"adj": [], "x": 1, "y": 1} for n in range(190)}},
    "board": lambda: {
        "block": "board", "grid": {"shape": "square", "columns": 64, "rows": 64},
        "pieces": [{"at": "a1", "owner": f"p{n}"} for n in range(4000)], "zones": {f"a{n}": f"zone {n}" for n in range(4000)}},
    "table": lambda: {"block": "table", "columns": ["a"], "rows": [[n] for n in range(50_000)]},
    "chart": lambda: {"block": "chart", "series": {f"s{n}": [[m, m] for m in range(100)] for n in range(2000)}},
    "log": lambda: {"block": "log", "lines": ["x"] * 20_000},
    "frames": lambda: {"block": "frames", "pages": [{"title": "x", "blocks": []}] * 20_000},
}  # fmt: skip


@pytest.mark.threat("T-52")
def test_every_kind_of_block_has_a_shape_and_good_ones_fit_it() -> None:
    assert set(GOOD) == set(SHAPES)
    for kind, given in GOOD.items():
        assert flaw_of({"block": kind, **given}) == ""
        assert "cannot be shown" not in block(EMPTY, {"block": kind, **given}, "b")


@pytest.mark.threat("T-52")
def test_no_malformed_block_stops_the_build_or_takes_long() -> None:
    with Spent() as spent:
        for name, given in MALFORMED.items():
            shown, flaw = block(EMPTY, given, "b"), flaw_of(given)
            assert isinstance(shown, str), name
            assert not flaw or "cannot be shown" in shown, name
    assert spent.units < 150


@pytest.mark.threat("T-52")
@pytest.mark.parametrize("name", LARGE)
def test_no_large_block_takes_long(name: str) -> None:
    given = LARGE[name]()
    with Spent() as spent:
        assert block(EMPTY, given, "b")
    assert spent.units < 150
