"""Boards of any form: cells that are polygons, in zones and with short labels, and the same in words.

A figure is a grid of the shape `free`: `width` and `height` in pixels, `cells` by name, each with its corners
`points` ([[x, y], …]), the `zone` it lies in, a short `label` and its `owner`; `notes` are lines of text at a place
([x, y, text]).
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from folkmoot.core.documents import Document
from folkmoot.site import svg
from folkmoot.site.board import Board, caption_of
from folkmoot.site.chart import phrase_of
from folkmoot.wording.markup import Html, details, el, join, table
from folkmoot.wording.page_links import Here
from folkmoot.wording.prose import phrase
from folkmoot.wording.translation import _

MOST_CELLS = 4096
MOST_PIXELS = 20_000
MOST_NOTES = 100
Point = tuple[int, int]


class Cell(Struct, frozen=True):
    """A cell that can be drawn."""

    name: str
    points: tuple[Point, ...]
    zone: str
    label: str
    owner: str


def is_figure(block: Document) -> bool:
    """Whether a board block is a figure."""
    return (block.get("grid") or {}).get("shape") == "free"


def figure(here: Here, block: Document, name: str) -> Html:
    """Return a figure as a drawing, a legend of its zones and its cells in words."""
    grid = block.get("grid") or {}
    caption = str(block.get("caption") or _("Figure"))
    cells = cells_of(block)
    width, height = _size(grid.get("width")), _size(grid.get("height"))
    if not cells or not width or not height:
        return el("p", _("This figure cannot be drawn: it has no size, or no cells or too many."))
    zones = {cell.name: cell.zone for cell in sorted(cells, key=lambda cell: cell.zone) if cell.zone}
    board = Board(here, name, caption, {}, [], zones)
    about = _("{count} cells; {zones}", count=len(cells), zones="; ".join(_counts(cells)))
    drawn = svg.drawing(
        name, width, height, caption, about, *(_drawn(board, cell) for cell in cells), *_notes(grid), kind="figure"
    )
    return el("figure", drawn, caption_of(board), _words(here, cells), class_="fm-board")


def cells_of(block: Document) -> list[Cell]:
    """Return the cells of a figure that can be drawn, none where there are too many."""
    given = (block.get("grid") or {}).get("cells") or {}
    cells = [cell for cell in (_cell(key, about) for key, about in given.items()) if cell]
    return cells if len(cells) <= MOST_CELLS else []


def _size(value: Any) -> int:
    return min(value, MOST_PIXELS) if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _cell(name: Any, given: Any) -> Cell | None:
    """Return a cell from its data, None where it has fewer than three corners."""
    if not isinstance(given, dict):
        return None
    points = tuple(
        (corner[0], corner[1])
        for corner in given.get("points") or ()
        if isinstance(corner, list) and len(corner) == 2 and all(isinstance(each, int) for each in corner)
    )
    words = (str(given.get(key) or "") for key in ("zone", "label", "owner"))
    return Cell(str(name), points, *words) if len(points) > 2 else None


def _counts(cells: list[Cell]) -> list[str]:
    zones = sorted({cell.zone for cell in cells if cell.zone})
    return [f"{sum(cell.zone == zone for cell in cells)} {zone}" for zone in zones]


def _drawn(board: Board, cell: Cell) -> Html:
    words = f"{cell.name}: {cell.zone}" if cell.zone else cell.name
    corners = " ".join(f"{x},{y}" for x, y in cell.points)
    shape = el("polygon", svg.tooltip(words), points=corners, class_=f"fm-cell fm-cell0{board.zone_class(cell.name)}")
    if not cell.label:
        return shape
    count = len(cell.points)
    x, y = sum(x for x, _y in cell.points) // count, sum(y for _x, y in cell.points) // count
    return join([shape, svg.text(x, y + 4, phrase_of(cell.label[:3]))])


def _notes(grid: Document) -> list[Html]:
    """Return the lines of text beside the cells."""
    notes = [each for each in grid.get("notes") or () if isinstance(each, list) and len(each) == 3][:MOST_NOTES]
    return [
        svg.text(x, y, phrase_of(str(words)), "fm-tick", "start")
        for x, y, words in notes
        if isinstance(x, int) and isinstance(y, int)
    ]


def _words(here: Here, cells: list[Cell]) -> Html:
    """Return which cells lie in which zone, apart for each owner."""
    grouped: dict[tuple[str, str], list[str]] = {}
    for cell in cells:
        short = cell.name.removeprefix(f"{cell.owner} ") if cell.owner else cell.name
        grouped.setdefault((cell.owner, cell.zone), []).append(short)
    rows = [
        [here.player(owner) if owner else "", phrase(zone), phrase(", ".join(names))]
        for (owner, zone), names in grouped.items()
    ]
    owned = any(owner for owner, _zone in grouped)
    columns = [_("Whose"), _("Zone"), _("Cells")]
    shown = table(columns, rows) if owned else table(columns[1:], [row[1:] for row in rows])
    return details(_("The figure in words"), shown)
