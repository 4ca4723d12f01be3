"""The pages of scores: who leads, how far from winning, how it went, and the ledger of every change."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from folkmoot.site import standing
from folkmoot.site.chart import Chart
from folkmoot.site.page_data import Link, PageData, Parts, Person, person
from folkmoot.site.page_model import Sheet
from folkmoot.wording.game_view import GameView
from folkmoot.wording.markup import Html
from folkmoot.wording.page_links import Here, currency_name, titled

PARTS = Parts(100)
PATH, OLDER = "scores/index.md", "scores/ledger-{:04}.md"


class Other(Struct, frozen=True):
    """A currency beside the first: who has how much, by which rule there is any, since when if not from the start."""

    id: str
    name: str
    holdings: tuple[tuple[Person, int], ...]
    day: Html
    rule: Html
    chart: Chart | None


class Scores(PageData, frozen=True, kw_only=True, tag="scores"):
    """How the players stand, and how it came to that; a page of earlier changes holds these and leads to others."""

    lead: Html = Html("")
    race: standing.Race | None = None
    chart: Chart | None = None
    offices: tuple[tuple[Html, str], ...] = ()
    ledger: tuple[standing.LedgerLine, ...]
    older: tuple[Link, ...]
    others: tuple[Other, ...] = ()
    bookkept: tuple[Other, ...] = ()


def score_pages(view: GameView) -> Iterator[Sheet]:
    """Return the page of all scores and the pages of the ledger."""
    yield Sheet(PATH, _scores)
    for number in PARTS.older(view.ledger):
        yield Sheet(OLDER.format(number + 1), partial(_ledger, number), partial(_made_of, number))


def _made_of(number: int, view: GameView) -> object:
    """Return all that a page of the ledger is made of."""
    return [PARTS.of(view.ledger, number), number + 1 in PARTS.older(view.ledger)]


def _scores(view: GameView) -> Scores:
    here, names = Here(view, PATH), standing.ranking(view)[0]
    others, race = [_other(here, name) for name in names], standing.race_of(here)
    drawn = others[0].chart if others else None
    return Scores(
        path=PATH,
        title="Scores",
        summary=f"Scores and ledger of {view.title}",
        lead=standing.leader(here),
        race=race if drawn or (race and any(each.amount for each in race.racers)) else None,
        chart=drawn,
        offices=tuple((here.player(office["holder"]), titled(name))
                      for name, office in view.document("things/office").items() if office.get("holder")),
        ledger=standing.ledger(here, PARTS.newest(view.ledger)),
        older=PARTS.links(here, OLDER, "Ledger", view.ledger),
        others=tuple(others[1:]),
        bookkept=tuple(_other(here, name, drawn=False) for name in view.bookkept_currencies),
    )  # fmt: skip


def _ledger(number: int, view: GameView) -> Scores:
    here, lines = Here(view, OLDER.format(number + 1)), PARTS.of(view.ledger, number)
    newer = OLDER.format(number + 2) if number + 1 in PARTS.older(view.ledger) else PATH
    beside = [Link("Newer changes", here.url(newer))]
    beside += [Link("Older changes", here.url(OLDER.format(number)))] if number else []
    title, shown = PARTS.title("Ledger", number), standing.ledger(here, lines)
    return Scores(path=here.path, title=title, at=PATH, ledger=shown, older=tuple(beside))


def _other(here: Here, currency: str, *, drawn: bool = True) -> Other:
    amounts, at = standing.amounts_of(here.view, currency), standing.begins(here, "", currency)
    return Other(
        id=f"chart-{currency}",
        name=currency_name(here.view, currency),
        holdings=tuple((person(here, player), amount) for player, amount in amounts.items()),
        day=here.day(at) if at > standing.begins(here, "", "") else Html(""),
        rule=here.rule((here.view.declared("defines.currencies").get(currency) or ("",))[0]),
        chart=standing.chart_of(here, currency, [*amounts][: standing.LINES]) if drawn else None,
    )
