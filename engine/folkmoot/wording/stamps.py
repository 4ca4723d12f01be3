"""Times as entries hold them, in Unix seconds or as stamps, read as either."""

from __future__ import annotations

from contextlib import suppress

from folkmoot.core.calendar import read_stamp, write_stamp
from folkmoot.core.problems import ProblemError


def seconds(at: object) -> int | None:
    """Return a time (Unix seconds, or a stamp such as 2026-01-05T12:00:00Z) in Unix seconds.

    >>> seconds("2026-01-05T12:00:00Z")
    1767614400
    """
    if isinstance(at, int) and not isinstance(at, bool):
        return at
    with suppress(ProblemError):
        return read_stamp(str(at))
    return None


def stamp(at: object) -> str | None:
    """Return a time (Unix seconds, or a stamp) as a stamp in UTC, nothing where it is neither.

    >>> stamp(1767614400)
    '2026-01-05T12:00:00Z'
    """
    known = seconds(at)
    return None if known is None else write_stamp(known)
