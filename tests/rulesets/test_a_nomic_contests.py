"""Contests, Judges, Contracts and Places of A Nomic beside their scenarios: what a pause moves, and hostile random play."""

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

PEOPLE = ["ann", "benjamin", "cid", "dee", "mcachessilnath", "fay"]
WHO = [*PEOPLE, *PEOPLE, *PEOPLE, "zed"]
HOUR, DAY = 3600, 86400
PAGES = ["contests", "contracts", "offers", "places", "judgements", "randals", "orders", "motions"]


def game(given: list[dict[str, Any]], settings: dict[str, str] | None = None) -> Run:
    """Found a game in nweek 22, whose voting starts on 7 May 2001."""
    scenario: dict[str, Any] = {"scenario": "contests", "ruleset": "a-nomic", "players": PEOPLE}
    scenario |= {"starts": "2001-05-01T12:00:00Z", "given": given, "settings": settings or {}}
    return found(scenario, founding, lambda event: open_chance("contests", str(event.seq)), with_lists)


def act(run: Run, by: str, do: str, as_: str | None = None, **args: Any) -> Outcome:
    outcome = run.apply(do, by, as_, args)
    assert not outcome.failures, (do, by, args, outcome.failures)
    return outcome


def value(run: Run, owner: Any, name: str) -> Any:
    return registers.get(run.kernel.play, owner, name, None)


def all_of(run: Run, kind: str) -> list[str]:
    return things.things(run.kernel.play, kind)


def until(run: Run, time: int) -> None:
    """Let time pass up to a moment, with what happens at it."""
    before = len(run.entries)
    run.advance(time, True)
    failed = [entry for entry in run.entries[before:] if entry.get("failures")]
    assert not failed, failed


def pause(run: Run, seconds: int) -> None:
    assert run.apply("pause").accepted
    run.now += seconds
    assert run.apply("resume").accepted


@pytest.mark.parametrize("hours", [1, 12, 13, 500])
def test_a_challenge_is_open_longer_by_the_length_of_a_pause(hours: int) -> None:
    run = game([{"player": "cid", "points": 4}, {"player": "dee", "points": 4}])
    assert act(run, "benjamin", "post_challenge", game="similarity", items=["a", "b", "c"]).accepted
    until(run, run.now + 6 * HOUR)
    pause(run, hours * HOUR)
    closes = read_stamp("2001-05-11T12:00:00Z") + hours * HOUR
    assert value(run, "contest-similarity", "closes_at") == closes
    until(run, closes - 1)
    assert act(run, "cid", "submit_answer", answer="letters").accepted
    until(run, closes)
    assert act(run, "dee", "submit_answer", answer="letters").code == "E-TOO-LATE"
    assert value(run, "contest-similarity", "phase") == "idle"
    assert value(run, "cid", "points") == 4


@pytest.mark.parametrize("hours", [1, 12, 500])
def test_two_periods_without_another_contestmaster_do_not_run_in_a_pause(hours: int) -> None:
    run = game([])
    until(run, run.now + DAY)
    pause(run, hours * HOUR)
    until(run, read_stamp("2001-05-21T12:00:00Z") + hours * HOUR - 1)
    moved: dict[str, Any] = {"game": "poetry", "master": "ann"}
    assert act(run, "ann", "motion_replace_contestmaster", **moved).code == "E-NOT-STALE"
    run.now += 1
    assert act(run, "ann", "motion_replace_contestmaster", **moved).accepted


# -- hostile play

