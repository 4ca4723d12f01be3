"""Boards as numbers: where cells, borders, names and pieces lie on a drawing, which a template then makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.documents import Document
from folkmoot.site.board import Board, board_of, cells_of, figure_size, is_figure, neighbours, notes_of, square_name
from folkmoot.site.map_layout import Spot, apart, land, spots
from folkmoot.site.page_data import colours
from folkmoot.site.pagination import lists_by_key
from folkmoot.wording.markup import shortened
from folkmoot.wording.page_links import Here
from folkmoot.wording.translation import _

MAP_WIDTH, MAP_HEIGHT, AROUND = 900, 470, 54
MOST_AREAS = 200
NOBODY = 8
"""The colour of what belongs to no player."""
ZONES = 5
MOST_TOLD = 40
Outline = tuple[Spot, ...]
T = TypeVar("T", bound=Hashable)


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


class Picture(Struct, frozen=True, kw_only=True):
    """A board as it is drawn: `form` is squares, lines, hexagons, map or figure; lengths are pixels at full size.

    `ground` are cells that look alike (the middle of each, or of a figure its corners), and at which steps they look so
    (none: always). `labels` are words at a place, with the side on which they are held.
    """

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
    land: tuple[Outline, ...] = ()
    ground: tuple[tuple[str, tuple[Spot | Outline, ...], tuple[int, ...]], ...] = ()
    borders: tuple[tuple[int, int, int, int], ...] = ()
    dots: tuple[Spot, ...] = ()
    labels: tuple[tuple[int, int, str, str], ...] = ()
    pins: tuple[Pin, ...] = ()


def picture_of(here: Here, given: Document) -> Picture | None:
    """Return how a board is drawn, None for one that cannot be."""
    if is_figure(given):
        return _figure(given)
    board = board_of(here, given)
    if board.is_map:
        return _map(board) if len(board.grid) <= MOST_AREAS else None
    return _grid(board) if all(board.size) else None


def over_time(pictures: Sequence[Picture]) -> Picture | None:
    """Return several states of one board as one drawing, in which pieces and zones have steps; None for several boards.

    The words are those of the last state.
    """
    if len({replace(each, about="", title="", ground=(), labels=(), pins=()) for each in pictures}) != 1:
        return None
    states = [[(kind, cell) for kind, cells, _always in each.ground for cell in cells] for each in pictures]
    cells = lists_by_key(((kind, steps if len(steps) < len(pictures) else ()), cell)
                         for (kind, cell), steps in _steps(states))  # fmt: skip
    return replace(
        pictures[-1],
        ground=tuple((kind, tuple(alike), steps) for (kind, steps), alike in cells.items()),
        labels=tuple(label for label in pictures[-1].labels if all(label in each.labels for each in pictures)),
        pins=tuple(replace(pin, steps=steps, came=tuple(n for n in steps if n and n - 1 not in steps))
                   for pin, steps in _steps([each.pins for each in pictures])),
    )  # fmt: skip


def _steps(states: Sequence[Iterable[T]]) -> Iterable[tuple[T, tuple[int, ...]]]:
    """Return what is there in several states, each with the numbers of those in which it is."""
    found = lists_by_key((each, number) for number, state in enumerate(states) for each in dict.fromkeys(state))
    return ((each, tuple(numbers)) for each, numbers in found.items())


# -- squares and hexagons


def _grid(board: Board) -> Picture:
    """Return a board of squares or hexagons, which has columns and rows, as it is drawn."""
    (columns, rows), hexagonal = board.size, board.grid.get("shape") == "hexagonal"
    if hexagonal:
        cell, left, top = 48, 28, 34
        width, height = columns * 48 + 32, rows * 42 + 26
        middles = {square_name(c, r): (left + c * 48 + r % 2 * 24, height - top - r * 42)
                   for r in range(rows) for c in range(columns)}  # fmt: skip
        free = middles.keys() - board.standing if columns * rows <= 400 else ()
        labels = [(x, y + 22, square, "middle") for square, (x, y) in middles.items() if square in free]
    else:
        cell, left, top = 64 if columns <= 8 else 44 if columns <= 20 else 24, 14 + 8 * len(str(rows)), 4
        width, height = left + columns * cell + 4, top + rows * cell + 26
        middles = {square_name(c, r): (left + c * cell + cell // 2, top + (rows - 1 - r) * cell + cell // 2)
                   for r in range(rows) for c in range(columns)}  # fmt: skip
        labels = [(left + n * cell + cell // 2, height - 8, square_name(n, 0)[:-1], "middle") for n in range(columns)]
        labels += [(left - 8, height - 21 - n * cell - cell // 2, str(n + 1), "end") for n in range(rows)]
    wrap = board.grid.get("wrap")
    named = columns <= 12 and (hexagonal or not board.lines)
    return Picture(
        form="hexagons" if hexagonal else "lines" if board.lines else "squares",
        title=board.caption,
        about=_summary(board),
        width=width,
        height=height,
        columns=columns,
        rows=rows,
        cell=cell,
        left=left,
        top=top,
        across=wrap in ("columns", "both", "torus"),
        upright=wrap in ("rows", "both", "torus"),
        ground=_zones(board, middles),
        labels=tuple(labels),
        pins=tuple(_pins(board, middles, 40 if hexagonal else cell, named=named)),
    )


def _zones(board: Board, middles: Mapping[str, Spot]) -> tuple[tuple[str, tuple[Spot, ...], tuple[int, ...]], ...]:
    """Return the cells that lie in zones, by the colours of these."""
    kinds = zone_kinds(board.zones.values())
    found = lists_by_key((kinds[board.zones[at]], middle) for at, middle in middles.items() if at in board.zones)
    return tuple((kind, tuple(cells), ()) for kind, cells in found.items())


def zone_kinds(zones: Iterable[str]) -> dict[str, str]:
    """Return the colour of each zone, in the order in which they are named."""
    return {zone: f"z{number % ZONES}" for number, zone in enumerate(dict.fromkeys(zones))}


# -- maps and figures


def _map(board: Board) -> Picture:
    """Return a map of areas as it is drawn: land around its places, borders as lines."""
    near = {name: [n for n in neighbours(area) if n in board.grid] for name, area in board.grid.items()}
    place = apart(_fitted(spots(near, placed(board.grid))), (44, 30), (MAP_WIDTH, MAP_HEIGHT))
    water = ("water", "sea", "ocean")
    firm = [name for name, area in board.grid.items() if (area.get("type") or area.get("terrain")) not in water]
    return Picture(
        form="map",
        title=board.caption,
        about=_summary(board),
        width=MAP_WIDTH,
        height=MAP_HEIGHT,
        cell=40,
        land=tuple(land(place, firm, AROUND)),
        ground=_zones(board, place),
        borders=tuple(line for a in near for b in near[a] if a < b for line in _border(place[a], place[b])),
        dots=tuple(place.values()),
        labels=tuple((x, y - 6, shortened(name, 8), "middle")
                     for name, (x, y) in place.items() if name not in board.standing),
        pins=tuple(_pins(board, place, 68, named=False)),
    )  # fmt: skip


def placed(areas: Mapping[str, Document]) -> dict[str, Spot]:
    """Return the areas of a map that say themselves where they lie."""
    return {name: (area["x"], area["y"]) for name, area in areas.items()
            if isinstance(area.get("x"), int) and isinstance(area.get("y"), int)}  # fmt: skip


def _fitted(place: Mapping[str, Spot]) -> dict[str, Spot]:
    """Stretch spots to the size of the drawing."""
    xs, ys = zip(*place.values(), strict=True)
    wide, high = max(max(xs) - min(xs), 1), max(max(ys) - min(ys), 1)
    return {name: (50 + (x - min(xs)) * (MAP_WIDTH - 100) // wide, 32 + (y - min(ys)) * (MAP_HEIGHT - 64) // high)
            for name, (x, y) in place.items()}  # fmt: skip


def _border(one: Spot, two: Spot) -> list[tuple[int, int, int, int]]:
    """Return the line between neighbours; one that would cross most of the map leaves it at the sides instead."""
    west, east = sorted((one, two))
    middle = (west[1] + east[1]) // 2
    far = east[0] - west[0] >= MAP_WIDTH * 11 // 20
    return [(*west, 0, middle), (*east, MAP_WIDTH, middle)] if far else [(*one, *two)]


def _figure(block: Document) -> Picture | None:
    """Return a figure as it is drawn, None where it has no size, no cells or too many."""
    cells, (width, height) = cells_of(block), figure_size(block)
    if not (cells and width and height):
        return None
    zones = sorted(cell.zone for cell in cells if cell.zone)
    kinds, counts = zone_kinds(zones), Counter(zones)
    middles = ((sum(x for x, _y in each.points) // len(each.points),
                sum(y for _x, y in each.points) // len(each.points) + 4,
                each.label[:3], "middle") for each in cells if each.label)  # fmt: skip
    return Picture(
        form="figure",
        title=str(block.get("caption") or _("Figure")),
        about=_(
            "{count} cells; {zones}", count=len(cells), zones="; ".join(f"{counts[zone]} {zone}" for zone in counts)
        ),
        width=width,
        height=height,
        ground=tuple(
            (kind, tuple(alike), ())
            for kind, alike in lists_by_key((kinds.get(cell.zone, "sq1"), cell.points) for cell in cells).items()
        ),
        labels=(*middles, *((*note, "start") for note in notes_of(block))),
    )


# -- pieces


def _pins(board: Board, middles: Mapping[str, Spot], room: int, *, named: bool) -> Iterator[Pin]:
    """Yield what stands in each place: one large, two or three small, of more two and how many others there are.

    A name that many share stands under none of them.
    """
    view, numbers, shared = board.here.view, colours(board.here.view), Counter(piece.name for piece in board.pieces)
    for at, pieces in board.standing.items():
        if at not in middles:
            continue
        (x, y), many = middles[at], min(len(pieces), 3)
        size = room * 2 // 5 if board.lines else room // 4 if many == 1 else room // 6
        names = shortened(", ".join(each.name for each in pieces[:3] if named and shared[each.name] <= 4), 9)
        for number, piece in enumerate(pieces[:many]):
            whose = view.name(piece.owner) if piece.owner else ""
            spoken = f"{piece.name}, {whose}" if whose not in ("", piece.name) else piece.name
            mark = piece.mark if size >= 11 and (piece.given or board.is_map) else ""
            yield Pin(
                x=x + (2 * number - many + 1) * size,
                y=y - room // 8 if names else y,
                r=size,
                mark=f"+{len(pieces) - 2}" if number == 2 and len(pieces) > 3 else mark,
                name="" if number else names,
                below=x,
                title=_("{piece} on {square}", piece=spoken, square=spoken_place(board, at)),
                colour=numbers.get(piece.owner, NOBODY),
            )


def spoken_place(board: Board, at: str) -> str:
    """Return what a place is called: an area by its name, a square by its own."""
    return str((board.is_map and board.grid.get(at, {}).get("name")) or at)


def _summary(board: Board) -> str:
    """Return what stands where in a sentence, for those who do not see the drawing."""
    said = (
        _("{piece} at {square}", piece=each.name, square=spoken_place(board, each.at))
        for each in board.pieces[:MOST_TOLD]
    )
    more = len(board.pieces) - MOST_TOLD
    shown = "; ".join(said) or _("Nothing stands on it.")
    return _("{pieces} and {count} more", pieces=shown, count=more) if more > 0 else shown
