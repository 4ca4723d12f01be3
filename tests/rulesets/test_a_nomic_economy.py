"""The economy of A Nomic beside its scenarios: what a pause moves, and random play by whoever wants more than is theirs."""

from __future__ import annotations

import random
from typing import Any

import pytest

from folkmoot.core.calendar import read_stamp
from folkmoot.core.events import Outcome
from folkmoot.game.rulesets import founding
from folkmoot.kernel import registers, things
from folkmoot.kernel.chance import open_chance
from folkmoot.scenarios.scenario import Run, found
from tests.conftest import FUZZ
from tests.scenarios.conftest import with_lists

PEOPLE = ["ann", "bob", "cid", "dee", "eve", "fay"]
AGENTS = [*PEOPLE, "bank"]
OFFICES = {"administrator": "ann", "banker": "bob", "tax_collector": "cid", "obc": "dee"}
HOUR = 3600
STEPS = 260


def game(given: list[dict[str, Any]], starts: str = "2001-05-01T12:00:00Z") -> Run:
    """Found a game in nweek 22, whose voting starts on 7 May 2001."""
    scenario: dict[str, Any] = {"scenario": "economy", "ruleset": "a-nomic", "players": PEOPLE, "starts": starts}
    offices = [{"office": office, "holder": who} for office, who in OFFICES.items()]
    scenario |= {"given": [*offices, *given]}
    return found(scenario, founding, lambda event: open_chance("economy", str(event.seq)), with_lists)


def act(run: Run, by: str, do: str, **args: Any) -> Outcome:
    outcome = run.apply(do, by, None, args)
    assert not outcome.failures, (do, by, args, outcome.failures)
    return outcome


def until(run: Run, time: int) -> None:
    """Let time pass up to a moment, with what happens at it."""
    before = len(run.entries)
    run.advance(time, True)
    failed = [entry for entry in run.entries[before:] if entry.get("failures")]
    assert not failed, [entry["failures"] for entry in failed]


def value(run: Run, owner: Any, name: str) -> Any:
    return registers.get(run.kernel.play, owner, name, None)


def funds(run: Run) -> dict[str, int]:
    """Return what each Agent has, in Pennies."""
    return {agent: 100 * value(run, agent, "points") + value(run, agent, "pennies") for agent in AGENTS}


def debts(run: Run) -> list[str]:
    return things.things(run.kernel.play, "debt")


@pytest.mark.parametrize("hours", [1, 11, 12, 13, 60, 300])
def test_a_debt_is_due_later_by_the_length_of_a_pause(hours: int) -> None:
    run = game([])
    assert act(run, "ann", "create_debt", amount=5, due="2001-05-04T12:00:00Z").accepted
    until(run, read_stamp("2001-05-02T12:00:00Z"))
    assert run.apply("pause").accepted
    run.now += hours * HOUR
    assert run.apply("resume").accepted
    due = read_stamp("2001-05-04T12:00:00Z") + hours * HOUR
    assert value(run, "debt-1", "due") == due
    until(run, due - 1)
    assert value(run, "debt-1", "state") == "open"
    until(run, due)
    assert value(run, "debt-1", "state") == "overdue"


def somebody(dice: random.Random) -> str:
    return dice.choice([*AGENTS, "zed", "the Bank"])


def a_debt(dice: random.Random, run: Run) -> str:
    return dice.choice([*debts(run), "debt-0", "extra-vote-1"])


def an_object(dice: random.Random, run: Run) -> str:
    stamps = [
        "stamp-theft",
        "stamp-failure",
        "stamp-confusion",
        "dunce-cap",
        "316",
        "penny",
        "Red Ace of Spades",
        "bank",
        "ann",
    ]
    return dice.choice([a_debt(dice, run), f"extra-vote-{dice.randint(1, 6)}", *stamps])


def one_act(dice: random.Random, run: Run) -> tuple[str, dict[str, Any]]:
    """Draw an action of the economy with arguments of which many are wrong."""
    amount = dice.choice([-1, 0, 1, 3, 20, 99, 100, 5000, 10**30])
    part = dice.choice([1, 2, "0.50", "x", -1, "1.005", 10])
    acts: list[tuple[str, dict[str, Any]]] = [
        ("transfer_points", {"to": somebody(dice), "amount": amount}),
        ("transfer_pennies", {"to": somebody(dice), "n": amount}),
        ("pay", {"to": somebody(dice), "amount": amount}),
        ("pay", {"debt": a_debt(dice, run)}),
        ("pay", {"debt": a_debt(dice, run), "amount": amount}),
        ("create_debt", {"amount": amount, "pennies": dice.choice([0, 50, 100])}),
        ("create_debt", {"amount": 3, "due": dice.choice(["2001-05-03T00:00:00Z", "2001-05-12T06:00:00Z"])}),
        ("transfer_debt", {"debt": a_debt(dice, run), "to": somebody(dice)}),
        ("split_debt", {"debt": a_debt(dice, run), "parts": [part, dice.choice([1, 2, "2.50", 19])]}),
        ("accept_debt", {"debts": [a_debt(dice, run)], "against": a_debt(dice, run)}),
        ("demand_debt_list", {"whom": somebody(dice)}),
        ("publish_debts", {}),
        ("set_adp", {"value": dice.choice([True, False])}),
        ("motion_payment", {"debt": a_debt(dice, run)}),
        ("transfer_object", {"object": an_object(dice, run), "to": somebody(dice)}),
        ("buy", {"item": an_object(dice, run)}),
        ("buy_stamp", {"which": dice.choice(["failure", "theft", "confusion"])}),
        ("buy_extra_vote", {}),
        ("stamp_theft", {"victim": somebody(dice), "object": an_object(dice, run)}),
        ("stamp_failure", {"item": dice.randint(464, 468)}),
        ("stamp_confusion", {"voter": somebody(dice)}),
        ("use_extra_vote", {"item": dice.randint(464, 468), "value": dice.choice(["yes", "no", "abstain"])}),
        ("use_thug", {"voter": somebody(dice), "item": dice.randint(464, 468)}),
        ("set_salaries", {"official": dice.randint(-1, 21)}),
        ("set_awards", {"adopted": dice.randint(-1, 21), "opposed": dice.randint(0, 20)}),
        ("set_fine", {"value": dice.randint(-1, 21)}),
        ("set_voting_bonus", {"value": dice.randint(-1, 21)}),
        (
            "bank_act",
            {"act": dice.choice(["pay", "use_thug", "publish_debts", "vote"]), "args": {"debt": a_debt(dice, run)}},
        ),
        ("bank_motion", {"actions": [{"do": "transfer_points", "args": {"to": somebody(dice), "amount": 3}}]}),
        ("motion_set_tax", {"rate": dice.choice(["0.05", "0.2", "", ".", "-", "0.1.1", 0])}),
        ("state_beginning_score", {"agent": somebody(dice), "points": 3}),
        ("draw_thug", {}),
        (
            "submit_proposal",
            {"title": "Tea", "changes": [{"enact": {"title": "Tea", "text": f"Tea {dice.random()}."}}]},
        ),
        ("consent", {"motion": dice.randint(34, 40)}),
    ]
    return dice.choice(acts)


