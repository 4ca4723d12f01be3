"""What Imperial Nomic costs: the end of a game day of 200 players, decisions, and random play, as ratios to a suber act.

Only ratios measured side by side are asserted; speeds are printed with the machine named.
"""

from __future__ import annotations

import os
import platform
import random
import statistics
import time
from collections import Counter
from typing import Any

import pytest

from folkmoot.core.events import Event
from folkmoot.game.rulesets import founding
from folkmoot.sandbox.client import Sandbox
from folkmoot.scenarios.scenario import law_of
from tests.rulesets.random_imperial import table

START = 1_767_614_400
DAY = 86_400
DAYS = 6
PLAYERS = [f"p{n}" for n in range(200)]
VOTERS = PLAYERS[:20]
RANDOM_ACTS = int(os.environ.get("FOLKMOOT_BENCHMARK_ACTS", "2000"))
Record = dict[str, Any]

pytestmark = pytest.mark.benchmark


def report(what: str, **figures: str) -> None:
    """Print a line of figures, with the machine."""
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"\n{what}: " + ", ".join(f"{name} {figure}" for name, figure in figures.items()) + f"  [{machine}]")


class Game:
    """A game judged across the border, with the time that each act took."""

    def __init__(self, judge: Sandbox, law: Record) -> None:
        """Found a game."""
        self.judge, self.seq, self.now = judge, 0, START
        self.act("found", None, law)

    def act(self, do: str, by: str | None, with_: Record) -> float:
        """Act and return the seconds that passed."""
        self.seq += 1
        event = Event(seq=self.seq, at=self.now, do=do, by=by, with_=with_)
        began = time.perf_counter()
        outcome = self.judge.apply(event).outcome
        passed = time.perf_counter() - began
        assert outcome.accepted, outcome
        assert outcome.failures == [], outcome.failures
        return passed


def imperial() -> Record:
    """Return a game of two hundred players with planks, some of which pass the ANDing."""
    people = [{"id": who, "email": f"{who}@x.org", "profile": 65535 - 37 * n} for n, who in enumerate(PLAYERS)]
    offices = {"tie": "p0", "ths": "p0"}
    return {**founding("imperial"), "players": people, "offices": offices, "opening": [{"game": True, "it": "p1"}]}


def suber_act(judge: Sandbox) -> float:
    """Return the median seconds of a vote in a game of suber with twenty players."""
    game = Game(judge, law_of({"ruleset": "suber", "players": VOTERS, "settings": {"mode": "mail"}}, founding))
    change = {"enact": {"title": "Idea", "text": "Everybody is merry."}}
    game.act("propose", "p0", {"title": "Idea", "changes": [change]})
    game.act("finalise", "p0", {})
    return statistics.median(game.act("vote", p, {"choice": "for", "proposal": 301}) for p in VOTERS[:-1])


def test_a_game_day_of_200_players() -> None:
    shave = [{"retool": {"section": 3, "to": "depressed"}}]
    with Sandbox() as judge, Sandbox() as other:
        act = suber_act(other)
        game = Game(judge, imperial())
        ends, submitted, decided, number = [], [], [], 0
        for _ in range(DAYS):
            for player in PLAYERS[1:21]:
                number += 1
                submitted.append(game.act("submit_proposal", player, {"title": "Shave", "requests": shave}))
                decided.append(
                    game.act("decide", "p0", {"number": number, "verdict": ("accept", "reject")[number % 2]})
                )
            game.now += DAY
            ends.append(game.act("tick", None, {"timer": "day-end"}))
    median = statistics.median(ends)
    report(
        "the end of a game day of 200 players through the judge",
        median=f"{median * 1e3:.0f} ms",
        least=f"{min(ends) * 1e3:.0f} ms",
        suber_act=f"{act * 1e6:.0f} µs",
        ratio=f"{median / act:.0f}",
    )
    report(
        "a proposal with a retooling through the judge",
        submitted=f"{statistics.median(submitted) * 1e3:.1f} ms",
        judged=f"{statistics.median(decided) * 1e3:.1f} ms",
    )
    assert min(ends) / act <= 150


@pytest.mark.long
def test_random_play_through_the_judge() -> None:
    told: Counter[str] = Counter()
    playing = table(random.Random(5), "benchmark", told, endless=True)  # which nobody ends
    while told.total() < RANDOM_ACTS:
        playing.act()
    entries = playing.run.entries
    with Sandbox() as judge:
        judge.replay(entries[:1])
        began, before = time.perf_counter(), judge._child.used()  # type: ignore[union-attr]
        judge.replay(entries[1:])
        passed, used = time.perf_counter() - began, judge._child.used() - before  # type: ignore[union-attr]
    with Sandbox() as other:
        act = suber_act(other)
    acts = len(entries) - 1
    figures = {"acts/s": f"{acts / passed:,.0f}", "per processor second": f"{acts / used:,.0f}"}
    report(f"random play of {acts:,} acts, replayed through one judge", **figures, ratio=f"{passed / acts / act:.1f}")
    assert passed / acts / act <= 20
