"""The blocks of a page that a rule shows, as data: words, tables, boards, charts, logs, and states to step through.

A malformed or too large block becomes a sentence on the page and never a page that cannot be built.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, cast

from msgspec import Struct
from msgspec.structs import replace

from folkmoot.core.declared_kinds import has_currency
from folkmoot.core.documents import Document
from folkmoot.core.rule_blocks import RegisterSpec
from folkmoot.site.block_shapes import MOST_BLOCKS, flaw_of, series_of
from folkmoot.site.board import (
    NOBODY,
    WRAPS,
    Board,
    Picture,
    board_of,
    cells_of,
    is_figure,
    neighbours,
    over_time,
    picture_of,
    small_picture,
    spoken_place,
    zone_kinds,
)
from folkmoot.site.chart import Chart, chart
from folkmoot.site.page_data import colours
from folkmoot.site.pen import bit
from folkmoot.site.standing import amounts_over_time, begins
from folkmoot.wording.game_view import GameView, ShownPage, lists_by_key, natural
from folkmoot.wording.markup import Html, el, escape, join, sentence, strip
from folkmoot.wording.page_links import Here, humane, titled
from folkmoot.wording.prose import phrase, prose

# -- blocks as data

_NUMBER = re.compile(r"-?\d{1,18}(?:\.\d{1,9})?", re.ASCII)
_SQUARE = re.compile(r"([a-z]+)(\d+)")
MOST_ROWS, MOST_STEPS = 2000, 41
MOST_MOVES = 12
"""Of how many pieces that came and went a step tells; where more did, it was no move that could be told."""
TRIED = 12
"""Among how many boards one is chosen that is drawn small."""


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


class Flaw(Tagged, frozen=True, tag="flaw"):
    """What is said in place of a block of a kind that cannot be drawn."""

    of: str
    why: str


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
    title: Html
    more: int


class Drawn(Tagged, frozen=True, tag="drawn"):
    """A board: its drawing, what stands below it with its colours, and the same in words, the second table folded."""

    name: str
    picture: Picture | None
    caption: Html
    keys: tuple[tuple[str, Html], ...]
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


Block = Written | Charted | Flaw | Table | Log | Drawn | Steps


def block_of(here: Here, given: Any, name: str) -> Block:
    """Return one block; one of an unknown kind is shown as what it is, a flawed one says so."""
    given = {"block": "paragraph", "text": given} if isinstance(given, str) else given
    if flaw := flaw_of(given):
        return Flaw(given["block"], f"{flaw}.")
    match kind_of(given):
        case "paragraph":
            return Written(prose(str(given.get("text") or ""), name))
        case "heading":
            return Written(el("h3", phrase(heading_of(given))))
        case "table":
            return _table(here, given)
        case "log":
            lines = given.get("lines") or ()
            return Log(tuple(map(here.value, lines[:MOST_ROWS])), _caption(given), max(0, len(lines) - MOST_ROWS))
        case "chart":
            return Charted(chart(series_of(given), str(given.get("caption") or "Chart"), name, steps=False))
        case "history":
            return _history(here, given, name)
        case "board":
            return _figure(here, given, name) if is_figure(given) else _board(here, given, name)
        case "frames":
            return _steps(here, given, name)
    return Written(el("pre", str(given), class_="code", tabindex="0"))


def kind_of(given: Any) -> object:
    """Return of which kind a block says that it is, None for what is no block."""
    return given.get("block") if isinstance(given, dict) else None


def heading_of(given: Any) -> str:
    """Return the words of a heading block, empty for any other block."""
    return " ".join(str(given.get("text") or "").split()) if kind_of(given) == "heading" else ""


def is_board(given: Any) -> bool:
    """Say whether a block is a board without a flaw."""
    return kind_of(given) == "board" and not flaw_of(given)


def page_title(shown: ShownPage) -> str:
    """Return what a page calls itself in its first block, else its name."""
    return (heading_of(shown.blocks[0]) if shown.blocks else "") or shown.title or titled(shown.name)


def _caption(given: Document) -> Html:
    return phrase(str(given["caption"])) if given.get("caption") else Html("")


# -- words, tables, charts


def _table(here: Here, given: Document) -> Block:
    """Return a table; cells beyond the columns are dropped, missing ones are empty."""
    columns = tuple(phrase(str(column)) for column in given.get("columns") or ())
    body = [[*(row if isinstance(row, list) else [row]), *[None] * len(columns)][: len(columns)]
            for row in given.get("rows") or ()]  # fmt: skip
    rows = (tuple(Html("") if cell in (None, "") else here.value(cell) for cell in row) for row in body[:MOST_ROWS])
    known = ([cell for cell in column if cell is not None] for column in zip(*body, strict=True))
    numbers = tuple(bool(cells) and all(map(_is_number, cells)) for cells in known)
    return Table(columns, tuple(rows), _caption(given), numbers, max(0, len(body) - MOST_ROWS))


def _is_number(cell: object) -> bool:
    """Say whether a cell holds a number, as such or in digits: 12 or "7.50"."""
    return bool(_NUMBER.fullmatch(cell)) if isinstance(cell, str) else type(cell) is int


def _history(here: Here, given: Document, name: str) -> Block:
    """Return how a currency of an owner went, from its ledger."""
    owner, currency = str(given.get("owner") or ""), str(given.get("register") or "")
    points = balances(here, owner, currency)
    if points is None:
        why = f"There is no history to draw: “{owner}” is nobody and nothing that has {currency}."  # fmt: skip
        return Written(el("p", phrase(why)))
    caption = str(given.get("caption") or titled(currency))
    return Charted(chart({titled(currency): points}, caption, name, when=here.moment), phrase(caption))


def balances(here: Here, owner: str, currency: str) -> list[tuple[int, int]] | None:
    """Return what an owner had of a currency at which times (Unix seconds), None where there is no such thing."""
    points = amounts_over_time(here, owner, currency)
    if not points:
        if not _has(here.view, owner, currency):
            return None
        kept = (document.get(owner) for key, document in here.view.documents.items() if key.startswith("things/"))
        usual = here.view.declared("defines.currencies")[currency][1].get("initial") or 0
        amount = next((each[currency] for each in kept if isinstance(each, dict) and currency in each), usual)
        points = [(begins(here, owner, currency), amount if isinstance(amount, int) else 0)]
    return points


def _has(view: GameView, owner: str, currency: str) -> bool:
    """Say whether somebody or something of that id has a currency; the name of a kind is no id."""
    kind = "player" if owner in view.players else view.things.get(owner, ("", {}))[0]
    kind = kind or (owner.partition("/")[0] if owner == "game" or "/" in owner else "")
    declared = view.declared("defines.currencies").get(currency)
    spec = cast(RegisterSpec, declared[1]) if declared else None
    return bool(kind) and spec is not None and has_currency(view.declared_kinds(), kind, spec)


# -- boards


def _board(here: Here, given: Document, name: str) -> Block:
    """Return a board as a drawing and in words."""
    board, picture = board_of(here, given), picture_of(here, given)
    if picture is None and not board.is_map:
        return Flaw("board", "its columns and rows are missing or too many.")
    wrap, count = WRAPS.get(str(board.grid.get("wrap") or "")), len(board.grid)
    many = "" if picture else f"{count} areas are too many to draw."
    caption = join(filter(None, [_caption(given), wrap or "", many]), ". ")
    keys = _keys(here, [piece.owner for piece in board.pieces], board.zones.values())
    if board.is_map:
        fold, more = f"Who is where, in {count} areas", _areas(board)
    else:
        zones = lists_by_key((zone, square) for square, zone in board.zones.items())
        rows = [(phrase(zone), escape(", ".join(squares))) for zone, squares in zones.items()]
        fold, more = "Zones", _in_words(("Zone", "Squares"), rows)
    return Drawn(name, picture, caption, keys, _where(board), fold, more)


def _figure(here: Here, given: Document, name: str) -> Block:
    """Return a figure as a drawing, and which cells lie in which zone, apart for each owner."""
    cells, picture = cells_of(given), picture_of(here, given)
    if picture is None:
        return Flaw("board", "it has no size, or no cells or too many.")
    grouped = lists_by_key(((each.owner, each.zone), each.name.removeprefix(f"{each.owner} ")) for each in cells)
    rows = [(here.player(owner), phrase(zone), phrase(", ".join(names))) for (owner, zone), names in grouped.items()]
    keys = _keys(here, [], sorted(cell.zone for cell in cells if cell.zone))
    words = _in_words(("Whose", "Zone", "Cells"), rows)
    return Drawn(name, picture, phrase(picture.title), keys, None, "The figure in words", words)


def _keys(here: Here, owners: Iterable[str], zones: Iterable[str]) -> tuple[tuple[str, Html], ...]:
    """Return what the colours of a board mean."""
    numbers = colours(here.view)
    players = ((f"p{numbers.get(owner, NOBODY)}", here.player(owner)) for owner in dict.fromkeys(owners) if owner)
    return (*players, *((kind, phrase(zone)) for zone, kind in zone_kinds(zones).items()))


def _where(board: Board) -> Table | None:
    """Return who and what stands where; on a map also what is next to it."""
    rows = []
    for piece in sorted(board.pieces, key=lambda each: (natural(_SQUARE.sub(r"\1-\2", each.at)), each.name)):
        near = neighbours(board.grid.get(piece.at, {})) if board.is_map else ()
        who, owner = phrase(piece.name), board.here.player(piece.owner)
        if piece.name == board.here.view.name(piece.owner):
            who, owner = owner, Html("")
        beside = ", ".join(spoken_place(board, each) for each in near)
        rows.append((who, owner, *map(phrase, (spoken_place(board, piece.at), board.zones.get(piece.at, ""), beside))))
    columns = ("Who or what", "Whose", "Area" if board.is_map else "Square", "Zone", "Next to it")
    return _in_words(columns, rows)


def _areas(board: Board) -> Table | None:
    """Return the areas of a map in words."""
    rows = [(el("code", name), phrase(str(area.get("name") or "")),
             escape(humane(area.get("type") or area.get("terrain") or "")), phrase(board.zones.get(name, "")),
             escape(", ".join(neighbours(area)))) for name, area in board.grid.items()]  # fmt: skip
    return _in_words(("Area", "Name", "Kind", "Zone", "Borders on"), rows)


def _in_words(columns: Sequence[str], rows: Sequence[tuple[Html, ...]]) -> Table | None:
    """Return a table without the columns in which nothing stands, nothing for no rows."""
    keep = [n for n in range(len(columns)) if any(strip(row[n]) for row in rows)]
    shown = tuple(tuple(row[n] for n in keep) for row in rows)
    return Table(tuple(escape(columns[n]) for n in keep), shown) if keep else None


# -- states to step through


def _steps(here: Here, given: Document, name: str) -> Block:
    """Return several states of a page in the order of time, of many the last; one board is one drawing."""
    pages = [page for page in given.get("pages") or () if isinstance(page, dict)][-MOST_STEPS:]
    states = [page.get("blocks") or [] for page in pages]
    boards = [blocks[0] if blocks else None for blocks in states]
    board = _merged(here, boards, name)
    steps, nested = [], Flaw("frames", "Steps hold no other steps.")
    for number, (page, blocks) in enumerate(zip(pages, states, strict=True)):
        whole = tuple(nested if kind_of(each) == "frames" else block_of(here, each, f"{name}-{number}-{place}")
                      for place, each in enumerate(blocks[bool(board) :]))  # fmt: skip
        moved = tuple(_moved(here, boards[number - 1], boards[number])) if number else ()
        steps.append(State(phrase(str(page.get("title") or number + 1)), moved, whole))
    return Steps(name, _caption(given), board, tuple(steps))


def _merged(here: Here, boards: Sequence[Any], name: str) -> Drawn | None:
    """Return the one drawing of a board in all its states, None where they are not states of one board."""
    pictures = [picture for each in boards if is_board(each) and (picture := picture_of(here, each))]
    whole = over_time(pictures) if pictures and len(pictures) == len(boards) else None
    last = block_of(here, boards[-1], name) if whole else None
    return replace(last, picture=whole) if isinstance(last, Drawn) else None


def _moved(here: Here, before: Any, after: Any) -> Iterator[Html]:
    """Yield what moved on a board from one state to the next, a sentence for each piece."""
    if not (is_board(before) and is_board(after)) or is_figure(before) or is_figure(after):
        return
    old, new = ([(spoken_place(board, piece.at), (piece.name, piece.owner)) for piece in board.pieces]
                for board in (board_of(here, before), board_of(here, after)))  # fmt: skip
    for name, origin, target in moves(old, new):
        said = "{piece} went from {origin} to {square}." if origin else "{piece} came to {square}."
        said = said if target else "{piece} left {origin}."
        yield sentence(said, piece=phrase(name), origin=origin, square=target)


Standing = tuple[str, tuple[str, str]]
"""A place, and what a piece there is called and whose it is."""


def moves(before: Sequence[Standing], after: Sequence[Standing]) -> list[tuple[str, str, str]]:
    """Return which pieces moved between two states of a board, each from where to where ("" for nowhere).

    Where too many did, none is told.

    >>> moves([("a1", ("man", "ann")), ("b2", ("king", "zed"))], [("a2", ("man", "ann")), ("b2", ("king", "zed"))])
    [('man', 'a1', 'a2')]
    """
    gone, found = sorted((Counter(before) - Counter(after)).elements()), []
    for target, what in sorted((Counter(after) - Counter(before)).elements()):
        origin = next((place for place, other in gone if other == what), "")
        if origin:
            gone.remove((origin, what))
        found.append((what[0], origin, target))
    found += [(what[0], place, "") for place, what in gone]
    return found if len(found) <= MOST_MOVES else []


# -- boards drawn small, for cards and front pages


def small_board(here: Here) -> tuple[ShownPage, Html] | None:
    """Return the first board that rules show and that can be drawn small: its page, and the drawing."""
    for shown, block in best_boards(here.view):
        if picture := small_picture(here, block):
            return shown, bit("small_board", picture, "blocks.html")
    return None


def best_boards(view: GameView) -> list[tuple[ShownPage, Document]]:
    """Return the first boards that rules show, of the page that the law puts in front before all others.

    Of the others those on which something stands come first, figures last.
    """
    front = view.answers.get("front_page")
    first = [(shown, block) for shown in view.shown if shown.name == front for block in _last_boards(shown)]
    found = ((shown, block) for shown in view.shown if shown.name != front for block in _last_boards(shown))
    return first + sorted(islice(found, TRIED), key=lambda each: (is_figure(each[1]), not each[1].get("pieces")))


def _last_boards(shown: ShownPage) -> Iterator[Document]:
    """Yield the boards of a page; of a series of states those of the last one."""
    for block in list(shown.blocks)[:MOST_BLOCKS]:
        last = (block.get("pages") or [block])[-1:] if kind_of(block) == "frames" and not flaw_of(block) else ()
        states = [each.get("blocks") or () for each in last if isinstance(each, dict)]
        yield from filter(is_board, states[0] if states else [block])
