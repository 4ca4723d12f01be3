"""What a scenario can claim and wait for: motions, timers of any key, moments, changes, what one player sees, what became of changes."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.files.reader import read_scenario
from folkmoot.kernel.errors import Fault
from folkmoot.scenarios.claims import meets
from folkmoot.scenarios.scenario import Failed, run_scenario
from tests.support.table import VOTING, Table, rule

Record = dict[str, Any]
LAW = rule(
    "1",
    """
    def do_move(a):
        open_voting(submit("Rest", [], kind = "motion", number = 1))
        create("ball", id = "ball-1", at = "c4")

    def do_wind(a):
        after(HOUR, "bell", key = a.args.key)

    def on_bell(e):
        announce(e.key)

    def decide_moment_named(name):
        return {"noon": 1767614400 + 3600, "never": "soon"}.get(name)

    def do_break(a):
        put("game", "picked", 1)
        emit("broken")

    def on_broken(e):
        fail("the spring is broken")

    def do_pick(a):
        add(a.by, "fruit", 2)
        add("game", "picked", 1)

    def do_crack(a):
        put(a.by, "nuts", 4)

    def do_gamble(a):
        add(a.by, "fruit", roll(2, "gamble"))

    def do_order(a):
        create("order", words = a.args.words)
        for owner in [a.by, "game", rule("1"), submit("Orders", [])]:
            put(owner, "words", a.args.words)
    """,
    actions={
        "wind": {"arguments": {"key": {"type": "string"}}},
        "order": {"arguments": {"words": {"type": "string", "sealed": "author"}}},
        **{name: {} for name in ("move", "break", "pick", "crack", "gamble")},
    },
    timers={"bell": {}},
    defines={
        **dict.fromkeys(
            ("rule", "proposal"), SEALED := {"words": {"type": "string", "sealed": "author", "optional": True}}
        ),
        "kinds": {"motion": {"votable": True}, "ball": {}, "order": {"registers": SEALED}},
        "game": {"picked": {"type": "integer"}, **SEALED},
        "player": {
            "fruit": {"type": "integer", "initial": 3},
            "nuts": {"type": "integer", "optional": True},
            "mood": {"type": "string", "initial": "+2"},
            **SEALED,
        },
    },
)


def play(*steps: Record, **scenario: Any) -> None:
    rules = [{**each, "uid": each["rule"]} for each in (LAW, VOTING)]
    law: Any = {"title": "Claims", "rules": rules, "players": []}
    run_scenario(
        {"scenario": "x", "ruleset": "x", "players": ["ann", "bob"], "steps": [*steps], **scenario}, lambda _: law
    )


def ann(do: str, **args: Any) -> Record:
    return {"by": "ann", "do": do, "args": args}


def expect(**claim: Any) -> Record:
    return {"expect": [claim]}


def test_what_the_engine_keeps_of_a_motion_is_claimed() -> None:
    for claim in ({"state": "open"}, {"author": "ann"}, {"title": "Rest"}):
        play(ann("move"), expect(motion=1, **claim))
    with pytest.raises(Failed, match="state is open"):
        play(ann("move"), expect(motion=1, state="adopted"))
    play(ann("move"), expect(thing="ball-1", at="c4", state=None))


def test_a_script_that_asks_a_motion_for_a_register_that_nobody_declares_is_told() -> None:
    table = Table(LAW, VOTING)
    table.ok("ann", "move")
    assert table.get("ball-1", "state") is None
    with pytest.raises(Fault, match=r"declares a register .*state.* of motion"):
        table.get({"id": "motion/1"}, "state")


# -- time

TIMED = """scenario: bells
ruleset: bells
players: [ann]
steps:
  - {{by: ann, do: wind, args: {{key: "{key}"}}}}
  - expect: [{{timer: "{key}", running: true, due: 2026-01-05T13:00:00Z}}]
  - tick: {{to: "{key}"}}
expect:
  - {{timer: "{key}", running: false}}
