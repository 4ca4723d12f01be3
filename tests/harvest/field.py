"""A game in whose law every word is unusual, and what finds words of other games in a text; its law lies beside."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from folkmoot.files.reader import read_rule, read_ruleset
from folkmoot.game.rulesets import founding_of

FOLDER = Path(__file__).parent
FOREIGN = re.compile(
    r"\b(?:vote (?:\d+ |--proposal \d+ |--petition \d+ )?(?:for|against|abstain|yes|no|aye)|abstain|abstention|aye|nay|"
    r"against|adopted|defeated|rejected|judge|scribe|mover|turn|withdraw(?!(?:&#95;|_| )application)|finalise)\b"
)
"""Words of other games: choices, outcomes, offices, currencies, moments."""


def law() -> dict[str, Any]:
    head = read_ruleset((FOLDER / "ruleset.yaml").read_text("utf-8"), "ruleset.yaml")
    rules = {path.stem: read_rule(path.read_text("utf-8"), path.name) for path in sorted(FOLDER.glob("rules/*.yaml"))}
    found = dict(founding_of("harvest", head, rules))  # type: ignore[arg-type]
    del found["players"]  # those of the meeting
    return found


def foreign(text: str) -> list[str]:
    """Return the words of other games that a text holds, each with what stands around it."""
    said = re.sub(r'(?:href|id|class)="[^"]*"', "", text)
    return [said[max(0, found.start() - 40) : found.end() + 40] for found in FOREIGN.finditer(said)]
