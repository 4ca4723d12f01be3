"""Line charts as numbers: what stands where, on a wide screen and on a narrow one; a template draws them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from operator import itemgetter

from msgspec import Struct

from folkmoot.wording.markup import Html, escape, strip

COLOURS = 8
DASHES = ("", "7 4", "2 3", "9 3 2 3", "12 4", "4 4", "1 4", "14 3 3 3")
WIDE, NARROW = (760, 340, 14, 16), (358, 270, 7, 4)
"""Of a drawing its width and height, how many letters of a name stand in it, and how many marks below."""
DIGIT, LETTER, STEP = 8, 8, 16
"""How wide a digit of a tick and a letter of a name is at most, and how far apart names stand, in pixels."""
LEFT, TOP, BOTTOM = 40, 14, 28
MOST_ROWS = 100
Series = Mapping[str, Sequence[tuple[int, int]]]
Namer = Callable[[int], Html]
"""What writes an x for people."""


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
    """A drawing: the area of its lines from `left` to `right`, words at places on both axes, lines."""

    width: int
    height: int
    left: int
    right: int
    ticks: tuple[tuple[int, str], ...]
    marks: tuple[tuple[int, str, str], ...]
    lines: tuple[Line, ...]


class Chart(Struct, frozen=True):
    """A chart: two drawings of it, what it says in words, and its data as a table, the newest first."""

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
    series: Series,
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
    shown = {label: points for label, points in series.items() if points}
    if not shown:
        return None
    numbers = colours or {label: n for n, label in enumerate(shown)}
    about = "; ".join(f"{label} ends at {points[-1][1]}" for label, points in shown.items())
    moments = sorted({x for points in shown.values() for x, _y in points})
    below = marks or _ends((moments[0], (moments[0] + moments[-1]) // 2, moments[-1]), when)
    wide, narrow = (_drawing(frame, shown, numbers, below, steps) for frame in (WIDE, NARROW))
    told = moments[::-1][:: -(-len(moments) // MOST_ROWS)]
    known = [sorted(dict(points).items()) for points in shown.values()]
    places = ([(points, bisect_right(points, x, key=itemgetter(0))) for points in known] for x in told)
    values = (tuple(minus(points[n - 1][1]) if n else "" for points, n in each) for each in places)
    rows = ((when(x) if when else escape(x), each) for x, each in zip(told, values, strict=True))
    return Chart(name, title, about, wide, narrow, ("When" if when else "At", *shown), tuple(rows))


def _ends(at: Sequence[int], when: Namer | None) -> list[tuple[int, str]]:
    """Return each x with what it is called: its day, or where all are of one day, its hour."""
    said = [strip(when(x)) if when else minus(x) for x in at]
    days, _commas, hours = zip(*(each.partition(", ") for each in said), strict=True)
    one_day = at[0] != at[-1] and len({*days}) == 1 and hours[0]
    return [*{words: (x, words) for x, words in zip(at, hours if one_day else days, strict=True)}.values()]


def _drawing(
    frame: tuple[int, int, int, int],
    shown: Series,
    colours: Mapping[str, int],
    marks: Sequence[tuple[int, str]],
    steps: bool,
) -> Drawing:
    width, height, letters, most_marks = frame
    xs, ys = ([point[axis] for points in shown.values() for point in points] for axis in (0, 1))
    end, start = max(xs), min(xs) - (min(xs) == max(xs))  # of one moment: the lines lead flatly to the right edge
    ticks = _ticks(min(0, *ys), max(0, *ys))
    names = {label: f"{label if len(label) <= letters else label[: letters - 1] + '…'} {minus(points[-1][1])}"
             for label, points in shown.items()}  # fmt: skip
    left = max(LEFT, 16 + DIGIT * max(len(str(value)) for value in ticks))
    right, bottom = width - 14 - LETTER * max(map(len, names.values())), height - BOTTOM

    def x(value: int) -> int:
        return left + (value - start) * (right - left) // (end - start)

    def y(value: int) -> int:
        return bottom - (value - ticks[0]) * (bottom - TOP) // (ticks[-1] - ticks[0])

    lines, words_y = [], TOP - STEP
    ordered = sorted(shown, key=lambda label: (y(shown[label][-1][1]), colours[label]))
    for place, label in enumerate(ordered):
        points, colour = shown[label], colours[label] % COLOURS
        path = f"M{x(points[0][0])} {y(points[0][1])}" + (f"H{x(start)}" if start < min(xs) else "")
        path += "".join(f"H{x(at)}V{y(to)}" if steps else f"L{x(at)} {y(to)}" for at, to in points[1:])
        end_x, end_y = x(points[-1][0]), y(points[-1][1])
        words_y = max(words_y + STEP, min(end_y, bottom - STEP * (len(shown) - 1 - place)))
        dash = DASHES[colour] if len(shown) > 1 else ""
        lines.append(Line(names[label], colour, dash, path, end_x, end_y, words_y + 4))
    kept = [(x(at), words) for at, words in marks if start <= at <= end]
    kept = kept[:: -(-len(kept) // most_marks) or 1]
    below = tuple((at, words, "start" if at < left + 20 else "middle") for at, words in kept)
    return Drawing(width, height, left, right, tuple((y(each), minus(each)) for each in ticks), below, tuple(lines))


def minus(value: int) -> str:
    """Return a number with a minus that is one."""
    return str(value).replace("-", "−")


def _ticks(low: int, high: int) -> list[int]:
    """Return round values that span low and high, four to eight of them."""
    step = 1
    while (high - low) // step > 6:
        step = step * 2 if str(step)[0] in "15" else step * 5 // 2
    first = low // step * step
    return list(range(first, max(-(-high // step) * step, first + step) + 1, step))
