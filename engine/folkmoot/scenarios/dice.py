"""The draws of scenarios: results laid ready, seeded ones for examples of rules, or every way in which they fall."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import factorial, prod
from typing import Any, TypeVar

from msgspec import Struct

from folkmoot.core.problems import ProblemError, fail
from folkmoot.kernel.chance import Chance, Derived, Scripted, Source, Specification, subkey
from folkmoot.kernel.play import Play


def drawing(play: Play) -> str:
    """Return the uid of the rule whose script draws, "" where none does."""
    return play.frames[-1].uid if play.frames else ""


class ScenarioDice(Source):
    """Results laid ready for draws in their order, those that name a `rule` for draws of that one.

    With an owner (the uid of the rule that brings an example) the results that name no rule are for its draws; what
    other rules draw, and no result is laid ready for, is seeded, so that it takes nothing away.
    """

    name = "script"

    def __init__(self, dice: Sequence[Any], playing: Callable[[], Play], owner: str = "") -> None:
        """Take the results of the next draws in order, and what gives the game in which they are drawn."""
        named: dict[str, list[Any]] = defaultdict(list)
        for result in dice:
            named[str(result.get("rule") or "") if isinstance(result, Mapping) else ""].append(result)
        self._unnamed = Scripted(named.pop("", []))
        self._named = {rule: Scripted(results) for rule, results in named.items()}
        self._playing, self._owner, self._rest = playing, owner, Streams(playing, "dice")

    def draw(self, specification: Specification, label: str) -> Any:
        """Return the next result for the rule that draws; raises E-DICE where it has none, or none that fits."""
        return self._source().draw(specification, label)

    def choose(self, items: Sequence[Any], label: str) -> Any:
        """Return the position that the next result names for the rule that draws."""
        return self._source().choose(items, label)

    def has(self, specification: Specification, label: str) -> bool:
        """Whether the next result for the rule that draws is one of such a draw."""
        return self._source().has(specification, label)

    def finish(self) -> None:
        """Raise E-DICE if dice are left."""
        for source in (self._unnamed, *self._named.values()):
            source.finish()

    def _source(self) -> Source:
        uid = drawing(play := self._playing())
        for name in (uid, str(play.law.metas()[uid]["number"])) if uid and self._named else ():
            if name in self._named:
                return self._named[name]
        return self._unnamed if not self._owner or uid == self._owner else self._rest


class Streams(Source):
    """Seeded draws, of each rule from a stream of its own: what one draws changes nothing of what another does."""

    name = "open"

    def __init__(self, playing: Callable[[], Play], seed: str) -> None:
        """Take what gives the game in which they are drawn, and what the streams begin with."""
        self._playing = playing
        self._stream = cache(lambda uid: Derived(subkey(b"", "example", f"{seed} {uid}"), self.name))

    def draw(self, specification: Specification, label: str) -> Any:
        """Return the next result for the rule that draws."""
        return self._stream(drawing(self._playing())).draw(specification, label)


class Unseen(Source):
    """Sealed draws, which nobody sees: the next result of the dice where it fits such a draw, else seeded."""

    name = "script"

    def __init__(self, dice: Source, seed: str) -> None:
        """Take the dice of the scenario, and what the seeded draws begin with."""
        self._dice = dice
        self._seeded = Derived(subkey(b"", "example", seed), self.name)

    def draw(self, specification: Specification, label: str) -> Any:
        """Return the result of the next sealed draw."""
        source = self._dice if self._dice.has(specification, label) else self._seeded
        return source.draw(specification, label)


# -- every way in which draws can fall, with its exact probability

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
            shuffled = factorial(min(specification.high, 10))  # which is more than WAYS
            if (shuffled if specification.kind == "permutation" else denominator - numerator + 1) > WAYS:
                raise _too_many()
            return specification.sample(lambda n: self._take(_Fork(0, n)))
        if numerator in (0, denominator):
            return numerator > 0
        return self._take(_Fork(0, 2, Fraction(numerator, denominator))) == 0

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
    """Return every outcome of `run`, called for each path through its draws and for nothing else, with its probability.

    Raises E-BUDGET for more than WAYS paths, or LONGEST draws on one, as soon as that can be seen.
    """
    outcomes: dict[Outcome, Fraction] = {}
    forks: list[_Fork] = []
    seen = Fraction(0)
    for number in range(1, WAYS + 1):
        path = _Path(forks)
        outcome = run(Chance(path))
        share = prod((fork.share() for fork in forks), start=Fraction(1))
        outcomes[outcome] = outcomes.get(outcome, Fraction(0)) + share
        seen += share
        while forks and forks[-1].option + 1 == forks[-1].options:  # to the next path, depth first
            forks.pop()
        if not forks:
            return outcomes
        forks[-1].option += 1
        if number % LOOK_EVERY == 0 and seen * WAYS * DOUBT < number:
            break
    raise _too_many()


def _too_many() -> ProblemError:
    return fail("E-BUDGET", f"there are more than {WAYS:,} ways for these draws to fall; {ADVICE}")
