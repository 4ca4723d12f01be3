"""The page of chance: what was drawn, for what, from what, and how anybody can check it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import cast

from folkmoot.core.documents import Document
from folkmoot.core.keys import GAME
from folkmoot.core.problems import ProblemError
from folkmoot.core.records import DrawSpec, Entry
from folkmoot.kernel.chance import read_specification
from folkmoot.site.page_data import Link, PageData, Parts
from folkmoot.site.page_model import Sheet
from folkmoot.site.pages.history import label
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, escape
from folkmoot.wording.page_links import Here

PARTS = Parts(200)
PATH, OLDER = "chance/index.md", "chance/{:04}.md"
Row = tuple[Html, Html, Html, Html]


class Chance(PageData, frozen=True, kw_only=True, tag="chance"):
    """What was drawn, the newest first (day, result, for what, from what), and its proof.

    That is the hash of a secret, which was published, in an epoch of chance; secrets that were `opened`, and epochs
    that were `lost` with their secrets, and why.
    """

    secret: str = ""
    epoch: Html = Html("")
    opened: tuple[Html, ...] = ()
    lost: tuple[tuple[Html, str], ...] = ()
    draws: tuple[Row, ...] = ()
    older: tuple[Link, ...] = ()


def chance_pages(view: GameView) -> Iterator[Sheet]:
    """Return every draw of chance, the newest first, two hundred to a page and more on the newest."""
    yield Sheet(PATH, _chance)
    for number in PARTS.older(_draws(view)):
        yield Sheet(OLDER.format(number + 1), partial(_older, number))


def _draws(view: GameView) -> list[tuple[Entry, Document]]:
    return [(entry, draw) for entry in view.entries for draw in entry.get("draws") or ()]


def _chance(view: GameView) -> Chance:
    here, draws, chance = Here(view, PATH), _draws(view), view.kept(GAME).get("chance", {})
    return Chance(
        path=PATH,
        title="Chance",
        summary=f"Every draw of {view.title}, and how to check it",
        secret=str(chance.get("commitment") or ""),
        epoch=here.value(chance.get("epoch")),
        opened=tuple(here.value(each) for each in chance.get("opened") or ()),
        lost=tuple((here.value(each.get("epoch")), str(each.get("why"))) for each in chance.get("lost") or ()),
        draws=_rows(here, PARTS.newest(draws)),
        older=PARTS.links(here, OLDER, "Draws", draws),
    )


def _older(number: int, view: GameView) -> Chance:
    here, title = Here(view, OLDER.format(number + 1)), PARTS.title("Draws", number)
    rows, newest = _rows(here, PARTS.of(_draws(view), number)), Link("The newest draws", here.url(PATH))
    return Chance(path=here.path, title=title, at=PATH, draws=rows, older=(newest,))


def _rows(here: Here, found: Sequence[tuple[Entry, Document]]) -> tuple[Row, ...]:
    return tuple((here.entry(entry.get("seq"), here.day(entry.get("at"))), here.value(draw.get("result")), label(draw),
                  _drawn_from(here, cast(DrawSpec, draw.get("spec") or {})))
                 for entry, draw in reversed(found))  # fmt: skip


def _drawn_from(here: Here, spec: DrawSpec) -> Html:
    """Return what was drawn, as "a number from 1 to 6"."""
    try:
        return escape(str(read_specification(spec)))
    except ProblemError:
        return here.value(spec)
