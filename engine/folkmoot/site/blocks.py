"""What a rule's own page shows: heading, paragraph, table, board, chart, history, log and frames."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast

from folkmoot.core.declared_kinds import has_currency
from folkmoot.core.documents import Document
from folkmoot.core.rule_blocks import RegisterSpec
from folkmoot.site.block_shapes import MOST_BLOCKS, flaw_of
from folkmoot.site.board import board
from folkmoot.site.chart import Chart, chart
from folkmoot.site.embedded import embed_path, embedding, framed, framed_page
from folkmoot.site.page_model import Page, Section, Sheet, note
from folkmoot.site.pen import bit
from folkmoot.site.polygon_boards import figure, is_figure
from folkmoot.site.standing import begins, opened
from folkmoot.wording.game_view import GameView, ShownPage
from folkmoot.wording.indices import account
from folkmoot.wording.indices import balances as of_ledger
from folkmoot.wording.markup import UNSOUGHT, Html, counted, el, items, join, sentence, strip, table
from folkmoot.wording.page_links import Here, board_path, titled
from folkmoot.wording.prose import phrase, prose
from folkmoot.wording.translation import _, term

_NUMBER = re.compile(r"-?\d{1,18}(?:\.\d{1,9})?", re.ASCII)
MOST_ROWS, MOST_TABS, MOST_FRAMES = 2000, 3, 60


def shown_pages(view: GameView) -> Iterator[Sheet]:
    """Return the pages that rules show, and their index where there are many."""
    if len(view.shown) > MOST_TABS:
        yield Sheet("boards/index.md", _index)
    for number, shown in enumerate(view.shown):
        yield Sheet(board_path(shown.name), partial(_page, number))


def _index(view: GameView) -> Page:
    page = Page("boards/index.md", _("Boards"), summary=_("What the rules of {game} show", game=view.title))
    here = Here(view, page.path)
    rows = [[here.link(phrase(page_title(each)), board_path(each.name)), here.rule(each.rule),
             phrase(str(view.rule(each.rule).get("title") or ""))] for each in view.shown]  # fmt: skip
    page.add(table([_("Page"), _("Shown by"), _("Which is about")], rows))
    return page


def page_title(shown: ShownPage) -> str:
    """Return what a page calls itself in its first block, else its name."""
    return (_heading(shown.blocks[0]) if shown.blocks else "") or shown.title or titled(shown.name)


def _page(place: int, view: GameView) -> Page:
    shown = view.shown[place]
    path = board_path(shown.name)
    blocks = list(shown.blocks)[1 if shown.blocks and _heading(shown.blocks[0]) else 0 :]
    tab = "boards/index.md" if len(view.shown) > MOST_TABS else path
    page = Page(path, page_title(shown), tab=tab, searchable=True)
    here = Here(view, path)
    page.add(_siblings(here) if len(view.shown) > MOST_TABS else "",
             note(phrase(shown.failure), "bad", _("The rule could not show this page.")) if shown.failure else "",
             el("p", sentence("Shown by {rule}", rule=here.rule(shown.rule)), class_="fm-more"))  # fmt: skip
    if len(blocks) > MOST_BLOCKS:
        many = _("It has {count} blocks; the first {most} are shown.", count=len(blocks), most=MOST_BLOCKS)
        page.add(note(many, "bad", _("This page is too long.")))
    for number, each in enumerate(blocks[:MOST_BLOCKS]):
        if _heading(each):
            level = each.get("level")
            page.sections.append(Section([], _heading(each), f"part-{number}", _level(level)))
        else:
            page.sections[-1].parts.append(block(here, each, f"b{number}"))
    page.add(embedding(here, shown, page_title(shown)), heading="")
    return page


def embedded_files(view: GameView) -> dict[str, str]:
    """Return the pages for frames on other sites of those boards that rules show, by their paths."""
    return {embed_path(shown): _embedded(view, shown) for shown in view.shown if framed(shown)}


def _embedded(view: GameView, shown: ShownPage) -> str:
    here = Here(view, board_path(shown.name))
    drawn = join(block(here, each, f"b{place}") for place, each in framed(shown))
    return framed_page(view, shown, page_title(shown), drawn)


def _heading(given: Any) -> str:
    """Return the words of a heading block, empty for any other block."""
    is_heading = isinstance(given, dict) and given.get("block") == "heading"
    return " ".join(str(given.get("text") or "").split()) if is_heading else ""


def _level(given: object) -> int:
    return min(max(given, 2), 4) if isinstance(given, int) else 2


def _siblings(here: Here) -> Html:
    """Return links to the other pages that rules show."""
    links = [
        el("li", here.link(phrase(each.title), path, aria_current="page" if path == here.path else None))
        for each in here.view.shown
        for path in [board_path(each.name)]
    ]
    return el("nav", el("ul", join(links)), class_="fm-nav fm-nav--second", aria_label=_("Boards"), **UNSOUGHT)


def block(here: Here, given: Any, name: str, before: Any = None) -> Html:
    """Return one block as HTML; one of an unknown kind is shown as what it is.

    `before` is the same block of an earlier state, if there is one: what moved on a board since then is marked.
    """
    known: dict[Any, Callable[[], Html]] = {
        "paragraph": lambda: prose(str(given.get("text") or ""), name),
        "heading": lambda: el("h3", phrase(_heading(given))),
        "table": lambda: _table(here, given),
        "board": lambda: figure(here, given, name) if is_figure(given) else board(here, given, name, _board_of(before)),
        "chart": lambda: _chart(given, name),
        "history": lambda: _history(here, given, name),
        "frames": lambda: _frames(here, given, name),
        "log": lambda: _log(here, given),
    }
    kind = given.get("block") if isinstance(given, dict) else None
    if isinstance(kind, str) and kind in known:
        flaw = flaw_of(given)
        return (
            known[kind]()
            if not flaw
            else note(phrase(f"{flaw}."), "bad", _("This {kind} cannot be shown.", kind=term(kind)))
        )
    return prose(given, name) if isinstance(given, str) else el("pre", str(given), class_="fm-plain")


def _log(here: Here, given: Document) -> Html:
    lines = [here.value(line) for line in (given.get("lines") or ())[:MOST_ROWS]]
    title = el("p", el("strong", phrase(str(given["caption"])))) if given.get("caption") else ""
    return join([title, items(lines, class_="fm-log"), _left_out(given.get("lines"))])


def _left_out(given: list[Any] | None) -> Html:
    """Say how much of a long list is not shown."""
    left = len(given or ()) - MOST_ROWS
    return (
        el("p", counted(left, "{count} more is not shown.", "{count} more are not shown."), class_="fm-more")
        if left > 0
        else Html("")
    )


def _table(here: Here, given: Document) -> Html:
    columns = [phrase(str(column)) for column in given.get("columns") or ()]
    rows = [_cells(here, row) for row in (given.get("rows") or ())[:MOST_ROWS]]
    body = list(given.get("rows") or ())
    kinds = [_numeric(body, n) for n in range(len(columns))]
    caption = phrase(str(given["caption"])) if given.get("caption") else Html("")
    numbers = sum(1 << n for n, numeric in enumerate(kinds) if numeric)
    if not rows:
        return _empty(columns, caption)
    return join([table(columns, rows, caption, numbers, plain=frozenset()), _left_out(body)])


def _empty(columns: list[Html], caption: Html) -> Html:
    """Return what is said in place of a table that has no rows: what would stand there."""
    what = caption or join([column for column in columns if strip(column)], ", ")
    return el("p", what, " ", el("span", _("Nothing yet."), class_="fm-none")) if what else Html("")


def _cells(here: Here, row: Any) -> list[Html]:
    cells = row if isinstance(row, list) else [row]
    return [Html("") if cell is None or cell == "" else here.value(cell) for cell in cells]


def _numeric(rows: list[Any], column: int) -> bool:
    cells = [row[column] for row in rows if isinstance(row, list) and column < len(row) and row[column] is not None]
    return bool(cells) and all(_is_number(cell) for cell in cells)


def _is_number(cell: object) -> bool:
    """Whether a cell holds a number, as such or in digits: 12 or "7.50"."""
    if isinstance(cell, str):
        return bool(_NUMBER.fullmatch(cell))
    return isinstance(cell, int) and not isinstance(cell, bool)


def _chart(given: Document, name: str) -> Html:
    return _drawn(chart(series_of(given), str(given.get("caption") or _("Chart")), name, steps=False))


def _drawn(made: Chart | None) -> Html:
    if made is None:
        return el("p", _("No data yet."), class_="fm-none")
    return join([bit("chart", made), bit("chart_table", made)])


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


def _history(here: Here, given: Document, name: str) -> Html:
    """Return how a currency of an owner went, from its ledger."""
    owner, currency = str(given.get("owner") or ""), str(given.get("register") or "")
    points = balances(here, owner, currency)
    if points is None:
        return el("p", phrase(_("There is no history to draw: “{owner}” is nobody and nothing that has {currency}.",
                                owner=owner, currency=currency)))  # fmt: skip
    caption = str(given.get("caption") or titled(currency))
    grown = _drawn(chart({titled(currency): points}, caption, name, when=here.moment))
    return join([el("p", el("strong", phrase(caption))), grown])


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


def _frames(here: Here, given: Document, name: str) -> Html:
    """Return several states of a page in the order of time, of which a reader steps from one to the next by links.

    One state shows at a time, the last one at first; the style sheet hides the others, so that no script is needed.
    """
    pages: list[Any] = [page for page in given.get("pages") or () if isinstance(page, dict)][-MOST_FRAMES:]
    caption = str(given.get("caption") or _("Earlier positions"))
    shown = [_frame(here, pages, number, name) for number in range(len(pages))]
    title = el("p", el("strong", phrase(caption))) if given.get("caption") else ""
    return el("div", title, *shown, class_="fm-frames", role="group", aria_label=caption)


def _frame(here: Here, pages: list[Document], number: int, name: str) -> Html:
    """Return one state with its links to its neighbours."""
    last = len(pages) - 1
    title = phrase(str(pages[number].get("title") or number + 1))
    ways = {_("First"): 0, _("Earlier"): number - 1, _("Later"): number + 1, _("Last"): last}
    steps = [
        _step(words, f"#{name}-frame-{to}" if 0 <= to <= last and to != number else None) for words, to in ways.items()
    ]
    said = el(
        "p",
        el("strong", title),
        f" ({_('{rank} of {count}', rank=number + 1, count=last + 1)})",
        id=f"{name}-name-{number}",
    )
    steps_below = el("nav", *steps, class_="fm-steps", aria_label=_("From {title} to others", title=strip(title)))
    return el(
        "section",
        said,
        *_blocks_of(here, pages, number, name),
        steps_below,
        id=f"{name}-frame-{number}",
        class_="fm-frame fm-frame--last" if number == last else "fm-frame",
        role="group",
        aria_labelledby=f"{name}-name-{number}",
    )


def _blocks_of(here: Here, pages: list[Document], number: int, name: str) -> Iterator[Html]:
    """Yield the blocks of one state, each held against the one in its place of the state before."""
    earlier = list(pages[number - 1].get("blocks") or ()) if number else []
    for place, each in enumerate(pages[number].get("blocks") or ()):
        yield block(here, each, f"{name}-{number}-{place}", earlier[place] if place < len(earlier) else None)


def _board_of(given: Any) -> Document | None:
    """Return a block that is a board which can be drawn, else None."""
    fits = isinstance(given, dict) and given.get("block") == "board" and not is_figure(given) and not flaw_of(given)
    return given if fits else None


def _step(words: str, target: str | None) -> Html:
    """Return a link to another state; where there is none in that direction, only its words."""
    return el("a", words, href=target) if target else el("span", words, aria_disabled="true", role="link")
