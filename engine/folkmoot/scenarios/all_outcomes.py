"""Every way in which draws can fall, with its exact probability; pure."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from folkmoot.core.problems import fail
from folkmoot.kernel.chance import Chance, Source, Specification

Outcome = TypeVar("Outcome", bound=Hashable)


@dataclass(slots=True)
class _Fork:
    """A point where outcomes part: the `option` taken of `options`; `first` is the share of option 0 if uneven."""

    option: int
    options: int
    first: Fraction | None = None

    def share(self) -> Fraction:
        if self.first is None:
            return Fraction(1, self.options)
        return 1 - self.first if self.option else self.first


class _Path(Source):
    """One path through all outcomes: follows the forks it is given, then takes option 0 at every new one."""

    name = "enumeration"

    def __init__(self, forks: list[_Fork]) -> None:
        self.forks = forks
        self._next = 0

    def draw(self, specification: Specification, label: str) -> Any:
        del label  # every draw forks, whatever it is called
        numerator, denominator = specification.low, specification.high
        if specification.kind != "chance":
            return specification.sample(lambda n: self._take(_Fork(0, n)))
        if numerator in (0, denominator):
            return numerator > 0
        return self._take(_Fork(0, 2, Fraction(numerator, denominator))) == 0

    def _take(self, fork: _Fork) -> int:
        if self._next == len(self.forks):
            self.forks.append(fork)
        self._next += 1
        return self.forks[self._next - 1].option


def enumerate_outcomes(run: Callable[[Chance], Outcome], most: int = 1_000_000) -> dict[Outcome, Fraction]:
    """Return every outcome of `run` with its exact probability.

    `run` is called once for each path through its draws, each time with a fresh `Chance`; it must depend on nothing
    else. Raises E-BUDGET where there are more than `most` paths.
    """
    outcomes: dict[Outcome, Fraction] = {}
    forks: list[_Fork] = []
    for _ in range(most):
        path = _Path(forks)
        outcome = run(Chance(path))
        share = Fraction(1)
        for fork in forks:
            share *= fork.share()
        outcomes[outcome] = outcomes.get(outcome, Fraction(0)) + share
        if not _advance(forks):
            return outcomes
    raise fail("E-BUDGET", f"there are more than {most:,} ways for these draws to fall")


def _advance(forks: list[_Fork]) -> bool:
    """Move to the next path, depth first; say whether there is one."""
    while forks:
        forks[-1].option += 1
        if forks[-1].option < forks[-1].options:
            return True
        forks.pop()
    return False
