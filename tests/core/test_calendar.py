"""Stamps, durations, civil time and recurring timers, exact over changes of the clocks."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from folkmoot.core.calendar import (
    civil,
    moment,
    next_firing,
    read_duration,
    read_moment,
    read_stamp,
    read_time_of_day,
    write_stamp,
    zone,
)
from folkmoot.core.problems import ProblemError

BERLIN = "Europe/Berlin"
LORD_HOWE = "Australia/Lord_Howe"  # the clocks change by half an hour
ZONES = ["UTC", BERLIN, LORD_HOWE, "America/St_Johns", "Pacific/Apia", "Asia/Kathmandu", "America/New_York"]
instants = st.integers(-2_000_000_000, 6_000_000_000)


@given(st.integers(-62_135_596_800, 253_402_300_799))
def test_stamp_round_trip(seconds: int) -> None:
    assert read_stamp(write_stamp(seconds)) == seconds


STAMPS = [
    "2026-01-05", "2026-01-05T12:00Z", "2026-01-05T12:00:00", "2026-01-05 12:00:00Z", "2026-02-30T00:00:00Z",
    "2026-01-05T24:00:00Z", "2026-01-05T12:00:60Z", "2026-01-05T12:00:00+00:00", "0000-01-01T00:00:00Z",
    "２０２６-01-05T12:00:00Z", "2026-01-05T12:00:00Z\n", "", "2026-1-5T12:00:00Z", "2026-01-05t12:00:00z",
]  # fmt: skip
DURATIONS = ["", "+", "72", "3h2d", "-1h", "1.5h", "1 h", "2h2h", "9999999999d", "1H"]
ZONELESS = ["Mars/Olympus", "../../etc/passwd", "", "Europe", "Europe/", "europe/berlin/x/y"]
MOMENTS = [(2026, 2, 29), (2026, 13, 1), (0, 1, 1), (2026, 1, 1, 24), (10_000, 1, 1)]
TIMERS: list[dict[str, object]] = [{"every": "fortnight"}, {"every": "week", "weekday": "sun"}, {}]
REFUSED = [
    *[(partial(read_stamp, each), "E-STAMP") for each in STAMPS],
    *[(partial(write_stamp, each), "E-BOUNDS") for each in (-62_135_596_801, 253_402_300_800, 10**30)],
    *[(partial(read_duration, each), "E-DURATION") for each in DURATIONS],
    *[(partial(read_time_of_day, each), "E-STAMP") for each in ("24:00", "7:30", "07:60", "07:30:60", "07.30", "")],
    *[(partial(zone, each), "E-ZONE") for each in ZONELESS],
    *[(partial(moment, *each), "E-BOUNDS") for each in MOMENTS],
    *[(partial(next_firing, each, 0), "E-ARGS") for each in TIMERS],
]


@pytest.mark.parametrize(("call", "code"), REFUSED)
def test_what_is_no_time_is_refused(call: Callable[[], object], code: str) -> None:
    with pytest.raises(ProblemError, match=code):
        call()


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("+72h", 259_200), ("+2d3h", 183_600), ("90m", 5_400), ("1w", 604_800), ("+1h30m15s", 5_415), ("0s", 0)],
)
def test_duration(text: str, seconds: int) -> None:
    assert read_duration(text) == seconds


def test_known_moments() -> None:
    assert read_stamp("2026-01-05T12:00:00Z") == 1_767_614_400
    assert write_stamp(1_767_614_400) == "2026-01-05T12:00:00Z"
    assert (read_moment("1970-01-01T00:00:05Z", 1_000), read_moment("+2h", 1_000)) == (5, 8_200)


def test_civil() -> None:
    assert civil(read_stamp("2026-07-01T22:30:05Z"), BERLIN) == {
        "year": 2026, "month": 7, "day": 2, "hour": 0, "minute": 30, "second": 5, "weekday": 3, "ordinal": 20_636,
    }  # fmt: skip
    assert civil(0)["ordinal"] == 0
    assert civil(-1)["ordinal"] == -1


@given(instants, st.sampled_from(ZONES))
def test_civil_time_is_zoneinfo_s_and_gives_the_first_of_its_moments_back(seconds: int, name: str) -> None:
    expected = datetime.fromtimestamp(seconds, UTC).astimezone(ZoneInfo(name))
    c = civil(seconds, name)
    parts = (c["year"], c["month"], c["day"], c["hour"], c["minute"], c["second"])
    assert (*parts, c["weekday"]) == (*expected.timetuple()[:6], expected.weekday())
    back = moment(*parts, name)
    assert civil(back, name) == c
    assert back <= seconds


def test_local_times_that_are_skipped_or_doubled() -> None:
    change = read_stamp("2026-03-29T01:00:00Z")
    for hour, minute in ((2, 0), (2, 30), (3, 0)):
        assert moment(2026, 3, 29, hour, minute, 0, BERLIN) == change
    assert moment(2026, 3, 29, 1, 59, 59, BERLIN) == change - 1
    assert moment(2026, 10, 25, 2, 30, 0, BERLIN) == read_stamp("2026-10-25T00:30:00Z")
    # Samoa had no 30 December 2011.
    assert moment(2011, 12, 30, 12, 0, 0, "Pacific/Apia") == moment(2011, 12, 31, 0, 0, 0, "Pacific/Apia")


@pytest.mark.parametrize(
    ("timer", "after", "due"),
    [
        ({"every": "day", "time": "23:59:59"}, "2026-01-05T12:00:00Z", "2026-01-05T22:59:59Z"),
        ({"every": "day", "time": "23:59:59"}, "2026-01-05T22:59:59Z", "2026-01-06T22:59:59Z"),
        ({"every": "day", "time": "02:30"}, "2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z"),  # skipped that night
        ({"every": "day", "time": "02:30"}, "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"),
        ({"every": "day", "time": "02:30"}, "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"),  # doubled, fires once
        ({"every": "day", "time": "12:00"}, "2026-03-28T11:00:00Z", "2026-03-29T10:00:00Z"),  # a day of 23 hours
        ({"every": "week", "weekday": "sunday", "time": "00:00"}, "2026-01-05T12:00:00Z", "2026-01-10T23:00:00Z"),
        ({"every": "week", "weekday": "monday", "time": "12:00"}, "2026-01-05T11:00:00Z", "2026-01-12T11:00:00Z"),
        ({"every": "week"}, "2026-01-04T22:59:59Z", "2026-01-04T23:00:00Z"),
        ({"every": "month", "day": 31}, "2026-01-31T12:00:00Z", "2026-02-27T23:00:00Z"),
        ({"every": "month", "day": 31}, "2026-02-27T23:00:00Z", "2026-03-30T22:00:00Z"),
        ({"every": "month"}, "2026-12-05T12:00:00Z", "2026-12-31T23:00:00Z"),
        ({"every": "hour", "time": "00:15"}, "2026-10-25T00:15:00Z", "2026-10-25T01:15:00Z"),  # both doubled hours
        ({"every": "hour", "time": "00:15"}, "2026-03-29T00:15:00Z", "2026-03-29T01:15:00Z"),
    ],
)
def test_next_firing_in_berlin(timer: dict[str, object], after: str, due: str) -> None:
    assert write_stamp(next_firing(timer, read_stamp(after), BERLIN)) == due


timers = st.fixed_dictionaries(
    {
        "every": st.sampled_from(["hour", "day", "week", "month"]),
        "weekday": st.sampled_from(["monday", "thursday", "sunday"]),
        "day": st.integers(1, 31),
        "time": st.sampled_from(["00:00", "02:15", "02:30", "01:45:30", "23:59:59"]),
    }
)


@given(timers, instants, st.sampled_from(ZONES))
def test_firings_are_strictly_later_and_skip_none(timer: dict[str, object], after: int, name: str) -> None:
    due = next_firing(timer, after, name)
    assert due > after
    assert next_firing(timer, (after + due) // 2, name) == due  # nothing lies between
    if due - 1 > after:
        assert next_firing(timer, due - 1, name) == due
