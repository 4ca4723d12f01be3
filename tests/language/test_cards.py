"""Cards: numbers, the scores of hands from the worked cases, the counts of all hands of a pack, best arrangements."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from typing import Any

import pytest

from tests.language.conftest import caller, run

SCORES = {
    "five of a kind": 80, "royal flush": 80, "straight flush": 70, "four of a kind": 60, "full house": 50, "flush": 40,
    "straight": 35, "three of a kind": 25, "two pair": 15, "pair": 5,
}  # fmt: skip
SUITS = "DSHC"
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


def call(name: str, *arguments: Any) -> Any:
    return caller("cards").call("main", [name, list(arguments)], lambda: False)


def cards(text: str) -> list[int]:
    """Read "A-D 10-H", the second of equal ones from the second pack."""
    found: list[int] = []
    for word in text.split():
        rank, suit = word.split("-")
        number = 13 * SUITS.index(suit) + RANKS.index(rank) + 1
        found.append(number + 52 if number in found else number)
    return found


CASES = [
    ("A-D A-S A-H A-C A-D", 80),
    ("10-H J-H Q-H K-H A-H", 80),
    ("A-S 2-S 3-S 4-S 5-S", 70),
    ("5-C 6-C 7-C 8-C 9-C", 70),
    ("K-D K-S K-H K-C", 60),
    ("3-D 3-S 3-H 8-D 8-S", 50),
    ("5-S 5-S 7-S 9-S K-S", 40),
    ("7-D 8-S 9-H 10-C J-D", 35),
    ("10-D J-S Q-H K-C A-D", 35),
    ("Q-D K-S A-H 2-C 3-D", 0),
    ("6-D 6-S 6-H", 25),
    ("6-D 6-S 2-H 2-C", 15),
    ("6-D 6-S", 5),
    ("K-D", 0),
    ("2-S 4-S 6-S 8-S", 0),
]


@pytest.mark.parametrize(("hand", "score"), CASES)
def test_scores_of_hands(hand: str, score: int) -> None:
    for order in ([*cards(hand)], [*cards(hand)][::-1]):
        assert call("hand_score", order, SCORES) == score


@pytest.mark.parametrize(
    ("number", "name"),
    [(1, "Red Ace of Diamonds"), (13, "Red King of Diamonds"), (14, "Red Ace of Spades"), (52, "Red King of Clubs"),
     (72, "Blue 7 of Spades"), (100, "Blue 9 of Clubs"), (105, "Fish Ace of Diamonds"), (142, "Fish Queen of Hearts"),
     (208, "Corporate King of Clubs")],
)  # fmt: skip
def test_numbers_and_names(number: int, name: str) -> None:
    backs = ["Red", "Blue", "Fish", "Corporate"]
    assert call("card_name", number, backs) == name
    assert call("card_named", name, backs) == number
    parts = call("pack_of", number), call("suit_of", number), call("rank_of", number)
    assert call("card", *parts) == number


def test_counts_of_all_hands_of_a_short_pack() -> None:
    """Six ranks in four suits: the 42,504 hands, counted by combinatorics."""
    found = run(
        'load("cards", "poker_hand", "card")\n'
        "def main(hands):\n    counts = {}\n    for h in hands:\n        k = poker_hand(h)\n"
        "        counts[k] = counts.get(k, 0) + 1\n    return counts\n",
        [list(hand) for hand in itertools.combinations([13 * s + r for s in range(4) for r in range(2, 8)], 5)],
    )
    c = math.comb
    flush, straight = 4 * c(6, 5), 2 * 4**5
    assert found == {
        "straight flush": 8,
        "four of a kind": 6 * 5 * 4,
        "full house": 6 * c(4, 3) * 5 * c(4, 2),
        "flush": flush - 8,
        "straight": straight - 8,
        "three of a kind": 6 * c(4, 3) * c(5, 2) * 16,
        "two pair": c(6, 2) * c(4, 2) ** 2 * 4 * 4,
        "pair": 6 * c(4, 2) * c(5, 3) * 4**3,
        "nothing": c(6, 5) * 4**5 - straight - flush + 8,
    }


def best(hand: list[int], scores: dict[str, int]) -> int:
    """Return the best total by trying every way to take a first hand off, for small hands only."""
    if not hand:
        return 0
    found = best(hand[1:], scores)
    for size in range(1, 6):
        for others in itertools.combinations(hand[1:], size - 1):
            taken = [hand[0], *others]
            rest = [c for c in hand if c not in taken]
            found = max(found, scores.get(call("poker_hand", taken), 0) + best(rest, scores))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_best_arrangement_by_brute_force(seed: int) -> None:
    dice = random.Random(seed)
    hand = dice.sample([13 * s + r for s in range(4) for r in range(1, 5)], 6)
    found = call("best_arrangement", hand, SCORES)
    assert found["total"] == best(hand, SCORES)
    assert sum(call("hand_score", h, SCORES) for h in found["hands"]) == found["total"]
    used = Counter(c for h in found["hands"] for c in h)
    assert set(used) <= set(hand)
    assert max(used.values(), default=1) == 1


def test_best_arrangement_of_the_worked_case() -> None:
    hand = cards("10-H J-H Q-H K-H A-H A-D A-S A-C 4-D 4-S")
    assert call("best_arrangement", hand, SCORES)["total"] == 130
