"""Times of entries (Unix seconds or stamps), and how pages say them: days by their names, in the zone of the game."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from functools import lru_cache

from folkmoot.core import calendar
from folkmoot.core.calendar import read_stamp, write_stamp
from folkmoot.core.problems import ProblemError
from folkmoot.wording.markup import Html, escape
from folkmoot.wording.prose import phrase

_WEEKDAYS = "Mon Tue Wed Thu Fri Sat Sun".split()
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
STAMP = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(?P<utc>Z)?)?", re.ASCII)


def seconds(at: object) -> int | None:
    """Return a time (Unix seconds, or a stamp such as 2026-01-05T12:00:00Z) in Unix seconds, None where it is neither.

    >>> seconds("2026-01-05T12:00:00Z")
    1767614400
    """
    if isinstance(at, int) and not isinstance(at, bool):
        return at
    with suppress(ProblemError):
        return read_stamp(str(at))
    return None


def stamp(at: object) -> str | None:
    """Return a time (Unix seconds, or a stamp) as a stamp in UTC, None where it is neither.

    >>> stamp(1767614400)
    '2026-01-05T12:00:00Z'
    """
    known = seconds(at)
    return None if known is None else write_stamp(known)


@lru_cache(maxsize=5_000)
def moment(at: int, zone_name: str, *, day: bool = True, clock: bool = True, year: int | None = None) -> Html:
    """Return a moment (Unix seconds) in a zone: its `day`, without the year where that is `year`, its `clock`, or both.

    Seconds are told where there are some and no `year` is named.

    >>> moment(1767614400, "UTC", year=2026)
    '<time datetime="2026-01-05T12:00:00Z" title="2026-01-05 12:00:00 UTC">Mon 5 Jan, 12:00</time>'
    """
    try:
        utc = datetime.fromtimestamp(at, UTC).replace(tzinfo=None)
    except (OverflowError, OSError, ValueError):
        return escape(at)
    local = utc.replace(tzinfo=UTC).astimezone(zone(zone_name))
    date, hour = local.isoformat()[:19].split("T")
    said = [day_named(local).removesuffix(f" {year}")] if day else []
    if not clock:
        return Html(f'<time datetime="{date}">{escape(said[0])}</time>')
    said.append(hour if local.second and day and year is None else hour[:5])
    return Html(f'<time datetime="{utc.isoformat()}Z" title="{utc} UTC">{escape(", ".join(said))}</time>')


def day_named(day: datetime) -> str:
    """Return a day as "Mon 5 Jan 2026"."""
    return f"{_WEEKDAYS[day.weekday()]} {day.day} {_MONTHS[day.month - 1]} {day.year}"


def civil_moment(found: re.Match[str], zone_name: str) -> Html:
    """Return a time that a script wrote in digits as all other times are written: a stamp, or a time of the zone."""
    try:
        said = datetime(*(int(part or 0) for part in found.groups()[:6]), tzinfo=UTC)  # type: ignore[misc,arg-type]
    except ValueError:
        return phrase(found[0])
    if found["utc"]:
        return moment(int(said.timestamp()), zone_name)
    if found[4] is not None:
        return moment(int(said.replace(tzinfo=zone(zone_name)).timestamp()), zone_name)
    return Html(f'<time datetime="{said.isoformat()[:10]}">{escape(day_named(said))}</time>')


def zone(name: str) -> tzinfo:
    """Return a time zone, UTC where its name is unknown."""
    with suppress(ProblemError):
        return calendar.zone(name)
    return UTC