NUMBERS = [0, 1, 2, 3, 5, 1001, 1002, 1003, 34, 35, 36, 37, 38, 39, 40, 465, 466]
CONDITIONS: list[Any] = [
    None, "anyone", "nobody", "at will", "when it rains", ["ann", "dee"], {"score": 20}, {"office": "osj"}, {"office": "king"},
    {"at": "2001-05-20"}, {"at": "2001-02-30"}, {"at": "soon"}, {"signatories": 2}, {"fewer": 2}, {"contract": 1001}, {"what": 1}, 1, 2, True,
]  # fmt: skip
HOMES = ["home-ann", "home-dee", "home-fay", "place-1", "place-2", "attic", "contest-poetry", "", "ann's Home"]
EFFECTS: list[Any] = [
    {"undo": 5}, {"undo": 10**9}, {"give": {"object": "dunce-cap", "to": "dee"}}, {"give": {"object": "home-ann", "to": "bank"}},
    {"give": {"object": "301", "to": "cid"}}, {"pay": {"from": "ann", "to": "fay", "points": 3}}, {"pay": {"from": "zed", "to": "fay", "points": 3}},
    {"set": {"of": "ann", "register": "away", "value": True}}, {"set": {"of": "game", "register": "nonsense", "value": True}},
    {"interpret": {"mediocrity_ties": "draw"}}, {"interpret": {"mediocrity_ties": "both"}}, {"interpret": {"x": 1}}, {"breach": {"contract": 1001, "agent": "ann"}},
    {"void_clause": {"contract": 1001, "clause": 1}}, {"plagiarism": {"home": "home-ann", "of": "home-dee"}}, {"plagiarism": 7}, 7, {}, {"breach": []},
]  # fmt: skip


def drawn(dice: random.Random) -> tuple[str, dict[str, Any]]:
    """Draw an act of this part of the law, legal or not."""
    who, other, number = dice.choice(WHO), dice.choice(WHO), dice.choice(NUMBERS)
    which, home = dice.choice(["similarity", "poetry", "mediocrity", "chess", None]), dice.choice(HOMES)
    clause = {
        "pay": dice.choice([1, 0, 10**30, "x"]),
        "from": who,
        "to": other,
        "when": dice.choice(["start", "nweek", "never"]),
    }
    acts: list[tuple[str, dict[str, Any]]] = [
        ("post_challenge", {"game": which, "challenge": "Spring", "items": dice.choice([None, ["a", "b", "c"], [1, [2], {}], []]), "days": dice.choice([None, 2])}),
        ("start_mediocrity", {"level": dice.choice([1, 2, 20]), "games": dice.choice([1, 2, 10**12]), "players": dice.choice([0, 3, 99])}),
        ("judge", {"game": which, "winner": other, "equal": dice.choice([None, [who], [7], ["ann", "dee"]]), "incomplete": dice.choice([None, [other], [[1]]])}),
        ("judge", {"game": which}),
        ("motion_replace_contestmaster", {"game": which or "poetry", "master": other}),
        ("join_contest", {"contest": which or ""}),
        ("object", {"motion": number}),
        ("rfj", {"statement": dice.choice(["It rains", "", "x" * 3000]), "defendant": dice.choice([None, other]), "act": dice.choice([None, number + 1])}),
        ("rfrj", dice.choice([{"proposal": 399}, {"proposal": 465}, {"motion": 34}, {"motion": 999}, {}])),
        ("draw_judge", {"rfj": number + 1}),
        ("recuse", {"rfj": number + 1, "reason": "tired"}),
        ("verdict", {"rfj": number + 1, "verdict": dice.choice(["TRUE", "TRUE", "FALSE", True, True, "UNDECIDED", "REFUSED", "maybe", []])}),
        ("judicial_order", {"rfj": number + 1, "order": "Do it", "executor": dice.choice([None, other, "osj", "king"]), "effects": [dice.choice(EFFECTS)]}),
        ("create_offer", {"title": "Tea", "text": "Tea.", "activation": dice.choice(CONDITIONS), "eligible": dice.choice(CONDITIONS), "joining": dice.choice(CONDITIONS),
            "leaving": dice.choice(CONDITIONS), "ending": dice.choice(CONDITIONS), "altering": dice.choice(["any", "all", "nobody"]), "clauses": dice.choice([None, [clause], [7], [{}]])}),
        ("create_offer", {"title": "offer-1", "text": "Tea.", "altering": dice.choice(["any", "all"]), "joining": "anyone", "leaving": "at will"}),
        ("destroy_offer", {"offer": f"offer-{number}"}),
        ("agree", dice.choice([{"offer": number}, {"contract": number}, {}, {"offer": "Tea"}])),
        ("join_contract", {"contract": number}),
        ("leave_contract", {"contract": number}),
        ("revise_contract", {"contract": number, "text": dice.choice([None, "Milk."]), "joining": dice.choice(CONDITIONS), "clauses": dice.choice([None, [clause]])}),
        ("find_condition", {"object": dice.choice([number, "offer-1", "offer-2"]), "condition": dice.choice(["activation", "eligible", "joining", "leaving", "ending"]),
            "agent": dice.choice([None, other])}),
        ("motion_escape", {"contract": number, "agents": dice.choice([None, [other], [[1]], []])}),
        ("change_home", dice.choice([{"description": "The wind whistles through every single one of its many keyholes."}, {"name": "home-dee"}, {"player_capacity": 1},
            {"contents": []}, {"value": 3}, {"home": "home-dee", "name": "x"}, {}])),
        ("home_add", {"home": home or None, "object": dice.choice([None, "dunce-cap", "301", "home-dee", "stamp-theft"]), "player": dice.choice([None, other])}),
        ("home_remove", {"home": home or None, "object": dice.choice([None, "dunce-cap"]), "player": dice.choice([None, other])}),
        ("consent_to_enter", {"home": home}),
        ("subdivide", {"home": home or None, "name": dice.choice(["attic", ""]), "player_capacity": dice.choice([None, 0, 1])}),
        ("share_place", {"home": home or None, "player": other, "end": dice.choice([True, False])}),
        ("transfer_object", {"object": home or "contract-1001", "to": other}),
        ("transfer_points", {"to": other, "amount": 3}),
        ("record_randal", {"url": dice.choice(["https://nomic.example", "x"])}),
        ("submit_proposal", {"title": "Tea", "changes": [{"enact": {"title": f"Tea {number}", "text": "Tea."}}]}),
        ("vote", {"proposal": number, "choice": "yes"}),
    ]  # fmt: skip
    if dice.random() < 0.004:
        return "forfeit", {}
    do, args = dice.choice(acts)
    return do, {name: given for name, given in args.items() if given is not None}


