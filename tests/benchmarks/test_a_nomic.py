"""What A Nomic costs: the end of an nweek of 20 players, 20 Proposals and 20 Motions, as a ratio to a vote.

Only ratios of processor time, measured side by side, are asserted; times are printed with the machine named. The end
is measured several times from the same state, each time by scripts that were not run before: the least of it counts.
"""

from __future__ import annotations

import gc
import json
import os
import platform
import statistics

import pytest

from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.sandbox.worker import FEWEST_NEW
from folkmoot.scenarios.scenario import Run, found
from tests.benchmarks.nweeks import PLAYERS, seconds
from tests.scenarios.conftest import with_lists

DAY = 86_400

pytestmark = pytest.mark.benchmark


def founded() -> Run:
    """Return a new game of twenty players."""
    offices = [{"office": "administrator", "holder": "p00"}]
    scenario = {
        "scenario": "",
        "ruleset": "a-nomic",
        "players": PLAYERS,
        "starts": "2001-05-10T12:00:00Z",
        "given": offices,
    }
    return found(scenario, founding, lambda event: open_chance("a", str(event.seq)), with_lists)


def close(run: Run, what: str) -> list[float]:
    """Go on until the next tick ends an nweek in which 40 items were voted upon; return what each vote cost."""
    for n, who in enumerate(PLAYERS):
        enacted = {"enact": {"title": f"{what} with {who}", "text": "There is tea."}}
        seconds(run, "submit_proposal", who, title=f"{what} with {who}", changes=[enacted])
        seconds(run, "motion_stupidity", who, dunce=PLAYERS[n - 1], act=f"Put {what} number {n} into the sea")
    run.advance(run.now + 7 * DAY, True)
    items = [key.split("/") for key in run.kernel.documents["game"]["open"]]
    votes = [
        seconds(run, "vote", who, **{kind: int(number)}, choice="no" if (n + int(number)) % 4 == 0 else "yes")
        for kind, number in items
        for n, who in enumerate(PLAYERS)
    ]
    assert len(items) == 40
    while True:
        due = run.kernel.next_due()
        assert due is not None
        run.now = due[0]
        if run.now == run.kernel.ask("nweek_ends", [], run.now - 1):
            return votes
        run.apply("tick", None, None, {"timer": due[2]})


def ended(run: Run, timer: str) -> tuple[float, int]:
    """Let the nweek end in a process of its own; return what it took of the processor, and how many items are left."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        gc.set_threshold(FEWEST_NEW)  # as the process in which rules run has it
        gc.unfreeze()  # whoever looks at everything now has it as their own, as that process has
        gc.collect()
        gc.freeze()
        try:
            took = seconds(run, "tick", None, timer=timer)
            os.write(write, json.dumps([took, len(run.kernel.documents["game"]["open"])]).encode())
        finally:  # whatever happens, it is not this process that goes on with the tests
            os._exit(0)
    os.close(write)
    with os.fdopen(read) as told:
        said = told.read()
    os.waitpid(child, 0)
    took, left = json.loads(said)
    return float(took), int(left)


def least(run: Run, timer: str) -> float:
    """Return the least that the end of an nweek takes of the processor, in seconds."""
    gc.collect()
    gc.freeze()  # as whoever judges a game that goes on for long has done
    try:
        ends = [ended(run, timer) for _ in range(5)]
    finally:
        gc.unfreeze()
    assert [left for _took, left in ends] == [0] * 5
    return min(took for took, _left in ends)


def test_the_end_of_an_nweek_costs_some_votes() -> None:
    """The first of a game loads scripts and shuffles the Deck; the next one finds both there."""
    run = founded()
    told = []
    for what in ("Tea", "Milk"):
        votes = close(run, what)
        due = run.kernel.next_due()
        assert due is not None
        end, vote = least(run, due[2]), statistics.median(votes)
        told.append(end / vote)
        print(f"\nthe end of an nweek {end * 1e3:.0f} ms ({end / vote:.0f} votes), a vote {vote * 1e3:.2f} ms  "
              f"[{platform.machine()}, Python {platform.python_version()}]")  # fmt: skip
        assert run.apply("tick", None, None, {"timer": due[2]}).accepted
        run.advance(run.now + DAY, True)
    assert told[0] <= 220
    assert told[1] <= 180
