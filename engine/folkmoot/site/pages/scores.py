"""The pages of scores: who leads, how far from winning, how it went, and the ledger of every change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec import Struct

from folkmoot.site.chart import Chart, minus
from folkmoot.site.page_data import Link, PageData, Person, person
from folkmoot.site.page_model import Sheet
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
    one_currency,
    race_of,
)
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import in_parts, indexed
from folkmoot.wording.ledger import Line
from folkmoot.wording.markup import Html, join, sentence
from folkmoot.wording.page_links import Here, titled
from folkmoot.wording.translation import _

LINES_PER_PAGE = 100
LISTED = 12
"""How many players a table of another currency shows before the rest is folded."""
PATH = "scores/index.md"


class Holding(Struct, frozen=True):
    """How much somebody has of another currency."""

    who: Person
    amount: str


class Other(Struct, frozen=True):
    """A currency beside the first: who has how much, and since when there is any."""

    id: str
    name: str
    best: tuple[Holding, ...]
    rest: tuple[Holding, ...]
    since: Html
    chart: Chart | None


class Scores(PageData, frozen=True, kw_only=True, tag="scores"):
    """How the players stand, and how it came to that."""

    lead: Html
    race: Race | None
    chart: Chart | None
    offices: Html
    ledger: tuple[LedgerLine, ...]
    one_currency: str
    older: tuple[Link, ...]
    others: tuple[Other, ...]
    bookkept: tuple[Other, ...]


class Ledger(PageData, frozen=True, kw_only=True, tag="ledger"):
    """A page of the ledger; `newer` and `older` are the ones beside it."""

    lines: tuple[LedgerLine, ...]
    one_currency: str
    newer: Link | None
    older: Link | None


def score_pages(view: GameView) -> Iterator[Sheet]:
    """Return the page of all scores and the pages of the ledger."""
    yield Sheet(PATH, _scores)
    for number in [*view.index(ledger_parts)][:-1]:
        yield Sheet(_path(number), partial(_ledger, number))


@indexed
def ledger_parts(view: GameView) -> dict[int, Sequence[Line]]:
    """Return the lines of the ledger on each of its pages, by its number from 0."""
    return in_parts(view.ledger, LINES_PER_PAGE)


def _scores(view: GameView) -> Scores:
    here, names = Here(view, PATH), view.told_currencies
    parts = view.index(ledger_parts)
    latest = parts[max(parts)] if parts else ()
    race = race_of(here)
    best = [*amounts_of(view, names[0])][:LINES] if names else []
    drawn = chart_of(here, names[0], best) if names else None
    return Scores(
        path=PATH,
        title=_("Scores"),
        part="scores",
        summary=_("Scores and ledger of {game}", game=view.title),
        lead=leader(here),
        race=race if drawn or (race and any(each.amount for each in race.racers)) else None,
        chart=drawn,
        offices=_offices(here),
        ledger=ledger(here, latest),
        one_currency=one_currency(view, latest),
        older=tuple(Link(_title(number), here.url(_path(number))) for number in sorted(parts)[:-1][::-1]),
        others=tuple(_other(here, name) for name in names[1:]),
        bookkept=tuple(_other(here, name, drawn=False) for name in view.bookkept_currencies),
    )


def _ledger(number: int, view: GameView) -> Ledger:
    here = Here(view, _path(number))
    newer = _path(number + 1) if number + 2 in view.index(ledger_parts) else PATH
    return Ledger(
        path=here.path,
        title=_title(number),
        part="scores",
        lines=ledger(here, view.index(ledger_parts)[number]),
        one_currency=one_currency(view, view.index(ledger_parts)[number]),
        newer=Link(_("Newer changes"), here.url(newer)),
        older=Link(_("Older changes"), here.url(_path(number - 1))) if number else None,
    )


def _path(number: int) -> str:
    return f"scores/ledger-{number + 1:04}.md"


def _title(number: int) -> str:
    first, last = number * LINES_PER_PAGE + 1, (number + 1) * LINES_PER_PAGE
    return _("Ledger {first} – {last}", first=first, last=last)


def _offices(here: Here) -> Html:
    """Return who holds which office, in a sentence; nothing where nobody does."""
    held = [(name, office["holder"]) for name, office in here.view.document("things/office").items()
            if office.get("holder")]  # fmt: skip
    said = (sentence("{player} {office}" if n else "{player} is {office}", player=here.player(who), office=titled(name))
            for n, (name, who) in enumerate(held))  # fmt: skip
    return join([join(said, ", "), "."]) if held else Html("")


def _other(here: Here, currency: str, *, drawn: bool = True) -> Other:
    amounts = [*amounts_of(here.view, currency).items()]
    shown = tuple(Holding(person(here, player), minus(amount)) for player, amount in amounts)
    uid = (here.view.declared("defines.currencies").get(currency) or ("", {}))[0]
    at, founded = begins(here, "", currency), begins(here, "", "")
    since = sentence("Since {day}, by {rule}.", day=here.day(at), rule=here.rule(uid))
    by = sentence("By {rule}.", rule=here.rule(uid)) if uid else Html("")
    return Other(
        id=f"chart-{currency}",
        name=currency_name(here.view, currency),
        best=shown[:LISTED],
        rest=shown[LISTED:],
        since=since if uid and at > founded else by,
        chart=chart_of(here, currency, [player for player, _amount in amounts[:LINES]]) if drawn else None,
    )