def sound(run: Run) -> None:
    """What holds at any time: nothing negative, Pennies below a Point, every Object with one owner who is an Agent."""
    play = run.kernel.play
    for agent in AGENTS:
        assert value(run, agent, "points") >= 0
        assert 0 <= value(run, agent, "pennies") < 100
    assert len(things.things(play, "extra_vote")) == 5
    assert sorted(things.things(play, "stamp")) == ["stamp-confusion", "stamp-failure", "stamp-theft"]
    for kind in ["extra_vote", "stamp", "debt", "dunce_cap"]:
        assert {value(run, each, "owner") for each in things.things(play, kind)} <= {*AGENTS, "benjamin"}
    deadlines = value(run, "game", "deadlines")
    for debt in debts(run):
        assert 100 * value(run, debt, "amount") + value(run, debt, "pennies") > 0
        if value(run, debt, "state") == "open":
            assert deadlines[f"debt/{debt}"]["at"] == value(run, debt, "due")
    assert {key for key in deadlines if key.startswith("debt/")} <= {f"debt/{debt}" for debt in debts(run)}


@pytest.mark.parametrize("seed", range(4) if FUZZ else (1,))
def test_random_play_neither_makes_nor_loses_money(seed: int) -> None:
    dice = random.Random(seed)
    rich = [{"player": who, "points": 400, "pennies": 7} for who in PEOPLE]
    run = game([*rich, {"thing": "bank", "points": 900}], "2001-05-06T18:00:00Z")
    accepted = set()
    for _ in range(STEPS):
        if dice.random() < 0.1:
            before = sum(funds(run).values())
            until(run, run.now + dice.choice([600, 6 * HOUR, 26 * HOUR]))
            assert (sum(funds(run).values()) - before) % 500 == 0
            for item in range(465, 470):
                run.apply("vote", dice.choice(PEOPLE), None, {"proposal": item, "choice": dice.choice(["yes", "no"])})
        do, args = one_act(dice, run)
        by = dice.choice([*PEOPLE, *OFFICES.values(), "zed"])
        before = sum(funds(run).values())
        if act(run, by, do, **args).accepted:
            accepted.add(do)
        assert sum(funds(run).values()) == before, (by, do, args)
        sound(run)
    assert len(accepted) > 12, accepted


OURS = """316 317 318 320 321 322 323 324 325 341 342 344 347 351 358 360 361 362 363 364 372 378 379 380 381 392 400
R-14 R-15 R-19""".split()


@pytest.mark.parametrize("rule", OURS)
def test_the_rest_goes_on_without_any_one_rule(rule: str) -> None:
    dice = random.Random(rule)
    rich = [{"player": who, "points": 400, "pennies": 7, "adp": who == "ann"} for who in PEOPLE]
    orders = [{"thing": "stamp-confusion", "owner": "ann"}, {"thing": "stamp-theft", "owner": "bob"}]
    run = game(
        [*rich, *orders, {"thing": "bank", "points": 9}, {"game": True, "official_salary": 3}], "2001-05-06T18:00:00Z"
    )
    for who in PEOPLE:
        act(run, who, "create_debt", amount=3)
    assert act(run, "ann", "submit_proposal", title="Gone", changes=[{"repeal": rule}]).accepted
    assert act(run, "bob", "motion_stupidity", dunce="cid", act="too much").accepted
    assert act(run, "ann", "motion_create_points", n=5).accepted
    for rounds in range(2):
        until(run, read_stamp(f"2001-05-{7 + 10 * rounds:02}T00:00:00Z"))
        for who in PEOPLE[:4]:
            run.apply("vote", who, None, {"proposal": 465, "choice": "yes"})
            run.apply("vote", who, None, {"motion": 34, "choice": "no"})
        until(run, read_stamp(f"2001-05-{10 + 10 * rounds:02}T00:00:00Z"))
        for _ in range(40 if FUZZ else 12):
            do, args = one_act(dice, run)
            act(run, dice.choice(PEOPLE), do, **args)
    assert run.kernel.play.law.resolve(rule) is None
    assert {name: page["error"] for name, page in run.kernel.pages(run.now).items() if "error" in page} == {}
