"""Charts in the terminal: values over time as lines of braille, each with its name at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from math import ceil
from typing import TYPE_CHECKING

from folkmoot.cli.drawing.printing import COLOURS, heading, picture, table_of, words

if TYPE_CHECKING:
    from rich.console import RenderableType

HEIGHT = 14
DOTS = 4  # of a line, one above the other
MARGIN = 14  # columns of the names of values, on the left, and of series, on the right
MOST_SERIES = 8
MOST_DAYS = 300  # that are written as days
ROOM = 50  # the part of the width that is left on the right
NEAR = 1e-9
BLANK = "\u2800"
Point = tuple[int, int]


def drawn_chart(
    series: Mapping[str, Sequence[Point]],
    caption: str,
    width: int,
    *,
    named: Callable[[int], str] = str,
    steps: bool = False,
) -> Iterator[RenderableType]:
    """Yield a chart of series of (x, y) points, and where each of them ends; `named` writes an x for people."""
    yield heading(caption)
    known = {name: [*points] for name, points in series.items() if points}
    if not known:
        yield words("No data yet.", "dim")
        return
    highest = sorted(known, key=lambda name: -known[name][-1][1])
    drawn = highest[:MOST_SERIES]
    yield picture(_figure({name: known[name] for name in drawn}, width, named, steps).replace(BLANK, " "))
    rows = [
        [words("━━", _colour(n)) if name in drawn else "", name, known[name][-1][1]] for n, name in enumerate(highest)
    ]
    yield table_of(["", "Series", "Now"], rows, numeric=[2])


def _colour(number: int) -> str:
    return COLOURS[number] if number < MOST_SERIES else ""


def _figure(series: Mapping[str, Sequence[Point]], width: int, named: Callable[[int], str], steps: bool) -> str:
    import plotille

    figure = plotille.Figure()
    figure.width, figure.height, figure.color_mode = max(20, width - 2 * MARGIN), HEIGHT, "names"
    figure.x_label = figure.y_label = ""
    points = [point for each in series.values() for point in each]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low = min(0, *(y for _, y in points))
    high = max(low + 1, *(y for _, y in points))
    highest = high - (high - low) / (HEIGHT * DOTS)  # what is above is not drawn
    figure.set_x_limits(left, max(right, left + 1) + (right - left) / ROOM)  # what came last is drawn, too
    figure.set_y_limits(low, high)
    figure.y_ticks_fkt = _whole
    figure.x_ticks_fkt = _once(named)
    for number, each in enumerate(series.values()):
        held = _held(each) if steps else [*each]
        colour = COLOURS[number] if not COLOURS[number].startswith("bright") else "white"
        figure.plot([x for x, _ in held], [min(y, highest) for _, y in held], lc=colour)
    return "\n".join(line.removesuffix(" ()") for line in str(figure.show(legend=False)).split("\n")[1:])


def _whole(value: float, following: float) -> str:
    """Return the whole number that a line of a chart stands for, "" for one between two of them."""
    number = ceil(value - NEAR)
    return f"{number:>10}" if number < following - NEAR else ""


def _once(named: Callable[[int], str]) -> Callable[[float, float], str]:
    """Return what writes below a chart where each name begins, and nothing where it goes on."""
    last = ""

    def written(value: float, _following: float) -> str:
        nonlocal last
        before, last = last, named(round(value))
        return "" if last == before else last

    return written


def moments(series: Iterable[Sequence[Point]]) -> Callable[[int], str]:
    """Return what writes the times (Unix seconds) of series below a chart: hours, days or months in UTC.

    >>> moments([[(0, 1), (7200, 2)]])(3600), moments([[(0, 1), (200_000, 2)]])(100_000)
    ('01:00', '01-02')
    """
    times = [at for points in series for at, _ in points] or [0]
    first, last = (datetime.fromtimestamp(at, UTC) for at in (min(times), max(times)))
    far = (last - first).days > MOST_DAYS

    def written(at: int) -> str:
        there = datetime.fromtimestamp(at, UTC)
        if first.date() == last.date():
            return f"{there:%H:%M}"
        return f"{there:%Y-%m}" if far else f"{there:%m-%d}"

    return written


def _held(points: Sequence[Point]) -> list[Point]:
    """Return points between which each value holds until the next."""
    found = [points[0]]
    for x, y in points[1:]:
        found += [(x, found[-1][1]), (x, y)]
    return found
