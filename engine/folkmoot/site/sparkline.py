"""Lines as small as a word: how the scores of the best went, or how much was done of late."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from folkmoot.core.records import Entry
from folkmoot.site.chart import COLOURS
from folkmoot.site.scores import opened, thinned
from folkmoot.wording.game_view import GameView
from folkmoot.wording.indices import account, balances, growing
from folkmoot.wording.markup import Html, el, strip
from folkmoot.wording.page_links import Here
from folkmoot.wording.prose import phrase
from folkmoot.wording.stamps import seconds
from folkmoot.wording.translation import _

WIDTH, HEIGHT, EDGE = 160, 36, 2
DAY, DAYS = 86_400, 60
MOST_POINTS = 60
LEAST_DAYS = 3
"""On how many days something must have been done for bars that say more than a number."""
Point = tuple[int, int]


def scores(here: Here, currency: str, players: Sequence[str]) -> Html:
    """Return how much of a currency players had, from the first change to the last; nothing where nothing changed."""
    known = here.view.index(balances)
    lines = {player: thinned(known.get(account(player, currency), []), MOST_POINTS) for player in players}
    if sum(map(len, lines.values())) < sum(map(bool, lines.values())) + 1:
        return Html("")
    shown = {player: opened(here, player, currency, points) for player, points in lines.items() if points}
    colours = {player: number for number, player in enumerate(here.view.players)}
    said = ", ".join(f"{strip(phrase(here.view.name(player)))} {points[-1][1]}" for player, points in shown.items())
    drawn = _lines(shown, here.view.now or 0)
    paths = [el("path", d=path, class_=f"fm-line fm-c{colours[player] % COLOURS}") for player, path in drawn.items()]
    return _drawing(_("Scores over time: {players}", players=said), paths)


def _lines(series: Mapping[str, Sequence[Point]], now: int) -> dict[str, str]:
    """Return the path of each series, as steps that go on to the present."""
    points = [point for each in series.values() for point in each]
    left, right = min(x for x, _y in points), max(now, *(x for x, _y in points))
    low, high = min(0, *(y for _x, y in points)), max(0, *(y for _x, y in points))

    def x(at: int) -> int:
        return EDGE + (at - left) * (WIDTH - 2 * EDGE) // max(right - left, 1)

    def y(value: int) -> int:
        return HEIGHT - EDGE - (value - low) * (HEIGHT - 2 * EDGE) // max(high - low, 1)

    def path(points: Sequence[Point]) -> str:
        (first, opening), *later = points
        return f"M{x(first)} {y(opening)}" + "".join(f"H{x(at)}V{y(value)}" for at, value in later) + f"H{x(right)}"

    return {name: path(points) for name, points in series.items()}


def _drawing(said: str, children: Sequence[Html]) -> Html:
    return el("svg", *children, viewBox=f"0 0 {WIDTH} {HEIGHT}", preserveAspectRatio="none", role="img",
              aria_label=said, class_="fm-spark", xmlns="http://www.w3.org/2000/svg")  # fmt: skip


@growing
def acts_by_day(_view: GameView, entries: Sequence[Entry]) -> dict[int, int]:
    """Return how much players did on each day, counted from that of Unix second 0."""
    found: dict[int, int] = {}
    for entry in entries:
        at = seconds(entry.get("at"))
        if entry.get("by") and at is not None:
            found[at // DAY] = found.get(at // DAY, 0) + 1
    return found


def acts(here: Here) -> Html:
    """Return how much players did on each of the last days up to the last event; nothing for hardly a day or two."""
    known, last = here.view.index(acts_by_day), (here.view.now or 0) // DAY
    counts = [known.get(day, 0) for day in range(last - DAYS + 1, last + 1)]
    most, wide = max(counts), (WIDTH - 2 * EDGE) // DAYS
    if sum(map(bool, counts)) < LEAST_DAYS:
        return Html("")
    heights = [count * (HEIGHT - 2 * EDGE) // most for count in counts]
    bars = "".join(f"M{EDGE + n * wide} {HEIGHT - EDGE}v-{height}h{wide}v{height}z"
                   for n, height in enumerate(heights) if height)  # fmt: skip
    said = _("{count} acts in {days} days", count=sum(counts), days=DAYS)
    return _drawing(said, [el("path", d=bars, class_="fm-spark__bars")])
