"""What Starball costs: a harf of twenty players with five orders each, and random play, as ratios to an act of suber.

Only ratios measured side by side are asserted; speeds are printed with the machine named.
"""

from __future__ import annotations

import os
import platform
import random
import statistics
import time
from typing import Any

import pytest

from folkmoot.core.events import Event, Outcome
from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.sandbox.client import Sandbox
from folkmoot.scenarios.scenario import found, law_of
from tests.rulesets.random_imperial_training import FOUNDERS, Table

START = 1_767_614_400
PLAYERS = [f"p{n}" for n in range(20)]
WAYS = ["n", "ne", "e", "se", "s", "sw", "w", "nw"]
HARFS = 8
RANDOM_ACTS = int(os.environ.get("FOLKMOOT_BENCHMARK_ACTS", "2000"))
Record = dict[str, Any]

pytestmark = pytest.mark.benchmark


def report(what: str, **figures: str) -> None:
    """Print a line of figures, with the machine."""
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"\n{what}: " + ", ".join(f"{name} {figure}" for name, figure in figures.items()) + f"  [{machine}]")


class Game:
    """A game judged across the border, with the time that each act took."""

    def __init__(self, judge: Sandbox, ruleset: str, **given: Any) -> None:
        """Found a game of a ruleset with twenty players."""
        self.judge, self.seq, self.next = judge, 0, 1
        law = law_of({"ruleset": ruleset, "players": PLAYERS, **given}, founding)
        self.act("found", None, law)

    def act(self, do: str, by: str | None, with_: Record) -> float:
        """Act and return the seconds that passed."""
        began = time.perf_counter()
        outcome = self.attempt(do, by, with_)
        passed = time.perf_counter() - began
        assert outcome.accepted, outcome
        return passed

    def attempt(self, do: str, by: str | None, with_: Record) -> Outcome:
        """Act, whether or not it is accepted."""
        self.seq += 1
        outcome = self.judge.apply(Event(seq=self.seq, at=START + self.seq, do=do, by=by, with_=with_)).outcome
        assert outcome.failures == [], outcome.failures
        return outcome


def order(dice: random.Random) -> Record:
    """Return an order with a step, sometimes an extra one, sometimes a spin or a throw."""
    moves: list[Record] = [{"type": "step", "dir": dice.choice(WAYS)}] * 4
    moves += [{"type": "throw", "dir": dice.choice(WAYS)}, {"type": "grab_ball"}]
    move = dice.choice(moves)
    made: Record = {"move": move, "spin": move["type"] == "step" and dice.random() < 0.2}
    return {**made, "pre": [dice.choice(WAYS)]} if dice.random() < 0.2 else made


def queue_orders(game: Game, dice: random.Random) -> None:
    """Let every player have five accepted proposals with orders."""
    for _ in range(5):
        numbers = []
        for player in PLAYERS:
            game.act("submit_proposal", player, {"title": "Move", "starball_order": order(dice)})
            numbers.append(game.next)
            game.next += 1
        for number in numbers:
            game.act("decide", "p0", {"number": number, "verdict": "accept"})


def suber_act(judge: Sandbox) -> float:
    """Return the median seconds of an act in a game of suber with twenty players: a comment on a proposal."""
    game = Game(judge, "suber", settings={"mode": "mail"})
    change = {"enact": {"title": "Idea", "text": "Everybody is merry."}}
    game.act("propose", "p0", {"title": "Idea", "changes": [change]})
    game.act("finalise", "p0", {})
    return statistics.median(game.act("vote", p, {"choice": "for", "proposal": 301}) for p in PLAYERS[:-1])


@pytest.mark.long
def test_a_harf_of_twenty_players_with_five_orders_each() -> None:
    dice = random.Random(1)
    with Sandbox() as judge, Sandbox() as other:
        act = suber_act(other)
        game = Game(judge, "imperial-training")
        taken = []
        for _ in range(HARFS):
            for place, player in enumerate(PLAYERS):  # at first, and after the end of a game of Starball
                game.attempt("join_team", player, {"team": ("Emerald", "Peach")[place % 2]})
            queue_orders(game, dice)
            taken.append(game.act("close_jp", "p0", {}))
    median = statistics.median(taken)
    report(
        "a harf of 20 players with 5 orders each through the judge",
        median=f"{median * 1e3:.0f} ms",
        least=f"{min(taken) * 1e3:.0f} ms",
        suber_act=f"{act * 1e6:.0f} µs",
        ratio=f"{median / act:.0f}",
    )
    assert min(taken) / act <= 300


@pytest.mark.long
def test_random_play_through_the_judge() -> None:
    scenario: Record = {"scenario": "random play", "ruleset": "imperial-training", "players": FOUNDERS}
    run = found(scenario, founding, lambda event: open_chance("random", str(event.seq)))
    table = Table(run, random.Random(1))
    while len(run.entries) < RANDOM_ACTS:
        table.act()
    with Sandbox() as judge:
        judge.replay(run.entries[:1])
        began = time.perf_counter()
        judge.replay(run.entries[1:])
        passed = time.perf_counter() - began
        used = judge._child.used()  # type: ignore[union-attr]
    figures = {"acts/s": f"{len(run.entries) / passed:,.0f}", "per processor second": f"{len(run.entries) / used:,.0f}"}
    report(f"random play of {len(run.entries):,} acts, replayed through one judge", **figures)
