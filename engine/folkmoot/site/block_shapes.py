"""The shapes of the blocks of a page that a rule shows, and what is wrong with one that is not of its shape.

Whatever a `show_` hook gives is held against the shape of its kind, with bounds on counts, before it is drawn.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, ValidationError, convert, defstruct

from folkmoot.core.documents import Document

MOST_CELLS = 20_000  # of a table, or points of a chart
MOST_PARTS = 4_096  # pieces, zones or areas of a board
MOST_BLOCKS = 500  # of a page
LARGEST = 10**15  # number that is drawn


def _shape(**fields: Any) -> Any:
    """Return the shape of a map, of which each part may be left out and others may stand there, too."""
    return defstruct("Shape", [(name, of | None, None) for name, of in fields.items()])


def _list(most: int, of: Any = Any) -> Any:
    return Annotated[list[of], Meta(max_length=most)]


def _map(most: int, of: Any = Any) -> Any:
    return Annotated[dict[Any, of], Meta(max_length=most)]


NUMBER: Any = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
WORD = str | NUMBER | bool | None
NAME = WORD | _map(MOST_PARTS)
WORDS = _list(1_000, WORD)
POINTS = _list(MOST_CELLS, _list(8, WORD) | NUMBER | str | None)
PIECE = _shape(owner=NAME, player=NAME)
AREA = _shape(name=WORD, type=WORD, terrain=WORD, adj=WORDS, neighbours=WORDS)
AREAS = _map(MOST_PARTS, AREA | _list(1_000))
CELL = _shape(points=_list(MOST_CELLS, _list(2, NUMBER)), zone=WORD, label=WORD, owner=WORD)
GRID = _shape(shape=WORD, columns=NUMBER, rows=NUMBER, wrap=WORD, width=NUMBER, height=NUMBER, areas=AREAS,
              cells=_map(MOST_PARTS, CELL), around=_map(MOST_PARTS, _list(1_000) | _map(1_000)),
              notes=_list(MOST_PARTS))  # fmt: skip
"""The parts of a board's grid that say of what form it is; a map of areas may stand there itself."""
STATE = _shape(title=WORD, blocks=_list(MOST_BLOCKS))
SHAPES = {
    "paragraph": _shape(text=WORD),
    "heading": _shape(text=WORD, level=NUMBER),
    "table": _shape(columns=_list(100, WORD), rows=_list(MOST_CELLS), caption=WORD),
    "board": _shape(grid=_map(MOST_PARTS), map=_map(MOST_PARTS), pieces=_list(MOST_PARTS, str | PIECE),
                    zones=_map(MOST_PARTS, WORD), caption=WORD, lines=bool),
    "chart": _shape(series=_map(MOST_CELLS, POINTS) | POINTS, caption=WORD),
    "log": _shape(lines=_list(MOST_CELLS), caption=WORD),
    "history": _shape(owner=NAME, register=WORD, caption=WORD),
    "frames": _shape(pages=_list(MOST_CELLS, STATE | list[Any] | WORD), caption=WORD),
}  # fmt: skip


def flaw_of(block: Any) -> str:
    """Return what is wrong with a block of a known kind, "" where nothing is or the kind is not known.

    >>> flaw_of({"block": "table", "columns": ["Who"], "rows": 5})
    'it has another form than it must (Expected `array | null`, got `int` - at `$.rows`)'
    """
    kind = block.get("block") if isinstance(block, dict) else None
    if not isinstance(kind, str) or kind not in SHAPES:
        return ""
    if flaw := _misfit(block, SHAPES[kind]):
        return flaw
    if kind == "board":
        grid = block.get("grid") or block.get("map") or {}
        return _misfit(grid, GRID if {"shape", "columns", "rows", "areas"} & set(grid) else AREAS)
    whole = block.get({"table": "rows", "chart": "series"}.get(kind)) or ()
    parts = whole.values() if isinstance(whole, dict) else whole
    count = sum(len(each) if isinstance(each, list) else 1 for each in parts)
    return f"it has {count} cells or points, and at most {MOST_CELLS} can be shown" if count > MOST_CELLS else ""


def _misfit(given: object, shape: Any) -> str:
    """Return in which of its parts something is not as its shape, and why; "" where it is."""
    try:
        convert(given, shape)
    except ValidationError as error:
        return f"it has another form than it must ({error})"
    return ""


def series_of(given: Document) -> dict[str, list[tuple[int, int]]]:
    """Return the points of a chart by the names of its series; a bare list of numbers is counted from 1."""
    series, found = given.get("series") or {}, {}
    for label, values in series.items() if isinstance(series, dict) else [("series", series)]:
        pairs = (value[:2] if isinstance(value, list) and len(value) > 1 else (number, value)
                 for number, value in enumerate(values, 1))  # fmt: skip
        points = [(x, y) for x, y in pairs if isinstance(x, int) and isinstance(y, int)]
        found[str(label)] = sorted(points, key=lambda point: point[0])
    return found
