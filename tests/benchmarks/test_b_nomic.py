"""What B Nomic costs: the end of an nweek of 20 players and 20 Motions, and a word on the board, as ratios to a vote.

Only ratios of processor time, measured side by side, are asserted; times are printed with the machine named.
"""

from __future__ import annotations

import platform
import statistics

import pytest

from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.scenarios.scenario import Run, found
from tests.benchmarks.nweeks import PLAYERS, seconds
from tests.scenarios.conftest import with_lists

WORDS = [["tile-t-1", "tile-e-1", "tile-a-1"], ["tile-r-1", "tile-a-2", "tile-i-1", "tile-n-1"], ["tile-s-1", "tile-e-2", "tile-a-3", "tile-t-2"],
         ["tile-o-1", "tile-n-2", "tile-e-3"], ["tile-e-4", "tile-n-3", "tile-d-1"], ["tile-d-2", "tile-u-1", "tile-e-5"]]  # fmt: skip
TEA = {"title": "Tea", "text": "There is tea.", "labels": {"section": "9"}}

pytestmark = pytest.mark.benchmark


def until(run: Run, nday: int) -> None:
    """Let time pass until an nday begins."""
    while run.kernel.documents["things/game"]["game"]["ndays"] != nday:
        due = run.kernel.next_due()
        assert due is not None
        run.now = due[0]
        run.apply("tick", None, None, {"timer": due[2]})


def test_the_end_of_an_nweek_and_words_cost_some_votes() -> None:
    lent = [{"thing": tile, "owner": PLAYERS[n]} for n, tiles in enumerate(WORDS) for tile in tiles]
    playing = [{"player": PLAYERS[n], "playing_tiles": True} for n in range(len(WORDS))]
    given = [{"game": True, "ndays": 9}, {"office": "meta", "holder": "p00"}, *playing, *lent]
    scenario = {
        "scenario": "",
        "ruleset": "b-nomic",
        "players": PLAYERS,
        "starts": "2005-07-24T12:00:00Z",
        "given": given,
    }
    run = found(scenario, founding, lambda event: open_chance("b", str(event.seq)), with_lists)
    words = [seconds(run, "play_word", PLAYERS[n], zone=n + 1, tiles=tiles) for n, tiles in enumerate(WORDS)]
    for who in PLAYERS:
        seconds(run, "submit_proposal", who, title=f"Tea with {who}", changes=[{"enact": TEA}])
    until(run, 12)
    choices = ["FOR", "FOR", "MAYBE", "MAYBE NOT"]
    votes = [
        seconds(run, "vote", who, motion=motion, choice=choices[(motion + n) % 4])
        for motion in range(1, 21)
        for n, who in enumerate(PLAYERS)
    ]
    due = run.kernel.next_due()
    assert due is not None
    run.now = due[0]
    end, vote = seconds(run, "tick", None, timer=due[2]), statistics.median(votes)
    assert run.kernel.documents["things/game"]["game"]["nweeks"] == 95
    word = statistics.median(words)
    print(f"\nthe end of an nweek {end * 1e3:.0f} ms ({end / vote:.0f} votes), a word {word * 1e3:.1f} ms ({word / vote:.1f} votes), "
          f"a vote {vote * 1e3:.2f} ms  [{platform.machine()}, Python {platform.python_version()}]")  # fmt: skip
    assert end / vote <= 110
    assert word / vote <= 8