"""


@pytest.mark.parametrize("key", ["bell", "vote/proposal/301/ann", "2 o'clock", "ä", "7"])
def test_a_timer_of_any_key_is_claimed_and_waited_for(key: str) -> None:
    law: Any = {"title": "Bells", "rules": [{**LAW, "uid": "1"}], "players": []}
    assert run_scenario(read_scenario(TIMED.format(key=key), "bells.yaml"), lambda _name: law)


def test_a_moment_that_nobody_knows_is_told() -> None:
    play(ann("wind", key="bell"), {"tick": {"to": "noon"}})
    for name, said in (
        ("dusk", "no timer 'dusk' is running, and no rule says when that is; of timers bell run"),
        ("never", "it must be a whole number"),
    ):
        with pytest.raises(Failed, match=said):
            play(ann("wind", key="bell"), {"tick": {"to": name}})


def test_where_a_claim_does_not_hold_a_script_that_failed_before_is_told() -> None:
    with pytest.raises(Failed, match=r"but picked is .*; before that a script failed in entry 2 .*on_broken"):
        play(ann("break"), expect=[{"game": True, "picked": 5}])


# -- changes


def test_a_change_is_relative_to_what_was_before_the_step_above() -> None:
    two = expect(player="ann", fruit="+2")
    last = [{"player": "ann", "fruit": "+2", "mood": "+2"}, {"player": "ann", "fruit": 9}]
    others = [expect(game=True, picked="+1"), expect(player="bob", fruit="+0")]
    play(ann("pick"), two, expect(player="ann", fruit=5), ann("pick"), ann("pick"), two, *others, expect=last)


@pytest.mark.parametrize("claimed", ["+1", "+4", "-2", "+0"])
def test_another_change_fails_the_scenario(claimed: str) -> None:
    with pytest.raises(Failed, match="fruit is 7"):
        play(ann("pick"), ann("pick"), expect(player="ann", fruit=claimed))


def test_a_change_of_what_was_no_number_or_of_nothing_is_told() -> None:
    with pytest.raises(Failed, match=r"fruit \+0 is relative to the step above, and there is none"):
        play(expect=[{"player": "ann", "fruit": "+0"}])
    with pytest.raises(Failed, match="there was no nuts then; claim the number itself"):
        play(ann("crack"), expect(player="ann", nuts="+4"))
    play(ann("crack"), expect(player="ann", nuts=4), ann("pick"), expect(player="ann", nuts="-0"))


def test_changes_are_claimed_of_every_way_in_which_dice_fall() -> None:
    chance = [{"player": "ann", "fruit": fruit, "probability": "1/2"} for fruit in (6, 7)]
    play(ann("pick"), expect(player="ann", fruit="+2"), ann("gamble"), expect(player="bob", fruit="+0"), chance=chance)
    with pytest.raises(Failed):
        play(ann("pick"), ann("gamble"), expect(player="ann", fruit="+1"), chance=chance)


# -- what one player sees


@pytest.mark.parametrize(
    "claim",
    [
        {"kind": "order", "count": 1},
        {"thing": "order-1"},
        {"player": "ann"},
        {"game": True},
        {"rule": "1"},
        {"proposal": 901},
    ],
    ids=str,
)
def test_every_claim_of_registers_says_what_a_player_sees(claim: Record) -> None:
    ordered = ann("order", words="hold")
    for true in ({"words": "sealed", "seen_by": "bob"}, {"words": "hold", "seen_by": "ann"}, {"words": "hold"}):
        play(ordered, expect(**claim, **true))
    for untrue in ({"words": "hold", "seen_by": "bob"}, {"words": "sealed", "seen_by": "ann"}, {"words": "sealed"}):
        with pytest.raises(Failed):
            play(ordered, expect(**claim, **untrue))


# -- what became of changes

GIFT = {"enact": {"title": "A gift", "once": True, "script": "def on_proposal_adopted(e):\n    announce('so')\n"}}
FAILS = {"enact": {"title": "A curse", "once": True, "script": "def on_proposal_adopted(e):\n    fail('no')\n"}}
HOLD = [
    {"proposal": 901, "omitted": [2], "orders": ["A gift"]},
    {"proposal": 902, "omitted": [], "orders": []},
    {"revisions": "1", "count": 2},
    {"revisions": "1", "revision": 1, "cause": "founding"},
    {"revisions": "1", "title": "Two", "cause": "proposal/902", "count": 1},
    {"revisions": "77", "count": 0},
]
FAIL = [
    ({"proposal": 901, "omitted": []}, "omitted is [2]"),
    ({"proposal": 901, "orders": ["A curse"]}, "orders is [A gift]"),
    ({"revisions": "1", "title": "Three"}, "its revisions are"),
    ({"revisions": "1", "count": 3}, "its revisions are"),
    ({"revisions": "77"}, "its revisions are []"),
    ({"player": "ann", "present": False}, "present is"),
    ({"player": "zed", "present": True}, ""),
    ({"winner": "ann"}, "the winner is"),
    ({"rule": "1", "in_force": False}, ""),
    ({"ledger": "ann", "register": "coins", "times": 1}, "there are 0"),
]


def test_scenarios_claim_changes_left_out_orders_and_revisions() -> None:
    table = Table(VOTING, rule("1", defines={"currencies": {"coins": {}}}))
    table.adopt(GIFT, FAILS)
    table.adopt({"amend": "1", "title": "Two"})
    assert [claim for claim in HOLD if meets(table.kernel, table.entries, claim, table.now)] == []
    for claim, why in FAIL:
        told = meets(table.kernel, table.entries, claim, table.now)
        assert told, claim
        assert told.startswith(why), told
