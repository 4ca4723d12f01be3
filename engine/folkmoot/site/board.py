"""What a board block says and how it is drawn: pieces on squares, hexagons, areas of a map, or cells of any form.

A grid is what the `grid` library makes: `shape` (square, hexagonal, map), `columns`, `rows`, `wrap`, `squares`,
`around`. With `lines` in its block the pieces of a grid of squares stand where lines cross. A map may also be plain
data: a map of areas, each with `name`, `type`, `adj` (or `neighbours`) and, to be drawn where it lies, `x` and `y`.
Row 1 is the lowest. A figure is a grid of the shape `free`: `width` and `height` in pixels, `cells` by name, each with
its corners `points` ([[x, y], …]), the `zone` it lies in, a short `label` and its `owner`; `notes` are lines of text
at a place ([x, y, text]).

A picture holds numbers only, of which a template makes the drawing. A map whose areas do not say where they lie is
pulled apart by their borders; only sums, products and quotients of whole numbers are used for that, so that every
machine draws the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import combinations
from math import isqrt
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.documents import Document
from folkmoot.site.page_data import colours, initials
from folkmoot.wording.game_view import lists_by_key
from folkmoot.wording.markup import shortened
from folkmoot.wording.page_links import Here

Spot = tuple[int, int]
Outline = tuple[Spot, ...]
T = TypeVar("T", bound=Hashable)
MOST_CELLS, MOST_PIXELS, MOST_NOTES, MOST_AREAS, MOST_TOLD = 4096, 20_000, 100, 200, 40
"""How many cells, pixels to a side, lines of text and areas are drawn, and how many pieces a sentence tells."""
WRAPS = {
    "rows": "The top row joins the bottom row.",
    "columns": "The left column joins the right column.",
    "both": "All edges join: top with bottom, left with right.",
}
MAP_WIDTH, MAP_HEIGHT, AROUND = 900, 470, 54
NOBODY, ZONES = 8, 5
"""The colour of what belongs to no player, and how many colours zones have."""
MOST_SMALL, SLIMMEST = 1_024, 6
"""Of a board drawn small: its cells or pieces, and how many times as long as wide it is."""
ROUNDS, UNIT = 260, 1000
MOST_PUSHES = 600_000  # of one area by another: with many areas there are fewer rounds


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
    caption = str(block.get("caption") or "Board")
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


# -- pictures


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


def small_picture(here: Here, given: Document) -> Picture | None:
    """Return how a board is drawn small; None for one that is too large or slim, or whose areas have no places."""
    board = board_of(here, given)
    if is_figure(given):
        light = len(cells_of(given)) <= MOST_SMALL
    elif board.is_map:
        light = len(placed(board.grid)) == len(board.grid)
    else:
        light = max(board.size[0] * board.size[1], len(board.pieces)) <= MOST_SMALL
    found = picture_of(here, given) if light else None
    is_slim = found and max(found.width, found.height) > SLIMMEST * min(found.width, found.height)
    return None if is_slim else found


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
    grid, cells = block["grid"], cells_of(block)
    width, height = (min(max(grid.get(each) or 0, 0), MOST_PIXELS) for each in ("width", "height"))
    if not (cells and width and height):
        return None
    notes = [each for each in grid.get("notes") or () if isinstance(each, list) and len(each) == 3][:MOST_NOTES]
    zones = sorted(cell.zone for cell in cells if cell.zone)
    kinds, counts = zone_kinds(zones), Counter(zones)
    words = [(x, y, str(said), "start") for x, y, said in notes if isinstance(x, int) and isinstance(y, int)]
    alike = lists_by_key((kinds.get(cell.zone, "sq1"), cell.points) for cell in cells)
    for points, label in ((each.points, each.label) for each in cells if each.label):
        x, y = (sum(point[axis] for point in points) // len(points) for axis in (0, 1))
        words.append((x, y + 4, label[:3], "middle"))
    return Picture(
        form="figure",
        title=str(block.get("caption") or "Figure"),
        about="; ".join([f"{len(cells)} cells", *(f"{counts[zone]} {zone}" for zone in counts)]),
        width=width,
        height=height,
        ground=tuple((kind, tuple(outlines), ()) for kind, outlines in alike.items()),
        labels=tuple(words),
    )


# -- pieces


def _pins(board: Board, middles: Mapping[str, Spot], room: int, *, named: bool) -> Iterator[Pin]:
    """Yield what stands in each place: one large, two or three small, of more two and how many others there are.

    A name that many share stands under none of them, and a shorter one where the next place is taken, too.
    """
    taken = {middles[at] for at in board.standing if at in middles}
    view, numbers, shared = board.here.view, colours(board.here.view), Counter(piece.name for piece in board.pieces)
    for at, pieces in board.standing.items():
        if at not in middles:
            continue
        (x, y), many = middles[at], min(len(pieces), 3)
        size = room * 2 // 5 if board.lines else room // 4 if many == 1 else room // 6
        letters = 6 if {(x - room, y), (x + room, y)} & taken else 9
        names = shortened(", ".join(each.name for each in pieces[:3] if named and shared[each.name] <= 4), letters)
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
                title=f"{spoken} on {spoken_place(board, at)}",
                colour=numbers.get(piece.owner, NOBODY),
            )


def spoken_place(board: Board, at: str) -> str:
    """Return what a place is called: an area by its name, a square by its own."""
    return str((board.is_map and board.grid.get(at, {}).get("name")) or at)


def _summary(board: Board) -> str:
    """Return what stands where in a sentence, for those who do not see the drawing."""
    told, more = board.pieces[:MOST_TOLD], len(board.pieces) - MOST_TOLD
    said = (f"{each.name} at {spoken_place(board, each.at)}" for each in told)
    shown = "; ".join(said) or "Nothing stands on it."
    return f"{shown} and {more} more" if more > 0 else shown


# -- where areas lie


def spots(neighbours: Mapping[str, Sequence[str]], given: Mapping[str, Spot]) -> dict[str, Spot]:
    """Return a spot (x to the right, y down, in any unit) for every area; where all are given, these."""
    if all(name in given for name in neighbours):
        return {name: given[name] for name in neighbours}
    return dict(_settled(tuple((name, frozenset(near)) for name, near in neighbours.items())))


@lru_cache(32)
def _settled(areas: tuple[tuple[str, frozenset[str]], ...]) -> dict[str, Spot]:
    """Return where areas come to rest that their neighbours attract and all repel, cooling down round by round."""
    side = isqrt(len(areas) - 1) + 1
    place = {name: (n % side * UNIT + n // side * 137 % 400, n // side * UNIT + n % side * 211 % 400)
             for n, (name, _) in enumerate(areas)}  # fmt: skip
    for turn in range(rounds := min(ROUNDS, MOST_PUSHES // len(areas) ** 2)):
        heat = UNIT * (rounds - turn) // rounds // 2 + 4
        place = {name: _pushed(name, near, place, heat) for name, near in areas}
    return place


def _pushed(name: str, near: Collection[str], place: Mapping[str, Spot], most: int) -> Spot:
    """Return where an area goes that all others push away and those near it draw, at most so far."""
    (x, y), push_x, push_y = place[name], 0, 0
    for other, (other_x, other_y) in place.items():
        dx, dy = x - other_x, y - other_y
        square = dx * dx + dy * dy + 1
        push_x += dx * UNIT * UNIT // square
        push_y += dy * UNIT * UNIT // square
        if other in near:
            away = isqrt(square)
            push_x -= dx * away // UNIT
            push_y -= dy * away // UNIT
    length = isqrt(push_x * push_x + push_y * push_y) or 1
    step = min(length, most)
    return x + push_x * step // length, y + push_y * step // length


def apart(place: Mapping[str, Spot], size: Spot, frame: Spot) -> dict[str, Spot]:
    """Return spots moved so far that boxes of a size no longer touch, inside a frame (as far as there is room)."""
    (wide, high), boxes = size, {name: [x, y] for name, (x, y) in place.items()}
    for _round in range(80):
        touching = [(one, two) for one, two in combinations(boxes.values(), 2)
                    if abs(one[0] - two[0]) < wide and abs(one[1] - two[1]) < high]  # fmt: skip
        for one, two in touching:  # part along the axis on which they overlap less
            gap, axis = min((size[axis] - abs(one[axis] - two[axis]), axis) for axis in (0, 1))
            step = (gap // 2 + 1) * (1 if one[axis] >= two[axis] else -1)
            one[axis] += step
            two[axis] -= step
        for box in boxes.values():
            for axis in (0, 1):
                box[axis] = min(max(box[axis], size[axis] // 2), frame[axis] - size[axis] // 2)
        if not touching:
            break
    return {name: (x, y) for name, (x, y) in boxes.items()}


_CIRCLE = ((1000, 0), (951, 309), (809, 588), (588, 809), (309, 951), (0, 1000), (-309, 951), (-588, 809), (-809, 588),
           (-951, 309), (-1000, 0), (-951, -309), (-809, -588), (-588, -809), (-309, -951), (0, -1000), (309, -951),
           (588, -809), (809, -588), (951, -309))  # fmt: skip
"""The corners of what is nearly a circle, in thousandths of its radius."""


def land(place: Mapping[str, Spot], names: Sequence[str], radius: int) -> list[tuple[Spot, ...]]:
    """Return the outline of each named area: what is nearer to it than to any other, at most so far away."""
    found = []
    for name in names:
        x, y = place[name]
        outline = [(x + dx * radius // 1000, y + dy * radius // 1000) for dx, dy in _CIRCLE]
        for other, spot in place.items():
            if other != name and abs(spot[0] - x) < 2 * radius and abs(spot[1] - y) < 2 * radius:
                outline = _nearer(outline, (x, y), spot)
        found.append(tuple(outline))
    return found


def _nearer(outline: Sequence[Spot], to: Spot, than: Spot) -> list[Spot]:
    """Return the part of an outline that is nearer to one spot than to another."""
    far = [(x - to[0]) ** 2 + (y - to[1]) ** 2 - (x - than[0]) ** 2 - (y - than[1]) ** 2 for x, y in outline]
    kept = []
    for number, ((x, y), beyond) in enumerate(zip(outline, far, strict=True)):
        (last_x, last_y), before = outline[number - 1], far[number - 1]
        if (before > 0) != (beyond > 0):
            kept.append((last_x + (x - last_x) * before // (before - beyond),
                         last_y + (y - last_y) * before // (before - beyond)))  # fmt: skip
        if beyond <= 0:
            kept.append((x, y))
    return kept
