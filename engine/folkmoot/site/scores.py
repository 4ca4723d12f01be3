"""Scores: what everybody has, how it grew, and the ledger with the rule behind every point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from folkmoot.site.chart import line_chart
from folkmoot.site.document import Page
from folkmoot.wording.catalogue import signed
from folkmoot.wording.game_view import GameView, seconds
from folkmoot.wording.ledger import Line
from folkmoot.wording.markup import Html, el, items, join, table
from folkmoot.wording.page_links import Here, titled
from folkmoot.wording.prose import phrase

LINES_PER_PAGE = 500


def score_pages(view: GameView) -> Iterator[Page]:
    """Return the page of all scores and the pages of the ledger."""
    page = Page("scores/index.md", "Scores", summary=f"Scores and ledger of {view.title}")
    here = Here(view, page.path)
    if not view.currencies:
        page.add(el("p", "No rule in force knows of points or any other currency."))
    else:
        page.add(standing(here, [*here.view.told_currencies, *here.view.bookkept_currencies]))
    for currency, declared in view.currencies.items():
        heading = str(declared.get("summary") or titled(currency))
        page.add(chart_of(here, currency), heading=f"{heading} over time", anchor=f"chart-{currency}")
    lines = view.ledger
    chunks = [lines[at : at + LINES_PER_PAGE] for at in range(0, len(lines), LINES_PER_PAGE)]
    if chunks:
        page.add(ledger_table(here, chunks[-1][::-1]), _older(here, len(chunks)), heading="Ledger", anchor="ledger")
    yield page
    for number, chunk in enumerate(chunks[:-1]):
        older = Page(_path(number), _title(number), tab=page.path, trail=[("Scores", page.path)])
        older.add(ledger_table(Here(view, older.path), chunk[::-1]))
        yield older


def _path(number: int) -> str:
    return f"scores/ledger-{number + 1:04}.md"


def _title(number: int) -> str:
    return f"Ledger {number * LINES_PER_PAGE + 1} – {(number + 1) * LINES_PER_PAGE}"


def _older(here: Here, chunks: int) -> Html:
    links = [here.link(_title(number), _path(number)) for number in reversed(range(chunks - 1))]
    return items(links) if links else Html("")


def standing(here: Here, names: list[str], most: int = 0) -> Html:
    """Return the table of currencies of the present players, the best first; `most` limits the rows.

    They rank by those that rules do not declare as bookkeeping.
    """
    view = here.view
    held = {player: view.registers("player", player) for player in view.present}
    by = view.told_currencies
    ranked = sorted(view.present, key=lambda player: tuple(-int(held[player].get(name) or 0) for name in by))
    offices = _offices_by_holder(view)
    columns = ["", "Player", *(str(view.currencies[name].get("summary") or titled(name)) for name in names), "Offices"]
    rows = [
        [place, here.player(player), *(_amount(held[player].get(name)) for name in names),
         ", ".join(titled(office) for office in offices.get(player, ()))]
        for place, player in enumerate(ranked[: most or None], 1)
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
    """Return how the amounts of one currency grew, player by player."""
    view = here.view
    series: dict[str, list[tuple[int, int]]] = {player: [] for player in view.present}
    for line in view.ledger:
        if line.currency == currency and line.owner in series and line.at is not None:
            points = series[line.owner]
            if points and points[-1][0] == line.at:
                points.pop()
            points.append((line.at, line.balance))
    started = seconds(view.entries[0].get("at")) if view.entries else None
    grown = {player: _from_start(points, started, view.now) for player, points in series.items() if points}
    colours = {view.name(player): list(view.players).index(player) for player in grown}
    named = {view.name(player): points for player, points in grown.items()}
    return line_chart(named, titled(currency), time=here.when, colours=colours) if grown else Html("")


def _from_start(points: list[tuple[int, int]], start: int | None, end: int | None) -> list[tuple[int, int]]:
    """Return points of a line from the game's first moment to its last."""
    first = [(start, 0)] if start is not None and points[0][0] > start else []
    last = [(end, points[-1][1])] if end is not None and points[-1][0] < end else []
    return [*first, *points, *last]


def ledger_table(here: Here, lines: Sequence[Line], whose: bool = True) -> Html:
    """Return lines of the ledger with who, how much, why and by which rule; nothing for no lines.

    `whose` tells whether to say whom a line concerns.
    """
    rows = [
        [here.entry(line.seq), here.when(line.at), *([here.owner(line.owner)] if whose else []), titled(line.currency),
         _change(line), str(line.balance).replace("-", "−"), _why(here, line), here.rule(line.rule)]
        for line in lines
    ]  # fmt: skip
    columns = ["Entry", "When", *(["Who"] if whose else []), "What", "Change", "After it", "For", "Rule"]
    return table(columns, rows, numeric=0b110000 if whose else 0b11000) if rows else Html("")


def _change(line: Line) -> Html:
    if line.asked is None or line.asked == line.applied:
        return el("strong", signed(line.applied))
    return join([el("strong", signed(line.applied)), " ", el("small", f"(asked {signed(line.asked)})")])


def _why(here: Here, line: Line) -> Html:
    kind = "" if line.kind in ("award", "set", "") else f"{line.kind}: "
    credit = join([" (credited to ", here.player(line.credit), ")"]) if line.credit else ""
    return join([kind, phrase(line.why), credit])
