"""What large moments of packaged games cost, as ratios to a vote in them or in Suber's game."""

from __future__ import annotations

import random
import statistics
import time
from typing import Any

from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.scenarios.scenario import Run, begin, found
from tests.benchmarks.measure import figure
from tests.scenarios.conftest import with_lists

DAY = 86_400
START = 1_767_614_400
PLAYERS = [f"p{n:02d}" for n in range(20)]
WORDS = [["tile-t-1", "tile-e-1", "tile-a-1"], ["tile-r-1", "tile-a-2", "tile-i-1", "tile-n-1"],
         ["tile-s-1", "tile-e-2", "tile-a-3", "tile-t-2"], ["tile-o-1", "tile-n-2", "tile-e-3"]]  # fmt: skip
TEA = {"title": "Tea", "text": "There is tea.", "labels": {"section": "9"}}


def game(ruleset: str, **given: Any) -> Run:
    """Return a new game of twenty players."""
    scenario = {"scenario": "", "ruleset": ruleset, "players": PLAYERS, **given}
    return found(scenario, founding, lambda event: open_chance("a", str(event.seq)), with_lists)


def seconds(run: Run, do: str, by: str | None, **given: Any) -> float:
    """Do something that is legal and return what it takes of the processor."""
    began = time.process_time()
    outcome = run.apply(do, by, None, given)
    passed = time.process_time() - began
    assert (outcome.accepted, outcome.failures) == (True, []), (do, outcome.reasons, outcome.failures)
    return passed


def next_tick(run: Run) -> str:
    """Let time pass until a timer is due, and return it."""
    due = run.kernel.next_due()
    assert due is not None
    run.now = due[0]
    return due[2]


def suber_vote() -> float:
    """Return what a vote takes in Suber's game."""
    run = game("suber", settings={"mode": "mail"})
    seconds(run, "propose", PLAYERS[0], title="Idea", changes=[{"enact": {"title": "Idea", "text": "Be merry."}}])
    seconds(run, "finalise", PLAYERS[0])
    return statistics.median(seconds(run, "vote", who, choice="for", proposal=301) for who in PLAYERS[:-1])


def test_the_end_of_an_nweek_of_a_nomic() -> None:
    """Of twenty players, twenty proposals and twenty motions."""
    run = game("a-nomic", starts="2001-05-10T12:00:00Z", given=[{"office": "administrator", "holder": PLAYERS[0]}])
    for n, who in enumerate(PLAYERS):
        changes = [{"enact": {"title": f"Tea with {who}", "text": "There is tea."}}]
        seconds(run, "submit_proposal", who, title=f"Tea with {who}", changes=changes)
        seconds(run, "motion_stupidity", who, dunce=PLAYERS[n - 1], act=f"Put tea number {n} into the sea")
    run.advance(run.now + 7 * DAY, True)
    items = [key.split("/") for key in run.kernel.documents["game"]["open"]]
    assert len(items) == 40
    votes = [
        seconds(run, "vote", who, **{kind: int(number)}, choice="no" if (n + int(number)) % 4 == 0 else "yes")
        for kind, number in items
        for n, who in enumerate(PLAYERS)
    ]
    while (timer := next_tick(run)) and run.now != run.kernel.ask("nweek_ends", [], run.now - 1):
        run.apply("tick", None, None, {"timer": timer})
    end = seconds(run, "tick", None, timer=timer)
    assert run.kernel.documents["game"]["open"] == []
    figure("a-nomic: the end of an nweek, in votes", end, statistics.median(votes))


def test_the_end_of_an_nweek_and_words_of_b_nomic() -> None:
    lent = [{"thing": tile, "owner": PLAYERS[n]} for n, tiles in enumerate(WORDS) for tile in tiles]
    playing = [{"player": PLAYERS[n], "playing_tiles": True} for n in range(len(WORDS))]
    given = [{"game": True, "ndays": 9}, {"office": "meta", "holder": PLAYERS[0]}, *playing, *lent]
    run = game("b-nomic", starts="2005-07-24T12:00:00Z", given=given)
    words = [seconds(run, "play_word", PLAYERS[n], zone=n + 1, tiles=tiles) for n, tiles in enumerate(WORDS)]
    for who in PLAYERS:
        seconds(run, "submit_proposal", who, title=f"Tea with {who}", changes=[{"enact": TEA}])
    while run.kernel.documents["things/game"]["game"]["ndays"] != 12:
        run.apply("tick", None, None, {"timer": next_tick(run)})
    choices = ["FOR", "FOR", "MAYBE", "MAYBE NOT"]
    votes = [
        seconds(run, "vote", who, motion=motion, choice=choices[(motion + n) % 4])
        for motion in range(1, 21)
        for n, who in enumerate(PLAYERS)
    ]
    end = seconds(run, "tick", None, timer=next_tick(run))
    assert run.kernel.documents["things/game"]["game"]["nweeks"] == 95
    figure("b-nomic: the end of an nweek, in votes", end, statistics.median(votes))
    figure("b-nomic: a word, in votes", statistics.median(words), statistics.median(votes))


def test_the_end_of_a_day_of_two_hundred_players_of_imperial() -> None:
    crowd = [f"p{n}" for n in range(200)]
    people = [{"id": who, "email": f"{who}@x.org", "profile": 65535 - 37 * n} for n, who in enumerate(crowd)]
    opening = [{"game": True, "it": "p1"}]
    law = {**founding("imperial"), "players": people, "offices": {"tie": "p0", "ths": "p0"}, "opening": opening}
    law = {name: part for name, part in law.items() if name not in ("offices_in_turn", "new_game")}
    run, outcome = begin(law, START, lambda event: open_chance("a", str(event.seq)), with_lists)
    assert outcome.accepted, outcome
    for number, player in enumerate(crowd[1:21], 1):
        shave = [{"retool": {"section": 3, "to": "depressed"}}]
        seconds(run, "submit_proposal", player, title="Shave", requests=shave)
        seconds(run, "decide", "p0", number=number, verdict=("accept", "reject")[number % 2])
    run.now += DAY
    figure("imperial: the end of a day, in votes of suber", seconds(run, "tick", None, timer="day-end"), suber_vote())


def test_a_harf_of_starball_with_five_orders_of_each() -> None:
    dice, run, ways = random.Random(1), game("imperial-training"), ["n", "ne", "e", "se", "s", "sw", "w", "nw"]
    for place, player in enumerate(PLAYERS):
        seconds(run, "join_team", player, team=("Emerald", "Peach")[place % 2])
    for number in range(1, 5 * len(PLAYERS) + 1):
        step = {"move": {"type": "step", "dir": dice.choice(ways)}, "spin": dice.random() < 0.2}
        throw = {"move": {"type": "throw", "dir": dice.choice(ways)}, "spin": False}
        order = step if number % 5 else throw
        seconds(run, "submit_proposal", PLAYERS[number % 20], title="Move", starball_order=order)
        seconds(run, "decide", PLAYERS[0], number=number, verdict="accept")
    figure("imperial-training: a harf, in votes of suber", seconds(run, "close_jp", PLAYERS[0]), suber_vote())
