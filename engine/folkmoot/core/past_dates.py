"""Dates of a past as people know them: exact, a day, a month, a year, about, before, after, between two, or unknown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from itertools import accumulate

from folkmoot.core.calendar import DAY, FIRST, LAST, read_stamp
from folkmoot.core.problems import ProblemError

HINT = "write 2001-03-10, 2001-03, 2001, about 2001, before 2001-03, after 2001, 2001 to 2003, or unknown"
PATTERN = (
    r"unknown|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z|"
    r"(?:(?:about|before|after) )?[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?|"
    r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)? to [0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?"
)
_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", re.ASCII)
Span = tuple[int, int]
"""The first and the last second at which something may have been, in Unix seconds."""


def is_exact(text: str) -> bool:
    """Whether a date is a point in time, to the second."""
    return "T" in text


def span_of(text: str) -> Span | None:
    """Return when something may have been that is dated so, None where that is no date.

    >>> span_of("1970-01"), span_of("before 1970-01-02")[1], span_of("1970-01-32")
    ((0, 2678399), 86399, None)
    """
    if text == "unknown":
        return FIRST, LAST
    if is_exact(text):
        return _exact(text)
    first, between, last = text.partition(" to ")
    if between:
        one, other = _civil(first), _civil(last)
        return (one[0], other[1]) if one and other and one[0] <= other[1] else None
    word, _, rest = text.rpartition(" ")
    found = _civil(rest)
    if found is None or word not in ("", "about", "before", "after"):
        return None
    low, high = found
    length = high - low + 1
    return {
        "": found,
        "about": (max(FIRST, low - length), min(LAST, high + length)),
        "before": (FIRST, low - 1),
        "after": (high + 1, LAST),
    }[word]


def _exact(text: str) -> Span | None:
    try:
        at = read_stamp(text)
    except ProblemError:
        return None
    return at, at


def _civil(text: str) -> Span | None:
    """Return the span of a year, a month or a day."""
    found = _DATE.fullmatch(text)
    if found is None:
        return None
    year, month, day = (int(part) if part else 0 for part in found.groups())
    try:
        first = date(year, month or 1, day or 1)
        last = first if day else date(year + (month in (0, 12)), month % 12 + 1 if month else 1, 1) - timedelta(1)
    except (ValueError, OverflowError):
        return None
    return _midnight(first), _midnight(last) + DAY - 1


def _midnight(day: date) -> int:
    return int((datetime(day.year, day.month, day.day, tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds())


def moments_of(spans: Sequence[Span], now: int) -> list[int]:
    """Return a moment of each of several spans, none before that of the one before it, and none later than `now`.

    Each is the first that it can be; where nothing says when that is, the last. The spans are in order (`backward`).

    >>> moments_of([(FIRST, LAST), (50, 80), (20, 90)], 100)
    [50, 50, 50]
    >>> moments_of([(FIRST, 70), (FIRST, LAST)], 100)
    [70, 100]
    """
    found: list[int] = []
    lows = [*accumulate((low for low, _high in spans), max)]
    for low, (_low, high) in zip(reversed(lows), reversed(spans), strict=True):
        found.append(low if low > FIRST else min(high, found[-1] if found else now))
    return found[::-1]


def backward(spans: Sequence[Span]) -> int | None:
    """Return the place (from 0) of the first span that is over before one ahead of it begins, None where none is."""
    lows = accumulate((low for low, _high in spans), max)
    return next((place for place, (low, span) in enumerate(zip(lows, spans, strict=True)) if span[1] < low), None)
