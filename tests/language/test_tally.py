"""Counting against brute force: every comparison by fractions, elections by their definitions."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import Any

import pytest

from tests.language.conftest import caller, run

NAMES = ["ann", "bob", "cid", "dee"]


def call(name: str, *arguments: Any) -> Any:
    return caller("tally").call("main", [name, list(arguments)], lambda: False)


def ballots(seed: int, voters: int) -> list[list[str]]:
    dice = random.Random(seed)
    return [dice.sample(NAMES, dice.randint(0, len(NAMES))) for _ in range(voters)]


def test_shares_by_fractions() -> None:
    for part, whole, n, d in itertools.product(range(7), range(1, 7), range(5), range(1, 5)):
        share, wanted = Fraction(part, whole), Fraction(n, d)
        assert call("at_least", part, whole, n, d) == (share >= wanted)
        assert call("more_than", part, whole, n, d) == (share > wanted)
        assert call("compare_shares", part, whole, n, d) == (share > wanted) - (share < wanted)
        assert call("more_than_half", part, whole) == (share > Fraction(1, 2))


def test_quorum_is_the_least_that_reaches_the_share() -> None:
    for voters, n, d in itertools.product(range(30), range(1, 4), range(1, 5)):
        expected = next(k for k in itertools.count() if k * d >= voters * n)
        assert call("quorum", voters, n, d) == expected


def beats(votes: list[list[str]], a: str, b: str) -> int:
    """Return how many ballots rank a above b."""

    def place(ballot: list[str], name: str) -> int:
        return ballot.index(name) if name in ballot else len(NAMES)

    return sum(place(ballot, a) < place(ballot, b) for ballot in votes)


@pytest.mark.parametrize("seed", range(25))
def test_condorcet_and_schulze_by_brute_force(seed: int) -> None:
    votes = ballots(seed, 5 + seed % 4)
    winners = [a for a in NAMES if all(beats(votes, a, b) > beats(votes, b, a) for b in NAMES if b != a)]
    assert call("condorcet", votes, NAMES) == (winners[0] if winners else None)

    def strength(a: str, b: str) -> int:
        """Return the strongest of all chains of majorities from a to b, trying every one."""
        others = [c for c in NAMES if c not in (a, b)]
        chains = [[a, *middle, b] for n in range(len(others) + 1) for middle in itertools.permutations(others, n)]
        wins = {(x, y): beats(votes, x, y) for x, y in itertools.permutations(NAMES, 2)}
        return max(min(w if (w := wins[s]) > wins[s[::-1]] else 0 for s in itertools.pairwise(c)) for c in chains)

    expected = [a for a in NAMES if all(strength(a, b) >= strength(b, a) for b in NAMES if b != a)]
    assert call("schulze", votes, NAMES) == expected
    if winners:
        assert expected == winners


@pytest.mark.parametrize("seed", range(25))
def test_instant_runoff_by_its_definition(seed: int) -> None:
    votes = ballots(seed, 7)
    left = list(NAMES)
    while True:
        first = {c: sum(next((x for x in b if x in left), None) == c for b in votes) for c in left}
        total = sum(first.values())
        majority = [c for c in left if 2 * first[c] > total or len(left) == 1]
        if majority or not left:
            break
        drop = min(left, key=lambda c: (first[c], c))
        left.remove(drop)
    found = run(
        'load("tally", "instant_runoff")\n'
        "def main(b, c):\n    return instant_runoff(b, c, lambda names: sorted(names)[0])\n",
        votes,
        NAMES,
    )
    assert found == majority[0]


@pytest.mark.parametrize("seed", range(10))
def test_points_and_approvals(seed: int) -> None:
    votes = ballots(seed, 6)
    assert call("approval", votes, NAMES) == {c: sum(c in b for b in votes) for c in NAMES}
    expected = {c: sum(len(NAMES) - 1 - b.index(c) for b in votes if c in b) for c in NAMES}
    assert call("borda", votes, NAMES) == expected
    counts = call("first_choices", votes, NAMES)
    assert counts == {c: sum(b[:1] == [c] for b in votes) for c in NAMES}
    groups = call("ranking", counts)
    assert [counts[g[0]] for g in groups] == sorted(set(counts.values()), reverse=True)
    assert sorted(c for g in groups for c in g) == NAMES


def test_without_agreement_all_the_weakest_drop_out() -> None:
    assert call("instant_runoff", [["ann"], ["bob"]], ["ann", "bob"]) is None
    assert call("instant_runoff", [], ["ann"]) == "ann"
    assert call("winner", {}) is None
