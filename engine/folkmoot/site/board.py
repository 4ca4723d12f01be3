"""What a board block says: where pieces stand on squares, hexagons, areas of a map, or cells of any form.

A grid is what the `grid` library makes: `shape` (square, hexagonal, map), `columns`, `rows`, `wrap`, `squares`,
`around`. With `lines` in its block the pieces of a grid of squares stand where lines cross. A map may also be plain
data: a map of areas, each with `name`, `type`, `adj` (or `neighbours`) and, to be drawn where it lies, `x` and `y`.
Row 1 is the lowest. A figure is a grid of the shape `free`: `width` and `height` in pixels, `cells` by name, each with
its corners `points` ([[x, y], …]), the `zone` it lies in, a short `label` and its `owner`; `notes` are lines of text
at a place ([x, y, text]).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from folkmoot.core.documents import Document
from folkmoot.site.page_data import initials
from folkmoot.site.pagination import lists_by_key
from folkmoot.wording.page_links import Here
from folkmoot.wording.translation import _

MOST_CELLS = 4096
MOST_PIXELS = 20_000
MOST_NOTES = 100
WRAPS = {
    "rows": "The top row joins the bottom row.",
    "columns": "The left column joins the right column.",
    "both": "All edges join: top with bottom, left with right.",
}


class Piece(Struct, frozen=True):
    """What stands on a square or in an area: a short mark (its rule's own, if `given`), a full name and whose it is."""

    at: str
    mark: str
    name: str
    owner: str
    given: bool


class Cell(Struct, frozen=True):
    """A cell of a figure that can be drawn."""

    name: str
    points: tuple[tuple[int, int], ...]
    zone: str
    label: str
    owner: str


class Board(Struct, frozen=True, dict=True):
    """A board as it stands: its grid or areas, its pieces, and what zones are called."""

    here: Here
    caption: str
    grid: Document
    pieces: Sequence[Piece]
    zones: dict[str, str]
    lines: bool
    is_map: bool

    @property
    def size(self) -> tuple[int, int]:
        """Return how many columns and rows there are, (0, 0) where they are missing or too many."""
        columns, rows = self.grid.get("columns") or 0, self.grid.get("rows") or 0
        return (columns, rows) if columns > 0 and rows > 0 and columns * rows <= MOST_CELLS else (0, 0)

    def at(self, square: str) -> list[Piece]:
        """Return the pieces on a square."""
        return self.standing.get(square, [])

    @cached_property
    def standing(self) -> dict[str, list[Piece]]:
        """The pieces by their squares."""
        return lists_by_key((piece.at, piece) for piece in self.pieces)


def board_of(here: Here, block: Document) -> Board:
    """Return the board of a block."""
    grid = block.get("grid") or block.get("map") or {}
    is_map = grid.get("shape") == "map" or "areas" in grid or not {"columns", "rows", "shape"} & set(grid)
    grid = _areas(grid) if is_map else grid
    pieces = [piece for each in block.get("pieces") or () if (piece := _piece(here, each))]
    zones = {str(square): str(zone) for square, zone in (block.get("zones") or {}).items()}
    caption = str(block.get("caption") or _("Board"))
    return Board(here, caption, grid, pieces, zones, block.get("lines") is True, is_map and bool(grid))


def _areas(grid: Document) -> Document:
    """Return a map's areas by id, from the grid library's form or from plain data."""
    areas = (grid["areas"] or {}) if "areas" in grid else {} if grid.get("shape") == "map" else grid
    named = {str(name): area if isinstance(area, dict) else {"adj": area} for name, area in areas.items()}
    if grid.get("shape") != "map":
        return named
    return {str(name): {"adj": list(near), **named.get(name, {})} for name, near in (grid.get("around") or {}).items()}


def _piece(here: Here, piece: Any) -> Piece | None:
    """Return a piece from its data, or from the registers of the thing or player that it names."""
    if isinstance(piece, str):
        kind, registers = here.view.things.get(piece) or ("player", here.view.registers("player", piece))
        piece = {"name": piece, **registers, **({"owner": piece} if kind == "player" else {})}
    at = next(filter(None, map(piece.get, ("at", "place", "square", "position", "area"))), None)
    if not isinstance(at, str):
        return None
    owner, label = str(piece.get("owner") or piece.get("player") or ""), str(piece.get("label") or "")
    name = here.view.name(str(piece.get("name") or label or piece.get("id") or owner or "piece"))
    mark = piece.get("mark") or (label if 0 < len(label) < 3 else "")
    return Piece(at, str(mark or initials(name))[:3], name, owner, bool(mark))


def square_name(column: int, row: int) -> str:
    """Return the name of a square by column and row counted from 0.

    >>> square_name(2, 3), square_name(26, 0)
    ('c4', 'aa1')
    """
    letters, column = "", column + 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(97 + rest) + letters
    return f"{letters}{row + 1}"


def neighbours(area: Document) -> list[str]:
    """Return the neighbours that an area's data names."""
    return [str(each) for each in area.get("adj") or area.get("neighbours") or ()]


# -- figures


def is_figure(block: Document) -> bool:
    """Whether a board block is a figure."""
    return (block.get("grid") or {}).get("shape") == "free"


def cells_of(block: Document) -> list[Cell]:
    """Return the cells of a figure that can be drawn, those with three corners or more; none if too many."""
    cells = []
    for name, about in (block["grid"].get("cells") or {}).items():
        points = tuple((point[0], point[1]) for point in about.get("points") or () if len(point) == 2)
        if len(points) > 2:
            cells.append(Cell(str(name), points, *(str(about.get(each) or "") for each in ("zone", "label", "owner"))))
    return cells if len(cells) <= MOST_CELLS else []


def figure_size(block: Document) -> tuple[int, int]:
    """Return how wide and high a figure is, 0 for what is no size."""
    width, height = (min(max(block["grid"].get(each) or 0, 0), MOST_PIXELS) for each in ("width", "height"))
    return width, height


def notes_of(block: Document) -> list[tuple[int, int, str]]:
    """Return the lines of text beside the cells of a figure, with where they begin."""
    notes = [each for each in block["grid"].get("notes") or () if isinstance(each, list) and len(each) == 3]
    return [(x, y, str(words)) for x, y, words in notes[:MOST_NOTES] if isinstance(x, int) and isinstance(y, int)]
