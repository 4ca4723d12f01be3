"""The page of chance: what was drawn, for what, from what, and how anybody can check it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from folkmoot.core.documents import Document
from folkmoot.core.keys import GAME
from folkmoot.core.records import Entry
from folkmoot.site.page_data import Link, PageData
from folkmoot.site.page_model import Sheet
from folkmoot.site.pages.history import label
from folkmoot.site.pagination import Parts
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, el, sentence
from folkmoot.wording.page_links import Here
from folkmoot.wording.translation import _

PARTS = Parts(200)
PATH = "chance/index.md"
Draws = Sequence[tuple[Entry, Document]]


class Chance(PageData, frozen=True, kw_only=True, tag="chance"):
    """What was drawn, the newest first (day, result, for what, from what), and its proof."""

    lead: str = ""
    facts: tuple[tuple[str, Html], ...] = ()
    opened: tuple[Html, ...] = ()
    lost: tuple[Html, ...] = ()
    draws: tuple[tuple[Html, Html, Html, Html], ...] = ()
    older: tuple[Link, ...] = ()


def chance_pages(view: GameView) -> Iterator[Sheet]:
    """Return every draw of chance, the newest first, two hundred to a page and more on the newest."""
    yield Sheet(PATH, _chance)
    for number in PARTS.older(view.index(draws)["all"]):
        yield Sheet(f"chance/{number + 1:04}.md", partial(_older, number))


def draws(view: GameView) -> Mapping[str, Draws]:
    """Return every draw with its entry, oldest first, as `all`."""
    return {"all": [(entry, draw) for entry in view.entries for draw in entry.get("draws") or ()]}


def _chance(view: GameView) -> Chance:
    here, drawn, chance = Here(view, PATH), view.index(draws)["all"], view.kept(GAME).get("chance", {})
    secret = chance.get("commitment")
    proof = _("Every draw follows from a secret whose hash was published before it was used; when the secret is "
              "opened, anybody can check every roll.")  # fmt: skip
    no_proof = _("This game keeps no secret for its dice: whoever reads the journal could foresee them.")
    facts = ((_("Epoch"), here.value(chance.get("epoch"))), (_("Hash of its secret"), el("code", secret)))
    return Chance(
        path=PATH,
        title=_("Chance"),
        part="history",
        summary=_("Every draw of {game}, and how to check it", game=view.title),
        lead=(proof if secret else no_proof) if drawn else _("No dice have been rolled."),
        facts=facts if secret else (),
        opened=tuple(el("code", here.value(each)) for each in chance.get("opened") or ()),
        lost=tuple(sentence("Chance epoch {number} ended without its secret: {why}",
                            number=here.value(each.get("epoch")), why=str(each.get("why")))
                   for each in chance.get("lost") or ()),
        draws=_rows(here, PARTS.newest(drawn)),
        older=tuple(Link(_title(number), here.url(f"chance/{number + 1:04}.md"))
                    for number in PARTS.older(drawn)[::-1]),
    )  # fmt: skip


def _older(number: int, view: GameView) -> Chance:
    here = Here(view, f"chance/{number + 1:04}.md")
    rows, newest = _rows(here, PARTS.of(view.index(draws)["all"], number)), Link(_("The newest draws"), here.url(PATH))
    return Chance(path=here.path, title=_title(number), part="history", at=PATH, draws=rows, older=(newest,))


def _title(number: int) -> str:
    first, last = PARTS.span(number)
    return _("Draws {first} – {last}", first=first, last=last)


def _rows(here: Here, found: Draws) -> tuple[tuple[Html, Html, Html, Html], ...]:
    return tuple((here.entry(entry.get("seq"), here.day(entry.get("at"))), here.value(draw.get("result")), label(draw),
                  here.value(draw.get("spec"))) for entry, draw in reversed(found))  # fmt: skip
