"""Boards as drawings with a text form: squares, cylinders, tori, hexagons and maps of areas.

A grid is what the `grid` library makes: `shape` (square, hexagonal, map), `columns`, `rows`, `wrap`, `squares`,
`around`. With `lines` in its block the pieces of a grid of squares stand where lines cross. A map may also be plain
data: a map of areas, each with `name`, `type`, `adj` (or `neighbours`) and, to be
drawn where it lies, `x` and `y`. Row 1 is the lowest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct, field

from folkmoot.core.documents import Document
from folkmoot.site import svg
from folkmoot.site.board_changes import moves, places, told
from folkmoot.site.chart import colours_of, phrase_of
from folkmoot.site.map_layout import Spot, apart, spots
from folkmoot.wording.game_view import natural
from folkmoot.wording.markup import Html, details, el, join, table
from folkmoot.wording.page_links import Here, humane
from folkmoot.wording.prose import phrase
from folkmoot.wording.translation import _

CELL = 44
PAD = 30
NODE_WIDTH, NODE_HEIGHT = 66, 40
MAP_WIDTH, MAP_HEIGHT = 1000, 620
MOST_CELLS = 4096
MOST_AREAS = 200  # that have room on a drawing
WRAPS = {
    "rows": "The top row joins the bottom row.",
    "columns": "The left column joins the right column.",
    "both": "All edges join: top with bottom, left with right.",
}
_SQUARE = re.compile(r"([a-z]+)(\d+)")


class Piece(Struct, frozen=True):
    """What stands on a square or in an area: a short mark, a full name and whose it is."""

    at: str
    mark: str
    name: str
    owner: str = ""


class Board(Struct, dict=True):
    """A board ready to be drawn: where pieces stand, what zones are called and which colour an owner has."""

    here: Here
    name: str
    caption: str
    grid: Document
    pieces: list[Piece] = field(default_factory=list)
    zones: dict[str, str] = field(default_factory=dict)
    is_map: bool = False
    lines: bool = False
    moved: frozenset[str] = frozenset()

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

    @cached_property
    def _owners(self) -> dict[str, int]:
        return colours_of(list(self.here.view.players), {piece.owner for piece in self.pieces})

    @cached_property
    def _zones(self) -> dict[str, int]:
        return {zone: number for number, zone in enumerate(dict.fromkeys(self.zones.values()))}

    def colour(self, owner: str) -> str:
        """Return the class of an owner's colour, by the order of joining."""
        return f"fm-c{self._owners[owner]}" if owner in self._owners else "fm-cx"

    def zone_class(self, square: str) -> str:
        """Return the classes of a square's zone, and of the last move where it touched the square."""
        zone = f" fm-z{self._zones[self.zones[square]] % 6}" if square in self.zones else ""
        return f"{zone} fm-moved" if square in self.moved else zone


def board(here: Here, block: Document, name: str, before: Document | None = None) -> Html:
    """Return a board block as a drawing, a legend and the same in words, marked with what moved since `before`."""
    shown = board_of(here, block, name)
    moved = moves(_places(board_of(here, before)), _places(shown)) if before else []
    shown.moved = places(moved)
    if shown.is_map:
        drawn = (
            _map(shown)
            if len(shown.grid) <= MOST_AREAS
            else el("p", _("{count} areas are too many to draw.", count=len(shown.grid)))
        )
        return el("figure", drawn, told(moved), caption_of(shown), _map_words(shown), class_="fm-board")
    if not all(shown.size):
        return el("p", _("This board cannot be drawn: its columns and rows are missing or too many."))
    drawn = _hexagons(shown) if shown.grid.get("shape") == "hexagonal" else _squares(shown)
    return el("figure", drawn, told(moved), caption_of(shown), _square_words(shown), class_="fm-board")


def _places(board: Board) -> list[tuple[str, tuple[str, str]]]:
    return [(piece.at, (piece.name, piece.owner)) for piece in board.pieces]


def board_of(here: Here, block: Document, name: str = "") -> Board:
    """Return the board of a block, ready to be drawn."""
    grid = block.get("grid") or block.get("map") or {}
    shown = Board(here, name, str(block.get("caption") or _("Board")), _areas(grid) if _is_map(grid) else dict(grid))
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
    mark = piece.get("mark") or (label if 0 < len(label) < 3 else _initials(name))
    return Piece(at, str(mark)[:3], name, owner)


