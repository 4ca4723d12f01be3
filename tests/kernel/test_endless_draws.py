"""Finding W11 of the language: draws that nobody can list are refused at once, whatever makes them so many."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.kernel.chance import Chance
from folkmoot.scenarios.dice import LONGEST, LOOK_EVERY, enumerate_outcomes
from folkmoot.scenarios.scenario import Failed, run_scenario
from tests.support.table import rule


def rerolled(sides: int, again: set[int], most: int = 100_000) -> Callable[[Chance], int]:
    def run(chance: Chance) -> int:
        for _ in range(most):
            thrown = chance.integer(1, sides)
            if thrown not in again:
                return thrown
        return 0

    return run


TOO_MANY: list[tuple[Callable[[Chance], Any], int]] = [
    (rerolled(6, {6}), 6 * LONGEST),
    (rerolled(6, {1}), LONGEST),
    (rerolled(6, {2, 5}), 6 * LONGEST),
    (rerolled(100, {100}), 100 * LONGEST),
    (lambda c: sum(c.integer(1, 6) for _ in range(20)), LOOK_EVERY),
    (lambda c: c.permutation(52)[0], 1),
    (lambda c: c.integer(1, 10**9), 1),
]


@pytest.mark.parametrize(("run", "most"), TOO_MANY)
def test_what_cannot_be_listed_is_refused_early(run: Callable[[Chance], Any], most: int) -> None:
    runs = 0

    def counted(chance: Chance) -> Any:
        nonlocal runs
        runs += 1
        return run(chance)

    with pytest.raises(ProblemError, match=r"E-BUDGET.*`dice:`"):
        enumerate_outcomes(counted)
    assert runs <= most


def test_a_bounded_reroll_is_exact() -> None:
    outcomes = enumerate_outcomes(rerolled(6, {6}, most=10))
    assert outcomes[0] == Fraction(1, 6**10)
    assert outcomes[1] == (1 - Fraction(1, 6**10)) / 5
    assert sum(outcomes.values()) == 1


def test_a_scenario_with_an_endless_reroll_says_so() -> None:
    reroll = rule(
        "1",
        """
        def do_throw(a):
            for _ in range(100000):
                thrown = roll(6)
                if thrown != 6:
                    break
            put("game", "thrown", thrown)
        """,
        defines={"game": {"thrown": {"type": "integer", "initial": 0}}},
        actions={"throw": {"summary": "Throw"}},
    )
    law: dict[str, Any] = {"title": "Dice", "rules": [{**reroll, "uid": "1"}], "players": []}
    steps = [{"by": "ann", "do": "throw"}]
    chance = [{"game": True, "thrown": 1, "probability": "1/5"}]
    scenario = {"scenario": "", "ruleset": "", "players": ["ann"], "steps": steps, "chance": chance}
    with pytest.raises(Failed, match=r"step 1 .*after 64 draws there are still more"):
        run_scenario(scenario, lambda _name: law)
