"""Boards in the terminal: squares and hexagons as a grid, maps and figures as lines, and what stands where in words."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from folkmoot.cli.drawing.printing import COLOURS, Styled, heading, picture, table_of, words
from folkmoot.core.documents import Document
from folkmoot.site.board import WRAPS, Board, Spot, cells_of, is_figure, neighbours, placed, spots, square_name

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

EMPTY, CROSSING = "·", "┼"
MOST_AREAS = 60  # that have room in a terminal
LINES = 22  # of a map
MOST_LISTED = 60  # pieces that are told in words
BORDERS = (("┌", "┬", "┐"), ("├", "┼", "┤"), ("└", "┴", "┘"))
BLANK = "\u2800"  # how braille writes nothing


class _Legend(Struct, frozen=True):
    """Which letter stands for which zone, and which colour for which owner."""

    zones: Mapping[str, str]
    owners: Mapping[str, str]

    @classmethod
    def of(cls, board: Board) -> _Legend:
        zones: dict[str, str] = {}
        for zone in dict.fromkeys(board.zones.values()):
            own = [letter for letter in zone.lower() if letter.isalnum()]
            free = (letter for letter in [*own, *string.ascii_lowercase] if letter not in zones.values())
            zones[zone] = next(free, "?")
        owners = dict.fromkeys(piece.owner for piece in board.pieces if piece.owner)
        return cls(zones, {owner: COLOURS[n % len(COLOURS)] for n, owner in enumerate(owners)})

    def cell(self, board: Board, square: str, room: int) -> Styled:
        """Return what a square shows: the marks of its pieces, else the letter of its zone, else a dot."""
        pieces = board.standing.get(square, [])
        if not pieces:
            return Styled(self.zones.get(board.zones.get(square, ""), CROSSING if board.lines else EMPTY), "dim")
        found = Styled()
        for piece in pieces:
            mark = piece.mark if found.pieces else piece.mark[:room]
            if len(found) + len(mark) > room:
                found.add("+")
                break
            found.add(mark, f"bold {self.owners.get(piece.owner, '')}".strip())
        return found

    def told(self, board: Board) -> Iterator[RenderableType]:
        """Yield what letters and colours mean."""
        if self.zones:
            yield words(", ".join(f"{letter} {zone}" for zone, letter in self.zones.items()), "dim")
        named = [words(board.here.view.name(owner), colour) for owner, colour in self.owners.items()]
        if named:
            yield Styled(", ").join(named)


def drawn_board(board: Board, width: int) -> Iterator[RenderableType]:
    """Yield a board, its legend, and what stands where."""
    yield heading(board.caption)
    legend = _Legend.of(board)
    if board.is_map:
        yield from _map(board, width)
        return
    columns, rows = board.size
    if not columns or not rows:
        yield words("This board cannot be drawn: its columns and rows are missing or too many.", "yellow")
    elif board.grid.get("shape") == "hexagonal":
        yield from _hexagons(board, legend, width)
    else:
        yield from _squares(board, legend, width)
    wrap = WRAPS.get(str(board.grid.get("wrap") or ""))
    if wrap:
        yield words(wrap, "dim")
    yield from legend.told(board)
    yield from _in_words(board)


def _squares(board: Board, legend: _Legend, width: int) -> Iterator[RenderableType]:
    columns, rows = board.size
    label = len(str(rows))
    room = min(6, (width - label - 3) // columns - 3)
    tight = room < 1
    if tight and columns * 2 + label > width:
        yield words("This board is too wide for the terminal.", "yellow")
        return
    if board.lines:
        yield from _crossings(board, legend)
        return
    lines = [
        [
            Styled(row + 1, "dim"),
            *(legend.cell(board, square_name(column, row), max(room, 1)) for column in range(columns)),
        ]
        for row in reversed(range(rows))
    ]
    names = [Styled(), *(Styled(square_name(column, 0)[:-1], "dim") for column in range(columns))]
    yield from _packed([*lines, names], label) if tight else _ruled([*lines, names], label)


def _packed(rows: Sequence[Sequence[Styled]], label: int) -> Iterator[Styled]:
    """Yield squares as close together as letters allow; of a longer name its last letter is shown."""
    for first, *cells in rows:
        yield (
            Styled(" " * (label - len(first)))
            .follow(first)
            .add(" ")
            .follow(
                Styled(" ").join(
                    Styled(cell.plain[-1:], cell.pieces[0][1]) if len(cell) > 1 else cell for cell in cells
                )
            )
        )


def _ruled(rows: Sequence[Sequence[Styled]], label: int) -> Iterator[Styled]:
    """Yield squares with lines around them."""
    widths = [label, *(max(len(row[place]) for row in rows) for place in range(1, len(rows[0])))]
    rules = [left + middle.join("─" * (wide + 2) for wide in widths) + right for left, middle, right in BORDERS]
    yield Styled(rules[0])
    for place, (first, *cells) in enumerate(rows):
        if place:
            yield Styled(rules[1])
        line = Styled("│ " + " " * (label - len(first))).follow(first)
        for cell, wide in zip(cells, widths[1:], strict=True):
            line.add(" │ ").follow(cell.centred(wide))
        yield line.add(" │")
    yield Styled(rules[2])


def _crossings(board: Board, legend: _Legend) -> Iterator[RenderableType]:
    """Yield a board whose pieces stand where lines cross, a line of text for each row."""
    columns, rows = board.size
    label = len(str(rows))
    for row in reversed(range(rows)):
        cells = (legend.cell(board, square_name(column, row), 1) for column in range(columns))
        yield Styled(f"{row + 1:>{label}} ", "dim").follow(Styled("─", "dim").join(cells))
    names = (square_name(column, 0)[:-1][-1] for column in range(columns))
    yield Styled(f"{'':{label}} {' '.join(names)}", "dim")


def _hexagons(board: Board, legend: _Legend, width: int) -> Iterator[RenderableType]:
    columns, rows = board.size
    if columns * 6 + 3 > width:
        yield words("This board is too wide for the terminal.", "yellow")
        return
    for row in reversed(range(rows)):
        names, marks = Styled(" " * (3 * (row % 2))), Styled(" " * (3 * (row % 2)))
        for column in range(columns):
            square = square_name(column, row)
            names.add(f"/{square:^4}\\", "dim")
            marks.add("\\", "dim").follow(legend.cell(board, square, 4).centred(4)).add("/", "dim")
        yield names
        yield marks


def _in_words(board: Board) -> Iterator[RenderableType]:
    """Yield which pieces stand where."""
    view, pieces = board.here.view, sorted(board.pieces, key=lambda piece: (piece.at, piece.name))
    rows = [[p.at, p.name, view.name(p.owner) if p.owner else "", board.zones.get(p.at, "")] for p in pieces]
    if rows:
        yield table_of(["Where", "Piece", "Whose", "Zone"], rows[:MOST_LISTED])
    if len(rows) > MOST_LISTED:
        yield words(f"… and {len(rows) - MOST_LISTED} more pieces", "dim")


# -- maps and figures


def _map(board: Board, width: int) -> Iterator[RenderableType]:
    if 0 < len(board.grid) <= MOST_AREAS:
        yield _lines_of(board, width)
    rows = []
    for name, area in board.grid.items():
        standing = ", ".join(piece.name for piece in board.standing.get(name, []))
        kind = str(area.get("type") or area.get("terrain") or "")
        rows.append([name, str(area.get("name") or ""), kind, standing, board.zones.get(name, ""),
                     ", ".join(neighbours(area))])  # fmt: skip
    columns = ["Area", "Name", "Kind", "Who is there", "Zone", "Borders on"]
    keep = [n for n in range(len(columns)) if any(row[n] for row in rows)]
    yield table_of([columns[n] for n in keep], [[row[n] for n in keep] for row in rows])


def _lines_of(board: Board, width: int) -> Text:
    """Return a map as a drawing: areas by name with the marks of what stands there, borders as lines."""
    near = {name: [n for n in neighbours(area) if n in board.grid] for name, area in board.grid.items()}
    place = spots(near, placed(board.grid))
    canvas = _canvas([*place.values()], width)
    for one, two in ((place[name], place[other]) for name, others in near.items() for other in others):
        for begin, end in _border(one, two, [x for x, _ in place.values()]):
            canvas.line(*_flipped(begin), *_flipped(end))
    for name in board.grid:
        marks = " ".join(piece.mark for piece in board.standing.get(name, [])[:3])
        canvas.text(*_flipped(place[name]), f"{name[:8]}{f'[{marks}]' if marks else ''}")
    return picture(canvas.plot().replace(BLANK, " "))


def _border(one: Spot, two: Spot, xs: list[int]) -> list[tuple[Spot, Spot]]:
    """Return the line between neighbours; one that would cross most of the map leaves it at the sides instead."""
    west, east = sorted((one, two))
    if (east[0] - west[0]) * 20 < (max(xs) - min(xs)) * 11:
        return [(one, two)]
    middle = (west[1] + east[1]) // 2
    return [(west, (min(xs), middle)), (east, (max(xs), middle))]


def drawn_figure(block: Document, width: int) -> Iterator[RenderableType]:
    """Yield a figure as lines, and its cells in words."""
    yield heading(block.get("caption") or "Figure")
    cells = cells_of(block)
    if not cells or not is_figure(block):
        yield words("This figure cannot be drawn: it has no cells, or too many.", "yellow")
        return
    canvas = _canvas([point for cell in cells for point in cell.points], width)
    for cell in cells:
        for one, two in zip(cell.points, (*cell.points[1:], cell.points[0]), strict=True):
            canvas.line(*_flipped(one), *_flipped(two))
    for cell in cells:
        count = len(cell.points)
        middle = sum(x for x, _ in cell.points) // count, sum(y for _, y in cell.points) // count
        canvas.text(*_flipped(middle), (cell.label or "")[:3] or " ")
    yield picture(canvas.plot().replace(BLANK, " "))
    rows = [[cell.name, cell.label, cell.zone, cell.owner] for cell in cells if cell.label or cell.owner]
    if rows:
        yield table_of(["Cell", "Label", "Zone", "Whose"], rows[:MOST_LISTED])


def _canvas(points: list[tuple[int, int]], width: int) -> Any:
    """Return a canvas with room for points, whose y goes up."""
    xs, ys = [x for x, _ in points], [-y for _, y in points]
    wide, high = max(max(xs) - min(xs), 1), max(max(ys) - min(ys), 1)
    import plotille

    return plotille.Canvas(
        width - 4,
        LINES,
        min(xs) - wide // 12 - 1,
        min(ys) - high // 12 - 1,
        max(xs) + wide // 8 + 1,
        max(ys) + high // 12 + 1,
    )


def _flipped(point: tuple[int, int]) -> tuple[int, int]:
    return point[0], -point[1]
