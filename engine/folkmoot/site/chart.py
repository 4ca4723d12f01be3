"""Line charts: values over time as steps, with the data as a table below."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence

from folkmoot.site import svg
from folkmoot.wording.markup import Html, details, el, escape, items, join, strip, table
from folkmoot.wording.prose import phrase
from folkmoot.wording.translation import _

WIDTH, HEIGHT = 720, 340
LEFT, RIGHT, TOP, BOTTOM = 48, 160, 16, 36
DIGIT = 8
"""How wide a digit of a tick is at most; together they widen the margin on the left."""
COLOURS = 8
MOST_ROWS = 100
Point = tuple[int, int]
Namer = Callable[[int], object]


def colours_of(players: Sequence[str], here: Collection[str]) -> dict[str, int]:
    """Return the number of each player's colour, by when they joined; who is here has one of their own, if possible.

    >>> colours_of([*"abcdefghij"], "ai")["i"], colours_of([*"abcdefghij"], "bi")["i"]
    (1, 0)
    """
    colours = {player: number % COLOURS for number, player in enumerate(players)}
    taken: set[int] = set()
    for player in [player for player in colours if player in here]:
        wanted = [(colours[player] + more) % COLOURS for more in range(COLOURS)]
        colours[player] = next((colour for colour in wanted if colour not in taken), wanted[0])
        taken.add(colours[player])
    return colours


def line_chart(
    series: Mapping[str, Sequence[Point]],
    title: str,
    time: Namer | None = None,
    *,
    name: str = "",
    steps: bool = True,
    colours: Mapping[str, int] | None = None,
) -> Html:
    """Return a chart of series of (x, y) points with its data table.

    `time` writes an x for people (x is then in Unix seconds); `steps` draws a value as holding until the next point;
    `colours` numbers the colours of the series, which are otherwise in the order given.
    """
    shown = {label: [*points] for label, points in series.items() if points}
    if not shown:
        return el("p", _("No data yet."), class_="fm-none")
    name = name or "chart-" + "".join(c for c in title.lower() if c.isalnum())
    area = _Area([point for points in shown.values() for point in points])
    numbers = colours or {label: n for n, label in enumerate(shown)}
    told_apart = len(shown) > 1
    lines = [_series(area, numbers[label], points, steps, told_apart) for label, points in shown.items()]
    labels = _labels(area, shown, numbers)
    about = "; ".join(_("{line} ends at {value}", line=label, value=points[-1][1]) for label, points in shown.items())
    drawn = svg.drawing(name, WIDTH, HEIGHT, title, about, _grid(area, time), *lines, labels, kind="chart")
    return join([drawn, _legend(shown, numbers), _data(shown, time)])


class _Area:
    """Turns values into pixels."""

    def __init__(self, points: Sequence[Point]) -> None:
        xs, ys = [x for x, _y in points], [y for _x, y in points]
        self.right = max(xs)
        self.one_moment = min(xs) == self.right  # then the lines lead flatly to the right edge
        self.left = min(xs) - self.one_moment
        self.ticks = _ticks(min(0, *ys), max(0, *ys))
        self.low, self.high = self.ticks[0], self.ticks[-1]
        self.margin = max(LEFT, 16 + DIGIT * max(len(str(value)) for value in self.ticks))

    def x(self, value: int) -> int:
        return self.margin + (value - self.left) * (WIDTH - self.margin - RIGHT) // (self.right - self.left)

    def y(self, value: int) -> int:
        return HEIGHT - BOTTOM - (value - self.low) * (HEIGHT - TOP - BOTTOM) // (self.high - self.low)


def _ticks(low: int, high: int) -> list[int]:
    """Return round values that span low and high, four to eight of them."""
    step = 1
    while (high - low) // step > 6:
        leading = int(str(step)[0])
        step = step * 2 if leading in (1, 5) else step * 5 // 2
    first = low // step * step
    last = max(-(-high // step) * step, first + step)
    return list(range(first, last + 1, step))


def _grid(area: _Area, time: Namer | None) -> Html:
    parts = []
    for value in area.ticks:
        y = area.y(value)
        parts.append(svg.line(area.margin, y, WIDTH - RIGHT, y, "fm-axis fm-axis--zero" if value == 0 else "fm-axis"))
        parts.append(svg.text(area.margin - 8, y + 4, str(value).replace("-", "−"), "fm-tick", "end"))
    told: dict[str, tuple[int, str]] = {}  # each date once: of one day there is one
    ends = [(area.left, "start"), (area.right, "end"), ((area.left + area.right) // 2, "middle")]
    for value, anchor in ends if not area.one_moment else ends[1:2]:
        told.setdefault(_date(value, time), (value, anchor))
    for words, (value, anchor) in told.items():
        parts.append(svg.text(area.x(value), HEIGHT - 12, words, "fm-tick", anchor))
    return join(parts)


def _date(value: int, time: Namer | None) -> str:
    return strip(time(value)).split(",")[0] if time else str(value)


def _series(area: _Area, number: int, points: Sequence[Point], steps: bool, told_apart: bool) -> Html:
    path = f"M{area.x(points[0][0])} {area.y(points[0][1])}" + (f"H{area.x(area.left)}" if area.one_moment else "")
    for x, y in points[1:]:
        path += f"H{area.x(x)}V{area.y(y)}" if steps else f"L{area.x(x)} {area.y(y)}"
    last = el(
        "circle", cx=area.x(points[-1][0]), cy=area.y(points[-1][1]), r=4, class_=f"fm-dot fm-c{number % COLOURS}"
    )
    return svg.group(
        el("path", d=path, class_=f"fm-line fm-c{number % COLOURS} fm-dash{number % 3 if told_apart else 0}"), last
    )


def _labels(area: _Area, shown: Mapping[str, Sequence[Point]], numbers: Mapping[str, int]) -> Html:
    """Return the series' names at their last points, moved apart where they would touch."""
    wanted = sorted((area.y(points[-1][1]), numbers[label], label, points[-1][1]) for label, points in shown.items())
    placed, below = [], TOP - 16
    room = HEIGHT - BOTTOM
    for index, (y, number, label, value) in enumerate(wanted):
        last = room - 17 * (len(wanted) - 1 - index)
        below = max(below + 17, min(y, last))
        short = label if len(label) < 15 else label[:13] + "…"
        words = join([phrase_of(short), f" {value}".replace("-", "−")])
        placed.append(svg.text(WIDTH - RIGHT + 10, below + 4, words, f"fm-label fm-t{number % COLOURS}", "start"))
    return join(placed)


