"""Every way in which draws can fall is found once, with its exact probability."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.kernel.chance import Chance
from folkmoot.scenarios import dice
from folkmoot.scenarios.dice import enumerate_outcomes


def test_two_dice() -> None:
    sums = enumerate_outcomes(lambda c: c.integer(1, 6) + c.integer(1, 6))
    assert sums[7] == Fraction(1, 6)
    assert sums[2] == Fraction(1, 36)
    assert sum(sums.values()) == 1


def test_orders_are_equally_likely() -> None:
    orders = enumerate_outcomes(lambda c: tuple(c.permutation(4)))
    assert set(orders) == set(permutations(range(4)))
    assert set(orders.values()) == {Fraction(1, 24)}


def test_draws_that_depend_on_draws() -> None:
    """A die that explodes once: 6 is rolled again and added."""

    def run(chance: Chance) -> int:
        first = chance.integer(1, 6)
        return first + chance.integer(1, 6) if first == 6 else first

    outcomes = enumerate_outcomes(run)
    assert outcomes[5] == Fraction(1, 6)
    assert outcomes[12] == Fraction(1, 36)
    assert 6 not in outcomes


def test_uneven_chances_are_two_paths_not_many() -> None:
    outcomes = enumerate_outcomes(lambda c: (c.happens(271, 1000), c.happens(0, 9), c.happens(9, 9)))
    assert outcomes == {(True, False, True): Fraction(271, 1000), (False, False, True): Fraction(729, 1000)}


def test_without_draws_there_is_one_outcome() -> None:
    assert enumerate_outcomes(lambda c: "x") == {"x": Fraction(1)}


def test_too_many_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dice, "WAYS", 100)
    with pytest.raises(ProblemError, match="E-BUDGET"):
        enumerate_outcomes(lambda c: c.integer(1, 101))
    assert len(enumerate_outcomes(lambda c: c.integer(1, 100))) == 100
