"""What A Nomic costs: the end of an nweek of 20 players, 20 Proposals and 20 Motions, as a ratio to a vote.

Only ratios of processor time, measured side by side, are asserted; times are printed with the machine named.
"""

from __future__ import annotations

import platform
import statistics

import pytest

from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.scenarios.scenario import Run, found
from tests.benchmarks.test_b_nomic import PLAYERS, seconds
from tests.scenarios.conftest import with_lists

DAY = 86_400

pytestmark = pytest.mark.benchmark


def closing() -> tuple[Run, list[float]]:
    """Return a game whose next tick ends an nweek in which 40 items were voted upon, and what each vote cost."""
    offices = [{"office": "administrator", "holder": "p00"}]
    scenario = {
        "scenario": "",
        "ruleset": "a-nomic",
        "players": PLAYERS,
        "starts": "2001-05-10T12:00:00Z",
        "given": offices,
    }
    run = found(scenario, founding, lambda event: open_chance("a", str(event.seq)), with_lists)
    for n, who in enumerate(PLAYERS):
        enacted = {"enact": {"title": f"Tea with {who}", "text": "There is tea."}}
        seconds(run, "submit_proposal", who, title=f"Tea with {who}", changes=[enacted])
        seconds(run, "motion_stupidity", who, dunce=PLAYERS[n - 1], act=f"Put tea number {n} into the sea")
    run.advance(run.now + 7 * DAY, True)
    items = [key.split("/") for key in run.kernel.documents["game"]["open"]]
    votes = [
        seconds(run, "vote", who, **{kind: int(number)}, choice="no" if (n + int(number)) % 4 == 0 else "yes")
        for kind, number in items
        for n, who in enumerate(PLAYERS)
    ]
    assert len(items) == 40
    due = run.kernel.next_due()
    while due is not None and run.kernel.next_due() is not None:
        due = run.kernel.next_due()
        assert due is not None
        run.now = due[0]
        if run.now == run.kernel.ask("nweek_ends", [], run.now - 1):
            return run, votes
        run.apply("tick", None, None, {"timer": due[2]})
    raise AssertionError("the nweek does not end")


def test_the_end_of_an_nweek_costs_some_votes() -> None:
    run, votes = closing()
    due = run.kernel.next_due()
    assert due is not None
    end, vote = seconds(run, "tick", None, timer=due[2]), statistics.median(votes)
    assert len(run.kernel.documents["game"]["open"]) == 0
    print(f"\nthe end of an nweek {end * 1e3:.0f} ms ({end / vote:.0f} votes), a vote {vote * 1e3:.2f} ms  "
          f"[{platform.machine()}, Python {platform.python_version()}]")  # fmt: skip
    assert end / vote <= 250