def _legend(shown: Mapping[str, Sequence[Point]], numbers: Mapping[str, int]) -> Html:
    """Return the series with their last values, the highest first: on a phone the names do not fit beside the lines."""
    ordered = sorted(shown, key=lambda label: -shown[label][-1][1])
    keys = [
        join(
            [
                el("span", class_=f"fm-key fm-c{numbers[label] % COLOURS}"),
                phrase(label),
                f" {shown[label][-1][1]}".replace("-", "−"),
            ]
        )
        for label in ordered
    ]
    return items(keys, class_="fm-legend fm-legend--chart")


def phrase_of(words: str) -> Html:
    """Return a short text inside a drawing in its own direction."""
    return el("tspan", escape(words), class_="fm-isolate")


def _data(shown: Mapping[str, Sequence[Point]], time: Namer | None) -> Html:
    moments = sorted({x for points in shown.values() for x, _ in points})
    told = moments[::-1][:: max(1, -(-len(moments) // MOST_ROWS))]
    values = [_values_at(told, points) for points in shown.values()]
    rows = [[time(moment) if time else moment, *now] for moment, *now in zip(told, *values, strict=True)]
    columns = [_("When") if time else _("At"), *(phrase(label) for label in shown)]
    return details(_("The same as a table"), table(columns, rows, numeric=(1 << len(shown) + 1) - 2))


def _values_at(moments: Sequence[int], points: Sequence[Point]) -> list[str]:
    """Return what the last of the points says at each of some moments, nothing before the first."""
    known = sorted(dict(points).items())
    times = [x for x, _y in known]
    places = (bisect_right(times, moment) for moment in moments)
    return [str(known[place - 1][1]).replace("-", "−") if place else "" for place in places]
