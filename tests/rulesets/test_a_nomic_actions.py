"""The actions of A Nomic: each is played legally and refused in scenarios, with each of its codes, and none breaks on nonsense."""

from __future__ import annotations

import random
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from folkmoot.files.reader import read_scenario
from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.scenarios.scenario import Run, found
from tests.conftest import FUZZ
from tests.scenarios.conftest import with_lists

SCENARIOS = Path(__file__).parents[2] / "tests" / "scenarios" / "a-nomic"
ROWS = """
request_join: E-NAME-TAKEN E-DUPLICATE-MOTION
forfeit:
set_away clear_away: E-ADMIN-NEVER-AWAY
change_name: E-NAME-TAKEN E-VOTING-OPEN
rescind: E-ALREADY-RECOGNISED E-NOT-YOURS
recognise: E-RESCINDED E-DUPLICATE-MOTION E-WRONG-OFFICE
submit_proposal revise withdraw: E-FROZEN-BALLOT
set_condition: E-FROZEN-BALLOT E-SELF-TALLY
motion_amend_trivially: E-NOT-ONE-ORDER E-UNKNOWN-RULE
motion_remove: E-RETURN-DATE-SET
motion_no_confidence: E-NOT-ELECTIVE
motion_payment: E-NOT-OVERDUE E-DUPLICATE-MOTION
bank_motion: E-ILLEGAL-FOR-BANK
motion_escape: E-NOT-SIGNATORY
motion_create_points motion_destroy_points: E-NOT-OFFICE
motion_set_tax: E-RATE-RANGE
consent: E-BOTH-OFFICES
motion_show_cards: E-SHOWCARDS-PENDING
motion_stupidity:
motion_replace_contestmaster: E-NOT-STALE E-SAME-MASTER
request_unanimous_consent: E-UC-FORBIDDEN
object object_deputy: E-TOO-LATE E-SELF-OBJECTION
second: E-NOT-ALLOWED E-OWNER
vote: E-VOTING-CLOSED
vote_election: E-NOT-CANDIDATE
nominate decline: E-WINDOW-CLOSED E-BARRED-372 E-TRIBUNE-SPACING
break_tie: E-NOT-TIED
declare_quorum_vote: E-VOTING-OPEN E-NOT-OFFICE
use_extra_vote: E-ONE-PER-ITEM
buy_extra_vote: E-FUNDS E-OUT-OF-STOCK
buy_stamp: E-FUNDS E-NOT-FOR-SALE
stamp_failure: E-VOTING-CLOSED
stamp_theft: E-NOT-OWNED E-BANK-IMMUNE
stamp_confusion: E-VOTING-CLOSED
use_thug: E-NOT-EMPLOYER E-ALREADY-USED
draw_thug: E-NOT-DUE
veto: E-ALREADY-VETOED E-NOT-PROPOSAL
set_salaries set_awards set_voting_bonus: E-RANGE E-ONCE-PER-NWEEK E-VOTING-OPEN E-ZEROED-372
set_fine: E-RANGE E-ONCE-PER-NWEEK
bank_act: E-ILLEGAL-FOR-BANK
accept_debt: E-UNEQUAL
pay transfer_points: E-FUNDS
transfer_pennies: E-FUNDS
create_debt transfer_debt split_debt: E-SUM-MISMATCH
demand_debt_list:
set_adp:
transfer_object: E-NOT-TRANSFERABLE
create_offer destroy_offer agree: E-NOT-ELIGIBLE E-ACTIVATED
join_contract revise: E-NOT-PERMITTED
create_party join_party leave_party change_party_rules: E-NO-CONSENT
change_home: E-CONTENTS-RESTRICTED
home_add home_remove: E-CAPACITY E-NO-CONSENT
post_challenge judge start_mediocrity: E-NOT-MASTER E-ACTIVE-GAME
submit_answer: E-TOO-LATE E-DUP E-FUNDS
accuse_heresy preach: E-TOO-LATE E-ACCUSED
rfj rfrj:
draw_judge recuse verdict judicial_order: E-STATUTE-393
deputise declare_deputy object_deputy act_as_deputy: E-WAIT E-OBJECTED E-DEPUTY-BARRED
appoint_random:
credit_win act_as_deputy: E-NOT-QUALIFIED E-DEPUTY-BARRED
buy_stone give_stone sell_captured: E-NO-GAME E-FUNDS E-STATE
go_place: E-OCCUPIED E-CONSECUTIVE E-TOO-SOON E-SELF-CAPTURE E-REPEAT-BOARD E-NO-STONE
go_offer go_war: E-NOT-ENEMY E-NOT-ALLY E-TOO-SOON
go_accept go_withdraw: E-NO-OFFER
deal: E-EMPTY-DECK
propose_trade: E-UNEQUAL E-NOT-OWNED E-FUNDS
declare_showdown: E-TOO-FEW
show_hands: E-NOT-OWNED E-REUSED E-HAND-SIZE
record_randal:
"""
"""The table of actions: those of one row, and the codes with which they are refused, in the engine's words where it has them."""
WITHIN = {"bank_act": "act", "act_as_deputy": "act"}
"""Actions by which others are done, and the argument that names those."""
PEOPLE = ["ann", "bob", "cid", "dee"]
OFFICES = ["administrator", "osj", "banker", "obc", "tax_collector", "tribune", "dealer"]


def rows() -> list[tuple[list[str], list[str]]]:
    split = [line.partition(":") for line in ROWS.strip().splitlines()]
    return [(names.split(), codes.split()) for names, _, codes in split]


