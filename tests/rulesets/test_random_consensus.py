"""Random play of the consensus game: no rule fails, no vote stays open that is decided, and merges pay within bounds."""

from __future__ import annotations

import random
from typing import Any

import pytest

from folkmoot.core.calendar import read_stamp
from folkmoot.core.keys import GAME, PLAYERS, proposal_key
from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.things import things
from folkmoot.scenarios.scenario import Run, found
from tests.conftest import FUZZ
from tests.rulesets.random_consensus import PEOPLE, Record, act

TABLE = [(10, 8), (8, 5), (6, 3), (4, 2), (2, 1), (0, 0)]
STEPS = 150
DAY = 24 * 3600


def is_decided(run: Run, proposal: Record, now_and_here: list[str]) -> bool:
    """Say by rules 5 and 6, in words of our own, whether a proposal is to be adopted as it stands."""
    days = proposal["registers"].get("days", 0)
    allowed = next(missing for since, missing in TABLE if since <= days)
    ballots = {who: each["choice"] for who, each in proposal["ballots"].items()}
    silent = {who for who in now_and_here if run.kernel.documents[PLAYERS][who]["silent"]}
    objected = proposal["registers"].get("objected", {})
    for who, choice in ballots.items():
        if choice == "request changes" and who in now_and_here and who not in silent and days - objected[who] < 7:
            return False
    counted = [who for who in proposal["electorate"] if who in now_and_here and ballots.get(who) != "stand aside"]
    if allowed:
        counted = [who for who in counted if who not in silent or ballots.get(who) == "approve"]
    approving = [who for who in counted if ballots.get(who) == "approve"]
    return len(counted) - len(approving) <= allowed and 2 * len(approving) > len(counted)


@pytest.mark.parametrize("seed", range(20 if FUZZ else 2))
def test_whatever_players_do_the_rules_hold(seed: int) -> None:
    dice = random.Random(seed)
    scenario: Record = {"scenario": "random play", "ruleset": "consensus", "players": PEOPLE}
    run = found(scenario, founding, lambda event: open_chance(f"random {seed}", str(event.seq)))
    for _ in range(STEPS):
        if dice.random() < 0.25:
            run.advance(run.now + dice.choice([1, 5, 24, 50, 120]) * 3600, after_deadlines=True)
        else:
            act(run, dice)
        players = things(run.kernel.play, "player")
        for each in run.kernel.documents[GAME]["open"]:
            proposal: Any = run.kernel.documents.get(proposal_key(each))
            assert not is_decided(run, proposal, players), each
    assert [entry["failures"] for entry in run.entries if entry.get("failures")] == []
    paid = [
        (effect["of"], read_stamp(entry["at"]))
        for entry in run.entries
        for effect in entry.get("effects") or ()
        if effect["effect"] == "award" and effect["asked"] == 3
    ]
    assert len(paid) > 3, "the game was played"
    for place, (who, at) in enumerate(paid):
        assert all(at - before >= DAY for other, before in paid[:place] if other == who)
    registers: Any = run.kernel.documents.everything()["things/game"]
    assert len(paid) == len(registers["game"]["paid"]), "each content has paid once"