def check(run: Run) -> None:
    """Check what holds whatever anybody does."""
    players = all_of(run, "player")
    agents = [*players, "bank"]
    for contest in all_of(run, "contest"):
        assert value(run, contest, "master") in [None, *players]
        entries, phase = value(run, contest, "entries"), value(run, contest, "phase")
        assert len({entry["by"] for entry in entries}) == len(entries)
        assert (value(run, contest, "closes_at") is None) <= (phase != "open"), contest
        assert phase != "open" or value(run, "game", "deadlines")[f"contest/{contest}"]
        assert phase != "idle" or not entries
    for contract in all_of(run, "contract"):
        assert value(run, contract, "signatories"), contract
        assert set(value(run, contract, "signatories")) <= set(agents), contract
    for offer in all_of(run, "contract_offer"):
        assert set(value(run, offer, "agreements")) <= set(agents)
        assert value(run, offer, "owner") in agents
    for request in all_of(run, "rfj"):
        judge = value(run, request, "judge")
        assert judge is None or judge not in [value(run, request, "plaintiff"), value(run, request, "defendant")]
        assert judge is None or judge in players or value(run, request, "verdict")
    homes = [*all_of(run, "home"), *all_of(run, "place")]
    inside = [thing for home in homes for thing in value(run, home, "objects")]
    assert len(set(inside)) == len(inside)
    for home in homes:
        assert value(run, home, "owner") in agents
        assert set(value(run, home, "players")) <= set(players)
        assert value(run, home, "owner") not in value(run, home, "co_owners")
        part_of = value(run, home, "within")
        assert part_of is None or value(run, part_of, "owner") == value(run, home, "owner")


