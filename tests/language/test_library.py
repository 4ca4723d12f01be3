"""Library functions: documented, their examples true, and against Python's own arithmetic, brute force and definitions."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from folkmoot.kernel.host import HOST
from folkmoot.language.binding import diagnose, library_text
from folkmoot.language.declarations import library as declared
from folkmoot.language.declarations import library_modules
from folkmoot.language.tree import scan
from tests.language.conftest import evaluate, library, loading, run

FEW = settings(max_examples=30, deadline=None)


@pytest.mark.parametrize("module", library_modules())
def test_module_keeps_the_law_of_scripts_and_tells_with_true_examples_what_it_does(module: str) -> None:
    text = library_text(module) or ""
    assert scan(text).problems == ()
    assert [error.message for error in diagnose(text, HOST.prelude)] == []
    for name, entry in declared(module).items():
        assert entry.meaning.partition("\n")[0].endswith("."), f"{name} has no sentence of its own"
        assert entry.examples, f"{name} has no example"
        for call, answer in entry.examples:
            assert run(f"{loading(module)}\ndef main():\n    return repr({call})\n") == answer


# -- numbers and bits

WHOLE = st.integers(-(10**6), 10**6)
NONZERO = st.integers(-(10**4), 10**4).filter(bool)
NATURAL = st.integers(0, 2**70)


@FEW
@given(WHOLE, NONZERO)
def test_rounding(numerator: int, denominator: int) -> None:
    exact = Fraction(numerator, denominator)
    away = math.floor(abs(exact) + Fraction(1, 2))
    expected = {
        "floor_div": math.floor(exact), "ceil_div": math.ceil(exact), "toward_zero": math.trunc(exact), "round_half_even": round(exact),
        "round_half_up": math.floor(exact + Fraction(1, 2)), "round_half_away": away if exact >= 0 else -away,
        "gcd": math.gcd(numerator, denominator),
    }  # fmt: skip
    assert {name: library(f"numbers.{name}", numerator, denominator) for name in expected} == expected


@FEW
@given(WHOLE, NONZERO, WHOLE, NONZERO)
def test_fractions(a: int, b: int, c: int, d: int) -> None:
    first, second = Fraction(a, b), Fraction(c, d)
    x, y = f"{a * (1 if b > 0 else -1)}/{abs(b)}", str(second)
    expected = {"plus": first + second, "minus": first - second, "times": first * second}
    if second:
        expected["over"] = first / second
    for name, value in expected.items():
        found = library(f"numbers.{name}", x, y)
        assert (found["numerator"], found["denominator"]) == (value.numerator, value.denominator)
        assert library("numbers.as_text", f"{found['numerator']}/{found['denominator']}") == str(value)
    assert library("numbers.compare", x, y) == (first > second) - (first < second)


@FEW
@given(st.integers(0, 10**6), st.lists(st.integers(0, 50), min_size=1, max_size=9).filter(any))
def test_shares_are_whole_and_fair(amount: int, weights: list[int]) -> None:
    shares = library("numbers.share", amount, weights)
    assert sum(shares) == amount
    for part, weight in zip(shares, weights, strict=True):
        assert abs(part - Fraction(amount * weight, sum(weights))) < 1


@FEW
@given(NATURAL, NATURAL, st.integers(0, 80))
def test_bits(a: int, b: int, n: int) -> None:
    assert library("numbers.isqrt", a * b) == math.isqrt(a * b)
    assert [library(f"bits.{name}", a, b) for name in ("band", "bor", "bxor")] == [a & b, a | b, a ^ b]
    assert (library("bits.shift_left", a, n), library("bits.shift_right", a, n)) == (a << n, a >> n)
    assert (library("bits.popcount", a), library("bits.bit", a, n)) == (a.bit_count(), bool(a >> n & 1))
    assert (library("bits.bnot", a, 80), library("bits.two_to", n)) == ((1 << 80) - 1 - a, 2**n)
    assert library("bits.from_bits", library("bits.to_bits", a, 71)) == a
    assert library("bits.as_binary", a, 71) == f"{a:071b}"


# -- words

TEXT = st.text(alphabet="abcXYZ Äé'-!7", max_size=12)


def letters(text: str) -> str:
    return "".join(c for c in text.lower() if "a" <= c <= "z")


@FEW
@given(TEXT, TEXT)
def test_letters(a: str, b: str) -> None:
    assert library("words.letters_only", a) == letters(a)
    assert library("words.is_palindrome", a) == (letters(a) != "" and letters(a) == letters(a)[::-1])
    same = Counter(letters(a)) == Counter(letters(b))
    assert library("words.is_anagram", a, b) == (letters(a) != letters(b) and same)
    assert library("words.letter_counts", a) == dict(sorted(Counter(letters(a)).items()))
    missing = sum((Counter(letters(a)) - Counter(b.lower())).values())
    assert library("words.can_spell", a, list(b.replace(" ", "?"))) == (missing <= b.count(" "))


# -- boards


def name(column: int, row: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[column - 1] + str(row)


def near(column: int, row: int, columns: int, rows: int, wrap: str, diagonal: bool) -> set[str]:
    """Return the neighbours of a square, thought out from coordinates alone."""
    found = set()
    for across, up in itertools.product((-1, 0, 1), repeat=2):
        if (across, up) == (0, 0) or (across and up and not diagonal):
            continue
        c = (column + across - 1) % columns + 1 if wrap in ("columns", "both") else column + across
        r = (row + up - 1) % rows + 1 if wrap in ("rows", "both") else row + up
        if 1 <= c <= columns and 1 <= r <= rows:
            found.add(name(c, r))
    return found


@pytest.mark.parametrize(
    ("board", "columns", "rows", "wrap", "diagonal"),
    [
        ("square(5, 4)", 5, 4, "", False),
        ("square(5, 4)", 5, 4, "", True),
        ("torus(4, 5)", 4, 5, "both", True),
        ('cylinder(4, 5, wrap = "rows")', 4, 5, "rows", False),
        ('cylinder(4, 5, wrap = "columns")', 4, 5, "columns", True),
    ],
)
def test_neighbours_distances_and_paths(board: str, columns: int, rows: int, wrap: str, diagonal: bool) -> None:
    graph = {
        name(c, r): near(c, r, columns, rows, wrap, diagonal)
        for r, c in itertools.product(range(1, rows + 1), range(1, columns + 1))
    }
    found = evaluate("grid", f"{{s: neighbours({board}, s, diagonal = d) for s in {board}.squares}}", d=diagonal)
    assert list(found) == list(graph)
    assert {s: sorted(n) for s, n in found.items()} == {s: sorted(n) for s, n in graph.items()}
    far = {(a, b): 0 if a == b else 1 if b in graph[a] else 10**6 for a in graph for b in graph}
    for via, a, b in itertools.product(graph, repeat=3):
        far[a, b] = min(far[a, b], far[a, via] + far[via, b])
    every = evaluate(
        "grid",
        f"[[a, b, distance({board}, a, b, d), path({board}, a, b, diagonal = d)] for b in {board}.squares for a in s]",
        d=diagonal,
        s=list(graph)[::3],
    )
    for a, b, steps, way in every:
        assert (steps, way[0], way[-1], len(way)) == (far[a, b], a, b, steps + 1)
        assert all(y in graph[x] for x, y in itertools.pairwise(way))


def cube(column: int, row: int) -> tuple[int, int, int]:
    """Return the cube coordinates of a hexagon (even rows lie half a hexagon further east)."""
    x = column - (row + (row & 1)) // 2
    return x, row, -x - row


def test_hexagons_by_cube_coordinates() -> None:
    found = evaluate(
        "grid",
        "[[column_of(a), row_of(a), column_of(b), row_of(b), distance(g, a, b)] for g in [hexagonal(5, 6)] "
        "for a in g.squares for b in g.squares]",
    )
    for ca, ra, cb, rb, steps in found:
        assert steps == max(abs(x - y) for x, y in zip(cube(ca, ra), cube(cb, rb), strict=True))
    board = "hexagonal(9, 9)"
    for way, back in (("ne", "sw"), ("e", "w"), ("se", "nw"), ("sw", "ne"), ("w", "e"), ("nw", "se")):
        assert evaluate("grid", f'step({board}, step({board}, "e5", w, 2), b, 2)', w=way, b=back) == "e5"


@pytest.mark.parametrize(
    "expression",
    ['neighbours(square(3, 3), "z9")', 'distance(square(3, 3), "a1", "a4")', "square(0, 3)", "square(100, 100)",
     'cylinder(3, 3, wrap = "all")', 'hexagonal(3, 3, wrap = "rows")', 'map_of({"A": ["B"]})', 'map_of({"A": ["B"], "B": []})',
     'step(square(3, 3), "a1", "up")'],
)  # fmt: skip
def test_a_board_that_is_misused_says_so(expression: str) -> None:
    with pytest.raises(Exception, match="grid: "):
        evaluate("grid", expression)


# -- cards


def test_counts_of_all_hands_of_a_short_pack() -> None:
    """Five ranks in four suits: the 15,504 hands, counted by combinatorics."""
    pack = [13 * s + r for s in range(4) for r in range(2, 7)]
    kinds = evaluate(
        "cards", "[poker_hand(h) for h in hands]", hands=[list(h) for h in itertools.combinations(pack, 5)]
    )
    c = math.comb
    assert Counter(kinds) == {
        "straight flush": 4,
        "four of a kind": 5 * 4 * 4,
        "full house": 5 * c(4, 3) * 4 * c(4, 2),
        "straight": 4**5 - 4,
        "three of a kind": 5 * c(4, 3) * c(4, 2) * 16,
        "two pair": c(5, 2) * c(4, 2) ** 2 * 3 * 4,
        "pair": 5 * c(4, 2) * c(4, 3) * 4**3,
    }


# -- counting

NAMES = ["ann", "bob", "cid", "dee"]


def ballots(seed: int, voters: int) -> list[list[str]]:
    dice = random.Random(seed)
    return [dice.sample(NAMES, dice.randint(0, len(NAMES))) for _ in range(voters)]


def test_shares_and_quorums_by_fractions() -> None:
    for part, whole, n, d in itertools.product(range(0, 7, 2), range(1, 7), range(5), range(1, 5)):
        share, wanted = Fraction(part, whole), Fraction(n, d)
        assert library("tally.at_least", part, whole, n, d) == (share >= wanted)
        assert library("tally.more_than", part, whole, n, d) == (share > wanted)
        assert library("tally.compare_shares", part, whole, n, d) == (share > wanted) - (share < wanted)
        assert library("tally.more_than_half", part, whole) == (share > Fraction(1, 2))
        assert library("tally.quorum", whole, n, d) == math.ceil(whole * wanted)


def beats(votes: list[list[str]], a: str, b: str) -> int:
    """Return how many ballots rank a above b."""
    return sum(a in ballot and (b not in ballot or ballot.index(a) < ballot.index(b)) for ballot in votes)


@pytest.mark.parametrize("seed", range(8))
def test_elections_by_their_definitions(seed: int) -> None:
    votes = ballots(seed, 5 + seed % 4)
    wins = {(x, y): beats(votes, x, y) for x, y in itertools.permutations(NAMES, 2)}
    winners = [a for a in NAMES if all(wins[a, b] > wins[b, a] for b in NAMES if b != a)]
    assert library("tally.condorcet", votes, NAMES) == (winners[0] if winners else None)

    def strength(a: str, b: str) -> int:
        """Return the strongest of all chains of majorities from a to b, trying every one."""
        others = [c for c in NAMES if c not in (a, b)]
        chains = [[a, *middle, b] for n in range(len(others) + 1) for middle in itertools.permutations(others, n)]
        return max(min(w if (w := wins[s]) > wins[s[::-1]] else 0 for s in itertools.pairwise(c)) for c in chains)

    expected = [a for a in NAMES if all(strength(a, b) >= strength(b, a) for b in NAMES if b != a)]
    assert library("tally.schulze", votes, NAMES) == expected
    left = list(NAMES)
    while True:
        first = {c: sum(next((x for x in b if x in left), None) == c for b in votes) for c in left}
        majority = [c for c in left if 2 * first[c] > sum(first.values()) or len(left) == 1]
        if majority:
            break
        left.remove(min(left, key=lambda c: (first[c], c)))
    runoff = "instant_runoff(b, c, lambda names: sorted(names)[0])"
    assert evaluate("tally", runoff, b=votes, c=NAMES) == majority[0]


def test_without_agreement_all_the_weakest_drop_out() -> None:
    assert library("tally.instant_runoff", [["ann"], ["bob"]], ["ann", "bob"]) is None
    assert library("tally.instant_runoff", [], ["ann"]) == "ann"
    assert library("tally.winner", {}) is None
