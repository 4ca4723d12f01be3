"""Boards as numbers: where cells, borders, names and pieces lie on a drawing, which a template then makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.site.board import Board, Cell, Piece, neighbours, notes_of, square_name
from folkmoot.site.map_layout import Spot, apart, land, spots
from folkmoot.site.page_data import colours, initials
from folkmoot.wording.markup import shortened
from folkmoot.wording.translation import _

MAP_WIDTH, MAP_HEIGHT, AROUND = 900, 470, 54
NOBODY = 8
"""The colour of what belongs to no player."""
ZONES = 5
MOST_TOLD = 40
SLIMMEST = 6
"""How many times as long as wide a board may be that is drawn small."""
Outline = tuple[Spot, ...]
T = TypeVar("T")


class Ground(Struct, frozen=True):
    """Cells that look alike: their corners, and at which steps they look so (none: always)."""

    kind: str
    outlines: tuple[Outline, ...]
    steps: tuple[int, ...] = ()


class Label(Struct, frozen=True):
    """Words at a place: `anchor` is the side on which they are held."""

    x: int
    y: int
    words: str
    anchor: str = "middle"


class Pin(Struct, frozen=True):
    """A piece: a disc with a mark in it and a name under it ("" for none), at which steps, and when it came there."""

    x: int
    y: int
    r: int
    mark: str
    name: str
    below: int
    title: str
    colour: int
    steps: tuple[int, ...] = ()
    came: tuple[int, ...] = ()


class Picture(Struct, frozen=True):
    """A board as it is drawn: `form` is squares, lines, hexagons, map or figure; lengths are pixels at full size."""

    form: str
    title: str
    about: str
    width: int
    height: int
    columns: int = 0
    rows: int = 0
    cell: int = 0
    left: int = 0
    top: int = 0
    across: bool = False
    upright: bool = False
    ground: tuple[Ground, ...] = ()
    borders: tuple[tuple[int, int, int, int], ...] = ()
    dots: tuple[Spot, ...] = ()
    labels: tuple[Label, ...] = ()
    pins: tuple[Pin, ...] = ()

    @property
    def is_slim(self) -> bool:
        """Say whether it is too long or too wide to be drawn small."""
        return max(self.width, self.height) > SLIMMEST * min(self.width, self.height)


def grid_picture(board: Board) -> Picture:
    """Return a board of squares or hexagons, which has columns and rows, as it is drawn."""
    return _hexagons(board) if board.grid.get("shape") == "hexagonal" else _squares(board)


def over_time(pictures: Sequence[Picture]) -> Picture | None:
    """Return several states of one board as one drawing, in which pieces and zones have steps; None for several boards.

    The words are those of the last state.
    """
    bare = {replace(each, about="", title="", ground=(), labels=(), pins=()) for each in pictures}
    if len(bare) != 1:
        return None
    pins, zones = _seen(each.pins for each in pictures), _seen(_cells(each.ground) for each in pictures)
    changing: dict[tuple[str, tuple[int, ...]], list[Outline]] = {}
    for (kind, outline), steps in zones.items():
        changing.setdefault((kind, steps if len(steps) < len(pictures) else ()), []).append(outline)
    moved = tuple(replace(pin, steps=steps, came=_came(steps)) for pin, steps in pins.items())
    ground = tuple(Ground(kind, tuple(some), steps) for (kind, steps), some in changing.items())
    labels = tuple(label for label in pictures[-1].labels if all(label in each.labels for each in pictures))
    return replace(pictures[-1], pins=moved, ground=ground, labels=labels)


def _came(steps: Sequence[int]) -> tuple[int, ...]:
    """Return the steps at which a piece that stood elsewhere stands here."""
    return tuple(n for n in steps if n and n - 1 not in steps)


def _seen(states: Iterable[Iterable[T]]) -> dict[T, tuple[int, ...]]:
    """Return at which of several states each thing is there."""
    found: dict[T, list[int]] = {}
    for number, state in enumerate(states):
        for each in dict.fromkeys(state):
            found.setdefault(each, []).append(number)
    return {each: tuple(numbers) for each, numbers in found.items()}


def _cells(ground: Iterable[Ground]) -> Iterator[tuple[str, Outline]]:
    return ((each.kind, outline) for each in ground for outline in each.outlines)


# -- squares and hexagons


def _squares(board: Board) -> Picture:
    columns, rows = board.size
    cell = 64 if columns <= 8 else 44 if columns <= 20 else 24
    left, top = 14 + 8 * len(str(rows)), 4
    middles = {square_name(c, r): (left + c * cell + cell // 2, top + (rows - 1 - r) * cell + cell // 2)
               for r in range(rows) for c in range(columns)}  # fmt: skip
    wrap, bottom = str(board.grid.get("wrap") or ""), top + rows * cell
    names = [Label(left + n * cell + cell // 2, bottom + 18, square_name(n, 0)[:-1]) for n in range(columns)]
    names += [Label(left - 8, bottom - n * cell - cell // 2 + 5, str(n + 1), "end") for n in range(rows)]
    return Picture(
        form="lines" if board.lines else "squares",
        title=board.caption,
        about=summary(board),
        width=left + columns * cell + 4,
        height=bottom + 26,
        columns=columns,
        rows=rows,
        cell=cell,
        left=left,
        top=top,
        across=wrap in ("columns", "both", "torus"),
        upright=wrap in ("rows", "both", "torus"),
        ground=_grouped((zone, _box(run, middles, cell)) for zone, run in _runs(board, columns, rows)),
        labels=tuple(names),
        pins=tuple(_pins(board, middles, cell, named=cell > 24 and columns <= 12 and not board.lines)),
    )


def _runs(board: Board, columns: int, rows: int) -> Iterator[tuple[str, list[str]]]:
    """Yield squares side by side that lie in the same zone."""
    if not board.zones:
        return
    for row in range(rows):
        squares = (square_name(column, row) for column in range(columns))
        for zone, run in groupby(squares, lambda square: board.zones.get(square, "")):
            if zone:
                yield _zone_kind(board, zone), list(run)


def _box(run: Sequence[str], middles: Mapping[str, Spot], cell: int) -> Outline:
    (west, y), (east, _y), half = middles[run[0]], middles[run[-1]], cell // 2
    return (west - half, y - half), (east + half, y - half), (east + half, y + half), (west - half, y + half)


def _hexagons(board: Board) -> Picture:
    columns, rows = board.size
    width, height = columns * 48 + 32, rows * 42 + 26
    middles = {square_name(c, r): (28 + c * 48 + (24 if r % 2 else 0), height - 34 - r * 42)
               for r in range(rows) for c in range(columns)}  # fmt: skip
    free = middles.keys() - {piece.at for piece in board.pieces} if columns * rows <= 400 else set()
    return Picture(
        form="hexagons",
        title=board.caption,
        about=summary(board),
        width=width,
        height=height,
        columns=columns,
        rows=rows,
        cell=48,
        left=28,
        top=34,
        ground=_grouped((zone, _comb(run, middles)) for zone, run in _runs(board, columns, rows)),
        labels=tuple(Label(x, y + 22, square) for square, (x, y) in middles.items() if square in free),
        pins=tuple(_pins(board, middles, 40, named=columns <= 12)),
    )


def _comb(run: Sequence[str], middles: Mapping[str, Spot]) -> Outline:
    """Return the outline of hexagons side by side."""
    cells = [middles[square] for square in run]
    (west, y), (east, _y) = cells[0], cells[-1]
    above = [corner for x, _ in cells for corner in ((x - 24, y - 14), (x, y - 28))]
    below = [corner for x, _ in reversed(cells) for corner in ((x + 24, y + 14), (x, y + 28))]
    return *above, (east + 24, y - 14), *below, (west - 24, y + 14)


def _grouped(cells: Iterable[tuple[str, Outline]]) -> tuple[Ground, ...]:
    found: dict[str, list[Outline]] = {}
    for kind, outline in cells:
        found.setdefault(kind, []).append(outline)
    return tuple(Ground(kind, tuple(outlines)) for kind, outlines in found.items())


def _zone_kind(board: Board, zone: str) -> str:
    return f"z{zone_numbers(board.zones)[zone]}"


def zone_numbers(zones: Mapping[str, str]) -> dict[str, int]:
    """Return the colour of each zone, in the order in which they are named."""
    return {zone: number % ZONES for number, zone in enumerate(dict.fromkeys(zones.values()))}


# -- maps and figures


def map_picture(board: Board) -> Picture:
    """Return a map of areas as it is drawn: land around its places, borders as lines."""
    near = {name: [n for n in neighbours(area) if n in board.grid] for name, area in board.grid.items()}
    place = apart(_fit(spots(near, placed(board.grid))), (44, 30), (MAP_WIDTH, MAP_HEIGHT))
    firm = [name for name, area in board.grid.items() if not _is_water(area)]
    shapes = land(place, firm, AROUND)
    zoned = (name for name in place if name in board.zones)
    zones = _grouped((_zone_kind(board, board.zones[name]), _lozenge(place[name])) for name in zoned)
    borders = [line for a in near for b in near[a] if a < b for line in _border(place[a], place[b])]
    held = {piece.at for piece in board.pieces}
    return Picture(
        form="map",
        title=board.caption,
        about=summary(board),
        width=MAP_WIDTH,
        height=MAP_HEIGHT,
        cell=40,
        ground=(Ground("land", tuple(shapes)), *zones),
        borders=tuple(borders),
        dots=tuple(place.values()),
        labels=tuple(Label(x, y - 6, shortened(name, 8)) for name, (x, y) in place.items() if name not in held),
        pins=tuple(_pins(board, place, 68, named=False)),
    )


def placed(areas: Mapping[str, Mapping[str, Any]]) -> dict[str, Spot]:
    """Return the areas of a map that say themselves where they lie."""
    return {name: (area["x"], area["y"]) for name, area in areas.items()
            if isinstance(area.get("x"), int) and isinstance(area.get("y"), int)}  # fmt: skip


def _is_water(area: Mapping[str, Any]) -> bool:
    return (area.get("type") or area.get("terrain")) in ("water", "sea", "ocean")


def _lozenge(spot: Spot) -> Outline:
    """Return the corners of a lozenge around a place."""
    x, y = spot
    return (x - 26, y), (x, y - 18), (x + 26, y), (x, y + 18)


def _fit(place: Mapping[str, Spot]) -> dict[str, Spot]:
    """Stretch spots to the size of the drawing."""
    xs, ys = [x for x, _y in place.values()], [y for _x, y in place.values()]
    left, top = min(xs), min(ys)
    wide, high = max(max(xs) - left, 1), max(max(ys) - top, 1)
    return {name: (50 + (x - left) * (MAP_WIDTH - 100) // wide, 32 + (y - top) * (MAP_HEIGHT - 64) // high)
            for name, (x, y) in place.items()}  # fmt: skip


def _border(one: Spot, two: Spot) -> list[tuple[int, int, int, int]]:
    """Return the line between neighbours; one that would cross most of the map leaves it at the sides instead."""
    west, east = sorted((one, two))
    if east[0] - west[0] < MAP_WIDTH * 11 // 20:
        return [(*one, *two)]
    middle = (west[1] + east[1]) // 2
    return [(*west, 0, middle), (*east, MAP_WIDTH, middle)]


def figure_picture(block: Mapping[str, Any], cells: Sequence[Cell], size: Spot, title: str) -> Picture:
    """Return a figure as it is drawn."""
    zones = {cell.name: cell.zone for cell in sorted(cells, key=lambda cell: cell.zone) if cell.zone}
    numbers = zone_numbers(zones)
    marks = [(cell.points, cell.label) for cell in cells if cell.label]
    counts = Counter(zones.values())
    about = _("{count} cells; {zones}", count=len(cells), zones="; ".join(f"{counts[zone]} {zone}" for zone in counts))
    return Picture(
        form="figure",
        title=title,
        about=about,
        width=size[0],
        height=size[1],
        ground=_grouped((f"z{numbers[cell.zone]}" if cell.zone else "sq1", cell.points) for cell in cells),
        labels=(
            *(Label(*_middle(points), words[:3]) for points, words in marks),
            *(Label(x, y, words, "start") for x, y, words in notes_of(dict(block))),
        ),
    )


def _middle(points: Sequence[Spot]) -> Spot:
    return sum(x for x, _y in points) // len(points), sum(y for _x, y in points) // len(points) + 4


# -- pieces


def _pins(board: Board, middles: Mapping[str, Spot], room: int, *, named: bool) -> Iterator[Pin]:
    """Yield the pieces, of a place at most three; a name that many share stands under none of them."""
    shared = Counter(piece.name for piece in board.pieces)
    standing: dict[str, list[Piece]] = {}
    for piece in board.pieces:
        if piece.at in middles:
            standing.setdefault(piece.at, []).append(piece)
    for at, pieces in standing.items():
        said = ", ".join(each.name for each in pieces[:3] if named and shared[each.name] <= 4)
        yield from _side_by_side(board, at, middles[at], pieces, room, shortened(said, 9))


def _side_by_side(board: Board, at: str, spot: Spot, pieces: Sequence[Piece], room: int, name: str) -> Iterator[Pin]:
    """Yield what stands in one place: one large, two or three small, of more two and how many others there are."""
    (x, y), many, numbers = spot, min(len(pieces), 3), colours(board.here.view)
    size = room * 2 // 5 if board.lines else room // 4 if many == 1 else room // 6
    for number, piece in enumerate(pieces[:many]):
        whose = board.here.view.name(piece.owner) if piece.owner else ""
        spoken = f"{piece.name}, {whose}" if whose not in ("", piece.name) else piece.name
        counted = f"+{len(pieces) - 2}" if number == 2 and len(pieces) > 3 else ""
        yield Pin(
            x=x + (2 * number - many + 1) * size,
            y=y - room // 8 if name else y,
            r=size,
            mark=counted or (_mark(board, piece) if size >= 11 else ""),
            name=name if number == 0 else "",
            below=x,
            title=_("{piece} on {square}", piece=spoken, square=spoken_place(board, at)),
            colour=numbers.get(piece.owner, NOBODY),
        )


def _mark(board: Board, piece: Piece) -> str:
    """Return the mark that the rule gave, else initials on maps, which have no room for names."""
    return piece.mark if piece.given else initials(piece.name) if board.is_map else ""


def spoken_place(board: Board, at: str) -> str:
    """Return what a place is called: an area by its name, a square by its own."""
    area = board.grid.get(at) if board.is_map else None
    return str((area or {}).get("name") or at)


def summary(board: Board) -> str:
    """Return what stands where in a sentence, for those who do not see the drawing."""
    if not board.pieces:
        return _("Nothing stands on it.")
    told = board.pieces[:MOST_TOLD]
    shown = "; ".join(_("{piece} at {square}", piece=p.name, square=spoken_place(board, p.at)) for p in told)
    more = len(board.pieces) - MOST_TOLD
    return _("{pieces} and {count} more", pieces=shown, count=more) if more > 0 else shown
