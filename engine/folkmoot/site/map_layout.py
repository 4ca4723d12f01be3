"""Where the areas of a map are drawn: at the places that its data names, or pulled apart by their borders.

Only sums, products and quotients of whole numbers are used, so that every machine draws the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from math import isqrt

Spot = tuple[int, int]
ROUNDS = 260
MOST_PUSHES = 600_000  # of one area by another: with many areas there are fewer rounds
UNIT = 1000


def spots(neighbours: Mapping[str, Sequence[str]], given: Mapping[str, Spot]) -> dict[str, Spot]:
    """Return a spot (x to the right, y down, in any unit) for every area.

    Where not all are given, neighbours attract and all areas repel each other, cooling down round by round.
    """
    if all(name in given for name in neighbours):
        return {name: given[name] for name in neighbours}
    side = isqrt(len(neighbours) - 1) + 1
    place = {name: (n % side * UNIT + n // side * 137 % 400, n // side * UNIT + n % side * 211 % 400)
             for n, name in enumerate(neighbours)}  # fmt: skip
    rounds = min(ROUNDS, MOST_PUSHES // len(neighbours) ** 2)
    for turn in range(rounds):
        heat = UNIT * (rounds - turn) // rounds // 2 + 4
        place = {name: _pushed(name, set(near), place, heat) for name, near in neighbours.items()}
    return place


def _pushed(name: str, near: Collection[str], place: Mapping[str, Spot], most: int) -> Spot:
    """Return where an area goes that all others push away and those near it draw, at most so far."""
    (x, y), push_x, push_y = place[name], 0, 0
    for other, (other_x, other_y) in place.items():
        dx, dy = x - other_x, y - other_y
        square = dx * dx + dy * dy + 1
        push_x += dx * UNIT * UNIT // square
        push_y += dy * UNIT * UNIT // square
        if other in near:
            away = isqrt(square)
            push_x -= dx * away // UNIT
            push_y -= dy * away // UNIT
    length = isqrt(push_x * push_x + push_y * push_y) or 1
    step = min(length, most)
    return x + push_x * step // length, y + push_y * step // length


def apart(place: Mapping[str, Spot], size: Spot, frame: Spot) -> dict[str, Spot]:
    """Return spots moved so far that boxes of a size no longer touch, inside a frame (as far as there is room)."""
    (wide, high), boxes = size, {name: [x, y] for name, (x, y) in place.items()}
    for _ in range(80):
        touching = [(one, two) for one, two in combinations(boxes.values(), 2)
                    if abs(one[0] - two[0]) < wide and abs(one[1] - two[1]) < high]  # fmt: skip
        for one, two in touching:  # part along the axis on which they overlap less
            gap, axis = min((size[axis] - abs(one[axis] - two[axis]), axis) for axis in (0, 1))
            step = (gap // 2 + 1) * (1 if one[axis] >= two[axis] else -1)
            one[axis] += step
            two[axis] -= step
        for box in boxes.values():
            for axis in (0, 1):
                box[axis] = min(max(box[axis], size[axis] // 2), frame[axis] - size[axis] // 2)
        if not touching:
            break
    return {name: (x, y) for name, (x, y) in boxes.items()}


_CIRCLE = ((1000, 0), (951, 309), (809, 588), (588, 809), (309, 951), (0, 1000), (-309, 951), (-588, 809), (-809, 588),
           (-951, 309), (-1000, 0), (-951, -309), (-809, -588), (-588, -809), (-309, -951), (0, -1000), (309, -951),
           (588, -809), (809, -588), (951, -309))  # fmt: skip
"""The corners of what is nearly a circle, in thousandths of its radius."""


def land(place: Mapping[str, Spot], names: Sequence[str], radius: int) -> list[tuple[Spot, ...]]:
    """Return the outline of each named area: what is nearer to it than to any other, at most so far away."""
    found = []
    for name in names:
        x, y = place[name]
        outline = [(x + dx * radius // 1000, y + dy * radius // 1000) for dx, dy in _CIRCLE]
        for other, spot in place.items():
            if other != name and abs(spot[0] - x) < 2 * radius and abs(spot[1] - y) < 2 * radius:
                outline = _nearer(outline, (x, y), spot)
        found.append(tuple(outline))
    return found


def _nearer(outline: Sequence[Spot], to: Spot, than: Spot) -> list[Spot]:
    """Return the part of an outline that is nearer to one spot than to another."""
    far = [(x - to[0]) ** 2 + (y - to[1]) ** 2 - (x - than[0]) ** 2 - (y - than[1]) ** 2 for x, y in outline]
    kept = []
    for number, ((x, y), beyond) in enumerate(zip(outline, far, strict=True)):
        (last_x, last_y), before = outline[number - 1], far[number - 1]
        if (before > 0) != (beyond > 0):
            kept.append((last_x + (x - last_x) * before // (before - beyond),
                         last_y + (y - last_y) * before // (before - beyond)))  # fmt: skip
        if beyond <= 0:
            kept.append((x, y))
    return kept
