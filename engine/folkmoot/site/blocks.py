"""The blocks of a page that a rule shows, as data: words, tables, boards, charts, logs, and states to step through."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from msgspec import Struct

from folkmoot.core.declared_kinds import has_currency
from folkmoot.core.documents import Document
from folkmoot.core.rule_blocks import RegisterSpec
from folkmoot.site.block_shapes import flaw_of
from folkmoot.site.board import WRAPS, Board, board_of, cells_of, figure_size, is_figure, neighbours
from folkmoot.site.board_changes import moves, told
from folkmoot.site.chart import Chart, chart
from folkmoot.site.page_data import colours
from folkmoot.site.picture import (
    NOBODY,
    Picture,
    figure_picture,
    grid_picture,
    map_picture,
    over_time,
    spoken_place,
    zone_numbers,
)
from folkmoot.site.standing import begins, opened
from folkmoot.wording.game_view import ShownPage, natural
from folkmoot.wording.indices import account
from folkmoot.wording.indices import balances as of_ledger
from folkmoot.wording.markup import Html, el, escape, join, strip
from folkmoot.wording.page_links import Here, humane, titled
from folkmoot.wording.prose import phrase, prose
from folkmoot.wording.translation import _

_NUMBER = re.compile(r"-?\d{1,18}(?:\.\d{1,9})?", re.ASCII)
_SQUARE = re.compile(r"([a-z]+)(\d+)")
MOST_ROWS, MOST_AREAS, MOST_STEPS = 2000, 200, 41
HEADING = "heading"


class Tagged(Struct, frozen=True, tag_field="kind"):
    """A block; the template asks of which kind it is."""

    @property
    def kind(self) -> str:
        """Return the tag of its class."""
        return str(type(self).__struct_config__.tag)


class Written(Tagged, frozen=True, tag="written"):
    """Words of a rule."""

    said: Html


class Charted(Tagged, frozen=True, tag="chart"):
    """A chart, None where there is nothing to draw yet."""

    chart: Chart | None
    title: Html = Html("")


class Heading(Tagged, frozen=True, tag="heading"):
    """A heading inside a step."""

    words: Html


class Flaw(Tagged, frozen=True, tag="flaw"):
    """What is said in place of a block that cannot be drawn."""

    head: str
    why: Html


class Table(Tagged, frozen=True, tag="table"):
    """A table; `numbers` are the columns of numbers, `more` counts the rows that are not shown."""

    columns: tuple[Html, ...]
    rows: tuple[tuple[Html, ...], ...]
    caption: Html = Html("")
    numbers: tuple[bool, ...] = ()
    more: int = 0


class Log(Tagged, frozen=True, tag="log"):
    """Lines one below the other; `more` counts those that are not shown."""

    lines: tuple[Html, ...]
    title: Html = Html("")
    more: int = 0


class Key(Struct, frozen=True):
    """A colour of a board, and whose it is or which zone it marks."""

    kind: str
    words: Html


class Drawn(Tagged, frozen=True, tag="drawn"):
    """A board: its drawing, what stands below it, and the same in words, the second table folded."""

    name: str
    picture: Picture | None
    caption: Html
    keys: tuple[Key, ...]
    where: Table | None
    fold: str
    areas: Table | None


class State(Struct, frozen=True):
    """One state: what it is called, what moved since the one before, and what else it shows."""

    title: Html
    moved: tuple[Html, ...]
    blocks: tuple[Block, ...]


class Steps(Tagged, frozen=True, tag="steps"):
    """Several states in the order of time; `board` is the one drawing of all of them, where that can be."""

    name: str
    caption: Html
    board: Drawn | None
    steps: tuple[State, ...]


Block = Written | Charted | Heading | Flaw | Table | Log | Drawn | Steps


def block_of(here: Here, given: Any, name: str) -> Block:
    """Return one block; one of an unknown kind is shown as what it is, a flawed one says so."""
    kind = given.get("block") if isinstance(given, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        return Written(
            prose(given, name) if isinstance(given, str) else el("pre", str(given), class_="code", tabindex="0")
        )
    flaw = flaw_of(given)
    return KINDS[kind](here, given, name) if not flaw else Flaw(_cannot(kind), phrase(f"{flaw}."))


def _cannot(kind: str) -> str:
    return _("This {kind} cannot be shown:", kind=kind)


def heading_of(given: Any) -> str:
    """Return the words of a heading block, empty for any other block."""
    is_heading = isinstance(given, dict) and given.get("block") == HEADING
    return " ".join(str(given.get("text") or "").split()) if is_heading else ""


def page_title(shown: ShownPage) -> str:
    """Return what a page calls itself in its first block, else its name."""
    return (heading_of(shown.blocks[0]) if shown.blocks else "") or shown.title or titled(shown.name)


def _caption(given: Document) -> Html:
    return phrase(str(given["caption"])) if given.get("caption") else Html("")


# -- words, tables, charts


def _paragraph(_here: Here, given: Document, name: str) -> Block:
    return Written(prose(str(given.get("text") or ""), name))


def _heading(_here: Here, given: Document, _name: str) -> Block:
    return Heading(phrase(heading_of(given)))


def _log(here: Here, given: Document, _name: str) -> Block:
    lines = list(given.get("lines") or ())
    return Log(tuple(map(here.value, lines[:MOST_ROWS])), _caption(given), max(0, len(lines) - MOST_ROWS))


def _table(here: Here, given: Document, _name: str) -> Block:
    columns = tuple(phrase(str(column)) for column in given.get("columns") or ())
    body = list(given.get("rows") or ())
    rows = tuple(_cells(here, row, len(columns)) for row in body[:MOST_ROWS])
    numbers = tuple(_numeric(body, n) for n in range(len(columns)))
    return Table(columns, rows, _caption(given), numbers, max(0, len(body) - MOST_ROWS))


def _cells(here: Here, row: Any, count: int) -> tuple[Html, ...]:
    """Return the cells of a row; those beyond the columns are dropped, missing ones are empty."""
    cells = [*(row if isinstance(row, list) else [row]), *[None] * count][:count]
    return tuple(Html("") if cell is None or cell == "" else here.value(cell) for cell in cells)


def _numeric(rows: list[Any], column: int) -> bool:
    cells = [row[column] for row in rows if isinstance(row, list) and column < len(row) and row[column] is not None]
    return bool(cells) and all(_is_number(cell) for cell in cells)


def _is_number(cell: object) -> bool:
    """Whether a cell holds a number, as such or in digits: 12 or "7.50"."""
    if isinstance(cell, str):
        return bool(_NUMBER.fullmatch(cell))
    return isinstance(cell, int) and not isinstance(cell, bool)


def _chart(_here: Here, given: Document, name: str) -> Block:
    return Charted(chart(series_of(given), str(given.get("caption") or _("Chart")), name, steps=False))


def series_of(given: Document) -> dict[str, list[tuple[int, int]]]:
    """Return the points of a chart by the names of its series."""
    series = given.get("series") or {}
    named = series.items() if isinstance(series, dict) else [("series", series)]
    return {str(label): _points(values) for label, values in named}


def _points(values: Any) -> list[tuple[int, int]]:
    """Return whole-numbered points; a bare list of numbers is counted from 1."""
    found = []
    for number, value in enumerate(values or (), 1):
        x, y = value[:2] if isinstance(value, list) and len(value) > 1 else (number, value)
        if isinstance(x, int) and isinstance(y, int):
            found.append((x, y))
    return sorted(found, key=lambda point: point[0])


def _history(here: Here, given: Document, name: str) -> Block:
    """Return how a currency of an owner went, from its ledger."""
    owner, currency = str(given.get("owner") or ""), str(given.get("register") or "")
    points = balances(here, owner, currency)
    if points is None:
        return Written(el("p", phrase(_("There is no history to draw: “{owner}” is nobody and nothing that has "
                                        "{currency}.",
                                        owner=owner, currency=currency))))  # fmt: skip
    caption = str(given.get("caption") or titled(currency))
    return Charted(chart({titled(currency): points}, caption, name, when=here.moment), phrase(caption))


def balances(here: Here, owner: str, currency: str) -> list[tuple[int, int]] | None:
    """Return what an owner had of a currency at which times (Unix seconds), None where there is no such thing."""
    points = [*dict(here.view.index(of_ledger).get(account(owner, currency), ())).items()]
    if not points and not _has(here, owner, currency):
        return None
    return opened(here, owner, currency, points or [(begins(here, owner, currency), _present(here, owner, currency))])


def _present(here: Here, owner: str, currency: str) -> int:
    """Return how much of a currency an owner has now."""
    kept = (document.get(owner) for key, document in here.view.documents.items() if key.startswith("things/"))
    found = next((each.get(currency) for each in kept if isinstance(each, dict) and currency in each), 0)
    return found if isinstance(found, int) else 0


def _has(here: Here, owner: str, currency: str) -> bool:
    """Whether somebody or something of that id has a currency; the name of a kind is no id."""
    view = here.view
    kind = "player" if owner in view.players else view.things.get(owner, ("", {}))[0] or owner.partition("/")[0]
    declared = view.declared("defines.currencies").get(currency)
    known = owner in view.players or owner in view.things or owner == "game" or "/" in owner
    return known and declared is not None and has_currency(view.declared_kinds(), kind, cast(RegisterSpec, declared[1]))


# -- boards


def _board(here: Here, given: Document, name: str) -> Block:
    """Return a board as a drawing and in words."""
    if is_figure(given):
        return _figure(here, given, name)
    board = board_of(here, given)
    picture = picture_of(here, given)
    if picture is None and not board.is_map:
        return Flaw(_cannot("board"), phrase(_("its columns and rows are missing or too many.")))
    wrap = WRAPS.get(str(board.grid.get("wrap") or ""))
    caption = join([phrase(board.caption), f". {_(wrap)}" if wrap else ""])
    if picture is None:
        caption = join([caption, ". ", _("{count} areas are too many to draw.", count=len(board.grid))])
    where, areas = _where(board), _areas(board) if board.is_map else _zones(board)
    fold = _("The map in words ({count} areas)", count=len(board.grid)) if board.is_map else _("Zones")
    return Drawn(name, picture, caption, _keys(here, board.pieces, board.zones), where, fold, areas)


def picture_of(here: Here, given: Document) -> Picture | None:
    """Return how a board is drawn, None for one that cannot be."""
    if is_figure(given):
        size, cells = figure_size(given), cells_of(given)
        caption = str(given.get("caption") or _("Figure"))
        return figure_picture(given, cells, size, caption) if cells and all(size) else None
    board = board_of(here, given)
    if board.is_map:
        return map_picture(board) if len(board.grid) <= MOST_AREAS else None
    return grid_picture(board) if all(board.size) else None


def _keys(here: Here, owned: Iterable[Any], zones: dict[str, str]) -> tuple[Key, ...]:
    """Return what the colours of a board mean."""
    numbers = colours(here.view)
    owners = dict.fromkeys(each.owner for each in owned if each.owner)
    players = (Key(f"p{numbers.get(owner, NOBODY)}", here.player(owner)) for owner in owners)
    return (*players, *(Key(f"z{number}", phrase(zone)) for zone, number in zone_numbers(zones).items()))


def _where(board: Board) -> Table | None:
    """Return who and what stands where; on a map also what is next to it."""
    order = sorted(board.pieces, key=lambda piece: (natural(_SQUARE.sub(r"\1-\2", piece.at)), piece.name))
    rows = []
    for piece in order:
        near = neighbours(board.grid[piece.at]) if board.is_map and piece.at in board.grid else []
        beside = ", ".join(spoken_place(board, each) for each in near)
        name, owner = phrase(piece.name), board.here.player(piece.owner)
        own = piece.name == board.here.view.name(piece.owner)
        rows.append((owner if own else name, Html("") if own else owner, phrase(spoken_place(board, piece.at)),
                     phrase(board.zones.get(piece.at, "")), phrase(beside)))  # fmt: skip
    columns = (_("Who or what"), _("Whose"), _("Area") if board.is_map else _("Square"), _("Zone"), _("Next to it"))
    return _told(columns, rows)


def _areas(board: Board) -> Table | None:
    """Return the areas of a map in words."""
    rows = [
        (el("code", name), phrase(str(area.get("name") or "")), escape(_kind_of(area)),
         phrase(board.zones.get(name, "")), escape(", ".join(neighbours(area))))
        for name, area in board.grid.items()
    ]  # fmt: skip
    return _told((_("Area"), _("Name"), _("Kind"), _("Zone"), _("Borders on")), rows)


def _kind_of(area: Document) -> str:
    return humane(area.get("type") or area.get("terrain") or "")


def _zones(board: Board) -> Table | None:
    named: dict[str, list[str]] = {}
    for square, zone in board.zones.items():
        named.setdefault(zone, []).append(square)
    return _told((_("Zone"), _("Squares")), [(phrase(zone), escape(", ".join(some))) for zone, some in named.items()])


def _told(columns: Sequence[str], rows: Sequence[tuple[Html, ...]]) -> Table | None:
    """Return a table without the columns in which nothing stands, nothing for no rows."""
    keep = [n for n in range(len(columns)) if any(strip(row[n]) for row in rows)]
    if not keep:
        return None
    return Table(tuple(escape(columns[n]) for n in keep), tuple(tuple(row[n] for n in keep) for row in rows))


def _figure(here: Here, given: Document, name: str) -> Block:
    """Return a figure as a drawing, and which cells lie in which zone, apart for each owner."""
    picture, cells = picture_of(here, given), cells_of(given)
    if picture is None:
        return Flaw(_cannot("board"), phrase(_("it has no size, or no cells or too many.")))
    grouped: dict[tuple[str, str], list[str]] = {}
    for cell in cells:
        short = cell.name.removeprefix(f"{cell.owner} ") if cell.owner else cell.name
        grouped.setdefault((cell.owner, cell.zone), []).append(short)
    rows = [(here.player(owner), phrase(zone), phrase(", ".join(names))) for (owner, zone), names in grouped.items()]
    zones = {cell.name: cell.zone for cell in sorted(cells, key=lambda cell: cell.zone) if cell.zone}
    words = _told((_("Whose"), _("Zone"), _("Cells")), rows)
    return Drawn(name, picture, phrase(picture.title), _keys(here, [], zones), None, _("The figure in words"), words)


# -- states to step through


def _steps(here: Here, given: Document, name: str) -> Block:
    """Return several states of a page in the order of time, of many the last; one board is one drawing."""
    pages: list[Any] = [page for page in given.get("pages") or () if isinstance(page, dict)][-MOST_STEPS:]
    states = [list(page.get("blocks") or ()) for page in pages]
    boards = [next(iter(blocks), None) for blocks in states]
    board = _merged(here, boards, name) if boards else None
    steps = []
    for number, (page, blocks) in enumerate(zip(pages, states, strict=True)):
        shown = [_in_step(here, each, f"{name}-{number}-{place}") for place, each in enumerate(blocks[bool(board) :])]
        moved = _moved(here, boards[number - 1], boards[number]) if number else ()
        steps.append(State(phrase(str(page.get("title") or number + 1)), moved, tuple(shown)))
    return Steps(name, _caption(given), board, tuple(steps))


def _in_step(here: Here, given: Any, name: str) -> Block:
    """Return a block of a step, which holds no steps of its own."""
    found = block_of(here, given, name)
    return found if not isinstance(found, Steps) else Flaw(_cannot("frames"), escape(_("Steps hold no other steps.")))


def _merged(here: Here, boards: Sequence[Any], name: str) -> Drawn | None:
    """Return the one drawing of a board in all its states, None where they are not states of one board."""
    if not all(is_board(each) for each in boards):
        return None
    pictures = [picture_of(here, each) for each in boards]
    if not all(pictures):
        return None
    whole, last = over_time([each for each in pictures if each]), _board(here, boards[-1], name)
    if whole is None or not isinstance(last, Drawn):
        return None
    return Drawn(name, whole, last.caption, last.keys, last.where, last.fold, last.areas)


def is_board(given: Any) -> bool:
    """Say whether a block is a board without a flaw."""
    return isinstance(given, dict) and given.get("block") == "board" and not flaw_of(given)


def _moved(here: Here, before: Any, after: Any) -> tuple[Html, ...]:
    """Return what moved on a board from one state to the next."""
    if not (is_board(before) and is_board(after)) or is_figure(before) or is_figure(after):
        return ()
    old, new = board_of(here, before), board_of(here, after)
    return told(moves(_standing(old), _standing(new)))


def _standing(board: Board) -> list[tuple[str, tuple[str, str]]]:
    return [(spoken_place(board, piece.at), (piece.name, piece.owner)) for piece in board.pieces]


KINDS: dict[str, Callable[[Here, Document, str], Block]] = {
    "paragraph": _paragraph,
    HEADING: _heading,
    "table": _table,
    "board": _board,
    "chart": _chart,
    "history": _history,
    "frames": _steps,
    "log": _log,
}
