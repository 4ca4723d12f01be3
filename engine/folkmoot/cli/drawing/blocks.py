"""The pages that rules show, in the terminal: each kind of block as lines, tables and boards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from folkmoot.cli.drawing.printing import heading, indented, left_out, prose, table_of, words
from folkmoot.cli.outcomes import plain
from folkmoot.core.calendar import write_moment
from folkmoot.core.documents import Document
from folkmoot.wording.game_view import ShownPage
from folkmoot.wording.page_links import Here, titled

if TYPE_CHECKING:
    from rich.console import RenderableType

MOST_ROWS = 200
MOST_BLOCKS = 100


def drawn_page(here: Here, page: ShownPage, width: int) -> Iterator[RenderableType]:
    """Yield a page that a rule shows."""
    yield heading(f"{titled(page.name)} (shown by {plain(here.rule(page.rule))})")
    if page.failure:
        yield words(f"The rule could not show this page: {page.failure}", "red")
    for block in page.blocks[:MOST_BLOCKS]:
        yield ""
        yield from drawn_block(here, block, width)
    yield from left_out(len(page.blocks) - MOST_BLOCKS)


def drawn_block(here: Here, block: Any, width: int) -> Iterator[RenderableType]:
    """Yield one block; one of no known kind is shown as what it is."""
    from folkmoot.site.block_shapes import flaw_of

    flaw = flaw_of(block)
    if flaw:
        yield words(f"This {block['block']} cannot be shown: {flaw}.", "red")
        return
    kind = block.get("block") if isinstance(block, dict) else None
    match kind:
        case "paragraph":
            yield prose(str(block.get("text") or ""))
        case "heading":
            yield heading(" ".join(str(block.get("text") or "").split()))
        case "table":
            yield from _table(here, block)
        case "board":
            from folkmoot.cli.drawing.boards import drawn_board, drawn_figure
            from folkmoot.site.board import board_of, is_figure

            yield from drawn_figure(block) if is_figure(block) else drawn_board(board_of(here, block), width)
        case "chart":
            from folkmoot.site.block_shapes import series_of

            yield from drawn_chart(series_of(block), str(block.get("caption") or "Chart"))
        case "history":
            yield from _history(here, block)
        case "log":
            yield from _log(here, block)
        case "frames":
            yield from _frames(here, block, width)
        case _:
            yield prose(block) if isinstance(block, str) else words(block)


def _table(here: Here, block: Document) -> Iterator[RenderableType]:
    columns = [str(column) for column in block.get("columns") or ()]
    given = [row if isinstance(row, list) else [row] for row in block.get("rows") or ()]
    if not given:
        caption = str(block.get("caption") or ", ".join(filter(None, columns))).rstrip(".")
        yield words(f"{caption}: nothing yet.", "dim")
        return
    wide = max(len(columns), *(len(row) for row in given))
    even = [[*row, *[None] * (wide - len(row))] for row in given]
    down = [{type(cell) for cell in column if cell is not None} for column in zip(*even, strict=True)]
    numeric = [number for number, types in enumerate(down) if types == {int}]
    rows = [[_cell(here, cell) for cell in row] for row in even[:MOST_ROWS]]
    yield table_of([*columns, *[""] * (wide - len(columns))], rows, numeric, str(block.get("caption") or ""))
    yield from left_out(len(given) - MOST_ROWS)


def _cell(here: Here, value: Any) -> str:
    return "" if value is None else plain(here.value(value))


def _log(here: Here, block: Document) -> Iterator[RenderableType]:
    if block.get("caption"):
        yield heading(block["caption"])
    lines = list(block.get("lines") or ())
    for line in lines[:MOST_ROWS]:
        yield words(f"• {_cell(here, line)}")
    yield from left_out(len(lines) - MOST_ROWS)


def _history(here: Here, block: Document) -> Iterator[RenderableType]:
    from folkmoot.site.blocks import balances

    owner, name = str(block.get("owner") or ""), str(block.get("register") or "")
    points = balances(here, owner, name)
    if points is None:
        yield words(f"There is no history to show: “{owner}” is nobody and nothing that has {name}.", "yellow")
        return
    yield from drawn_chart({titled(name): points}, f"{block.get('caption') or titled(name)} (UTC)", moment)


# -- what was so over time, or over anything else

COLUMNS = 5
Point = tuple[int, int]


def drawn_chart(
    series: Mapping[str, Sequence[Point]], caption: str, named: Callable[[int], str] = str
) -> Iterator[RenderableType]:
    """Yield series of (x, y) points as a table of the first, some, and the last x; `named` writes one for people."""
    known = {name: [*points] for name, points in series.items() if points}
    xs = sorted({x for x, _ in chain.from_iterable(known.values())})
    if not xs:
        yield words(f"{caption}: nothing yet.", "dim")
        return
    shown = dict.fromkeys(xs[place * (len(xs) - 1) // (COLUMNS - 1)] for place in range(COLUMNS))
    highest = sorted(known, key=lambda name: -known[name][-1][1])
    # what each was at x, as it had become before or there; "" before it began
    rows = [[name, *(next((y for at, y in reversed(known[name]) if at <= x), "") for x in shown)] for name in highest]
    yield table_of(["", *map(named, shown)], rows, range(1, len(shown) + 1), caption)


def moment(at: int) -> str:
    """Return a time (Unix seconds) as it stands above a column, in UTC."""
    return write_moment(at).removesuffix(" UTC")


def day(at: int) -> str:
    """Return the day of a time (Unix seconds), in UTC as all that the terminal says."""
    return write_moment(at)[:10]


def _frames(here: Here, block: Mapping[str, Any], width: int) -> Iterator[RenderableType]:
    """Yield the last of several states; the others are on the site."""
    pages = [page for page in block.get("pages") or () if isinstance(page, dict)]
    if block.get("caption"):
        yield heading(block["caption"])
    for page in pages[-1:]:
        yield words(f"{page.get('title') or len(pages)} (the last of {len(pages)})")
        for each in page.get("blocks") or ():
            yield from (indented(part) for part in drawn_block(here, each, width - 2))
