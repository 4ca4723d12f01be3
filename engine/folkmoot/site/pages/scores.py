"""The pages of scores: who leads, how far from winning, how it went, and the ledger of every change."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from folkmoot.site.chart import Chart, minus
from folkmoot.site.page_data import Link, PageData, Person, person
from folkmoot.site.page_model import Sheet
from folkmoot.site.pagination import Parts
from folkmoot.site.standing import (
    LINES,
    LedgerLine,
    Race,
    amounts_of,
    begins,
    chart_of,
    currency_name,
    leader,
    ledger,
    race_of,
)
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html, join, sentence
from folkmoot.wording.page_links import Here, titled
from folkmoot.wording.translation import _

PARTS = Parts(100)
PATH = "scores/index.md"


class Other(Struct, frozen=True):
    """A currency beside the first: who has how much, and since when there is any."""

    id: str
    name: str
    holdings: tuple[tuple[Person, str], ...]
    since: Html
    chart: Chart | None


class Scores(PageData, frozen=True, kw_only=True, tag="scores"):
    """How the players stand, and how it came to that."""

    lead: Html
    race: Race | None
    chart: Chart | None
    offices: Html
    ledger: tuple[LedgerLine, ...]
    older: tuple[Link, ...]
    others: tuple[Other, ...]
    bookkept: tuple[Other, ...]


class Ledger(PageData, frozen=True, kw_only=True, tag="ledger"):
    """A page of the ledger; `newer` and `older` are the ones beside it."""

    lines: tuple[LedgerLine, ...]
    newer: Link
    older: Link | None


def score_pages(view: GameView) -> Iterator[Sheet]:
    """Return the page of all scores and the pages of the ledger."""
    yield Sheet(PATH, _scores)
    for number in PARTS.older(view.ledger):
        yield Sheet(_path(number), partial(_ledger, number))


def _scores(view: GameView) -> Scores:
    here, names, lines = Here(view, PATH), view.told_currencies, PARTS.newest(view.ledger)
    drawn = chart_of(here, names[0], [*amounts_of(view, names[0])][:LINES]) if names else None
    race = race_of(here)
    return Scores(
        path=PATH,
        title=_("Scores"),
        part="scores",
        summary=_("Scores and ledger of {game}", game=view.title),
        lead=leader(here),
        race=race if drawn or (race and any(each.amount for each in race.racers)) else None,
        chart=drawn,
        offices=_offices(here),
        ledger=ledger(here, lines),
        older=tuple(Link(_title(number), here.url(_path(number))) for number in PARTS.older(view.ledger)[::-1]),
        others=tuple(_other(here, name) for name in names[1:]),
        bookkept=tuple(_other(here, name, drawn=False) for name in view.bookkept_currencies),
    )


def _ledger(number: int, view: GameView) -> Ledger:
    here, lines = Here(view, _path(number)), PARTS.of(view.ledger, number)
    newer = _path(number + 1) if number + 1 in PARTS.older(view.ledger) else PATH
    return Ledger(
        path=here.path,
        title=_title(number),
        part="scores",
        lines=ledger(here, lines),
        newer=Link(_("Newer changes"), here.url(newer)),
        older=Link(_("Older changes"), here.url(_path(number - 1))) if number else None,
    )


def _path(number: int) -> str:
    return f"scores/ledger-{number + 1:04}.md"


def _title(number: int) -> str:
    first, last = PARTS.span(number)
    return _("Ledger {first} – {last}", first=first, last=last)


def _offices(here: Here) -> Html:
    """Return who holds which office, in a sentence; nothing where nobody does."""
    held = [(here.player(office["holder"]), titled(name))
            for name, office in here.view.document("things/office").items() if office.get("holder")]  # fmt: skip
    said = (sentence("{player} {office}" if n else "{player} is {office}", player=player, office=office)
            for n, (player, office) in enumerate(held))  # fmt: skip
    return join([join(said, ", "), "."]) if held else Html("")


def _other(here: Here, currency: str, *, drawn: bool = True) -> Other:
    amounts = amounts_of(here.view, currency)
    uid = (here.view.declared("defines.currencies").get(currency) or ("", {}))[0]
    since = Html("")
    if uid:
        at, rule = begins(here, "", currency), here.rule(uid)
        later = at > begins(here, "", "")
        since = sentence("Since {day}, by {rule}." if later else "By {rule}.", day=here.day(at), rule=rule)
    return Other(
        id=f"chart-{currency}",
        name=currency_name(here.view, currency),
        holdings=tuple((person(here, player), minus(amount)) for player, amount in amounts.items()),
        since=since,
        chart=chart_of(here, currency, [*amounts][:LINES]) if drawn else None,
    )
