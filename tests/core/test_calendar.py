"""Stamps, durations, civil time and recurring timers, exact over changes of the clocks."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from folkmoot.core.calendar import (
    HOUR,
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
from folkmoot.core.problems import Position, ProblemError

BERLIN = "Europe/Berlin"
LORD_HOWE = "Australia/Lord_Howe"  # the clocks change by half an hour
ZONES = ["UTC", BERLIN, LORD_HOWE, "America/St_Johns", "Pacific/Apia", "Asia/Kathmandu", "America/New_York"]
instants = st.integers(-2_000_000_000, 6_000_000_000)


def at(text: str) -> int:
    return read_stamp(text)


def test_stamp_known_values() -> None:
    assert read_stamp("1970-01-01T00:00:00Z") == 0
    assert read_stamp("2026-01-05T12:00:00Z") == 1_767_614_400
    assert write_stamp(1_767_614_400) == "2026-01-05T12:00:00Z"
    assert write_stamp(read_stamp("0001-01-01T00:00:00Z")) == "0001-01-01T00:00:00Z"


@given(st.integers(-62_135_596_800, 253_402_300_799))
def test_stamp_round_trip(seconds: int) -> None:
    assert read_stamp(write_stamp(seconds)) == seconds


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-05", "2026-01-05T12:00Z", "2026-01-05T12:00:00", "2026-01-05 12:00:00Z", "2026-02-30T00:00:00Z",
        "2026-01-05T24:00:00Z", "2026-01-05T12:00:60Z", "2026-01-05T12:00:00+00:00", "0000-01-01T00:00:00Z",
        "２０２６-01-05T12:00:00Z", "2026-01-05T12:00:00Z\n", "", "2026-1-5T12:00:00Z", "2026-01-05t12:00:00z",
    ],
)  # fmt: skip
def test_stamp_refuses(text: str) -> None:
    with pytest.raises(ProblemError) as caught:
        read_stamp(text, Position("a.yaml", 3, 5))
    assert str(caught.value).startswith("a.yaml:3:5: E-STAMP: ")


@pytest.mark.parametrize("seconds", [-62_135_596_801, 253_402_300_800, 10**30])
def test_stamp_out_of_calendar(seconds: int) -> None:
    with pytest.raises(ProblemError, match="E-BOUNDS"):
        write_stamp(seconds)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("+72h", 259_200), ("+2d3h", 183_600), ("90m", 5_400), ("1w", 604_800), ("+1h30m15s", 5_415), ("0s", 0)],
)
def test_duration(text: str, seconds: int) -> None:
    assert read_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "+", "72", "3h2d", "-1h", "1.5h", "1 h", "2h2h", "9999999999d", "1H"])
def test_duration_refuses(text: str) -> None:
    with pytest.raises(ProblemError, match="E-DURATION"):
        read_duration(text)


def test_moment_relative_or_absolute() -> None:
    assert read_moment("+2h", 1_000) == 8_200
    assert read_moment("1970-01-01T00:00:05Z", 1_000) == 5


@pytest.mark.parametrize("text", ["24:00", "7:30", "07:60", "07:30:60", "07.30", ""])
def test_time_of_day_refuses(text: str) -> None:
    with pytest.raises(ProblemError, match="E-STAMP"):
        read_time_of_day(text)


@pytest.mark.parametrize("name", ["Mars/Olympus", "../../etc/passwd", "", "Europe", "Europe/", "europe/berlin/x/y"])
def test_unknown_zone(name: str) -> None:
    with pytest.raises(ProblemError, match="E-ZONE"):
        zone(name)


def test_civil() -> None:
    assert civil(at("2026-07-01T22:30:05Z"), BERLIN) == {
        "year": 2026, "month": 7, "day": 2, "hour": 0, "minute": 30, "second": 5, "weekday": 3, "ordinal": 20_636,
    }  # fmt: skip
    assert civil(0)["ordinal"] == 0
    assert civil(-1)["ordinal"] == -1


@given(instants, st.sampled_from(ZONES))
def test_moment_inverts_civil(seconds: int, name: str) -> None:
    c = civil(seconds, name)
    back = moment(c["year"], c["month"], c["day"], c["hour"], c["minute"], c["second"], name)
    first = civil(back, name)
    assert first == c  # the same local time ...
    assert back <= seconds  # ... at its first occurrence


@given(instants, st.sampled_from(ZONES))
def test_civil_agrees_with_zoneinfo(seconds: int, name: str) -> None:
    expected = datetime.fromtimestamp(seconds, UTC).astimezone(ZoneInfo(name))
    c = civil(seconds, name)
    assert (c["year"], c["month"], c["day"], c["hour"]) == (expected.year, expected.month, expected.day, expected.hour)
    assert c["weekday"] == expected.weekday()


def test_skipped_local_time_is_the_instant_of_the_change() -> None:
    change = at("2026-03-29T01:00:00Z")
    assert moment(2026, 3, 29, 2, 0, 0, BERLIN) == change
    assert moment(2026, 3, 29, 2, 30, 0, BERLIN) == change
    assert moment(2026, 3, 29, 3, 0, 0, BERLIN) == change
    assert moment(2026, 3, 29, 1, 59, 59, BERLIN) == change - 1


def test_doubled_local_time_is_its_first_occurrence() -> None:
    assert moment(2026, 10, 25, 2, 30, 0, BERLIN) == at("2026-10-25T00:30:00Z")


def test_skipped_day() -> None:
    """Samoa had no 30 December 2011."""
    assert moment(2011, 12, 30, 12, 0, 0, "Pacific/Apia") == moment(2011, 12, 31, 0, 0, 0, "Pacific/Apia")


@pytest.mark.parametrize("parts", [(2026, 2, 29), (2026, 13, 1), (0, 1, 1), (2026, 1, 1, 24), (10_000, 1, 1)])
def test_moment_refuses(parts: tuple[int, ...]) -> None:
    with pytest.raises(ProblemError, match="E-BOUNDS"):
        moment(*parts)


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
    assert write_stamp(next_firing(timer, at(after), BERLIN)) == due


def test_hourly_where_the_clocks_change_by_half_an_hour() -> None:
    """Lord Howe: 02:00 -> 02:30 on 2026-10-04 (15:30 UTC the day before), 02:00 -> 01:30 on 2026-04-05 (15:00 UTC)."""
    quarter, three = {"every": "hour", "time": "00:15"}, {"every": "hour", "time": "00:45"}
    spring, autumn = at("2026-10-03T15:30:00Z"), at("2026-04-04T15:00:00Z")
    assert next_firing(quarter, spring - 1, LORD_HOWE) == spring
    assert next_firing(quarter, spring, LORD_HOWE) == spring + HOUR * 3 // 4
    assert next_firing(three, spring - 1, LORD_HOWE) == spring + 900
    assert next_firing(three, autumn - 1, LORD_HOWE) == autumn + 900
    assert next_firing(quarter, autumn - 1, LORD_HOWE) == autumn + HOUR * 3 // 4


@pytest.mark.parametrize("timer", [{"every": "fortnight"}, {"every": "week", "weekday": "sun"}, {}])
def test_next_firing_refuses(timer: dict[str, object]) -> None:
    with pytest.raises(ProblemError, match="E-ARGS"):
        next_firing(timer, 0)


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