def _initials(name: str) -> str:
    words = re.findall(r"\w+", name)
    return "".join(word[0] for word in words[:3]).upper() if len(words) > 1 else name[:2]


# -- squares ----------------------------------------------------------------------------------------------------------


def _squares(board: Board) -> Html:
    columns, rows = _count(board.grid, "columns"), _count(board.grid, "rows")
    width, height = columns * CELL + 2 * PAD, rows * CELL + 2 * PAD
    cells = [
        _cell(board, PAD + column * CELL, PAD + (rows - 1 - row) * CELL, square_name(column, row), (column + row) % 2)
        for row in range(rows)
        for column in range(columns)
    ]
    edges = [*(_crossing(columns, rows) if board.lines else ()), *_edges(board, columns, rows)]
    pieces = [
        _stack(
            board, PAD + column * CELL + CELL // 2, PAD + (rows - 1 - row) * CELL + CELL // 2, square_name(column, row)
        )
        for row in range(rows)
        for column in range(columns)
    ]
    return svg.drawing(board.name, width, height, board.caption, _summary(board), *cells, *edges, *pieces, kind="board")


def _crossing(columns: int, rows: int) -> list[Html]:
    """Return the lines on whose crossings pieces stand, each from the first crossing to the last."""
    left, top = PAD + CELL // 2, PAD + CELL // 2
    right, bottom = left + (columns - 1) * CELL, top + (rows - 1) * CELL
    upright = [svg.line(left + n * CELL, top, left + n * CELL, bottom, "fm-crossing") for n in range(columns)]
    return upright + [svg.line(left, top + n * CELL, right, top + n * CELL, "fm-crossing") for n in range(rows)]


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


def _cell(board: Board, x: int, y: int, square: str, shade: int) -> Html:
    zone = board.zones.get(square, "")
    words = f"{square}{': ' + zone if zone else ''}"
    kind = "fm-cell fm-cell--crossing" if board.lines else f"fm-cell fm-cell{shade}"
    return svg.rect(x, y, CELL, CELL, f"{kind}{board.zone_class(square)}", tip=svg.tooltip(words))


def _stack(board: Board, x: int, y: int, square: str) -> Html:
    """Return the pieces of one square as discs, side by side where there are several."""
    pieces = board.at(square)
    shown = pieces[:2]
    drawn = []
    for index, piece in enumerate(shown):
        left = x + (2 * index - len(shown) + 1) * 10
        words = f"{piece.name}{', ' + board.here.view.name(piece.owner) if piece.owner not in ('', piece.name) else ''}"
        radius = 16 if len(shown) == 1 else 11
        disc = el("circle", svg.tooltip(_("{piece} on {square}", piece=words, square=square)), cx=left, cy=y, r=radius,
                  class_=f"fm-piece {board.colour(piece.owner)}")  # fmt: skip
        drawn += [disc, svg.text(left, y + 4, phrase_of(piece.mark), "fm-mark")]
    if len(pieces) > 2:
        drawn.append(svg.text(x, y + 20, f"+{len(pieces) - 2}", "fm-tick fm-tick--small"))
    return join(drawn)


