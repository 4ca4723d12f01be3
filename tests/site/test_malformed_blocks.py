"""Whatever a page's hook shows, the site is built: malformed and too large blocks say so, and none takes long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from folkmoot.site.blocks import AREA, CELL, GRID, PIECE, SHAPES, STATE, flaw_of
from folkmoot.wording.game_view import GameView
from folkmoot.wording.page_links import Here
from tests.support.site_game import block
from tests.support.timing import Spent

HERE = Here(GameView(slug="x", documents={}), "boards/x.md")
ODD: dict[str, Any] = {
    "nothing": None,
    "truth": True,
    "number": 5,
    "below": -1,
    "huge": 10**40,
    "text": "words",
    "list": [1],
    "list of texts": ["a", "b"],
    "list of lists": [[1, 2], [3]],
    "list of maps": [{"a": 1}],
    "mixed": [None, 1, "a", [], {}, [None]],
    "map": {"a": 1},
    "map of maps": {"a": {"b": {}}},
    "map of lists": {"a": [1], "b": [[1, 2], ["x", "y"]]},
    "empty list": [],
    "empty map": {},
}
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
            yield f"grid {part} {name}", {"block": "board", "grid": {"columns": 2, "rows": 2, part: value}}
            for shape in ("map", "hexagonal", "free", "odd"):
                grid = {"shape": shape, "columns": 2, "rows": 2, "width": 9, "height": 9, part: value}
                yield f"{shape} {part} {name}", {"block": "board", "grid": grid}
        for part in (*AREA.__struct_fields__, "x", "y"):
            yield f"area {part} {name}", {"block": "board", "grid": {"a": {"adj": ["b"], part: value}, "b": {}}}
        for part in (*PIECE.__struct_fields__, "at", "label", "name", "mark", "id", "place", "kind"):
            yield f"piece {part} {name}", {"block": "board", **GOOD["board"], "pieces": [{"at": "a1", part: value}]}
        for part in STATE.__struct_fields__:
            yield f"frame {part} {name}", {"block": "frames", "pages": [{"title": "x", part: value}]}
        for part in CELL.__struct_fields__:
            cells = {"a": {"points": [[0, 0], [9, 0], [9, 9]], part: value}}
            yield (
                f"free {part} {name}",
                {"block": "board", "grid": {"shape": "free", "width": 9, "height": 9, "cells": cells}},
            )
        yield f"cell {name}", {"block": "table", "columns": ["a"], "rows": [[value]]}
        yield f"line {name}", {"block": "log", "lines": [value]}
        yield f"point {name}", {"block": "chart", "series": {"a": [value, [value, 1], [1, value]]}}


MALFORMED = dict(malformed())
LARGE: dict[str, Callable[[], dict[str, Any]]] = {
    "map of 4,000 areas": lambda: {
        "block": "board",
        "grid": {f"a{n}": {"adj": [f"a{(n + 1) % 4000}", f"a{n * 7 % 4000}"]} for n in range(4000)},
    },
    "map of 190 areas": lambda: {
        "block": "board",
        "grid": {f"a{n}": {"adj": [f"a{(n + 1) % 190}"]} for n in range(190)},
    },
    "map in one place": lambda: {"block": "board", "grid": {f"a{n}": {"adj": [], "x": 1, "y": 1} for n in range(190)}},
    "board": lambda: {
        "block": "board",
        "grid": {"shape": "square", "columns": 64, "rows": 64},
        "pieces": [{"at": "a1", "owner": f"p{n}"} for n in range(4000)],
        "zones": {f"a{n}": f"zone {n}" for n in range(4000)},
    },
    "table": lambda: {"block": "table", "columns": ["a"], "rows": [[n] for n in range(50_000)]},
    "chart": lambda: {"block": "chart", "series": {f"s{n}": [[m, m] for m in range(100)] for n in range(2000)}},
    "log": lambda: {"block": "log", "lines": ["x"] * 20_000},
    "frames": lambda: {"block": "frames", "pages": [{"title": "x", "blocks": []}] * 20_000},
}


@pytest.mark.threat("T-52")
def test_every_kind_of_block_has_a_shape_and_good_ones_fit_it() -> None:
    assert set(GOOD) == set(SHAPES)
    for kind, given in GOOD.items():
        assert flaw_of({"block": kind, **given}) == ""
        assert "cannot be shown" not in block(HERE, {"block": kind, **given}, "b")


@pytest.mark.threat("T-52")
@pytest.mark.parametrize("kind", [*SHAPES, "grid", "area", "piece", "frame", "cell", "line", "point", "free", "map"])
def test_no_malformed_block_stops_the_build(kind: str) -> None:
    cases = {name: given for name, given in MALFORMED.items() if name.startswith(f"{kind} ")}
    with Spent() as spent:
        shown = {name: block(HERE, given, "b") for name, given in cases.items()}
        flaws = {name: flaw_of(given) for name, given in cases.items()}
    for name in cases:
        assert isinstance(shown[name], str), name
        assert not flaws[name] or "cannot be shown" in shown[name], name
    assert spent.units < 50


@pytest.mark.threat("T-52")
@pytest.mark.parametrize("name", LARGE)
def test_no_large_block_takes_long(name: str) -> None:
    given = LARGE[name]()
    with Spent() as spent:
        assert block(HERE, given, "b")
    assert spent.units < 150
