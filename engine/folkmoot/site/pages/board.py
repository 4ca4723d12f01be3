"""The pages that rules show, their index, and the boards of each alone for frames on other sites."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from folkmoot.site.block_shapes import MOST_BLOCKS
from folkmoot.site.blocks import Block, Drawn, Steps, block_of, heading_of, page_title
from folkmoot.site.chrome import MOST_BOARDS
from folkmoot.site.page_data import Link, PageData
from folkmoot.site.page_model import Sheet
from folkmoot.site.pen import drawn
from folkmoot.wording.game_view import GameView, ShownPage
from folkmoot.wording.markup import Html
from folkmoot.wording.page_links import Here, board_path, file_name
from folkmoot.wording.prose import phrase

INDEX = "boards/index.md"
POLICY = (
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"
)


class Board(PageData, frozen=True, kw_only=True, tag="board"):
    """A page that a rule shows: under each heading ("" for that of the page), with its anchor and level, what it says.

    `failure` is why the rule could not show it, `too_many` how many blocks it has where some are left out. Its
    boards stand alone at `embed` ("" where there is none), for frames on other sites at `frame`.
    """

    rule: Html
    parts: tuple[tuple[str, str, int, tuple[Block, ...]], ...]
    failure: str
    too_many: int
    embed: str
    frame: str


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
    return Boards(path=INDEX, title="Boards", part="now", summary=about, shown=tuple(shown))


def _page(place: int, view: GameView) -> Board:
    shown = view.shown[place]
    here, parts, alone = Here(view, board_path(shown.name)), tuple(_parts(view, shown)), _embed_path(shown)
    embed = here.beside(alone) if any(isinstance(each, Drawn | Steps) for part in parts for each in part[3]) else ""
    return Board(
        path=here.path,
        title=page_title(shown),
        part="now",
        at=INDEX if len(view.shown) > MOST_BOARDS else "",
        searchable=True,
        rule=here.rule(shown.rule),
        parts=parts,
        failure=shown.failure,
        too_many=len(shown.blocks) if len(shown.blocks) > MOST_BLOCKS else 0,
        embed=embed,
        frame=view.site_address(alone) if view.address else embed,
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


# -- frames on other sites


def _embed_path(shown: ShownPage) -> str:
    return f"embed/{file_name(shown.name)}.html"


def embedded_files(view: GameView) -> dict[str, str]:
    """Return the pages for frames on other sites of those boards that rules show, by their paths."""
    files: dict[str, str] = {}
    for number, shown in enumerate(view.shown):
        page = _page(number, view)
        framed = [each for part in page.parts for each in part[3] if isinstance(each, Drawn | Steps)]
        whole = Html(f"../boards/{file_name(shown.name)}.html")
        if framed:
            given = {"page": page, "game": view.title, "framed": framed, "policy": Html(POLICY), "whole": whole}
            files[_embed_path(shown)] = drawn("embed.html", **given)
    return files
