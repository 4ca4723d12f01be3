"""Which board of a game is to be seen first, and the small drawing of it for cards and front pages."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from folkmoot.core.documents import Document
from folkmoot.site.block_shapes import MOST_BLOCKS, flaw_of
from folkmoot.site.blocks import is_board, picture_of
from folkmoot.site.board import board_of, cells_of, is_figure
from folkmoot.site.pen import bit
from folkmoot.site.picture import placed
from folkmoot.wording.game_view import GameView, ShownPage
from folkmoot.wording.markup import Html
from folkmoot.wording.page_links import Here

MOST = 1_024
"""Cells, areas or pieces of a board that is drawn small."""
TRIED = 12
"""How many boards are looked at for one that can be drawn small."""


def small_board(here: Here) -> tuple[str, Html] | None:
    """Return the first board that rules show and that can be drawn small: the name of its page, and the drawing."""
    tried = ((shown.name, small_drawing(here, block)) for shown, block in best_boards(here.view))
    return next((found for found in tried if found[1]), None)


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
            yield from (each for each in inner if is_board(each))


def small_drawing(here: Here, block: Document) -> Html:
    """Return a board drawn small; nothing for one that is too large or slim, or whose areas have no places."""
    picture = picture_of(here, block) if _is_light(here, block) else None
    return bit("small_board", picture, "blocks.html") if picture and not picture.is_slim else Html("")


def _is_light(here: Here, block: Document) -> bool:
    """Say whether a board is quickly drawn: to find places for areas takes too long for a small picture."""
    if is_figure(block):
        return len(cells_of(block)) <= MOST
    board = board_of(here, block)
    if board.is_map:
        return len(placed(board.grid)) == len(board.grid)
    return 0 < board.size[0] * board.size[1] <= MOST and len(board.pieces) <= MOST
