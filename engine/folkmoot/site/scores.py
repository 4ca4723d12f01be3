"""Scores: what everybody has, how it grew, and the ledger with the rule behind every point."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter

from folkmoot.core.keys import GAME
from folkmoot.site.chart import line_chart
from folkmoot.site.page_model import Page, Sheet
from folkmoot.wording.catalogue import quoted, signed
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import account, balances, in_parts, indexed, lines_of, of_each_value
from folkmoot.wording.ledger import Line
from folkmoot.wording.markup import Html, el, items, join, sentence, table
from folkmoot.wording.page_links import Here, titled
from folkmoot.wording.stamps import seconds
from folkmoot.wording.translation import _, term

LINES_PER_PAGE = 200
MOST_POINTS = 256  # of a line: one for every second pixel
NAME = 2
"""Of how many words a summary may be that is taken for a name."""
_SCORES = "scores/index.md"


def score_pages(view: GameView) -> Iterator[Sheet]:
    """Return the page of all scores and the pages of the ledger."""
    yield Sheet(_SCORES, _scores)
    for number in [*view.index(ledger_parts)][:-1]:
        yield Sheet(_path(number), partial(_older_lines, number))


@indexed
def ledger_parts(view: GameView) -> dict[int, Sequence[Line]]:
    """Return the lines of the ledger on each of its pages, by its number from 0."""
    return in_parts(view.ledger, LINES_PER_PAGE)


def currency_name(view: GameView, currency: str) -> str:
    """Return how a currency is called: as its summary says in one word or two, else by its identifier."""
    summary = " ".join(str((view.currencies.get(currency) or {}).get("summary") or "").split())
    return summary if 0 < len(summary.split()) <= NAME else titled(currency)


def _scores(view: GameView) -> Page:
    page = Page(_SCORES, _("Scores"), summary=_("Scores and ledger of {game}", game=view.title))
    here = Here(view, page.path)
    if not view.currencies:
        page.add(el("p", _("No rule in force knows of points or any other currency.")))
    else:
        page.add(standing(here, [*here.view.told_currencies, *here.view.bookkept_currencies]))
    for currency in view.currencies:
        heading = _("{currency} over time", currency=currency_name(view, currency))
        page.add(chart_of(here, currency), heading=heading, anchor=f"chart-{currency}")
    count = -(-len(view.ledger) // LINES_PER_PAGE)
    if count:
        latest = view.index(ledger_parts)[count - 1]
        page.add(ledger_table(here, latest[::-1]), _older(here, count), heading=_("Ledger"), anchor="ledger")
    return page


def _older_lines(number: int, view: GameView) -> Page:
    page = Page(_path(number), _title(number), tab=_SCORES, trail=[(_("Scores"), _SCORES)])
    page.add(ledger_table(Here(view, page.path), view.index(ledger_parts)[number][::-1]))
    return page


def _path(number: int) -> str:
    return f"scores/ledger-{number + 1:04}.md"


def _title(number: int) -> str:
    first, last = number * LINES_PER_PAGE + 1, (number + 1) * LINES_PER_PAGE
    return _("Ledger {first} – {last}", first=first, last=last)


def _older(here: Here, chunks: int) -> Html:
    links = [here.link(_title(number), _path(number)) for number in reversed(range(chunks - 1))]
    return items(links) if links else Html("")


def standing(here: Here, names: list[str], most: int = 0) -> Html:
    """Return the table of currencies of the present players, the best first; `most` limits the rows.

    They rank by those that rules do not declare as bookkeeping; who has as much shares a place.
    """
    view = here.view
    held = {player: view.registers("player", player) for player in view.present}
    by = view.told_currencies
    order = {player: tuple(-int(held[player].get(name) or 0) for name in by) for player in view.present}
    ranked = sorted(view.present, key=order.__getitem__)
    places = {worth: place for place, worth in reversed([*enumerate(map(order.__getitem__, ranked), 1)])}
    offices = _offices_by_holder(view)
    columns = [
        "",
        _("Player"),
        *(currency_name(view, name) for name in names),
        _("Offices"),
    ]
    rows = [
        [places[order[player]], here.player(player), *(_amount(held[player].get(name)) for name in names),
         ", ".join(titled(office) for office in offices.get(player, ()))]
        for player in ranked[: most or None]
    ]  # fmt: skip
    return table(columns, rows, numeric=sum(1 << n + 2 for n in range(len(names))))


def _amount(amount: object) -> str:
    return str(amount if isinstance(amount, int) else 0).replace("-", "−")


def _offices_by_holder(view: GameView) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for office, held in view.document("things/office").items():
        if held.get("holder"):
            found.setdefault(str(held["holder"]), []).append(office)
    return found


def chart_of(here: Here, currency: str) -> Html:
    """Return how the amounts of one currency grew, player by player, up to the game's last moment."""
    series = _grown(here, currency, here.view.present)
    return _drawn(here, currency, {who: _up_to(points, here.view.now) for who, points in series.items()})


