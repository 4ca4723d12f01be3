"""Stamps, durations, civil time and the due times of recurring timers, all in whole Unix seconds (UTC).

Nothing here reads a clock. Time zones come from the pinned `tzdata` package, never from the machine, so that a replay
gives the same instants everywhere. Where the clocks of a zone jump:

- a local time that does not exist means the instant of the jump (02:30 on the night of a spring change is 03:00);
- a local time that happens twice means its first occurrence; only hourly timers fire at both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, timedelta, tzinfo
from functools import lru_cache
from io import BytesIO
from typing import Any, TypedDict

from folkmoot.core.problems import Position, ProblemError, fail
from folkmoot.core.rule_blocks import TimerSpec

MINUTE, HOUR, DAY, WEEK = 60, 3_600, 86_400, 604_800
FIRST, LAST = -62_135_596_800, 253_402_300_799  # the first second of the year 1, and the last of the year 9999
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_EPOCH_DAY = date(1970, 1, 1).toordinal()
_STAMP = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z", re.ASCII)
_SAID = re.compile(r"(?P<day>\d{4}-\d\d-\d\d) (?P<clock>\d\d:\d\d)(?P<seconds>:\d\d)? UTC", re.ASCII)
_DURATION = re.compile(r"\+?(?:(\d{1,9})w)?(?:(\d{1,9})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,9})s)?", re.ASCII)
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?", re.ASCII)
_PERIOD = re.compile(r"(hour|day|week|month)|([2-9]|[1-9]\d{1,2}) (hour|day|week|month)s", re.ASCII)
_DATE = re.compile(r"([12]\d{3})-(\d\d)-(\d\d)", re.ASCII)
_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+){0,2}", re.ASCII)
_UNITS = ((WEEK, "w"), (DAY, "d"), (HOUR, "h"), (MINUTE, "m"), (1, "s"))


class Civil(TypedDict):
    """A local date and time; `weekday` counts from 0 = Monday, `ordinal` is days since 1970-01-01."""

    year: int
    month: int
    day: int
    hour: int
    minute: int
    second: int
    weekday: int
    ordinal: int


def read_stamp(text: str, position: Position | None = None, otherwise: str = "") -> int:
    """Return the Unix seconds of a stamp such as `2026-01-05T12:00:00Z`; raises E-STAMP for anything else.

    `otherwise` says what else may stand there, for the hint.
    """
    found = _STAMP.fullmatch(text)
    if not found:
        raise _bad_stamp(text, position, otherwise)
    try:
        moment_ = datetime(*map(int, found.groups()), tzinfo=UTC)  # type: ignore[misc,arg-type]
    except ValueError:
        raise _bad_stamp(text, position, otherwise) from None
    return _seconds(moment_)


def _bad_stamp(text: str, position: Position | None, otherwise: str) -> ProblemError:
    return fail(
        "E-STAMP",
        f"'{text[:40]}' is no point in time",
        position,
        f"write date and time in UTC, as in 2026-01-05T12:00:00Z{otherwise}",
    )


def write_stamp(at: int) -> str:
    """Return the stamp of `at` (Unix seconds); raises E-BOUNDS outside the years 1 to 9999."""
    moment_ = _local(at, UTC)
    return f"{moment_.year:04d}-{moment_:%m-%dT%H:%M:%S}Z"


def write_moment(at: int, *, exactly: bool = False) -> str:
    """Return `at` (Unix seconds) as the terminal and comments say it, to the minute, or `exactly` with its seconds.

    >>> write_moment(1_767_614_459), write_moment(1_767_614_459, exactly=True)
    ('2026-01-05 12:00 UTC', '2026-01-05 12:00:59 UTC')
    """
    stamp = write_stamp(at)
    seconds = stamp[16:19] if exactly and not stamp.endswith(":00Z") else ""
    return f"{stamp[:10]} {stamp[11:16]}{seconds} UTC"


def moment_said(stamp: str) -> str:
    """Return a stamp as the terminal and comments say it; what is none, as it is.

    >>> moment_said("2026-01-05T12:00:59Z"), moment_said("2026-01-05"), moment_said("soon")
    ('2026-01-05 12:00 UTC', '2026-01-05', 'soon')
    """
    return f"{stamp[:10]} {stamp[11:16]} UTC" if _STAMP.fullmatch(stamp) else stamp


def seconds_of(value: Any) -> Any:
    """Return the seconds that a stamp stands for; anything else as it is."""
    try:
        return read_stamp(value) if isinstance(value, str) else value
    except ProblemError:
        return value


def read_duration(text: str, position: Position | None = None) -> int:
    """Return the seconds of a duration: weeks, days, hours, minutes, seconds in this order (`+2d3h`, `90m`)."""
    found = _DURATION.fullmatch(text)
    if not found or not any(found.groups()):
        hint = "write weeks, days, hours, minutes, seconds in this order, as in +72h, +2d3h or 90m"
        raise fail("E-DURATION", f"'{text[:40]}' is no length of time", position, hint)
    return sum(int(count) * size for count, (size, _) in zip(found.groups(), _UNITS, strict=True) if count)


def read_moment(text: str, before: int) -> int:
    """Return an absolute stamp, or `before` plus a duration that starts with `+`, in Unix seconds.

    A moment may also be written as it is said (see `write_moment`).

    >>> read_moment("2026-01-05 12:00 UTC", 0), read_moment("+5s", 60)
    (1767614400, 65)
    """
    if text.startswith("+"):
        return before + read_duration(text)
    said = _SAID.fullmatch(text)
    if said:
        text = f"{said['day']}T{said['clock']}{said['seconds'] or ':00'}Z"
    return read_stamp(text, None, ", or a time after the last entry, as in +2h or +3d")


def read_time_of_day(text: str) -> tuple[int, int, int]:
    """Return hour, minute and second of `HH:MM` or `HH:MM:SS`; raises E-STAMP for anything else."""
    found = _TIME.fullmatch(text)
    if not found:
        hint = 'write hours and minutes, as in "07:30" or "23:59:59"'
        raise fail("E-STAMP", f"'{text[:40]}' is no time of day", None, hint)
    hour, minute, second = found.groups()
    return int(hour), int(minute), int(second or 0)


def zone_file(name: str) -> bytes | None:
    """Return the file of a time zone in the pinned database, or None where it has none."""
    from importlib import resources  # loaded late: most games are in UTC, and commands must start fast

    if not _ZONE.fullmatch(name):
        return None
    source = resources.files("tzdata").joinpath("zoneinfo", *name.split("/"))
    return source.read_bytes() if source.is_file() else None


read_zone: Callable[[str], bytes | None] = zone_file
"""How the file of a zone is read: the sandbox's process, which opens none, asks its parent."""


