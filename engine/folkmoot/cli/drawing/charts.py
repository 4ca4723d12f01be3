"""Charts in the terminal: values over time as lines of braille, each with its name at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import plotille
from rich.console import RenderableType
from rich.text import Text

from folkmoot.cli.drawing.printing import COLOURS, heading, table_of, words

HEIGHT = 14
MARGIN = 14  # columns of the names of values, on the left, and of series, on the right
MOST_SERIES = 8
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
    yield Text.from_ansi(_figure({name: known[name] for name in drawn}, width, named, steps).replace(BLANK, " "))
    rows = [
        [words("━━", _colour(n)) if name in drawn else "", name, known[name][-1][1]] for n, name in enumerate(highest)
    ]
    yield table_of(["", "Series", "Now"], rows, numeric=[2])


def _colour(number: int) -> str:
    return COLOURS[number] if number < MOST_SERIES else ""


def _figure(series: Mapping[str, Sequence[Point]], width: int, named: Callable[[int], str], steps: bool) -> str:
    figure = plotille.Figure()
    figure.width, figure.height, figure.color_mode = max(20, width - 2 * MARGIN), HEIGHT, "names"
    figure.x_label = figure.y_label = ""
    points = [point for each in series.values() for point in each]
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    low, high = min(0, *(y for _, y in points)), max(0, *(y for _, y in points))
    figure.set_x_limits(left, max(right, left + 1))
    figure.set_y_limits(low, max(high, low + 1))
    figure.y_ticks_fkt = lambda value, _next: f"{round(value):>10}"
    figure.x_ticks_fkt = lambda value, _next: named(round(value))[:10]
    for number, each in enumerate(series.values()):
        held = _held(each) if steps else [*each]
        colour = COLOURS[number] if not COLOURS[number].startswith("bright") else "white"
        figure.plot([x for x, _ in held], [y for _, y in held], lc=colour)
    return "\n".join(line for line in str(figure.show(legend=False)).split("\n")[1:])


def _held(points: Sequence[Point]) -> list[Point]:
    """Return points between which each value holds until the next."""
    found = [points[0]]
    for x, y in points[1:]:
        found += [(x, found[-1][1]), (x, y)]
    return found
