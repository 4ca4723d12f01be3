"""Rules in order of precedence, and the circles in which each prevails over the next."""

from __future__ import annotations

from msgspec import Struct, field

from folkmoot.core.records import Failure


class Order(Struct):
    """Rules in order of precedence, the circles among them, and what failed when the law was asked about it."""

    uids: list[str]
    circles: list[tuple[str, ...]] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


def circles(uids: list[str], wins: dict[str, int]) -> list[list[str]]:
    """Return rules in tiers, the highest first, from how often each prevails; a tier of several is a circle.

    Within a tier the order stays that of `uids`. The first k rules are higher than all others as soon as their wins
    are as many as the pairs among them and the pairs of them with others.

    >>> circles(["1", "2", "3", "4"], {"4": 3, "1": 1, "2": 1, "3": 1})
    [['4'], ['1', '2', '3']]
    """
    ranked = sorted(uids, key=lambda uid: -wins[uid])
    tiers: list[list[str]] = []
    start = total = 0
    for place, uid in enumerate(ranked, 1):
        total += wins[uid]
        if total == place * (len(uids) - place) + place * (place - 1) // 2:
            tiers.append([uid for uid in uids if uid in ranked[start:place]])
            start = place
    return tiers
