"""A game with a sealed deck."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from folkmoot.game.rulesets import founding

SUITS = ("coins", "cups", "swords", "staves")
NAMES = [sha256(b"card %d" % number).hexdigest()[:24] for number in range(32)]
DECK = [f"{name} of {SUITS[number // 8]}" for number, name in enumerate(NAMES)]


def law() -> dict[str, Any]:
    """Return the packaged law with cards whose names nobody writes by chance."""
    found = founding("tricks")
    rules = [dict(rule) for rule in found["rules"]]
    deal = next(rule for rule in rules if rule["rule"] == "2")
    head, tail = deal["script"].split("def decide_cards():\n")
    deal["script"] = (
        f"{head}def decide_cards():\n    return {DECK!r}\n\ndef decide_seats{tail.split('def decide_seats')[1]}"
    )
    return {"title": found["title"], "zone": found["zone"], "rules": rules}
