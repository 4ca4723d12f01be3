"""Where the areas of a map are drawn: at the places that its data names, or pulled apart by their borders.

Only sums, products and quotients of whole numbers are used, so that every machine draws the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isqrt

Spot = tuple[int, int]
ROUNDS = 260
MOST_PUSHES = 600_000  # of one area by another: with many areas there are fewer rounds
UNIT = 1000


def spots(neighbours: Mapping[str, Sequence[str]], given: Mapping[str, Spot]) -> dict[str, Spot]:
    """Return a spot (x to the right, y down, in any unit) for every area."""
    names = list(neighbours)
    if names and all(name in given for name in names):
        return {name: given[name] for name in names}
    return _pulled(names, neighbours)


def _pulled(names: list[str], neighbours: Mapping[str, Sequence[str]]) -> dict[str, Spot]:
    """Let neighbours attract and all areas repel each other, cooling down round by round."""
    place = {name: _start(n, len(names)) for n, name in enumerate(names)}
    rounds = min(ROUNDS, MOST_PUSHES // len(names) ** 2) if names else 0
    for turn in range(rounds):
        heat = UNIT * (rounds - turn) // rounds // 2 + 4
        pushed = {name: _push(name, names, neighbours[name], place) for name in names}
        place = {name: _moved(place[name], pushed[name], heat) for name in names}
    return place


def _start(number: int, count: int) -> Spot:
    """Return a starting spot on a square spiral."""
    side = 1
    while side * side < count:
        side += 1
    row, column = divmod(number, side)
    return (column * UNIT + row * 137 % 400, row * UNIT + column * 211 % 400)


def _push(name: str, names: list[str], near: Sequence[str], place: Mapping[str, Spot]) -> Spot:
    x, y = place[name]
    push_x = push_y = 0
    close = set(near)
    for other in names:
        if other == name:
            continue
        dx, dy = x - place[other][0], y - place[other][1]
        square = dx * dx + dy * dy + 1
        push_x += dx * UNIT * UNIT // square
        push_y += dy * UNIT * UNIT // square
        if other in close:
            away = isqrt(square)
            push_x -= dx * away // UNIT
            push_y -= dy * away // UNIT
    return push_x, push_y


def _moved(spot: Spot, push: Spot, heat: int) -> Spot:
    length = isqrt(push[0] * push[0] + push[1] * push[1]) or 1
    step = min(length, heat)
    return spot[0] + push[0] * step // length, spot[1] + push[1] * step // length


def apart(place: Mapping[str, Spot], size: Spot, frame: Spot) -> dict[str, Spot]:
    """Return spots moved so far that boxes of a size no longer touch, inside a frame (as far as there is room)."""
    moved = {name: [x, y] for name, (x, y) in place.items()}
    names = list(moved)
    for _ in range(80):
        touching = _touching(names, moved, size)
        for one, two in touching:
            _part(moved[one], moved[two], size)
        for spot in moved.values():
            for axis in (0, 1):
                half = size[axis] // 2
                spot[axis] = min(max(spot[axis], half), frame[axis] - half)
        if not touching:
            break
    return {name: (x, y) for name, (x, y) in moved.items()}


def _touching(names: list[str], spots: Mapping[str, Sequence[int]], size: Spot) -> list[tuple[str, str]]:
    """Return the pairs of boxes that touch, in order of names; only boxes nearby are looked at."""
    near: dict[Spot, list[int]] = {}
    for number, name in enumerate(names):
        x, y = spots[name]
        near.setdefault((x // size[0], y // size[1]), []).append(number)
    found = []
    for number, name in enumerate(names):
        column, row = spots[name][0] // size[0], spots[name][1] // size[1]
        around = [near.get((column + dx, row + dy), ()) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        others = sorted(other for group in around for other in group if other > number)
        found += [(name, names[other]) for other in others if _overlap(spots[name], spots[names[other]], size)]
    return found


def _overlap(one: Sequence[int], two: Sequence[int], size: Spot) -> bool:
    return abs(one[0] - two[0]) < size[0] and abs(one[1] - two[1]) < size[1]


def _part(one: list[int], two: list[int], size: Spot) -> None:
    """Push two boxes apart along the axis on which they overlap less."""
    gaps = [size[axis] - abs(one[axis] - two[axis]) for axis in (0, 1)]
    axis = 0 if gaps[0] <= gaps[1] else 1
    step = gaps[axis] // 2 + 1
    sign = 1 if one[axis] >= two[axis] else -1
    one[axis] += sign * step
    two[axis] -= sign * step


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
    far = [_square(corner, to) - _square(corner, than) for corner in outline]
    kept = []
    for number, (corner, beyond) in enumerate(zip(outline, far, strict=True)):
        (x, y), before = outline[number - 1], far[number - 1]
        if (before > 0) != (beyond > 0):
            part, whole = before, before - beyond
            kept.append((x + (corner[0] - x) * part // whole, y + (corner[1] - y) * part // whole))
        if beyond <= 0:
            kept.append(corner)
    return kept


def _square(one: Spot, two: Spot) -> int:
    return (one[0] - two[0]) ** 2 + (one[1] - two[1]) ** 2
