"""Boards in the terminal: squares and hexagons as a grid; maps, figures and what stands on any of them in words."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from folkmoot.cli.drawing.printing import COLOURS, heading, left_out, table_of, words
from folkmoot.core.documents import Document
from folkmoot.site.board import WRAPS, Board, cells_of, neighbours, square_name

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

EMPTY, CROSSING = "·", "┼"
MOST_LISTED = 60  # pieces that are told in words
BORDERS = (("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘"))


class _Legend(Struct, frozen=True):
    """Which letter stands for which zone, and which colour for which owner."""

    zones: dict[str, str]
    owners: dict[str, str]

    @classmethod
    def of(cls, board: Board) -> _Legend:
        zones: dict[str, str] = {}
        for zone in dict.fromkeys(board.zones.values()):
            own = [letter for letter in zone.lower() if letter.isalnum()]
            free = (letter for letter in [*own, *string.ascii_lowercase] if letter not in zones.values())
            zones[zone] = next(free, "?")
        owners = dict.fromkeys(piece.owner for piece in board.pieces if piece.owner)
        return cls(zones, {owner: COLOURS[n % len(COLOURS)] for n, owner in enumerate(owners)})

    def cell(self, board: Board, square: str, room: int) -> Text:
        """Return what a square shows: the marks of its pieces, else the letter of its zone, else a dot."""
        pieces = board.standing.get(square, [])
        if not pieces:
            return words(self.zones.get(board.zones.get(square, ""), CROSSING if board.lines else EMPTY), "dim")
        found = words()
        for piece in pieces:
            mark = words(piece.mark, f"bold {self.owners.get(piece.owner, '')}".strip())
            if not found:
                mark.truncate(room)
            elif found.cell_len + mark.cell_len > room:
                return found.append("+")
            found.append_text(mark)
        return found

    def told(self, board: Board) -> Iterator[RenderableType]:
        """Yield what letters and colours mean."""
        if self.zones:
            yield words(", ".join(f"{letter} {zone}" for zone, letter in self.zones.items()), "dim")
        if self.owners:
            yield words(", ").join(words(board.here.view.name(owner), colour) for owner, colour in self.owners.items())


def drawn_board(board: Board, width: int) -> Iterator[RenderableType]:
    """Yield a board, its legend, and what stands where."""
    yield heading(board.caption)
    if board.is_map:
        yield _map(board)
        return
    columns, rows = board.size
    hexagonal = board.grid.get("shape") == "hexagonal"
    legend = _Legend.of(board)
    if not columns or not rows:
        yield words("This board cannot be drawn: its columns and rows are missing or too many.", "yellow")
    elif columns * (6 if hexagonal else 2) + 3 > width:
        yield words("This board is too wide for the terminal.", "yellow")
    elif hexagonal:
        yield from _hexagons(board, legend)
    elif board.lines or columns * 4 + 5 > width:
        yield from _crossings(board, legend)
    else:
        yield from _squares(board, legend, width)
    wrap = WRAPS.get(str(board.grid.get("wrap") or ""))
    if wrap:
        yield words(wrap, "dim")
    yield from legend.told(board)
    view, pieces = board.here.view, sorted(board.pieces, key=lambda piece: (piece.at, piece.name))
    standing = [[p.at, p.name, view.name(p.owner) if p.owner else "", board.zones.get(p.at, "")] for p in pieces]
    yield from _listed(["Where", "Piece", "Whose", "Zone"], standing)


def _squares(board: Board, legend: _Legend, width: int) -> Iterator[RenderableType]:
    """Yield squares with lines around them."""
    columns, rows = board.size
    label = len(str(rows))
    room = max(1, min(6, (width - label - 3) // columns - 3))
    lines = [
        [words(row + 1, "dim"), *(legend.cell(board, square_name(column, row), room) for column in range(columns))]
        for row in reversed(range(rows))
    ]
    lines.append([words(), *(words(square_name(column, 0)[:-1], "dim") for column in range(columns))])
    widths = [label, *(max(row[place].cell_len for row in lines) for place in range(1, columns + 1))]
    rules = [left + middle.join("─" * (wide + 2) for wide in widths) + right for left, middle, right in BORDERS]
    yield words(rules[0])
    for place, (first, *cells) in enumerate(lines):
        if place:
            yield words(rules[1])
        first.align("right", label)
        for cell, wide in zip(cells, widths[1:], strict=True):
            cell.align("center", wide)
        yield words("│ ").append_text(words(" │ ").join([first, *cells])).append(" │")
    yield words(rules[2])


def _crossings(board: Board, legend: _Legend) -> Iterator[RenderableType]:
    """Yield a line of text for each row, as of a board whose pieces stand where lines cross."""
    columns, rows = board.size
    label = len(str(rows))
    for row in reversed(range(rows)):
        cells = [legend.cell(board, square_name(column, row), 1)[:1] for column in range(columns)]
        between = words("─" if board.lines else " ", "dim")
        yield words(f"{row + 1:>{label}} ", "dim").append_text(between.join(cells))
    names = (square_name(column, 0)[:-1][-1] for column in range(columns))
    yield words(f"{'':{label}} {' '.join(names)}", "dim")


def _hexagons(board: Board, legend: _Legend) -> Iterator[RenderableType]:
    columns, rows = board.size
    for row in reversed(range(rows)):
        indent = " " * (3 * (row % 2))
        squares = [square_name(column, row) for column in range(columns)]
        yield words(indent + "".join(f"/{square:^4}\\" for square in squares), "dim")
        marks = words(indent)
        for square in squares:
            cell = legend.cell(board, square, 4)
            cell.align("center", 4)
            marks.append("\\", "dim").append_text(cell).append("/", "dim")
        yield marks


def _listed(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[RenderableType]:
    """Yield what stands on a board in words."""
    if rows:
        yield table_of(columns, rows[:MOST_LISTED])
        yield from left_out(len(rows) - MOST_LISTED)


def _map(board: Board) -> RenderableType:
    rows = []
    for name, area in board.grid.items():
        standing = ", ".join(piece.name for piece in board.standing.get(name, []))
        kind = str(area.get("type") or area.get("terrain") or "")
        rows.append([name, str(area.get("name") or ""), kind, standing, board.zones.get(name, ""),
                     ", ".join(neighbours(area))])  # fmt: skip
    columns = ["Area", "Name", "Kind", "Who is there", "Zone", "Borders on"]
    keep = [n for n in range(len(columns)) if any(row[n] for row in rows)]
    return table_of([columns[n] for n in keep], [[row[n] for n in keep] for row in rows])


def drawn_figure(block: Document) -> Iterator[RenderableType]:
    """Yield the cells of a figure in words."""
    yield heading(block.get("caption") or "Figure")
    known = ([cell.name, cell.label, cell.zone, cell.owner] for cell in cells_of(block))
    rows = [row for row in known if any(row[1:])]
    yield from _listed(["Cell", "Label", "Zone", "Whose"], rows)
    if not rows:
        yield words("Nothing stands in it.", "dim")
