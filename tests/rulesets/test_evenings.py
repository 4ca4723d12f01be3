"""The rulesets for an evening: each on a page, and played at random without a failing script or a vote that hangs."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from folkmoot.core.keys import GAME
from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.scenarios.scenario import Run, found

EVENINGS = ("gavel", "lanterns", "orchard", "tricks")
PEOPLE = ("ann", "bob", "cid")
LINES = {"tricks": 220}  # it has the play of cards beside the change of rules
TRIES = {"tricks": 250}  # most cards are in the hands of others
RANKS, SUITS = ("seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"), ("coins", "cups", "swords", "staves")


@pytest.mark.parametrize("name", EVENINGS)
def test_a_ruleset_for_an_evening_fits_on_a_page(name: str) -> None:
    rules = founding(name)["rules"]
    assert len(rules) <= 12
    assert sum(len(rule["text"].split()) for rule in rules) < 500
    assert sum(len((rule.get("script") or "").splitlines()) for rule in rules) <= LINES.get(name, 150)


def card_acts(random: Random) -> list[tuple[str, dict[str, Any]]]:
    """Return what one may try with cards."""
    card = f"{random.choice(RANKS)} of {random.choice(SUITS)}"
    return [("deal", {}), *[(word, {"card": card}) for word in ("discard", "play") * 4]]


def acts(random: Random, number: int) -> list[tuple[str, dict[str, Any]]]:
    """Return what one may try: most of it is refused most of the time."""
    rule = {"title": f"Rule {random.random()}", "text": "Let it be so.", "script": "def decide_odd():\n    return 1\n"}
    change = random.choice(
        [{"enact": rule}, {"repeal": str(random.randrange(11, 14))}, {"amend": "8", "text": "Come."}]
    )
    return [
        ("propose", {"title": "A change", "changes": [change]}),
        ("bid", {"amount": random.randrange(1, 9)}),
        ("plant", {"square": random.choice("abcde") + random.choice("12345")}),
        *[("vote", {"choice": choice, "proposal": number}) for choice in ("for", "for", "against")],
        *[(word, {}) for word in ("snuff", "pass", "join", "leave")],
    ]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", EVENINGS)
def test_nothing_fails_or_hangs_in_an_evening_of_random_play(name: str, seed: int) -> None:
    random = Random(f"{name}/{seed}")
    run: Run = found(
        {"scenario": name, "ruleset": name, "players": list(PEOPLE)},
        founding,
        lambda event: open_chance(name, str(event.seq)),
    )
    done = 0
    for _ in range(TRIES.get(name, 90)):
        if run.kernel.documents[GAME]["over"]:
            break
        number = run.kernel.documents["things/game"]["game"]["proposed"]
        do, args = random.choice(acts(random, number) + (card_acts(random) if name == "tricks" else []))
        done += run.apply(do, random.choice(PEOPLE), None, args).accepted
        run.advance(run.now + random.choice([1, 30, 200]), after_deadlines=True)
    run.advance(run.now + 3_600, after_deadlines=True)
    assert done > 8
    assert [each for entry in run.entries for each in entry.get("failures", ())] == []
    game = run.kernel.documents[GAME]
    assert game["over"] or not game.get("open")
    assert [page for page in run.kernel.pages(run.now).values() if "error" in page] == []