def _edges(board: Board, columns: int, rows: int) -> list[Html]:
    """Return the names of columns and rows, and where the board joins itself a dashed edge with arrows."""
    wrap = str(board.grid.get("wrap") or "")
    bottom, right = PAD + rows * CELL, PAD + columns * CELL
    names = [
        svg.text(PAD + n * CELL + CELL // 2, bottom + 19, square_name(n, 0)[:-1], "fm-tick") for n in range(columns)
    ]
    names += [svg.text(PAD - 12, PAD + (rows - 1 - n) * CELL + CELL // 2 + 4, n + 1, "fm-tick") for n in range(rows)]
    across = wrap in ("columns", "both", "torus")
    upright = wrap in ("rows", "both", "torus")
    sides = "fm-edge fm-edge--open" if across else "fm-edge"
    ends = "fm-edge fm-edge--open" if upright else "fm-edge"
    lines = [svg.line(PAD, PAD, PAD, bottom, sides), svg.line(right, PAD, right, bottom, sides),
             svg.line(PAD, PAD, right, PAD, ends), svg.line(PAD, bottom, right, bottom, ends)]  # fmt: skip
    arrows = [svg.text(right + 13, (PAD + bottom) // 2 + 5, "↔", "fm-wrap")] if across else []
    arrows += [svg.text((PAD + right) // 2, PAD - 9, "↕", "fm-wrap")] if upright else []
    return [*lines, *names, *arrows]


def _hexagons(board: Board) -> Html:
    columns, rows = _count(board.grid, "columns"), _count(board.grid, "rows")
    half, tall = 24, 42
    width, height = columns * 2 * half + half + 2 * PAD, rows * tall + 14 + 2 * PAD
    cells = []
    for row in range(rows):
        for column in range(columns):
            x = PAD + half + column * 2 * half + (half if row % 2 else 0)
            y = height - PAD - 28 - row * tall
            square = square_name(column, row)
            corners = ((0, -28), (half, -14), (half, 14), (0, 28), (-half, 14), (-half, -14))
            points = " ".join(f"{x + dx},{y + dy}" for dx, dy in corners)
            shape = el(
                "polygon", svg.tooltip(square), points=points, class_=f"fm-cell fm-cell0{board.zone_class(square)}"
            )
            name = svg.text(x, y + 24, square, "fm-tick fm-tick--small")
            cells.append(join([shape, name, _stack(board, x, y - 2, square)]))
    return svg.drawing(board.name, width, height, board.caption, _summary(board), *cells, kind="board")


# -- maps -------------------------------------------------------------------------------------------------------------


def neighbours(area: Document) -> list[str]:
    """Return the neighbours that an area's data names."""
    return [str(each) for each in area.get("adj") or area.get("neighbours") or ()]


def _map(board: Board) -> Html:
    near = {name: [n for n in neighbours(area) if n in board.grid] for name, area in board.grid.items()}
    given = {n: (a["x"], a["y"]) for n, a in board.grid.items()
             if isinstance(a.get("x"), int) and isinstance(a.get("y"), int)}  # fmt: skip
    place = apart(_fit(spots(near, given)), (NODE_WIDTH + 10, NODE_HEIGHT + 12), (MAP_WIDTH, MAP_HEIGHT))
    joined = [_border(place[a], place[b]) for a in near for b in near[a] if a < b]
    areas = [_area(board, name, place[name]) for name in board.grid]
    return svg.drawing(
        board.name, MAP_WIDTH, MAP_HEIGHT, board.caption, _summary(board), svg.group(*joined), *areas, kind="map"
    )


def _fit(place: Mapping[str, Spot]) -> dict[str, Spot]:
    """Stretch spots to the size of the drawing."""
    xs, ys = [x for x, _y in place.values()], [y for _x, y in place.values()]
    left, top = min(xs), min(ys)
    wide, high = max(max(xs) - left, 1), max(max(ys) - top, 1)
    inner_width, inner_height = MAP_WIDTH - NODE_WIDTH - 16, MAP_HEIGHT - NODE_HEIGHT - 16
    offset_x, offset_y = NODE_WIDTH // 2 + 8, NODE_HEIGHT // 2 + 8
    return {
        name: (offset_x + (x - left) * inner_width // wide, offset_y + (y - top) * inner_height // high)
        for name, (x, y) in place.items()
    }


def _border(one: Spot, two: Spot) -> Html:
    """Return the line between neighbours; one that would cross most of the map leaves it at the sides instead."""
    if abs(one[0] - two[0]) < MAP_WIDTH * 11 // 20:
        return svg.line(*one, *two, "fm-border")
    west, east = sorted((one, two))
    middle = (west[1] + east[1]) // 2
    return join([svg.line(*west, 0, middle, "fm-border fm-border--round"),
                 svg.line(*east, MAP_WIDTH, middle, "fm-border fm-border--round")])  # fmt: skip


def _area(board: Board, name: str, spot: Spot) -> Html:
    area, pieces = board.grid[name], board.at(name)
    kind = str(area.get("type") or area.get("terrain") or "land")
    x, y = spot[0] - NODE_WIDTH // 2, spot[1] - NODE_HEIGHT // 2
    full = str(area.get("name") or name)
    who = ", ".join(piece.name for piece in pieces)
    tip = svg.tooltip(f"{full} ({kind}){': ' + who if who else ''}")
    water = kind in ("water", "sea", "ocean")
    style = f"fm-area fm-area--{'water' if water else 'land'}{board.zone_class(name)}"
    box = svg.rect(x, y, NODE_WIDTH, NODE_HEIGHT, style, rounded=20 if water else 6)
    label = svg.text(spot[0], spot[1] + 5 if not pieces else spot[1] - 5, phrase_of(name[:8]), "fm-area__name")
    marks = []
    for index, piece in enumerate(pieces[:3]):
        left = spot[0] + (2 * index - min(len(pieces), 3) + 1) * 15
        marks.append(svg.rect(left - 14, spot[1] + 2, 28, 16, f"fm-piece {board.colour(piece.owner)}", rounded=8))
        marks.append(svg.text(left, spot[1] + 14, phrase_of(piece.mark), "fm-mark fm-mark--small"))
    return svg.group(tip, box, label, *marks)


# -- words ------------------------------------------------------------------------------------------------------------


def _summary(board: Board) -> str:
    if not board.pieces:
        return _("Nothing stands on it.")
    shown = "; ".join(_("{piece} at {square}", piece=each.name, square=each.at) for each in board.pieces[:40])
    more = len(board.pieces) - 40
    return _("{pieces} and {count} more", pieces=shown, count=more) if more > 0 else shown


def caption_of(board: Board) -> Html:
    """Return what stands below a board: its caption and the legend of owners and zones."""
    owners = list(dict.fromkeys(piece.owner for piece in board.pieces if piece.owner))
    keys = [el("li", el("span", class_=f"fm-key {board.colour(o)}"), board.here.player(o)) for o in owners]
    zones = list(dict.fromkeys(board.zones.values()))
    keys += [el("li", el("span", class_=f"fm-key fm-z{n % 6}"), phrase(zone)) for n, zone in enumerate(zones)]
    wrap = WRAPS.get(str(board.grid.get("wrap") or ""))
    legend = el("ul", join(keys), class_="fm-legend") if keys else ""
    return el("figcaption", phrase(board.caption), f". {_(wrap)}" if wrap else "", legend)


def _square_words(board: Board) -> Html:
    order = sorted(board.pieces, key=lambda p: (natural(_SQUARE.sub(r"\1-\2", p.at)), p.name))
    rows = [[p.at, phrase(p.name), board.here.player(p.owner), phrase(board.zones.get(p.at, ""))] for p in order]
    words = (
        table([_("Square"), _("Piece"), _("Whose"), _("Zone")], rows)
        if rows
        else el("p", _("Nothing stands on the board."))
    )
    return details(_("The board in words"), words, _zone_words(board.zones))


def _zone_words(zones: Mapping[str, str]) -> Html:
    named: dict[str, list[str]] = {}
    for square, zone in zones.items():
        named.setdefault(zone, []).append(square)
    rows: Sequence[Sequence[object]] = [[phrase(zone), ", ".join(squares)] for zone, squares in named.items()]
    return table([_("Zone"), _("Squares")], rows) if rows else Html("")


def _map_words(board: Board) -> Html:
    rows = []
    for name, area in board.grid.items():
        standing = join((_standing(board.here, piece) for piece in board.at(name)), ", ")
        full = phrase(str(area.get("name") or ""))
        kind = humane(area.get("type") or area.get("terrain") or "")
        zone = phrase(board.zones.get(name, ""))
        rows.append([el("code", name), full, kind, standing, zone, ", ".join(neighbours(area))])
    columns = [_("Area"), _("Name"), _("Kind"), _("Who is there"), _("Zone"), _("Borders on")]
    keep = [n for n in range(len(columns)) if any(row[n] for row in rows)]
    shown = table([columns[n] for n in keep], [[row[n] for n in keep] for row in rows])
    return details(_("The map in words ({count} areas)", count=len(rows)), shown)


def _standing(here: Here, piece: Piece) -> Html:
    return here.player(piece.owner) if piece.owner and piece.name == here.view.name(piece.owner) else phrase(piece.name)
