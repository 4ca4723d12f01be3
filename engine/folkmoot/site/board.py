"""What a board block says: where pieces stand on squares, hexagons, areas of a map, or cells of any form.

A grid is what the `grid` library makes: `shape` (square, hexagonal, map), `columns`, `rows`, `wrap`, `squares`,
`around`. With `lines` in its block the pieces of a grid of squares stand where lines cross. A map may also be plain
data: a map of areas, each with `name`, `type`, `adj` (or `neighbours`) and, to be drawn where it lies, `x` and `y`.
Row 1 is the lowest. A figure is a grid of the shape `free`: `width` and `height` in pixels, `cells` by name, each with
its corners `points` ([[x, y], …]), the `zone` it lies in, a short `label` and its `owner`; `notes` are lines of text
at a place ([x, y, text]).
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

from msgspec import Struct, field

from folkmoot.core.documents import Document
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
    """What stands on a square or in an area: a short mark, a full name and whose it is.

    `given` says whether the rule chose the mark itself.
    """

    at: str
    mark: str
    name: str
    owner: str = ""
    given: bool = False


class Cell(Struct, frozen=True):
    """A cell of a figure that can be drawn."""

    name: str
    points: tuple[tuple[int, int], ...]
    zone: str
    label: str
    owner: str


class Board(Struct, dict=True):
    """A board as it stands: its grid or areas, its pieces, and what zones are called."""

    here: Here
    caption: str
    grid: Document
    pieces: list[Piece] = field(default_factory=list)
    zones: dict[str, str] = field(default_factory=dict)
    is_map: bool = False
    lines: bool = False

    @property
    def size(self) -> tuple[int, int]:
        """Return how many columns and rows there are, (0, 0) where they are missing or too many."""
        columns, rows = _count(self.grid, "columns"), _count(self.grid, "rows")
        return (columns, rows) if columns > 0 and rows > 0 and columns * rows <= MOST_CELLS else (0, 0)

    def at(self, square: str) -> list[Piece]:
        """Return the pieces on a square."""
        return self._standing.get(square, [])

    @cached_property
    def _standing(self) -> dict[str, list[Piece]]:
        standing: dict[str, list[Piece]] = {}
        for piece in self.pieces:
            standing.setdefault(piece.at, []).append(piece)
        return standing


def board_of(here: Here, block: Document) -> Board:
    """Return the board of a block."""
    grid = block.get("grid") or block.get("map") or {}
    shown = Board(here, str(block.get("caption") or _("Board")), _areas(grid) if _is_map(grid) else dict(grid))
    shown.pieces = [p for p in (_piece(here, piece) for piece in block.get("pieces") or ()) if p]
    shown.zones = {str(square): str(zone) for square, zone in (block.get("zones") or {}).items()}
    shown.lines = block.get("lines") is True
    shown.is_map = _is_map(grid) and bool(shown.grid)
    return shown


def _count(grid: Document, name: str) -> int:
    value = grid.get(name)
    return value if isinstance(value, int) else 0


def _is_map(grid: Document) -> bool:
    return grid.get("shape") == "map" or "areas" in grid or not {"columns", "rows", "shape"} & set(grid)


def _areas(grid: Document) -> Document:
    """Return a map's areas by id, from the grid library's form or from plain data."""
    if grid.get("shape") == "map":
        named = grid.get("areas") or {}
        return {str(a): {"adj": list(near), **(named.get(a) or {})} for a, near in (grid.get("around") or {}).items()}
    areas = (grid["areas"] or {}) if "areas" in grid else grid
    return {str(name): area if isinstance(area, dict) else {"adj": area} for name, area in areas.items()}


def _piece(here: Here, piece: Any) -> Piece | None:
    """Return a piece from its data, or from the registers of the thing or player that it names."""
    if isinstance(piece, str):
        kind, registers = here.view.things.get(piece) or ("player", here.view.registers("player", piece))
        piece = {"name": piece, "kind": kind, **registers, **({"owner": piece} if kind == "player" else {})}
    if not isinstance(piece, dict):
        return None
    at = piece.get("at") or piece.get("place") or piece.get("square") or piece.get("position") or piece.get("area")
    if not isinstance(at, str) or not at:
        return None
    owner = str(piece.get("owner") or piece.get("player") or "")
    label = str(piece.get("label") or "")
    name = here.view.name(str(piece.get("name") or label or piece.get("id") or owner or "piece"))
    mark = piece.get("mark") or (label if 0 < len(label) < 3 else "")
    return Piece(at, str(mark or _initials(name))[:3], name, owner, bool(mark))


def _initials(name: str) -> str:
    words = re.findall(r"\w+", name)
    return "".join(word[0] for word in words[:3]).upper() if len(words) > 1 else name[:2]


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
    """Return the cells of a figure that can be drawn, none where there are too many."""
    given = (block.get("grid") or {}).get("cells") or {}
    cells = [cell for cell in (_cell(key, about) for key, about in given.items()) if cell]
    return cells if len(cells) <= MOST_CELLS else []


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


def figure_size(block: Document) -> tuple[int, int]:
    """Return how wide and high a figure is, 0 for what is no size."""
    grid = block.get("grid") or {}
    width, height = (
        min(v, MOST_PIXELS) if type(v) is int and v > 0 else 0 for v in (grid.get("width"), grid.get("height"))
    )
    return width, height


def notes_of(block: Document) -> list[tuple[int, int, str]]:
    """Return the lines of text beside the cells of a figure, with where they begin."""
    notes = [each for each in (block.get("grid") or {}).get("notes") or () if isinstance(each, list) and len(each) == 3]
    return [(x, y, str(words)) for x, y, words in notes[:MOST_NOTES] if isinstance(x, int) and isinstance(y, int)]
