"""The page of chance: what was drawn, for what, from what, and how anybody can check it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import Struct

from folkmoot.core.documents import Document
from folkmoot.core.keys import GAME
from folkmoot.core.records import Entry
from folkmoot.site.page_data import Link, PageData
from folkmoot.site.page_model import Sheet
from folkmoot.site.pages.events import label
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import growing, in_parts, indexed
from folkmoot.wording.markup import Html, el, sentence
from folkmoot.wording.page_links import Here
from folkmoot.wording.translation import _

DRAWS_PER_PAGE = 200
PATH = "chance/index.md"


class Draw(Struct, frozen=True):
    """A draw: on which day, for what, from what, and what it was."""

    day: Html
    label: Html
    spec: Html
    result: Html


class Chance(PageData, frozen=True, kw_only=True, tag="chance"):
    """What was drawn, the newest first, and its proof."""

    lead: str
    facts: tuple[tuple[str, Html], ...]
    opened: tuple[Html, ...]
    lost: tuple[Html, ...]
    draws: tuple[Draw, ...]
    older: tuple[Link, ...]


def chance_pages(view: GameView) -> Iterator[Sheet]:
    """Return every draw of chance, the newest first, two hundred to a page."""
    yield Sheet(PATH, _chance)
    for number in [*view.index(draw_parts)][:-1]:
        yield Sheet(_path(number), partial(_older, number))


@growing
def draws(_view: GameView, entries: Sequence[Entry]) -> dict[str, list[tuple[Entry, Document]]]:
    """Return every draw with its entry, oldest first, as `all`."""
    return {"all": [(entry, draw) for entry in entries for draw in entry.get("draws") or ()]}


@indexed
def draw_parts(view: GameView) -> dict[int, Sequence[tuple[Entry, Document]]]:
    """Return the draws by the number of their page from 0."""
    return in_parts(view.index(draws)["all"], DRAWS_PER_PAGE)


def _chance(view: GameView) -> Chance:
    here, parts = Here(view, PATH), view.index(draw_parts)
    chance: Document = view.kept(GAME).get("chance", {})
    proof = (
        _("Every draw follows from a secret whose hash was published before it was used; when the secret is opened, "
          "anybody can check every roll.")
        if chance.get("commitment")
        else _("This game keeps no secret for its dice: whoever reads the journal could foresee them.")
    )  # fmt: skip
    lost = (
        sentence("Chance epoch {number} ended without its secret: {why}",
                 number=here.value(each.get("epoch")), why=str(each.get("why")))
        for each in chance.get("lost") or ()
    )  # fmt: skip
    facts = (
        (_("Epoch"), here.value(chance.get("epoch"))),
        (_("Hash of its secret"), el("code", chance.get("commitment"))),
    )
    return Chance(
        path=PATH,
        title=_("Chance"),
        part="history",
        summary=_("Every draw of {game}, and how to check it", game=view.title),
        lead=proof if parts else _("No dice have been rolled."),
        facts=facts if chance.get("commitment") else (),
        opened=tuple(el("code", here.value(each)) for each in chance.get("opened") or ()),
        lost=tuple(lost),
        draws=tuple(_draws(here, parts[max(parts)])) if parts else (),
        older=tuple(Link(_title(number), here.url(_path(number))) for number in sorted(parts)[:-1][::-1]),
    )


def _older(number: int, view: GameView) -> Chance:
    here = Here(view, _path(number))
    drawn = tuple(_draws(here, view.index(draw_parts)[number]))
    newest = (Link(_("The newest draws"), here.url(PATH)),)
    return Chance(path=here.path, title=_title(number), part="history", at=PATH, lead="", facts=(), opened=(), lost=(),
                  draws=drawn, older=newest)  # fmt: skip


def _title(number: int) -> str:
    first, last = number * DRAWS_PER_PAGE + 1, (number + 1) * DRAWS_PER_PAGE
    return _("Draws {first} – {last}", first=first, last=last)


def _path(number: int) -> str:
    return f"chance/{number + 1:04}.md"


def _draws(here: Here, found: Sequence[tuple[Entry, Document]]) -> Iterator[Draw]:
    for entry, draw in reversed(found):
        day = here.entry(entry.get("seq"), here.day(entry.get("at")))
        yield Draw(day, label(draw), here.value(draw.get("spec")), here.value(draw.get("result")))
