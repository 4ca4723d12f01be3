"""Boards against plain Python: coordinates by arithmetic, floods by union, paths by all-pairs distances."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.language.conftest import compiler, run
from tests.support.timing import least_units

Library = Callable[..., Any]
SIZES = [("square(5, 4)", 5, 4, ""), ("torus(4, 5)", 4, 5, "both")]
SIZES += [(f'cylinder(4, 5, wrap = "{wrap}")', 4, 5, wrap) for wrap in ("rows", "columns")]


def name(column: int, row: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[column - 1] + str(row)


def near(column: int, row: int, columns: int, rows: int, wrap: str, diagonal: bool) -> set[str]:
    """Return the neighbours of a square, thought out from coordinates alone."""
    found = set()
    for across, up in itertools.product((-1, 0, 1), repeat=2):
        if (across, up) == (0, 0) or (across and up and not diagonal):
            continue
        c, r = column + across, row + up
        if wrap in ("columns", "both"):
            c = (c - 1) % columns + 1
        if wrap in ("rows", "both"):
            r = (r - 1) % rows + 1
        if 1 <= c <= columns and 1 <= r <= rows:
            found.add(name(c, r))
    return found


def all_distances(graph: dict[str, set[str]]) -> dict[tuple[str, str], int]:
    """Return the distances of all pairs by Floyd and Warshall."""
    far = 10**6
    d = {(a, b): 0 if a == b else 1 if b in graph[a] else far for a in graph for b in graph}
    for via, a, b in itertools.product(graph, repeat=3):
        d[a, b] = min(d[a, b], d[a, via] + d[via, b])
    return d


@pytest.mark.parametrize(("board", "columns", "rows", "wrap"), SIZES)
@pytest.mark.parametrize("diagonal", [False, True])
def test_neighbours_distances_and_paths(
    evaluate: Library, board: str, columns: int, rows: int, wrap: str, diagonal: bool
) -> None:
    squares = [name(c, r) for r in range(1, rows + 1) for c in range(1, columns + 1)]
    graph = {
        name(c, r): near(c, r, columns, rows, wrap, diagonal)
        for c, r in itertools.product(range(1, columns + 1), range(1, rows + 1))
    }
    found = evaluate("grid", f"{{s: neighbours({board}, s, diagonal = d) for s in {board}.squares}}", d=diagonal)
    assert list(found) == squares
    assert {s: set(n) for s, n in found.items()} == graph
    assert all(len(set(n)) == len(n) for n in found.values())
    expected = all_distances(graph)
    every = run(
        f'load("grid", "square", "torus", "cylinder", "distance", "path")\nG = {board}\ndef main(d):\n'
        "    return [[[distance(G, a, b, d), path(G, a, b, diagonal = d)] for b in G.squares] for a in G.squares]\n",
        diagonal,
    )
    for a, row in zip(squares, every, strict=True):
        for b, (steps, way) in zip(squares, row, strict=True):
            assert steps == expected[a, b]
            assert (way[0], way[-1], len(way)) == (a, b, steps + 1)
            assert all(y in graph[x] for x, y in itertools.pairwise(way))


def test_starball_field_counts_rows_the_shorter_way(evaluate: Library) -> None:
    field = 'cylinder(columns = 12, rows = 5, wrap = "rows")'
    ways = evaluate("grid", f'[difference({field}, "a1", "a%d" % r)[1] for r in range(1, 6)]')
    assert ways == [0, 1, 2, -2, -1]  # min(d, 5 - d): never a tie, since 5 is odd
    assert evaluate("grid", f'len(neighbours({field}, "a3", diagonal = True))') == 5


def cube(column: int, row: int) -> tuple[int, int, int]:
    """Return the cube coordinates of a hexagon (even rows lie half a hexagon further east)."""
    x = column - (row + (row & 1)) // 2
    return x, row, -x - row


def test_hexagons_by_cube_coordinates() -> None:
    found = run(
        'load("grid", "hexagonal", "distance", "column_of", "row_of")\nG = hexagonal(6, 7)\n'
        "def main():\n    return [[column_of(a), row_of(a), column_of(b), row_of(b), distance(G, a, b)] "
        "for a in G.squares for b in G.squares]\n"
    )
    for ca, ra, cb, rb, steps in found:
        a, b = cube(ca, ra), cube(cb, rb)
        assert steps == max(abs(x - y) for x, y in zip(a, b, strict=True))


@pytest.mark.parametrize("way", ["ne", "e", "se", "sw", "w", "nw"])
def test_steps_on_hexagons_go_and_come_back(evaluate: Library, way: str) -> None:
    back = {"ne": "sw", "e": "w", "se": "nw", "sw": "ne", "w": "e", "nw": "se"}[way]
    board = "hexagonal(9, 9)"
    assert evaluate("grid", f'step({board}, step({board}, "e5", w, 2), b, 2)', w=way, b=back) == "e5"


def components(content: dict[str, str], columns: int, rows: int) -> set[frozenset[str]]:
    """Return the groups of equal neighbours by merging sets."""
    groups = {s: {s} for s in content}
    for c, r in itertools.product(range(1, columns + 1), range(1, rows + 1)):
        here = name(c, r)
        for there in near(c, r, columns, rows, "", diagonal=False):
            if here in content and content.get(there) == content[here] and groups[here] is not groups[there]:
                merged = groups[here] | groups[there]
                for square in merged:
                    groups[square] = merged
    return {frozenset(g) for g in groups.values()}


@pytest.mark.parametrize("seed", range(8))
def test_groups_and_liberties(evaluate: Library, seed: int) -> None:
    dice = random.Random(seed)
    content = {name(c, r): dice.choice("xxo") for c in range(1, 8) for r in range(1, 7) if dice.random() < 0.7}
    found = evaluate(
        "grid",
        "[[g, liberties(square(7, 6), g, d), border(square(7, 6), g)] for g in groups(square(7, 6), d)]",
        d=content,
    )
    assert {frozenset(g) for g, _, _ in found} == components(content, 7, 6)
    for group, free, edge in found:
        around = set().union(*(near("abcdefg".index(s[0]) + 1, int(s[1:]), 7, 6, "", False) for s in group)) - set(
            group
        )
        assert set(edge) == around
        assert set(free) == {s for s in around if s not in content}
    by_function = evaluate(
        "grid", "groups(square(7, 6), same = lambda a, b: d.get(a) != None and d.get(a) == d.get(b))", d=content
    )
    assert by_function == [g for g, _, _ in found]


@pytest.mark.parametrize("seed", range(6))
def test_mutual_groups_are_the_largest_connected_sets_of_friends(evaluate: Library, seed: int) -> None:
    dice = random.Random(seed)
    people = "abcd"
    pairs = [[a, b] for a, b in itertools.combinations(people, 2) if dice.random() < 0.5]
    owners = {name(c, r): dice.choice(people) for c in range(1, 5) for r in range(1, 4) if dice.random() < 0.75}
    friend = {(a, b) for a, b in pairs} | {(b, a) for a, b in pairs} | {(a, a) for a in people}
    found = evaluate(
        "grid", "mutual_groups(square(4, 3), d, lambda a, b: [a, b] in f or [b, a] in f)", d=owners, f=pairs
    )
    maximal: set[frozenset[str]] = set()
    for size in range(len(owners), 0, -1):
        for some in itertools.combinations(owners, size):
            chosen = frozenset(some)
            if any(chosen < other for other in maximal) or not connected(chosen):
                continue
            if all((owners[a], owners[b]) in friend for a in chosen for b in chosen):
                maximal.add(chosen)
    assert {frozenset(g) for g in found} == maximal


def connected(squares: frozenset[str]) -> bool:
    """Return whether squares hang together."""
    reached, todo = set(), [next(iter(squares))]
    while todo:
        here = todo.pop()
        if here not in reached:
            reached.add(here)
            todo += near("abcd".index(here[0]) + 1, int(here[1:]), 4, 3, "", False) & squares
    return reached == squares


def test_captures_of_the_alliance_case(evaluate: Library) -> None:
    stones = {"a1": "A", "b1": "B", "c1": "C", "a2": "X", "b2": "X"}
    found = evaluate(
        "grid",
        "[[sorted(g), len(liberties(square(19, 19), g, d))] "
        'for g in mutual_groups(square(19, 19), d, lambda a, b: "B" in [a, b] and "X" not in [a, b])]',
        d=stones,
    )
    assert sorted(found) == [[["a1", "b1"], 0], [["a2", "b2"], 3], [["b1", "c1"], 2]]


def test_within_and_ring(evaluate: Library) -> None:
    for n in range(1, 5):
        expected = {name(c, r) for c in range(1, 9) for r in range(1, 9) if max(abs(c - 3), abs(r - 4)) == n}
        assert set(evaluate("grid", 'ring(square(8, 8), "c4", n)', n=n)) == expected
        diamond = {name(c, r) for c in range(1, 9) for r in range(1, 9) if 0 < abs(c - 3) + abs(r - 4) <= n}
        assert set(evaluate("grid", 'within(square(8, 8), "c4", n, diagonal = False)', n=n)) == diamond


def test_walks_by_count(evaluate: Library) -> None:
    """The number of walks of n steps from a corner of a 4 x 4 board that cross no square twice."""

    def walks(at: tuple[int, int], left: int, seen: frozenset[tuple[int, int]]) -> int:
        if left == 0:
            return 1
        c, r = at
        ways = [(c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1)]
        free = [w for w in ways if w not in seen and 1 <= w[0] <= 4 and 1 <= w[1] <= 4]
        return sum(walks(w, left - 1, seen | {w}) for w in free)

    script = (
        'load("grid", "square", "neighbours")\nG = square(4, 4)\ndef main(n):\n    ways = [["a1"]]\n'
        "    for _ in range(n):\n        ways = [w + [s] for w in ways for s in neighbours(G, w[-1]) if s not in w]\n"
        "    return len(ways)\n"
    )
    for n in range(7):
        assert run(script, n) == walks((1, 1), n, frozenset({(1, 1)}))


def test_column_names_come_in_pairs(evaluate: Library) -> None:
    assert evaluate("grid", "[column_of(column_name(c) + '1') for c in range(1, 1500)]") == list(range(1, 1500))


@pytest.mark.parametrize(
    "expression",
    [
        'neighbours(square(3, 3), "z9")',
        'distance(square(3, 3), "a1", "a4")',
        "square(0, 3)",
        "square(100, 100)",
        'cylinder(3, 3, wrap = "all")',
        'hexagonal(3, 3, wrap = "rows")',
        'map_of({"A": ["B"]})',
        'map_of({"A": ["B"], "B": []})',
        'step(square(3, 3), "a1", "up")',
    ],
)
def test_misuse_says_so(evaluate: Library, expression: str) -> None:
    with pytest.raises(Exception, match="grid: "):
        evaluate("grid", expression)


def test_a_go_move_on_a_full_board_is_quick() -> None:
    script = (
        'load("grid", "square", "groups", "liberties")\nBOARD = square(19, 19)\n'
        "def main(stones):\n    return [g for g in groups(BOARD, same = stones) if not liberties(BOARD, g, stones)]\n"
    )
    dice = random.Random(1)
    stones = {name(c, r): dice.choice("xo") for c in range(1, 20) for r in range(1, 20) if dice.random() < 0.95}
    program = compiler().compile(script, lambda: False)
    assert least_units(lambda: program.call("main", [stones], lambda: False), 5) < 5  # some .2


@pytest.mark.parametrize("seed", range(8))
def test_cliques_are_the_largest_sets_of_friends_in_the_order_given(evaluate: Library, seed: int) -> None:
    dice = random.Random(seed)
    people = dice.sample("abcdefghi", 9)
    friends = [[a, b] for a, b in itertools.combinations(people, 2) if dice.random() < 0.1 + seed / 8]
    found = evaluate("grid", "cliques(p, lambda a, b: [a, b] in f or [b, a] in f)", p=people, f=friends)
    several = itertools.chain.from_iterable(itertools.combinations(people, n) for n in range(len(people), 0, -1))
    agree = [s for s in several if all([a, b] in friends for a, b in itertools.combinations(s, 2))]
    largest = [list(s) for s in agree if not any(set(s) < set(other) for other in agree)]
    assert found == sorted(largest, key=lambda party: [people.index(one) for one in party])


@pytest.mark.parametrize("strangers", [0, 1, 4])
def test_many_friends_of_all_are_as_quickly_sorted(evaluate: Library, strangers: int) -> None:
    """Of 40 people everybody is a friend of all others, but for some pairs."""
    people = [f"p{n}" for n in range(40)]
    apart = [[people[2 * n], people[2 * n + 1]] for n in range(strangers)]
    found = evaluate("grid", "cliques(p, lambda a, b: [a, b] not in f and [b, a] not in f)", p=people, f=apart)
    assert len(found) == 2**strangers
    assert all(len(party) == 40 - strangers for party in found)
