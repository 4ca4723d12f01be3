"""Three-way merging: what two sides made of one base, put together by passages, whatever comes first.

A passage of prose is a sentence, one of a script a line, one of a list an item, one of a map the value of a key. The
space before a sentence belongs to it and never conflicts. Costs grow with the length and hardly more, also for texts
that are made to be slow: passages are paired where they stand once on either side.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal

from msgspec import Struct

Side = Literal["law", "change"]
SPACE = " \t\n\r\v\f"
LINES = ("script",)
WHOLE = ("title",)
DEEPEST = 40  # how often passages between pairs are looked through again
ABSENT: Any = object()
EMPTY: tuple[Any, ...] = ("", None, [], {})
_END = re.compile(r"[.!?;:][\"'”’)\]*_]*(?=\s)|(?=\n)", re.ASCII)


class Conflict(Exception):
    """Both sides changed one passage, and not alike."""


class Passage(Struct, frozen=True):
    """One passage: what it says, and the space before it."""

    space: str
    words: str


class Hunk(Struct, frozen=True):
    """What one side made of the passages of the base from `start` to `end`: its own from `first` to `last`."""

    start: int
    end: int
    first: int
    last: int


def merged_part(part: str, base: Any, law: Any, change: Any, prefer: Side | None = None) -> Any:
    """Return a part of a rule with what both sides made of its base.

    Args:
        part: its name (`text`, `script`, `labels`, …).
        base: what it was before both.
        law: what it is.
        change: what it is to be.
        prefer: which side's passages to take where both changed the same ones.

    Raises:
        Conflict: where both changed one passage, and no side is preferred.

    >>> merged_part("text", "One. Two. Three.", "One! Two. Three.", "One. Two. Four.")
    'One! Two. Four.'
    """
    return _merged(base, law, change, prefer, part)


def passages_of(part: str, *sides: Any) -> int:
    r"""Return of about how many passages some values of a part are together: what putting them together costs.

    >>> passages_of("text", "One. Two.", "One.\nThree. Two."), passages_of("labels", {"a": "b. c."})
    (6, 2)
    """
    return sum(_length(side, part) for side in sides)


def _length(value: Any, part: str = "") -> int:
    if isinstance(value, str) and part in ("text", *LINES):
        return 1 + (value.count("\n") if part in LINES else sum(1 for _ in _END.finditer(value)))
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return 1 + sum(_length(item) for item in inner)


def _merged(base: Any, law: Any, change: Any, prefer: Side | None, part: str = "") -> Any:
    if _same(change, base) or _same(change, law):
        return law
    if _same(law, base):
        return change
    if part in ("text", *LINES):
        return _merged_text(base or "", law or "", change or "", prefer, lines=part in LINES)
    if isinstance(law, Mapping) and isinstance(change, Mapping):
        return _merged_map(base if isinstance(base, Mapping) else {}, law, change, prefer)
    if isinstance(law, list) and isinstance(change, list):
        return _merged_list(base if isinstance(base, list) else [], law, change, prefer)
    if prefer is None:
        raise Conflict
    return law if prefer == "law" else change


def _same(one: Any, other: Any) -> bool:
    """Whether two values are equal and of one type throughout (1 is not true); an empty one is none at all."""
    if one is ABSENT or other is ABSENT or one is other:
        return one is other
    if isinstance(one, str) and isinstance(other, str):
        return one == other
    return (_is_empty(one) and _is_empty(other)) or _key(one) == _key(other)


def _is_empty(value: Any) -> bool:
    return any(type(value) is type(empty) and value == empty for empty in EMPTY)


def _key(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _merged_map(
    base: Mapping[str, Any], law: Mapping[str, Any], change: Mapping[str, Any], prefer: Side | None
) -> dict[str, Any]:
    names = list(dict.fromkeys((*law, *change)))
    found = {
        name: _merged(base.get(name, ABSENT), law.get(name, ABSENT), change.get(name, ABSENT), prefer) for name in names
    }
    return {name: value for name, value in found.items() if value is not ABSENT}


def _merged_list(base: list[Any], law: list[Any], change: list[Any], prefer: Side | None) -> list[Any]:
    items = {_key(item): item for side in (base, law, change) for item in side}
    sides = [tuple(Passage("", _key(item)) for item in side) for side in (base, law, change)]
    return [items[passage.words] for passage in _put_together(sides[0], sides[1], sides[2], prefer)]


def _merged_text(base: str, law: str, change: str, prefer: Side | None, *, lines: bool) -> str:
    split = _lines if lines else sentences
    merged = _put_together(split(base), split(law), split(change), prefer)
    return "".join(passage.space + passage.words for passage in merged)


def _lines(text: str) -> tuple[Passage, ...]:
    lines = text.split("\n")
    return tuple(Passage("", f"{line}\n") for line in (lines if lines[-1] else lines[:-1]))


@lru_cache(maxsize=16)
def sentences(text: str) -> tuple[Passage, ...]:
    r"""Return a text as sentences, each with the space before it; the last has no words and the space at the end.

    >>> [passage.words for passage in sentences("One is. So is two: the\nnext line; so.")]
    ['One is.', 'So is two:', 'the', 'next line;', 'so.', '']
    """
    found: list[Passage] = []
    space, start = "", 0
    for end in [*(match.end() for match in _END.finditer(text)), len(text)]:
        words = text[start:end].lstrip(SPACE)
        space, start = space + text[start : end - len(words)], end
        if words:
            found.append(Passage(space, words))
            space = ""
    return (*found, Passage(space, ""))


# -- pairing


def pairs(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """Return which passages of two sequences are the same, in their order.

    Those that stand once on either side are found, and those next to them.

    >>> pairs(["a", "b", "c", "d"], ["a", "x", "c", "d"])
    [(0, 0), (2, 2), (3, 3)]
    """
    found: list[tuple[int, int]] = []
    waiting = [(0, len(one), 0, len(other), 0)]
    while waiting:
        a, b, c, d, depth = waiting.pop()
        while a < b and c < d and one[a] == other[c]:
            found.append((a, c))
            a, c = a + 1, c + 1
        while a < b and c < d and one[b - 1] == other[d - 1]:
            b, d = b - 1, d - 1
            found.append((b, d))
        if a == b or c == d or depth == DEEPEST:
            continue
        anchors = _anchors(one[a:b], other[c:d])
        edges = [(a - 1, c - 1), *((a + i, c + j) for i, j in anchors), (b, d)]
        found += edges[1:-1]
        if anchors:
            waiting += [(i + 1, k, j + 1, m, depth + 1) for (i, j), (k, m) in pairwise(edges)]
    return sorted(found)


def _anchors(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """Return the longest series of passages that stand once on either side, in the same order on both."""
    counts, others = Counter(one), Counter(other)
    places = {words: place for place, words in enumerate(other) if others[words] == 1}
    single = [(place, places[words]) for place, words in enumerate(one) if counts[words] == 1 and words in places]
    ends: list[int] = []
    at: list[int] = []
    before: list[int] = []
    for index, (_place, place) in enumerate(single):
        length = bisect_left(ends, place)
        before.append(at[length - 1] if length else -1)
        ends[length : length + 1], at[length : length + 1] = [place], [index]
    series: list[tuple[int, int]] = []
    index = at[-1] if at else -1
    while index >= 0:
        series.append(single[index])
        index = before[index]
    return series[::-1]


def _hunks(matches: list[tuple[int, int]], length: int, of_side: int) -> list[Hunk]:
    """Return what lies between pairs; as many passages in place of as many are a hunk each."""
    found: list[Hunk] = []
    a = c = 0
    for b, d in [*matches, (length, of_side)]:
        if b - a == d - c:
            found += [Hunk(a + n, a + n + 1, c + n, c + n + 1) for n in range(b - a)]
        elif b > a or d > c:
            found.append(Hunk(a, b, c, d))
        a, c = b + 1, d + 1
    return found


# -- putting together

Passages = Sequence[Passage]


def _put_together(base: Passages, law: Passages, change: Passages, prefer: Side | None) -> list[Passage]:
    words = [[passage.words for passage in side] for side in (base, law, change)]
    matches = [pairs(words[0], side) for side in words[1:]]
    places = [dict(found) for found in matches]
    hunks = [
        (hunk.start, hunk.end, which, hunk)
        for which, found in enumerate(matches)
        for hunk in _hunks(found, len(base), len(words[which + 1]))
    ]
    sides = (law, change)
    merged: list[Passage] = []
    at = 0
    for start, end, group in _grouped(sorted(hunks, key=lambda each: each[:3])):
        merged += [_spaced(base, sides, places, n) for n in range(at, start)]
        merged += _resolved(base, sides, places, (start, end), group, prefer)
        at = end
    return merged + [_spaced(base, sides, places, n) for n in range(at, len(base))]


Placed = tuple[int, int, int, Hunk]


def _grouped(hunks: list[Placed]) -> list[tuple[int, int, list[Placed]]]:
    """Return hunks in their order, those together that touch the same passages of the base or insert at one place."""
    groups: list[tuple[int, int, list[Placed]]] = []
    for each in hunks:
        start, end = each[:2]
        if groups:
            first, last, group = groups[-1]
            inserts = start == end == first == last and each[2] != group[-1][2]
            if start < last or inserts:
                groups[-1] = (first, max(last, end), [*group, each])
                continue
        groups.append((start, end, [each]))
    return groups


def _resolved(
    base: Passages,
    sides: Sequence[Passages],
    places: Sequence[Mapping[int, int]],
    span: tuple[int, int],
    group: list[Placed],
    prefer: Side | None,
) -> list[Passage]:
    """Return what becomes of a span of the base that at least one side changed. Raises Conflict."""
    which = {each[2] for each in group}
    if len(which) == 1:
        side = which.pop()
        made = [passage for *_, hunk in group for passage in sides[side][hunk.first : hunk.last]]
        elsewhere = places[1 - side].get(span[0]) if span[1] > span[0] else None
        if made and elsewhere is not None:
            was, other = base[span[0]].space, sides[1 - side][elsewhere].space
            made[0] = Passage(other, made[0].words) if made[0].space == was else made[0]
        return made
    both = [_made_of(sides[side], places[side], span, [each[3] for each in group if each[2] == side])
            for side in (0, 1)]  # fmt: skip
    if [passage.words for passage in both[0]] == [passage.words for passage in both[1]]:
        return both[0]
    if prefer is None:
        raise Conflict
    return both[0 if prefer == "law" else 1]


def _made_of(side: Passages, places: Mapping[int, int], span: tuple[int, int], hunks: list[Hunk]) -> list[Passage]:
    """Return what one side made of a span of the base, with what it left as it was."""
    made: list[Passage] = []
    at = span[0]
    for hunk in hunks:
        made += [side[places[n]] for n in range(at, hunk.start)]
        made += side[hunk.first : hunk.last]
        at = hunk.end
    return made + [side[places[n]] for n in range(at, span[1])]


def _spaced(base: Passages, sides: Sequence[Passages], places: Sequence[Mapping[int, int]], n: int) -> Passage:
    """Return a passage that both sides left, with the space that one of them gave it."""
    law, change = (side[where[n]] for side, where in zip(sides, places, strict=True))
    return change if law.space == base[n].space else law
