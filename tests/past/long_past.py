"""A past as long as Agora's, made anew by chance: so many rules, repeals, wordings and dated changes."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

from tests.past.folders import as_yaml

RULES, GONE, WORDINGS, CHANGES = 155, 191, 1_739, 2_268
LENGTH = 1_200  # characters of a wording on average
WORDS = "player shall may rule office ballot decision asset switch power proposal adopted message publicly".split()


def write_long_past(folder: Path, scale: float = 1.0, longer: int = 1, seed: int = 7) -> Path:
    """Write a ruleset with a part of the sizes of Agora's, and `longer` times as many wordings of each rule."""
    chance = random.Random(seed)
    rules, gone = round(RULES * scale), round(GONE * scale)
    lengths = _split(chance, round(CHANGES * scale) * longer, rules + gone)
    known = WORDINGS / (CHANGES - RULES - GONE)
    as_yaml(folder / "ruleset.yaml", {"ruleset": "long", "title": "A long past", "people": [{"id": "ann"}]})
    for number, count in enumerate(lengths, 101):
        revisions = [_revision(chance, number, place, count, known) for place in range(count)]
        in_force = number - 101 < rules
        for part in () if not in_force else ("text", "title", "labels"):
            revisions[-1].pop(part, None)
        if not in_force:
            revisions[-1] = {"at": revisions[-1]["at"], "cause": "proposal 9", "repealed": True}
        as_yaml(folder / "history" / f"{number}.yaml", {"revisions": revisions})
        if in_force:
            rule = {"rule": f"{number}", "title": f"Rule of {number}", "labels": {"power": "1"}, "text": _text(chance)}
            as_yaml(folder / "rules" / f"{number}.yaml", rule)
    return folder


def _split(chance: random.Random, total: int, parts: int) -> list[int]:
    """Return how many changes each rule has: two at least, some many."""
    weights = [chance.paretovariate(1.5) for _ in range(parts)]
    found = [2 + int((total - 2 * parts) * weight / sum(weights)) for weight in weights]
    for place in range(total - sum(found)):
        found[place % parts] += 1
    return found


def _revision(chance: random.Random, number: int, place: int, count: int, known: float) -> dict[str, Any]:
    year = 1993 + place * 33 // count
    said: dict[str, Any] = {
        "at": f"{year}-{1 + place % 12:02d}" if place % 9 == 8 else f"{year}-07-{1 + place % 28:02d}"
    }
    if count > 33 or place % 9 == 8:
        said["at"] = str(year)
    said |= {
        "cause": f"proposal {number * 10 + place}",
        "title": f"Rule of {number}",
        "labels": {"power": str(1 + place % 3)},
    }
    if place and place % 7 == 0:
        said["change"] = "power change"
    if chance.random() < known:
        said["text"] = _text(chance)
    return said


def _text(chance: random.Random) -> str:
    count = chance.randint(LENGTH // 14, LENGTH // 5)
    words = [chance.choice(WORDS) for _ in range(count)]
    return "\n".join(" ".join(words[at : at + 12]) for at in range(0, count, 12)) + "\n"
