"""Political Go of A Nomic beside its scenarios: what a pause moves, and hostile random play on a crowded board."""

from __future__ import annotations

import random
from typing import Any

import pytest

from folkmoot.core.events import Outcome
from folkmoot.game.rulesets import founding
from folkmoot.kernel import registers, things
from folkmoot.kernel.chance import open_chance
from folkmoot.scenarios.scenario import Run, found
from tests.conftest import FUZZ
from tests.scenarios.conftest import with_lists

PEOPLE = ["ann", "bob", "cid", "dee"]
HOUR, DAY = 3600, 86400
CORNER = [f"{file}{rank}" for file in "abcd" for rank in range(1, 5)]


def game(given: list[dict[str, Any]], seed: str = "go") -> Run:
    scenario: dict[str, Any] = {"scenario": "go", "ruleset": "a-nomic", "players": PEOPLE, "given": given}
    scenario |= {"starts": "2001-05-01T12:00:00Z"}
    return found(scenario, founding, lambda event: open_chance(seed, str(event.seq)), with_lists)


def act(run: Run, by: str, do: str, **args: Any) -> Outcome:
    outcome = run.apply(do, by, None, args)
    assert not outcome.failures, (do, by, args, outcome.failures)
    return outcome


def until(run: Run, time: int) -> None:
    before = len(run.entries)
    run.advance(time, True)
    failed = [entry for entry in run.entries[before:] if entry.get("failures")]
    assert not failed, failed


def stones(run: Run) -> dict[str, tuple[str, str, str | None]]:
    """Return owner, state and place of each Stone by its id."""
    play = run.kernel.play
    kept = things.things(play, "stone")
    return {each: tuple(registers.get(play, each, name, None) for name in ("owner", "state", "at")) for each in kept}  # type: ignore[misc]


@pytest.mark.parametrize("hours", [1, 18, 19, 500])
def test_the_nineteen_hours_do_not_run_in_a_pause(hours: int) -> None:
    run = game([{"kind": "stone", "owner": "ann", "state": "reserve"}])
    assert act(run, "ann", "go_offer", other="bob").accepted
    run.now += HOUR
    assert run.apply("pause").accepted
    run.now += hours * HOUR
    assert run.apply("resume").accepted
    until(run, run.now + 18 * HOUR - 1)
    assert act(run, "ann", "go_place", vertex="k10").code == "E-TOO-SOON"
    until(run, run.now + 1)
    assert act(run, "ann", "go_place", vertex="k10").accepted


def position(run: Run) -> dict[str, str]:
    return {at: owner for owner, state, at in stones(run).values() if state == "in-play" and at is not None}


def liberties_of_chain(board: dict[str, str], start: str) -> int:
    """Return how many liberties the stones of one owner have that are connected with a stone."""
    chain, free, rest = {start}, set(), [start]
    while rest:
        file, rank = rest[-1][0], int(rest.pop()[1:])
        for x, y in ((ord(file) + 1, rank), (ord(file) - 1, rank), (ord(file), rank + 1), (ord(file), rank - 1)):
            near = f"{chr(x)}{y}"
            if not ("a" <= chr(x) <= "s" and 1 <= y <= 19) or near in chain:
                continue
            if near not in board:
                free.add(near)
            elif board[near] == board[start]:
                chain.add(near)
                rest.append(near)
    return len(free)


def step(run: Run, dice: random.Random) -> None:
    """Do something that may be legal or not; whatever comes of it, no script fails."""
    by, other = dice.choice(PEOPLE), dice.choice([*PEOPLE, "bank", "zed"])
    do = dice.choice(["go_place"] * 6 + ["go_offer", "go_war", "go_accept", "go_withdraw", "buy_stone", "give", "sell"])
    if do == "go_place":
        before = len(stones(run))
        outcome = act(run, by, do, vertex=dice.choice([*CORNER, "t1", "a0", ""]))
        board = position(run)
        assert len(stones(run)) == before
        if outcome.accepted:
            friends = {by} | {
                a for pair in registers.get(run.kernel.play, "game", "go_alliances") if by in pair for a in pair
            }
            dead = [at for at in board if board[at] not in friends and not liberties_of_chain(board, at)]
            alone = [at for at in dead if all(board[at] not in pair for pair in alliances(run))]
            assert not alone, (alone, board)
    elif do in ("go_offer", "go_war"):
        act(run, by, do, other=dice.choice(PEOPLE))
    elif do in ("go_accept", "go_withdraw"):
        act(run, by, do, **({"offer": other} if dice.random() < 0.5 else {}))
    elif do == "buy_stone":
        act(run, by, do)
    elif do == "give" and stones(run):
        act(run, by, "give_stone", stone=dice.choice(list(stones(run))), to=other)
    elif do == "sell":
        act(run, by, "sell_captured", n=dice.randint(1, 3))


def alliances(run: Run) -> list[list[str]]:
    found_: list[list[str]] = registers.get(run.kernel.play, "game", "go_alliances")
    return found_


@pytest.mark.parametrize("seed", range(3) if FUZZ else (1,))
def test_hostile_play_keeps_every_stone_in_one_place(seed: int) -> None:
    dice = random.Random(seed)
    owned = [{"kind": "stone", "owner": player, "state": "reserve"} for player in PEOPLE for _ in range(12)]
    run = game([*owned, {"thing": "bank", "points": 50}], str(seed))
    seen: list[dict[str, str]] = []
    for _ in range(220):
        before = position(run)
        step(run, dice)
        now = position(run)
        if len(now) and now != before and set(now) - set(before):
            assert now not in seen, "a position came back by a placement"
        if now != before:
            seen += [before, now] if before not in seen else [now]
        if dice.random() < 0.4:
            until(run, run.now + dice.choice([HOUR, 10 * HOUR, 19 * HOUR, DAY]))
            if position(run) != now:
                seen = []  # a game has ended
        kept = stones(run).values()
        places = [at for _owner, state, at in kept if state == "in-play"]
        assert None not in places
        assert len(places) == len(set(places))
        assert all(at is None for _owner, state, at in kept if state != "in-play")
        assert all(owner in [*PEOPLE, "bank"] for owner, _state, _at in kept)
    assert not [entry for entry in run.entries if entry.get("failures")]