@lru_cache(maxsize=64)
def zone(name: str) -> tzinfo:
    """Return the time zone called `name` from the pinned database; raises E-ZONE where it has none."""
    if name == "UTC":
        return UTC
    if (data := read_zone(name)) is None:
        raise fail("E-ZONE", f"there is no time zone '{name[:40]}'", None, "use a name such as Europe/Berlin or UTC")
    from zoneinfo import ZoneInfo

    return ZoneInfo.from_file(BytesIO(data), key=name)


def civil(at: int, zone_name: str = "UTC") -> Civil:
    """Return the local date and time of `at` (Unix seconds) in a zone; raises E-BOUNDS, E-ZONE."""
    local = _local(at, zone(zone_name))
    return Civil(
        year=local.year,
        month=local.month,
        day=local.day,
        hour=local.hour,
        minute=local.minute,
        second=local.second,
        weekday=local.weekday(),
        ordinal=local.toordinal() - _EPOCH_DAY,
    )


def moment(
    year: int, month: int, day: int, hour: int = 0, minute: int = 0, second: int = 0, zone_name: str = "UTC"
) -> int:
    """Return the Unix seconds of a local date and time, the inverse of `civil`.

    A local time that is skipped by a change of the clocks means the instant of the change, one that happens twice its
    first occurrence. Raises E-BOUNDS for what no calendar has (31 February, hour 24, year 0), E-ZONE.
    """
    try:
        local = datetime(year, month, day, hour, minute, second, tzinfo=zone(zone_name))
        earlier, later = _seconds(local), _seconds(local.replace(fold=1))
    except (ValueError, OverflowError):
        written = f"{year}-{month}-{day} {hour}:{minute}:{second}"
        raise fail("E-BOUNDS", f"{written} is no date and time of the calendar") from None
    skipped = later < earlier
    return _jump(later, earlier, zone(zone_name)) if skipped else earlier


def next_firing(timer: TimerSpec, after: int, zone_name: str = "UTC") -> int:
    """Return when a recurring timer fires next, strictly later than `after` (Unix seconds).

    `timer` has the keys of a rule's timer: `every` (hour, day, week, month), `time` ("HH:MM[:SS]", default midnight; of
    an hourly timer only minute and second count), `weekday` (weekly; default monday), `day` (monthly, 1 to 31; default
    1; the last day of shorter months). One of several (`every: 10 days`) fires first on the date `starting` at that
    time. Raises E-ARGS for another `every` or `weekday`.
    """
    time_of_day = read_time_of_day(str(timer.get("time") or "00:00"))
    count, every = read_period(str(timer.get("every")))
    if count > 1:
        return _next_of_several(timer, count, every, time_of_day, after, zone_name)
    if every == "hour":
        return _next_hour(time_of_day[1] * MINUTE + time_of_day[2], after, zone(zone_name))
    today = _local(after, zone(zone_name)).date()
    if every == "day":
        days = (today + timedelta(days=n) for n in range(-1, 4))
    elif every == "week":
        first = today - timedelta(days=7 + (today.weekday() - _weekday(timer)) % 7)
        days = (first + timedelta(weeks=n) for n in range(4))
    else:
        days = (_day_of_month(today, n, int(timer.get("day") or 1)) for n in range(-1, 4))
    due = (moment(d.year, d.month, d.day, *time_of_day, zone_name=zone_name) for d in days)
    return next(at for at in due if at > after)