def played() -> tuple[set[str], dict[str, set[str]]]:
    """Return the actions that scenarios do, and those they see refused, with the codes."""
    done: set[str] = set()
    refused: dict[str, set[str]] = defaultdict(set)
    for path in sorted(SCENARIOS.glob("*.yaml")):
        scenario = read_scenario(path.read_text("utf-8"), str(path))
        for step in scenario.get("steps", []):
            name = "vote" if "vote" in step else step.get("do")
            names = [name, (step.get("args") or {}).get(WITHIN.get(name, ""))] if name else []
            for each in filter(None, names):
                if step.get("refused"):
                    refused[each].add(step["refused"])
                else:
                    done.add(each)
    return done, refused


def test_every_action_is_played_legally_and_refused_with_each_of_its_codes() -> None:
    done, refused = played()
    assert len(rows()) == 69
    for names, codes in rows():
        assert set(names) <= done, "never legal"
        assert all(refused[name] for name in names), (names, "never refused")
        assert set(codes) <= set().union(*(refused[name] for name in names)), names


def test_actions_beside_the_table_are_played_too() -> None:
    done, refused = played()
    offered = {name for rule in founding("a-nomic")["rules"] for name in rule.get("actions") or {}}
    assert offered <= done
    assert offered <= set(refused)


# -- nonsense

NONSENSE: list[Any] = [
    "", " ", "x" * 300, "ann", "bank", "301", "zed", "proposal/465", "Red 2 of Hearts", "2001-05-20T00:00:00Z", "0.05", "-1", "1e9",
    0, -1, 1, 2, 10**12, True, [], {}, [1], ["ann"], [[]], [{}], [None], {"a": 1}, {"at": "x"}, {"at": 10**15}, [["Red 2 of Hearts"]], [[99999]],
    [{"undo": -1}], [{"set": {"of": "bank", "register": "points", "value": []}}], [{"give": {"object": None, "to": "ann"}}], [{"pay": 1}],
]  # fmt: skip
CHANGES: list[Any] = [
    [{"amend": "301"}], [{"amend": "301", "precedence": {"to": ["1"]}}], [{"amend": "301", "title": ""}], [{"amend": "301", "actions": {"x": 7}}],
    [{"enact": {"title": "T"}}], [{"repeal": "999"}], [{"retitle": "301", "to": 7}], [{"amend": "301", "labels": {"category": []}}],
    [{"retitle": "301", "to": ""}], [{"amend": "301", "text": "x", "uid": "7"}], [{"transmute": "301", "to": "mutable"}], [],
]  # fmt: skip
FITTING: dict[str, list[Any]] = {
    "player": PEOPLE, "office": OFFICES, "integer": [1, 2, 34, 465], "proposal": [465, 466, 34, 35], "text": ["Words."], "list": [["ann"]],
    "string": ["ann", "bank", "301", "stamp-theft", "a1", "home-ann", "similarity"], "changes": [[{"amend": "301", "text": "New."}]],
    "boolean": [True, False], "map": [{"player": "bob"}, {"office": "osj"}], "time": ["2001-05-20T00:00:00Z"],
}  # fmt: skip


def game(starts: str) -> Run:
    given: list[dict[str, Any]] = [{"office": name, "holder": "bob" if name == "dealer" else "ann"} for name in OFFICES]
    given += [{"player": name, "points": 300} for name in PEOPLE] + [{"thing": "bank", "points": 500}]
    scenario: dict[str, Any] = {"scenario": "actions", "ruleset": "a-nomic", "players": PEOPLE, "starts": starts}
    scenario |= {"given": given, "settings": {}}
    return found(scenario, founding, lambda event: open_chance("actions", str(event.seq)), with_lists)


def drawn(dice: random.Random, takes: dict[str, Any]) -> dict[str, Any]:
    """Draw arguments that fit by their types, but for one of them."""
    kept = dice.choice([0.2, 0.5, 0.8])
    given = [name for name, spec in takes.items() if not spec.get("optional") or dice.random() < kept]
    args = {name: dice.choice(FITTING.get(takes[name]["type"], NONSENSE)) for name in given}
    if given:
        odd = dice.choice(given)
        args[odd] = dice.choice(CHANGES if takes[odd]["type"] == "changes" else NONSENSE)
    return args


@pytest.mark.parametrize("seed", range(20 if FUZZ else 2))
def test_nonsense_is_refused_and_breaks_no_script(seed: int) -> None:
    """Whatever is said, an act is refused or done; no script fails of it, neither at once nor when time passes."""
    dice = random.Random(seed)
    run = game(dice.choice(["2001-05-01T12:00:00Z", "2001-05-07T12:00:00Z"]))
    offered = {
        name: spec for rule in founding("a-nomic")["rules"] for name, spec in (rule.get("actions") or {}).items()
    }
    for _ in range(1000):
        name = dice.choice(list(offered))
        args = drawn(dice, offered[name].get("arguments") or {})
        as_ = offered[name].get("as")
        outcome = run.apply(name, dice.choice(PEOPLE), as_ if isinstance(as_, str) else None, args)
        assert not outcome.failures, (name, args, outcome.failures)
        if dice.random() < 0.05:
            before = len(run.entries)
            run.advance(run.now + dice.choice([3600, 86400, 3 * 86400]), True)
            assert not [entry for entry in run.entries[before:] if entry.get("failures")]
