"""Arithmetic against Python's own: fractions, roots, rounding, bits, and numbers in words read back."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as with_settings
from hypothesis import strategies as st

from tests.language.conftest import caller

WIDE = st.integers(-(10**30), 10**30)
WHOLE = st.integers(-(10**6), 10**6)
NONZERO = st.integers(-(10**4), 10**4).filter(bool)


def call(name: str, *arguments: Any) -> Any:
    module, _, function = name.partition(".")
    return caller(module).call("main", [function, list(arguments)], lambda: False)


@with_settings(max_examples=60)
@given(WIDE, WIDE)
def test_gcd(a: int, b: int) -> None:
    assert call("numbers.gcd", a, b) == math.gcd(a, b)


@with_settings(max_examples=60)
@given(st.integers(0, 10**60))
def test_isqrt(number: int) -> None:
    assert call("numbers.isqrt", number) == math.isqrt(number)


@with_settings(max_examples=60)
@given(WHOLE, NONZERO)
def test_rounding(numerator: int, denominator: int) -> None:
    exact = Fraction(numerator, denominator)
    assert call("numbers.floor_div", numerator, denominator) == math.floor(exact)
    assert call("numbers.ceil_div", numerator, denominator) == math.ceil(exact)
    assert call("numbers.toward_zero", numerator, denominator) == math.trunc(exact)
    assert call("numbers.round_half_even", numerator, denominator) == round(exact)
    assert call("numbers.round_half_up", numerator, denominator) == math.floor(exact + Fraction(1, 2))
    away = math.floor(abs(exact) + Fraction(1, 2))
    assert call("numbers.round_half_away", numerator, denominator) == (away if exact >= 0 else -away)


@with_settings(max_examples=60)
@given(WHOLE, NONZERO, WHOLE, NONZERO)
def test_fractions(a: int, b: int, c: int, d: int) -> None:
    first, second = Fraction(a, b), Fraction(c, d)
    x, y = f"{a * (1 if b > 0 else -1)}/{abs(b)}", str(second)
    expected = {"plus": first + second, "minus": first - second, "times": first * second}
    if second:
        expected["over"] = first / second
    for name, value in expected.items():
        found = call(f"numbers.{name}", x, y)
        assert (found["numerator"], found["denominator"]) == (value.numerator, value.denominator)
        assert call("numbers.as_text", f"{found['numerator']}/{found['denominator']}") == str(value)
    assert call("numbers.compare", x, y) == (first > second) - (first < second)


@with_settings(max_examples=60)
@given(WHOLE, st.integers(1, 999), st.integers(0, 6))
def test_decimals(numerator: int, denominator: int, places: int) -> None:
    exact = Decimal(10) ** -places
    value = (Decimal(numerator) / Decimal(denominator)).quantize(exact, ROUND_HALF_UP)
    if Fraction(numerator * 10**places, denominator).denominator != 2:  # a half is Decimal's only if it is exact
        assert call("numbers.decimal", f"{numerator}/{denominator}", places).lstrip("-") == str(abs(value))


@with_settings(max_examples=60)
@given(st.integers(0, 10**6), st.lists(st.integers(0, 50), min_size=1, max_size=9).filter(any))
def test_shares_are_whole_and_fair(amount: int, weights: list[int]) -> None:
    shares = call("numbers.share", amount, weights)
    assert sum(shares) == amount
    for part, weight in zip(shares, weights, strict=True):
        assert abs(part - Fraction(amount * weight, sum(weights))) < 1


def test_power() -> None:
    for base in (-3, -1, 0, 1, 2, 10):
        for exponent in range(12):
            assert call("numbers.power", base, exponent) == base**exponent
    with pytest.raises(Exception, match="too large"):
        call("numbers.power", 10, 10**9)


def test_every_roman_number_reads_back() -> None:
    figures = [call("numbers.roman", n) for n in range(1, 4000, 7)]
    assert [call("numbers.from_roman", f) for f in figures] == list(range(1, 4000, 7))
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    for n, text in zip(range(1, 4000, 7), figures, strict=True):
        worth = [values[c] for c in text]
        assert sum(-v if v < max(worth[i:]) else v for i, v in enumerate(worth)) == n


def test_words_of_numbers_differ() -> None:
    words = [call("numbers.in_words", n) for n in range(1, 1200)]
    assert len(set(words)) == len(words)
    assert words[99:102] == ["one hundred", "one hundred and one", "one hundred and two"]


@with_settings(max_examples=60)
@given(st.integers(0, 2**70), st.integers(0, 2**70), st.integers(0, 80))
def test_bits(a: int, b: int, n: int) -> None:
    assert call("bits.band", a, b) == a & b
    assert call("bits.bor", a, b) == a | b
    assert call("bits.bxor", a, b) == a ^ b
    assert call("bits.shift_left", a, n) == a << n
    assert call("bits.shift_right", a, n) == a >> n
    assert call("bits.popcount", a) == a.bit_count()
    assert call("bits.bit", a, n) == bool(a >> n & 1)
    assert call("bits.bnot", a, 80) == (1 << 80) - 1 - a
    assert call("bits.from_bits", call("bits.to_bits", a, 71)) == a
    assert call("bits.as_binary", a, 71) == f"{a:071b}"


def test_two_to() -> None:
    assert [call("bits.two_to", n) for n in range(130)] == [2**n for n in range(130)]
    assert call("bits.two_to", 4096) == 2**4096


@pytest.mark.parametrize(
    ("address", "profile"),
    [
        ("tivol@mit.edu", 44373),
        ("dan@x.org", 46958),
        ("ann@bbs.net", 32447),
        ("jhuggins@kettering.edu", 56245),
        ("a1@b2.c3", 28086),
    ],
)
def test_profiles_from_addresses(address: str, profile: int) -> None:
    assert call("bits.from_letters", address, 16) == profile
