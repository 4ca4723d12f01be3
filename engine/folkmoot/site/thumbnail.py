"""Boards as small pictures: what stands where, without names; for cards on which a whole board has no room."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from folkmoot.core.documents import Document
from folkmoot.site.block_shapes import MOST_BLOCKS, flaw_of
from folkmoot.site.board import Board, board_of, neighbours, square_name
from folkmoot.site.polygon_boards import Cell, cells_of, is_figure
from folkmoot.wording.game_view import GameView, ShownPage
from folkmoot.wording.markup import Html, el, join
from folkmoot.wording.page_links import Here
from folkmoot.wording.translation import _

CELL = 10
MOST = 1_024
"""Cells, areas or pieces of a board that is drawn small."""

LIGHT = 200
"""Cells or areas of a board that is drawn whole beside other things."""
SLIMMEST = 6
"""How many times as long as wide a board may be to be drawn small."""
TRIED = 12
"""How many boards are looked at for one that can be drawn small."""


def small_board(here: Here) -> tuple[str, Html] | None:
    """Return the first board that rules show and that can be drawn small: the name of its page, and the drawing."""
    drawn = ((shown.name, thumbnail(here, block)) for shown, block in best_boards(here.view))
    return next((found for found in drawn if found[1]), None)


def best_board(view: GameView) -> tuple[ShownPage, Document] | None:
    """Return the board that is to be seen first, with the page that shows it."""
    return next(iter(best_boards(view)), None)


def best_boards(view: GameView) -> list[tuple[ShownPage, Document]]:
    """Return the first boards that rules show: those on which something stands before others, figures last."""
    return sorted(
        islice(shown_boards(view), TRIED), key=lambda found: (is_figure(found[1]), not found[1].get("pieces"))
    )


def shown_boards(view: GameView) -> Iterator[tuple[ShownPage, Document]]:
    """Yield the boards that rules show, each with the page that shows it."""
    return ((shown, block) for shown in view.shown for block in _boards(shown))


def _boards(shown: ShownPage) -> Iterator[Document]:
    """Yield the boards of a page; of a series of states those of the last one."""
    for block in list(shown.blocks)[:MOST_BLOCKS]:
        if isinstance(block, dict) and not flaw_of(block):
            pages = block.get("pages") if block.get("block") == "frames" else None
            last = pages[-1] if pages and isinstance(pages[-1], dict) else {}
            inner = last.get("blocks") or () if pages else [block]
            yield from (each for each in inner if _is_board(each))


def _is_board(block: object) -> bool:
    return isinstance(block, dict) and block.get("block") == "board" and not flaw_of(block)


def is_light(block: Document) -> bool:
    """Say whether a board has room among other things: few cells, and areas that say themselves where they lie."""
    grid = block.get("grid") or block.get("map") or {}
    if is_figure(block):
        return 0 < len(cells_of(block)) <= LIGHT
    columns, rows = grid.get("columns"), grid.get("rows")
    if type(columns) is int and type(rows) is int:
        return 0 < columns * rows <= LIGHT
    areas = [area for area in (grid.get("areas") or grid).values() if isinstance(area, dict)]
    return 0 < len(areas) <= LIGHT and all(type(area.get(axis)) is int for area in areas for axis in ("x", "y"))


def thumbnail(here: Here, block: Document) -> Html:
    """Return a board drawn small; nothing for one that is too large or slim, or whose areas have no places."""
    caption = str(block.get("caption") or _("Board"))
    if is_figure(block):
        return _figure(here, block, caption)
    board = board_of(here, block)
    if len(board.pieces) > MOST:
        return Html("")
    if board.is_map:
        return _map(board)
    columns, rows = board.size
    if not 0 < columns * rows <= MOST:
        return Html("")
    hexagonal = board.grid.get("shape") == "hexagonal"
    return _hexagons(board, columns, rows) if hexagonal else _squares(board, columns, rows)


def _drawing(width: int, height: int, caption: str, *children: object, corner: tuple[int, int] = (0, 0)) -> Html:
    if max(width, height) > SLIMMEST * min(width, height):
        return Html("")
    return el("svg", *children, viewBox=f"{corner[0]} {corner[1]} {width} {height}", role="img", aria_label=caption,
              class_="fm-thumb", xmlns="http://www.w3.org/2000/svg")  # fmt: skip


def _squares(board: Board, columns: int, rows: int) -> Html:
    spots = {square_name(c, r): (c * CELL, (rows - 1 - r) * CELL) for c in range(columns) for r in range(rows)}
    width, height = columns * CELL, rows * CELL
    ground = el("rect", width=width, height=height, class_="fm-cell0")
    dark = [] if board.lines else [(x, y) for x, y in spots.values() if (x + height - y) // CELL % 2 == 0]
    lines = [el("path", d=_crossing(columns, rows), class_="fm-crossing")] if board.lines else []
    shaded = [el("path", d=_path(dark), class_="fm-cell1")] if dark else []
    return _drawing(width, height, board.caption, ground, *shaded, *_zones(board, spots), *lines,
                    *_pieces(board, {square: (x + 5, y + 5) for square, (x, y) in spots.items()}))  # fmt: skip


def _path(corners: Iterable[tuple[int, int]]) -> str:
    return "".join(f"M{x} {y}h{CELL}v{CELL}h-{CELL}z" for x, y in corners)


def _crossing(columns: int, rows: int) -> str:
    """Return lines through the middles of squares."""
    upright = (f"M{5 + n * CELL} 5V{rows * CELL - 5}" for n in range(columns))
    return "".join([*upright, *(f"M5 {5 + n * CELL}H{columns * CELL - 5}" for n in range(rows))])


def _zones(board: Board, spots: dict[str, tuple[int, int]]) -> list[Html]:
    """Return the squares of each zone in its colour."""
    found: dict[str, list[tuple[int, int]]] = {}
    for square in board.zones:
        if square in spots:
            found.setdefault(board.zone_class(square).strip(), []).append(spots[square])
    return [el("path", d=_path(corners), class_=name) for name, corners in found.items()]


def _pieces(board: Board, middles: dict[str, tuple[int, int]]) -> Iterator[Html]:
    """Yield a disc for each place on which something stands."""
    standing = {piece.at: piece for piece in board.pieces if piece.at in middles}
    for place, piece in standing.items():
        x, y = middles[place]
        yield el("circle", cx=x, cy=y, r=4, class_=f"fm-piece {board.colour(piece.owner)}")


def _hexagons(board: Board, columns: int, rows: int) -> Html:
    width, height = columns * CELL + CELL // 2, rows * 9 + 3
    middles = {square_name(c, r): (5 + c * CELL + (5 if r % 2 else 0), height - 6 - r * 9)
               for c in range(columns) for r in range(rows)}  # fmt: skip
    grouped: dict[str, list[str]] = {}
    for square, (x, y) in middles.items():
        grouped.setdefault(f"fm-cell0{board.zone_class(square)}", []).append(f"M{x} {y - 6}l5 3v6l-5 3-5-3v-6z")
    cells = [el("path", d="".join(paths), class_=f"fm-cell {name}") for name, paths in grouped.items()]
    return _drawing(width, height, board.caption, *cells, *_pieces(board, middles))


def _map(board: Board) -> Html:
    """Return a map whose areas say where they lie; to find places for others takes too long for a small picture."""
    places = {name: (area["x"], area["y"]) for name, area in board.grid.items()
              if type(area.get("x")) is int and type(area.get("y")) is int}  # fmt: skip
    if not places or len(places) < len(board.grid) or len(places) > MOST:
        return Html("")
    fitted = _fitted(places)
    near = {(name, other) for name, area in board.grid.items() for other in neighbours(area) if other in fitted}
    borders = "".join(
        f"M{x} {y}L{u} {v}" for (x, y), (u, v) in ((fitted[a], fitted[b]) for a, b in sorted(near) if a < b)
    )
    areas = [el("circle", cx=x, cy=y, r=3, class_=f"fm-area fm-area--land{board.zone_class(name)}")
             for name, (x, y) in fitted.items()]  # fmt: skip
    return _drawing(160, 100, board.caption, el("path", d=borders, class_="fm-border"), *areas, *_pieces(board, fitted))


def _fitted(places: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    """Return places as they lie in a picture of 160 by 100."""
    xs, ys = [x for x, _y in places.values()], [y for _x, y in places.values()]
    wide, high = max(max(xs) - min(xs), 1), max(max(ys) - min(ys), 1)
    return {name: (6 + (x - min(xs)) * 148 // wide, 6 + (y - min(ys)) * 88 // high) for name, (x, y) in places.items()}


def _figure(here: Here, block: Document, caption: str) -> Html:
    grid, cells = block.get("grid") or {}, cells_of(block)
    width, height = grid.get("width"), grid.get("height")
    if not (type(width) is int and type(height) is int and width > 0 and height > 0 and 0 < len(cells) <= MOST):
        return Html("")
    zones = {cell.name: cell.zone for cell in sorted(cells, key=lambda cell: cell.zone) if cell.zone}
    board = Board(here, "", caption, {}, [], zones)
    grouped: dict[str, list[str]] = {}
    for cell in cells:
        corners = " ".join(f"{x} {y}" for x, y in cell.points)
        grouped.setdefault(board.zone_class(cell.name), []).append(f"M{corners}z")
    drawn = [el("path", d="".join(paths), class_=f"fm-cell fm-cell0{name}") for name, paths in grouped.items()]
    corner, (wide, high) = _around(cells)
    return _drawing(wide, high, caption, join(drawn), corner=corner)


def _around(cells: Sequence[Cell]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the corner on the upper left of all cells, and how wide and high they are together."""
    xs, ys = ([point[axis] for cell in cells for point in cell.points] for axis in (0, 1))
    return (min(xs), min(ys)), (max(1, max(xs) - min(xs)), max(1, max(ys) - min(ys)))