def read_period(every: str) -> tuple[int, str]:
    """Return how many of which unit lie between two firings: `day` is (1, "day"), `10 days` is (10, "day").

    Raises E-ARGS for anything else.
    """
    found = _PERIOD.fullmatch(every)
    if not found:
        hint = "use hour, day, week or month, or several of them, as in 10 days"
        raise fail("E-ARGS", f"a timer cannot recur every '{every[:40]}'", None, hint)
    return (1, found[1]) if found[1] else (int(found[2]), found[3])


def read_date(text: str) -> date:
    """Return a day of the calendar from `2026-05-01`; raises E-STAMP for anything else."""
    found = _DATE.fullmatch(text)
    try:
        if found:
            return date(*map(int, found.groups()))
    except ValueError:
        pass
    raise fail("E-STAMP", f"'{text[:40]}' is no date", None, "write year, month and day, as in 2026-05-01")


def _next_of_several(
    timer: Mapping[str, Any], count: int, unit: str, time_of_day: tuple[int, int, int], after: int, zone_name: str
) -> int:
    """Return when a timer fires next that recurs every so many hours, days, weeks or months from a date on."""
    first = read_date(str(timer.get("starting")))
    begin = moment(first.year, first.month, first.day, *time_of_day, zone_name=zone_name)
    if after < begin:
        return begin
    if unit == "hour":
        return begin + ((after - begin) // (count * HOUR) + 1) * count * HOUR
    today = _local(after, zone(zone_name)).date()
    if unit == "month":
        passed = (today.year - first.year) * 12 + today.month - first.month
        days = (_day_of_month(first, n * count, first.day) for n in range(max(0, passed // count), passed // count + 3))
    else:
        step = count * (7 if unit == "week" else 1)
        passed = (today - first).days // step
        days = (first + timedelta(days=n * step) for n in range(passed, passed + 3))
    try:
        due = (moment(d.year, d.month, d.day, *time_of_day, zone_name=zone_name) for d in days)
        return next(at for at in due if at > after)
    except (OverflowError, ValueError):  # beyond the calendar: as late as there is a time
        return LAST


def _weekday(timer: Mapping[str, Any]) -> int:
    name = str(timer.get("weekday") or "monday")
    if name not in WEEKDAYS:
        raise fail("E-ARGS", f"'{name[:40]}' is no day of the week", None, "write it as in monday")
    return WEEKDAYS.index(name)


def _day_of_month(today: date, months: int, day: int) -> date:
    year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
    following = date(year + (month == 11), (month + 1) % 12 + 1, 1)
    last = (following - timedelta(days=1)).day
    return date(year, month + 1, min(day, last))


def _next_hour(target: int, after: int, place: tzinfo) -> int:
    """Return the next instant whose local minute and second are `target` seconds into the hour."""
    offset = _offset(after, place)
    due = after + 1 + (target - (after + 1 + offset)) % HOUR
    shift = _offset(due, place) - offset
    if shift % HOUR == 0:
        return due
    jump = _jump(after, due, place)
    skipped = shift > 0 and (target - (jump + offset)) % HOUR < shift
    return jump if skipped else jump + (target - (jump + offset + shift)) % HOUR


def _jump(low: int, high: int, place: tzinfo) -> int:
    """Return the first second after `low` whose offset differs from that of `low`; it is `high` at the latest."""
    before = _offset(low, place)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _offset(middle, place) == before else (low, middle)
    return high


def _offset(at: int, place: tzinfo) -> int:
    offset = _local(at, place).utcoffset()
    assert offset is not None
    return offset.days * DAY + offset.seconds


def _local(at: int, place: tzinfo) -> datetime:
    try:
        return (_EPOCH + timedelta(seconds=at)).astimezone(place)
    except (ValueError, OverflowError):
        raise fail("E-BOUNDS", f"{at} seconds lies outside the years 1 to 9999") from None


def _seconds(moment_: datetime) -> int:
    since = moment_ - _EPOCH
    return since.days * DAY + since.seconds
