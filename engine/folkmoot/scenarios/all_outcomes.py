"""Every way in which draws can fall, with its exact probability; pure."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any, TypeVar

from msgspec import Struct

from folkmoot.core.problems import ProblemError, fail
from folkmoot.kernel.chance import Chance, Source, Specification

Outcome = TypeVar("Outcome", bound=Hashable)

LONGEST = 64  # draws on one path, beyond which it is a reroll without end
WAYS = 1_000_000
LOOK_EVERY = 1_000  # paths, after which it is looked how much of all that can happen they were
DOUBT = 100  # so many times too many ways there seem to be before it is given up
ADVICE = "give the results by `dice:`, or bound how often something is drawn again"


class _Fork(Struct):
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
            self._check_size(specification)
            return specification.sample(lambda n: self._take(_Fork(0, n)))
        if numerator in (0, denominator):
            return numerator > 0
        return self._take(_Fork(0, 2, Fraction(numerator, denominator))) == 0

    def _check_size(self, specification: Specification) -> None:
        """Raise E-BUDGET for a draw that by itself can fall in too many ways."""
        size = specification.high - specification.low + 1
        if specification.kind == "permutation":
            size = 1
            for number in range(2, specification.high + 1):
                size *= number
                if size > WAYS:
                    break
        if size > WAYS:
            raise _too_many()

    def _take(self, fork: _Fork) -> int:
        if fork.options < 2:
            return 0
        if self._next == len(self.forks):
            if self._next == LONGEST:
                message = f"after {LONGEST} draws there are still more: nobody can list all ways in which they fall"
                raise fail("E-BUDGET", f"{message}; {ADVICE}")
            self.forks.append(fork)
        self._next += 1
        return self.forks[self._next - 1].option


def enumerate_outcomes(run: Callable[[Chance], Outcome]) -> dict[Outcome, Fraction]:
    """Return every outcome of `run` with its exact probability.

    `run` is called once for each path through its draws, each time with a fresh `Chance`; it must depend on nothing
    else. Raises E-BUDGET where there are more than WAYS paths, or where one has more than LONGEST draws. That is
    told as soon as it can be seen: by a draw that is too large alone, or after LOOK_EVERY paths that are next to
    nothing of all that can happen.
    """
    outcomes: dict[Outcome, Fraction] = {}
    forks: list[_Fork] = []
    seen = Fraction(0)
    for number in range(1, WAYS + 1):
        path = _Path(forks)
        outcome = run(Chance(path))
        share = Fraction(1)
        for fork in forks:
            share *= fork.share()
        outcomes[outcome] = outcomes.get(outcome, Fraction(0)) + share
        seen += share
        if not _advance(forks):
            return outcomes
        if number % LOOK_EVERY == 0 and seen * WAYS * DOUBT < number:
            break
    raise _too_many()


def _too_many() -> ProblemError:
    return fail("E-BUDGET", f"there are more than {WAYS:,} ways for these draws to fall; {ADVICE}")


def _advance(forks: list[_Fork]) -> bool:
    """Move to the next path, depth first; say whether there is one."""
    while forks:
        forks[-1].option += 1
        if forks[-1].option < forks[-1].options:
            return True
        forks.pop()
    return False
