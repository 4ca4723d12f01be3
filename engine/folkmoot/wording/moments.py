"""Moments in words: the day by its name, the clock of the game's zone, and the stamp in UTC behind them."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, datetime, tzinfo
from functools import lru_cache

from folkmoot.core import calendar
from folkmoot.core.problems import ProblemError
from folkmoot.wording.markup import Html, escape
from folkmoot.wording.prose import phrase
from folkmoot.wording.translation import day_named

STAMP = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(?P<utc>Z)?)?", re.ASCII)


def moment(at: int, zone_name: str) -> Html:
    """Return a moment (Unix seconds) as a page says it, in a zone."""
    return _moment(at, zone_name, day_too=True)


def hour(at: int, zone_name: str) -> Html:
    """Return a moment where its day is known already, as "13:00"."""
    return _moment(at, zone_name, day_too=False)


def brief(at: int, zone_name: str, year: int, *, clock: bool = True) -> Html:
    """Return a moment without its seconds, and without its year where that is `year`.

    >>> brief(1767614400, "UTC", 2026)
    '<time datetime="2026-01-05T12:00:00Z" title="2026-01-05 12:00:00 UTC">Mon 5 Jan, 12:00</time>'
    """
    return _brief(at, zone_name, year, clock)


@lru_cache(maxsize=5_000)
def _brief(at: int, zone_name: str, year: int, clock: bool) -> Html:
    try:
        utc = datetime.fromtimestamp(at, UTC)
    except (OverflowError, OSError, ValueError):
        return escape(at)
    local = utc.astimezone(zone(zone_name))
    day = day_named(local)
    said = day.removesuffix(f" {year}") + (f", {local:%H:%M}" if clock else "")
    if not clock:
        return Html(f'<time datetime="{local:%Y-%m-%d}">{escape(said)}</time>')
    return Html(f'<time datetime="{utc:%Y-%m-%dT%H:%M:%SZ}" title="{utc:%Y-%m-%d %H:%M:%S} UTC">{escape(said)}</time>')


@lru_cache(maxsize=5_000)
def _moment(at: int, zone_name: str, *, day_too: bool) -> Html:
    """Return a moment; if it is not asked for its day, only its hour."""
    try:
        utc = datetime.fromtimestamp(at, UTC)
    except (OverflowError, OSError, ValueError):
        return escape(at)
    local = utc.astimezone(zone(zone_name))
    day, clock = utc.isoformat()[:19].split("T")
    shown = local.isoformat()[11 : 19 if local.second and day_too else 16]
    said = escape(f"{day_named(local)}, {shown}" if day_too else shown)
    return Html(f'<time datetime="{day}T{clock}Z" title="{day} {clock} UTC">{said}</time>')


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
    return Html(f'<time datetime="{said:%Y-%m-%d}">{escape(day_named(said))}</time>')


def zone(name: str) -> tzinfo:
    """Return a time zone, UTC where its name is unknown."""
    with suppress(ProblemError):
        return calendar.zone(name)
    return UTC
