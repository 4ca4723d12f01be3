"""Line charts as numbers: what stands where, on a wide screen and on a narrow one; a template draws them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec import Struct

from folkmoot.wording.markup import Html, el, escape, strip
from folkmoot.wording.translation import _

COLOURS = 8
DASHES = ("", "7 4", "2 3", "9 3 2 3", "12 4", "4 4", "1 4", "14 3 3 3")
DIGIT, LETTER, STEP = 8, 8, 16
"""How wide a digit of a tick and a letter of a name is at most, and how far apart names stand, in pixels."""
LEFT, TOP, BOTTOM = 40, 14, 28
MOST_ROWS = 100
Point = tuple[int, int]
Namer = Callable[[int], Html]
"""What writes an x for people."""


class Frame(Struct, frozen=True):
    """How large a drawing is, how many letters of a name stand in it, and how many marks below."""

    width: int
    height: int
    letters: int
    marks: int


WIDE, NARROW = Frame(760, 340, 14, 16), Frame(358, 270, 7, 4)


class Mark(Struct, frozen=True):
    """Words beside an axis, and where they stand along it."""

    at: int
    words: str
    anchor: str = "end"


class Line(Struct, frozen=True):
    """A line with its path, its end and its name, which stands there."""

    words: str
    colour: int
    dash: str
    path: str
    x: int
    y: int
    words_y: int


class Drawing(Struct, frozen=True):
    """A drawing: the area of its lines from `left` to `right`, marks on both axes, lines."""

    width: int
    height: int
    left: int
    right: int
    ticks: tuple[Mark, ...]
    marks: tuple[Mark, ...]
    lines: tuple[Line, ...]


class Chart(Struct, frozen=True):
    """A chart: two drawings of it, what it says in words, and its data as a table."""

    id: str
    title: str
    about: str
    wide: Drawing
    narrow: Drawing
    heads: tuple[str, ...]
    rows: tuple[tuple[Html, tuple[str, ...]], ...]


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


def chart(
    series: Mapping[str, Sequence[Point]],
    title: str,
    name: str,
    *,
    when: Namer | None = None,
    marks: Sequence[tuple[int, str]] = (),
    steps: bool = True,
    colours: Mapping[str, int] | None = None,
) -> Chart | None:
    """Return a chart of series of (x, y) points, None where there is no point.

    `when` writes an x for people; `marks` are what may stand below the lines, at their x, else the ends and the middle;
    `steps` draws a value as holding until the next point; `colours` numbers the colours of the series, which are
    otherwise in the order given; `name` is the chart's own on its page.
    """
    shown = {label: [*points] for label, points in series.items() if points}
    if not shown:
        return None
    numbers = colours or {label: n for n, label in enumerate(shown)}
    about = "; ".join(_("{line} ends at {value}", line=label, value=points[-1][1]) for label, points in shown.items())
    below = marks or _ends(shown, when)
    wide, narrow = (_drawing(frame, shown, numbers, below, steps) for frame in (WIDE, NARROW))
    heads = (_("When") if when else _("At"), *shown)
    return Chart(name, title, about, wide, narrow, heads, _rows(shown, when or (lambda x: escape(str(x)))))


def _ends(shown: Mapping[str, Sequence[Point]], when: Namer | None) -> list[tuple[int, str]]:
    """Return the first, the middle and the last x with what they are called; days, or of one day its hours."""
    xs = sorted(x for points in shown.values() for x, _y in points)
    at = [*dict.fromkeys((xs[0], (xs[0] + xs[-1]) // 2, xs[-1]))]
    said = [strip(when(x)) if when else minus(x) for x in at]
    days = [each.partition(", ")[0] for each in said]
    one_day = len(at) > 1 and len({*days}) == 1 and ", " in said[0]
    words = [each.partition(", ")[2] for each in said] if one_day else days
    return [*{word: (x, word) for x, word in zip(at, words, strict=True)}.values()]


def _drawing(
    frame: Frame,
    shown: Mapping[str, Sequence[Point]],
    colours: Mapping[str, int],
    marks: Sequence[tuple[int, str]],
    steps: bool,
) -> Drawing:
    xs, ys = ([point[axis] for points in shown.values() for point in points] for axis in (0, 1))
    begin, end = min(xs), max(xs)
    start = begin - (begin == end)  # of one moment: the lines lead flatly to the right edge
    ticks = _ticks(min(0, *ys), max(0, *ys))
    names = {label: f"{_cut(label, frame.letters)} {minus(points[-1][1])}" for label, points in shown.items()}
    left = max(LEFT, 16 + DIGIT * max(len(str(value)) for value in ticks))
    right = frame.width - 14 - LETTER * max(map(len, names.values()))

    def x(value: int) -> int:
        return left + (value - start) * (right - left) // (end - start)

    def y(value: int) -> int:
        return frame.height - BOTTOM - (value - ticks[0]) * (frame.height - TOP - BOTTOM) // (ticks[-1] - ticks[0])

    def path(points: Sequence[Point]) -> str:
        flat = f"H{x(start)}" if begin == end else ""
        drawn = (f"H{x(at)}V{y(to)}" if steps else f"L{x(at)} {y(to)}" for at, to in points[1:])
        return f"M{x(points[0][0])} {y(points[0][1])}{flat}" + "".join(drawn)

    ordered = sorted(shown, key=lambda label: (y(shown[label][-1][1]), colours[label]))
    lines, words_y = [], TOP - STEP
    for place, label in enumerate(ordered):
        points, colour = shown[label], colours[label] % COLOURS
        end_y, lowest = y(points[-1][1]), frame.height - BOTTOM - STEP * (len(shown) - 1 - place)
        words_y = max(words_y + STEP, min(end_y, lowest))
        dash = DASHES[colour] if len(shown) > 1 else ""
        lines.append(Line(names[label], colour, dash, path(points), x(points[-1][0]), end_y, words_y + 4))
    kept = [mark for mark in marks if start <= mark[0] <= end]
    kept = kept[:: -(-len(kept) // frame.marks) or 1]
    below = [Mark(x(at), words, "start" if x(at) < left + 20 else "middle") for at, words in kept]
    beside = [Mark(y(value), minus(value)) for value in ticks]
    return Drawing(frame.width, frame.height, left, right, tuple(beside), tuple(below), tuple(lines))


def _cut(words: str, most: int) -> str:
    return words if len(words) <= most else words[: most - 1] + "…"


def minus(value: int) -> str:
    """Return a number with a minus that is one."""
    return str(value).replace("-", "−")


def _ticks(low: int, high: int) -> list[int]:
    """Return round values that span low and high, four to eight of them."""
    step = 1
    while (high - low) // step > 6:
        leading = int(str(step)[0])
        step = step * 2 if leading in (1, 5) else step * 5 // 2
    first = low // step * step
    last = max(-(-high // step) * step, first + step)
    return list(range(first, last + 1, step))


def phrase_of(words: str) -> Html:
    """Return a short text inside a drawing in its own direction."""
    return el("tspan", escape(words), class_="fm-isolate")


def _rows(shown: Mapping[str, Sequence[Point]], when: Namer) -> tuple[tuple[Html, tuple[str, ...]], ...]:
    """Return the data as a table, the newest first."""
    moments = sorted({x for points in shown.values() for x, _ in points})
    told = moments[::-1][:: max(1, -(-len(moments) // MOST_ROWS))]
    values = [_values_at(told, points) for points in shown.values()]
    return tuple((when(moment), now) for moment, *now in zip(told, *values, strict=True))  # type: ignore[misc]


def _values_at(moments: Sequence[int], points: Sequence[Point]) -> list[str]:
    """Return what the last of the points says at each of some moments, nothing before the first."""
    known = sorted(dict(points).items())
    times = [x for x, _y in known]
    places = (bisect_right(times, moment) for moment in moments)
    return [minus(known[place - 1][1]) if place else "" for place in places]