def chart_of_player(here: Here, currency: str, player: str) -> Html:
    """Return how the amount of one currency of a player grew, up to its last change."""
    return _drawn(here, currency, _grown(here, currency, [player]))


def _grown(here: Here, currency: str, players: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
    """Return the points of those players whose amount of a currency ever changed."""
    known = here.view.index(lines_drawn)
    series = {player: known.get(account(player, currency), []) for player in players}
    return {player: opened(here, player, currency, points) for player, points in series.items() if points}


def begins(here: Here, owner: str, currency: str) -> int:
    """Return since when an owner has a currency (Unix seconds): since they joined, or a rule in force brought it."""
    view, (uid, _about) = here.view, here.view.declared("defines.currencies").get(currency) or ("", {})
    brought = (seconds(each.get("at")) for each in (view.revisions(uid) if uid else ())
               if currency in ((each.get("defines") or {}).get("currencies") or {}))  # fmt: skip
    joined = seconds(view.players[owner].get("since")) if owner in view.players else 0
    return max(joined or 0, next(brought, 0) or 0, view.kept(GAME).get("founded_at") or 0)


def opened(here: Here, owner: str, currency: str, points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the points of what an owner had, before them what that was before it changed first."""
    start = begins(here, owner, currency)
    first = next((line for line in here.view.index(lines_of).get(owner, ()) if line.currency == currency), None)
    return [(start, first.before), *points] if first and start and start < points[0][0] else points


@of_each_value(balances)
def lines_drawn(points: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return how much each owner had of each currency, with as many points as are drawn."""
    return thinned(points)


def _drawn(here: Here, currency: str, grown: Mapping[str, list[tuple[int, int]]]) -> Html:
    colours = {here.view.name(player): list(here.view.players).index(player) for player in grown}
    named = {here.view.name(player): points for player, points in grown.items()}
    return line_chart(named, currency_name(here.view, currency), time=here.when, colours=colours) if grown else Html("")


def thinned(points: Sequence[tuple[int, int]], most: int = MOST_POINTS) -> list[tuple[int, int]]:
    """Return the last of the points of each moment, and of many points the last of each of as many stretches of time.

    >>> thinned([(1, 5), (1, 6), (2, 7)])
    [(1, 6), (2, 7)]
    """
    if len(points) <= most:
        return list(dict(points).items())
    first, last = points[0][0], points[-1][0]
    ends = (first + (last - first) * n // most for n in range(most + 1))
    found = (points[bisect_right(points, end, key=itemgetter(0)) - 1] for end in ends)
    return list(dict(found).items())


def _up_to(points: list[tuple[int, int]], end: int | None) -> list[tuple[int, int]]:
    """Return points of a line with its last moment."""
    return [*points, (end, points[-1][1])] if end is not None and points[-1][0] < end else points


def ledger_table(here: Here, lines: Sequence[Line], whose: bool = True) -> Html:
    """Return lines of the ledger with who, how much, why and by which rule; nothing for no lines.

    `whose` tells whether to say whom a line concerns.
    """
    rows = [
        [here.entry(line.seq), here.when(line.at), *([here.owner(line.owner)] if whose else []),
         currency_name(here.view, line.currency), _change(line), str(line.balance).replace("-", "−"),
         _why(here, line), here.rule(line.rule)]
        for line in lines
    ]  # fmt: skip
    columns = [
        _("Entry"),
        _("When"),
        *([_("Who")] if whose else []),
        _("What"),
        _("Change"),
        _("After it"),
        _("For"),
        _("Rule"),
    ]
    listed = table(columns, rows, numeric=0b110000 if whose else 0b11000) if rows else Html("")
    return el("div", listed, class_="fm-ledger" if whose else "fm-ledger fm-ledger--own") if rows else listed


def _change(line: Line) -> Html:
    if line.asked is None or line.asked == line.applied:
        return el("strong", signed(line.applied))
    return join(
        [el("strong", signed(line.applied)), " ", el("small", _("(asked {amount})", amount=signed(line.asked)))]
    )


def _why(here: Here, line: Line) -> Html:
    kind = "" if line.kind in ("award", "set", "") else f"{term(str(line.kind))}: "
    credit = join([" ", sentence("(credited to {player})", player=here.player(line.credit))]) if line.credit else ""
    return join([kind, quoted(here, line.why) if line.why else "", credit])