def aimed(run: Run, dice: random.Random, do: str, args: dict[str, Any]) -> dict[str, Any]:
    """Return arguments that name something that is there, more often than not."""
    offers, contracts = all_of(run, "contract_offer"), all_of(run, "contract")
    if dice.random() < 0.2:
        return args
    due = [contest for contest in all_of(run, "contest") if value(run, contest, "phase") == "judging"]
    if do == "judge" and due:
        contest = dice.choice(due)
        names = [entry["by"] for entry in value(run, contest, "entries")]
        return {
            "game": contest,
            "winner": dice.choice(names),
            "incomplete": dice.sample(names, dice.choice([0, 0, 1, 2])),
        }
    if "offer" in args and offers:
        return {"offer": dice.choice(offers)}
    if "contract" in args and contracts:
        return args | {"contract": dice.choice(contracts)}
    if do in ("draw_judge", "recuse") and all_of(run, "rfj"):
        return args | {"rfj": value(run, dice.choice(all_of(run, "rfj")), "number")}
    if do == "find_condition" and offers + contracts:
        return args | {"object": dice.choice(offers + contracts)}
    if do == "object" and value(run, "game", "next_motion") > 34:
        return {"motion": value(run, "game", "next_motion") - 1}
    return args


def money(run: Run) -> int:
    """Return what all have together, in Pennies: nothing in this part of the law makes or destroys any."""
    return sum(100 * value(run, who, "points") + value(run, who, "pennies") for who in [*PEOPLE, "bank"])


def answer(run: Run, dice: random.Random) -> tuple[str, dict[str, Any]]:
    open_ = [contest for contest in all_of(run, "contest") if value(run, contest, "phase") == "open"]
    said = dice.choice([1, -2, "3.5", "1/3", "1/0", "green", "", [1], {"a": 1}])
    return "submit_answer", {"answer": said} | ({"game": dice.choice(open_)} if open_ else {})


@pytest.mark.parametrize("seed", range(4) if FUZZ else (3,))
def test_random_play_breaks_no_contest_contract_or_home(seed: int) -> None:
    dice = random.Random(seed)
    readings = {
        "contest_fees": dice.choice(["once", "each-for-each", "single-fees"]),
        "contestmaster_motion": dice.choice(["two-day-consent", "seconds"]),
        "judges_drawn": dice.choice(["by-hand", "automatic"]),
        "mediocrity_ties": dice.choice(["earliest", "draw"]),
        "home_value": dice.choice(["none", "last-known-value"]),
        "statute_of_limitation": dice.choice(["more-than-two-nweeks", "two-nweeks"]),
    }
    rich = [{"player": who, "points": 60} for who in PEOPLE]
    run = game(rich, readings if seed else {})
    told: dict[str, set[str]] = {}
    for step in range(900 if FUZZ else 500):
        do, args = answer(run, dice) if dice.random() < 0.12 else drawn(dice)
        who = dice.choice([*all_of(run, "player"), *all_of(run, "player"), *all_of(run, "player"), "zed"])
        if do in ("judge", "post_challenge") and dice.random() < 0.6:
            who = value(run, dice.choice(all_of(run, "contest")), "master") or who
            args |= {} if do == "judge" else {"game": "poetry", "challenge": "Spring", "days": 2}
        if do in ("verdict", "judicial_order") and all_of(run, "rfj") and dice.random() < 0.8:
            request = dice.choice(all_of(run, "rfj"))
            who, args = value(run, request, "judge") or who, args | {"rfj": value(run, request, "number")}
        if do in ("draw_judge", "recuse", "find_condition", "record_randal"):
            who = dice.choice(["ann", who])
        args = aimed(run, dice, do, args)
        if do == "judge" and str(args.get("game")).startswith("contest-"):
            who = value(run, args["game"], "master") or who
        if do.startswith("home_") and dice.random() < 0.5:
            args |= {"home": f"home-{who}"}
        if do == "home_add" and dice.random() < 0.3:
            owner = value(run, "dunce-cap", "owner")
            who, args = owner, {"object": "dunce-cap"}
        if do == "forfeit" and len(all_of(run, "player")) < 4:
            continue  # somebody has to be left
        before = money(run)
        told.setdefault(do, set()).add(act(run, who, do, **args).code)
        assert money(run) == before, (who, do, args)
        until(run, run.now + dice.randrange(5 * HOUR))
        check(run)
        if step % 100 == 99:
            pages = run.kernel.pages(run.now)
            assert [pages[name].get("error") for name in PAGES] == [None] * len(PAGES), pages
    accepted = {do for do, codes in told.items() if "" in codes}
    assert len(accepted) > 20, told
