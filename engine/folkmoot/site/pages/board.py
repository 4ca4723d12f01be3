"""The pages that rules show, and their index."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from folkmoot.site.block_shapes import MOST_BLOCKS
from folkmoot.site.blocks import Block, block_of, heading_of, page_title
from folkmoot.site.chrome import MOST_BOARDS
from folkmoot.site.page_data import Link, PageData
from folkmoot.site.page_model import Sheet
from folkmoot.wording.game_view import GameView, ShownPage
from folkmoot.wording.markup import Html
from folkmoot.wording.page_links import Here, board_path
from folkmoot.wording.prose import phrase

INDEX = "boards/index.md"


class Board(PageData, frozen=True, kw_only=True, tag="board"):
    """A page that a rule shows: under each heading ("" for that of the page), with its anchor and level, what it says.

    `failure` is why the rule could not show it, `too_many` how many blocks it has where some are left out.
    """

    rule: Html
    parts: tuple[tuple[str, str, int, tuple[Block, ...]], ...]
    failure: str
    too_many: int


class Boards(PageData, frozen=True, kw_only=True, tag="boards"):
    """The index of the pages that rules show: each with its rule, and what that is about."""

    shown: tuple[tuple[Link, Html, Html], ...]


def shown_pages(view: GameView) -> Iterator[Sheet]:
    """Return the pages that rules show, and their index where there are many."""
    if len(view.shown) > MOST_BOARDS:
        yield Sheet(INDEX, _index)
    for number, shown in enumerate(view.shown):
        yield Sheet(board_path(shown.name), partial(_page, number))


def _index(view: GameView) -> Boards:
    here = Here(view, INDEX)
    shown = ((Link(page_title(each), here.url(board_path(each.name))), here.rule(each.rule),
              phrase(str(view.rule(each.rule).get("title") or ""))) for each in view.shown)  # fmt: skip
    about = f"What the rules of {view.title} show"
    return Boards(path=INDEX, title="Boards", summary=about, shown=tuple(shown))


def _page(place: int, view: GameView) -> Board:
    shown = view.shown[place]
    here = Here(view, board_path(shown.name))
    return Board(
        path=here.path,
        title=page_title(shown),
        at=INDEX if len(view.shown) > MOST_BOARDS else "",
        searchable=True,
        rule=here.rule(shown.rule),
        parts=tuple(_parts(view, shown)),
        failure=shown.failure,
        too_many=len(shown.blocks) if len(shown.blocks) > MOST_BLOCKS else 0,
    )


def _parts(view: GameView, shown: ShownPage) -> Iterator[tuple[str, str, int, tuple[Block, ...]]]:
    """Yield what a page shows by its headings; the first block may be its title."""
    here, blocks = Here(view, board_path(shown.name)), list(shown.blocks)[:MOST_BLOCKS]
    begin = 1 if blocks and heading_of(blocks[0]) else 0
    found: list[tuple[str, str, int, list[Block]]] = [("", "", 1, [])]
    for number, each in enumerate(blocks[begin:]):
        if heading := heading_of(each):
            wanted = each.get("level")
            level = min(max(wanted, 2) if type(wanted) is int else 2, found[-1][2] + 1, 4)
            found.append((heading, f"part-{number}", level, []))
        else:
            found[-1][3].append(block_of(here, each, f"b{number}"))
    yield from ((heading, anchor, level, tuple(some)) for heading, anchor, level, some in found if heading or some)
