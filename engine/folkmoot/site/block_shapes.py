"""What the blocks of a page that a rule shows look like: one declared shape for each kind, with bounds on counts.

Whatever a `show_` hook gives is held against its shape before it is drawn, so that a malformed or too large block
becomes a sentence on the page and never a page that cannot be built.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

from msgspec import Struct

MOST_CELLS = 20_000  # of a table, or points of a chart
MOST_PIECES = 4_096
MOST_AREAS = 4_096
MOST_BLOCKS = 500  # of a page
LARGEST = 10**15  # number that is drawn


class Shape(Struct, frozen=True):
    """What a field holds: `kinds` of plain data (none: anything), at most `most` parts, each of the shape `of`."""

    kinds: tuple[type, ...] = ()
    most: int = 0
    of: Shape | None = None

    def flaw(self, value: Any) -> str:
        """Return what is wrong with a value, "" where nothing is."""
        if self.kinds and not (isinstance(value, self.kinds) and not (type(value) is bool and bool not in self.kinds)):
            return f"holds {_kind(value)} where {' or '.join(NAMES[kind] for kind in self.kinds)} must stand"
        if type(value) is int and abs(value) > LARGEST:
            return "holds a number too large to be drawn"
        if not isinstance(value, list | dict):
            return ""
        if self.most and len(value) > self.most:
            return f"has {len(value)} parts, and at most {self.most} can be shown"
        parts = value.values() if isinstance(value, dict) else value
        return next(filter(None, map(self.of.flaw, parts)), "") if self.of else ""


NAMES = {str: "a text", int: "a number", bool: "a truth value", list: "a list", dict: "a map", type(None): "nothing"}
ANYTHING = Shape()
NUMBER = Shape((int,))
WORD = Shape((str, int, bool, type(None)))
NAME = Shape((str, int, bool, type(None), dict))
POINT = Shape((list, int, str, type(None)), 8, Shape((str, int, bool, type(None))))
POINTS = Shape((list,), MOST_CELLS, POINT)
AREA = Shape((dict, list), 1_000)
AREAS = Shape((dict,), MOST_AREAS, AREA)
SHAPES: Mapping[str, Mapping[str, Shape]] = {
    "paragraph": {"text": WORD},
    "heading": {"text": WORD, "level": NUMBER},
    "table": {"columns": Shape((list,), 100, WORD), "rows": Shape((list,), MOST_CELLS), "caption": WORD},
    "board": {
        "grid": Shape((dict,), MOST_AREAS),
        "map": Shape((dict,), MOST_AREAS),
        "pieces": Shape((list,), MOST_PIECES, Shape((str, dict))),
        "zones": Shape((dict,), MOST_PIECES, WORD),
        "caption": WORD,
        "lines": Shape((bool,)),
    },
    "chart": {"series": Shape((dict, list), MOST_CELLS, Shape((list, int), MOST_CELLS, POINT)), "caption": WORD},
    "log": {"lines": Shape((list,), MOST_CELLS), "caption": WORD},
    "history": {"owner": NAME, "register": WORD, "caption": WORD},
    "frames": {"pages": Shape((list,), MOST_CELLS), "caption": WORD},
}
GRID: Mapping[str, Shape] = {
    "shape": WORD,
    "columns": NUMBER,
    "rows": NUMBER,
    "wrap": WORD,
    "around": Shape((dict,), MOST_AREAS, Shape((list, dict), 1_000)),
    "areas": AREAS,
    "cells": Shape((dict,), MOST_AREAS),
    "width": NUMBER,
    "height": NUMBER,
    "notes": Shape((list,), MOST_AREAS),
}
"""The parts of a board's grid that say of what form it is; a map of areas may stand there itself."""
FRAME: Mapping[str, Shape] = {"title": WORD, "blocks": Shape((list,), MOST_BLOCKS)}
DECLARED_AREA: Mapping[str, Shape] = {
    "name": WORD,
    "type": WORD,
    "terrain": WORD,
    "adj": Shape((list,), 1_000, WORD),
    "neighbours": Shape((list,), 1_000, WORD),
}
PIECE: Mapping[str, Shape] = {
    name: NAME if name in ("owner", "player") else ANYTHING
    for name in ("at", "label", "owner", "player", "name", "mark", "id")
}


def flaw_of(block: Any) -> str:
    """Return what is wrong with a block of a known kind, "" where nothing is or the kind is not known.

    >>> flaw_of({"block": "table", "columns": ["Who"], "rows": 5})
    'its `rows` holds a number where a list must stand'
    """
    kind = block.get("block") if isinstance(block, dict) else None
    if not isinstance(kind, str) or kind not in SHAPES:
        return ""
    return _flaw(SHAPES[kind], block) or MORE.get(kind, _nothing)(block)


def _flaw(shapes: Mapping[str, Shape], given: Mapping[str, Any]) -> str:
    for name, shape in shapes.items():
        flaw = shape.flaw(given[name]) if given.get(name) is not None else ""
        if flaw:
            return f"its `{name}` {flaw}"
    return ""


def _nothing(_block: Mapping[str, Any]) -> str:
    return ""


def _table(block: Mapping[str, Any]) -> str:
    cells = sum(len(row) if isinstance(row, list) else 1 for row in block.get("rows") or ())
    return f"it has {cells} cells, and at most {MOST_CELLS} can be shown" if cells > MOST_CELLS else ""


def _chart(block: Mapping[str, Any]) -> str:
    series = block.get("series") or []
    if isinstance(series, list):
        return _flaw({"series": POINTS}, block)
    if any(not isinstance(points, list) for points in series.values()):
        return "each of its `series` must be a list of points"
    points = sum(map(len, series.values()))
    return f"it has {points} points, and at most {MOST_CELLS} can be shown" if points > MOST_CELLS else ""


def _board(block: Mapping[str, Any]) -> str:
    grid = block.get("grid") or block.get("map") or {}
    if {"shape", "columns", "rows", "areas"} & set(grid):
        flaw = _flaw(GRID, grid)
        areas = grid.get("areas") or {}
    else:
        flaw, areas = AREAS.flaw(grid) and f"its map {AREAS.flaw(grid)}", grid
    declared = (area for area in areas.values() if isinstance(area, dict)) if not flaw else ()
    flaws = (_flaw(DECLARED_AREA, area) for area in declared)
    pieces = (_flaw(PIECE, piece) for piece in block.get("pieces") or () if isinstance(piece, dict))
    return flaw or next(filter(None, chain(flaws, pieces)), "")


def _frames(block: Mapping[str, Any]) -> str:
    frames = (_flaw(FRAME, page) for page in block.get("pages") or () if isinstance(page, dict))
    return next(filter(None, frames), "")


MORE = {"table": _table, "chart": _chart, "board": _board, "frames": _frames}


def _kind(value: Any) -> str:
    return NAMES.get(type(value), "something else")
