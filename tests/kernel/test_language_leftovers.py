"""What a second reading of the language's growth left: values kept, orders, voters who left, the probe, typed maps."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.files.typed_words import read_typed_word
from folkmoot.referee.commands import action_asked
from folkmoot.scenarios.trial import try_changes
from tests.support.lock_out import ALL, CHANGE, PROPOSING, SOWING, locked_out
from tests.support.table import VOTING, Table, effects, failed, reasons, rule

REGISTERS = {name: {"type": "any"} for name in ("m", "p", "r", "z", "t", "y")}
KEEPING = rule(
    "5",
    """
    def do_keep(a):
        p = proposal(901)
        put("game", "p", p)
        put("game", "m", {"p": p, "a": a, "mine": {"uid": "x", "number": 1}})
        put("game", "r", [rule("5"), rules(), p.changes])
        append("game", "notes", [p, p.id])
        put_in("game", "by", "k", [p])
        create("chest", v = p)
        try_act("take", a.by, {"v": {"p": p, "r": rule("5")}})
        emit("sung", p = p, a = a)

    def do_take(a):
        put("game", "t", a.args)

    def on_sung(e):
        put("game", "y", e)

    def on_ballot_cast(e):
        put("game", "z", e)
    """,
    actions={"keep": {}, "take": {"arguments": {"v": {"type": "any"}}}},
    defines={
        "game": {**REGISTERS, "notes": {"type": "list", "initial": []}, "by": {"type": "map", "initial": {}}},
        "kinds": {"chest": {"registers": {"v": {"type": "any"}}}},
    },
)
KEPT = {"id": "proposal/901", "number": 901}


def test_what_is_kept_of_a_proposal_or_rule_is_which_one_it_is() -> None:
    """Another engine shows scripts more of a proposal or less: neither is on record, so that both replay the same."""
    table = Table(VOTING, KEEPING)
    table.propose("ann", {"enact": {"title": "New", "text": "abc"}})
    table.ok("bob", "vote", proposal=901, choice="for")
    assert failed(table.ok("ann", "keep")) == []
    assert table.get("game", "p") == KEPT
    assert table.get("game", "m")["p"] == KEPT
    assert table.get("game", "m")["mine"] == {"uid": "x", "number": 1}
    assert table.get("game", "m")["a"]["by"] == "ann"
    assert table.get("game", "r")[0] == {"uid": "5", "number": "5"}
    assert table.get("game", "notes") == [[KEPT, "proposal/901"]]
    assert table.get("game", "by") == {"k": [KEPT]}
    assert table.get("game", "t") == {"v": {"p": KEPT, "r": {"uid": "5", "number": "5"}}}
    assert table.get("game", "y")["p"] == KEPT
    assert (table.get("game", "z")["proposal"], table.get("game", "z")["ballot"]["choice"]) == (KEPT, "for")
    table.replay_all()


# -- orders, and who left


def ordered(script: str) -> tuple[Table, Any]:
    table = Table(VOTING)
    order = {"enact": {"title": "Order", "once": True, "script": f"def on_proposal_adopted(e):\n    {script}\n"}}
    return table, table.adopt(order)


def test_an_order_that_asks_who_it_is_is_told_what_it_is() -> None:
    _table, outcome = ordered("announce(me().title)")
    (reason,) = reasons(outcome, "E-SCRIPT")
    assert "an order is no rule, so that me() has no answer in it; its proposal is e.proposal" in reason["args"]["why"]


@pytest.mark.parametrize("ends", ["fail('x' * 5000)", "require(False, 'E-TIME', 'x' * 5000)"])
def test_what_an_order_says_of_its_failure_is_a_sentence(ends: str) -> None:
    _table, outcome = ordered(ends)
    (said,) = [each["args"]["why"] for each in outcome.reasons if "its order is not carried out" in str(each)]
    assert len(said) < 300


def test_who_has_left_gets_no_vote() -> None:
    enrolling = rule("5", "def do_enrol(a):\n    enrol(proposal(901), a.args.who)\ndef do_go(a):\n    destroy(a.by)",
                     actions={"enrol": {"arguments": {"who": {"type": "string"}}}, "go": {}})  # fmt: skip
    table = Table(VOTING, enrolling, rule("800", "def decide_electorate(p):\n    return ['ann']",
                                          precedence={"over": ["900"]}))  # fmt: skip
    table.ok("cid", "go")
    number = table.propose("ann", {"enact": {"title": "New"}})
    refused = table.act("ann", "enrol", who="cid")
    assert "cid plays no more" in reasons(refused, "E-SCRIPT")[0]["args"]["why"]
    table.ok("ann", "enrol", who="bob")
    assert table.proposal(number)["electorate"][-1] == "bob"


# -- the probe

UNDOING = "def on_rule_enacted(e):\n    if e.rule.title != 'No news':\n        repeal(e.rule)\n"
AMENDED = "def on_rule_amended(e):\n    if e.rule.text != 'so':\n        amend(e.rule, text = 'so')\n"
MAJORITY = rule("1", f"{SOWING}{ALL}\ndef decide_adopted(p):\n    return ballots(p, 'for') > 1\n", **PROPOSING)


def test_a_law_that_undoes_each_new_rule_at_once_locks() -> None:
    undoing = {"enact": {"title": "No news", "text": "", "script": UNDOING}}
    shut = rule("3", "def decide_may_change(p, c):\n    return refuse('E-TARGET') if c.kind != 'enact' else None")
    assert locked_out(undoing, MAJORITY, shut) != ""
    assert locked_out(undoing, MAJORITY, rule("3")) == ""
    assert locked_out(CHANGE, MAJORITY, shut) == ""


def test_a_law_that_undoes_each_amendment_at_once_locks_where_nothing_else_may_be() -> None:
    only = rule("3", "def decide_may_change(p, c):\n    return refuse('E-TARGET') if c.kind != 'amend' else None")
    assert locked_out({"amend": "4", "script": AMENDED}, MAJORITY, only, rule("4"), rule("5")) != ""
    assert locked_out({"amend": "4", "title": "Other"}, MAJORITY, only, rule("4"), rule("5")) == ""


@pytest.mark.parametrize(
    ("needed", "right"),
    [
        ({"type": "choice", "of": ["moon", "sun"]}, "'sun'"),
        ({"type": "player"}, "'bob'"),
        ({"type": "boolean"}, "False"),
        ({"type": "integer", "minimum": 3}, "3"),
    ],
)
def test_the_probe_tries_acts_that_need_what_it_can_name(needed: dict[str, Any], right: str) -> None:
    """In this game somebody has to open each vote, by an act with an argument; and proposing needs one, too."""
    law = rule(
        "1",
        f"""
def do_sow(a):
    require(a.args.how == {right}, "E-ARGS", "not so")
    submit(a.args.title, a.args.changes)

def do_water(a):
    for p in proposals():
        if a.args.how == {right} and p.state == "pending":
            open_voting(p)

{ALL}
def decide_adopted(p):
    return ballots(p, "for") > 1
""",
        actions={
            "sow": {"arguments": {"title": {"type": "text"}, "changes": {"type": "changes"}, "how": needed}},
            "water": {"arguments": {"how": needed}},
        },
    )
    table = Table(law, rule("2"))
    shut: Any = {"enact": {"title": "S", "text": "", "script": "def forbid_water(a):\n    return refuse('E-TIME')\n"}}
    assert try_changes(table.kernel, [CHANGE], [], len(table.entries), table.now).locked_out == ""
    assert try_changes(table.kernel, [shut], [], len(table.entries), table.now).locked_out != ""


# -- what is typed

ACTIONS: dict[str, Any] = {
    "crown": {"arguments": {"laurels": {"type": "map"}, "why": {"type": "text"}, "path": {"type": "list"}}}
}


@pytest.mark.parametrize(
    ("said", "args"),
    [
        ('laurels={"ann":5}', {"laurels": {"ann": 5}}),
        ('laurels={"ann": 5, "bob c": [1, {"x": "}"}]} why="so it is"',
         {"laurels": {"ann": 5, "bob c": [1, {"x": "}"}]}, "why": "so it is"}),
        ('why="it says path=[1" path=["a2", "b 1"]', {"why": "it says path=[1", "path": ["a2", "b 1"]}),
        ("laurels='{\"ann\": 5}'", {"laurels": {"ann": 5}}),
        ("path=[a2, b1]", {"path": ["a2", "b1"]}),
        ("laurels={ann: 5}", {"laurels": {"ann": 5}}),
        ("path=a2,b1", {"path": ["a2", "b1"]}),
        ('why={"ann"}', {"why": '{"ann"}'}),
    ],
)  # fmt: skip
def test_a_map_or_list_in_a_comment_is_read_as_it_stands(said: str, args: dict[str, Any]) -> None:
    assert action_asked("crown", said, ACTIONS).args == args


@pytest.mark.parametrize("said", ["laurels={ann:5}", "laurels={ann:{bob:5}}", "laurels=ann", "path=[a2; b1]"])
def test_how_a_map_or_list_is_written_is_said(said: str) -> None:
    form = '{"ann": 5}' if said.startswith("laurels") else '["ann", 5]'
    assert f"write it as {form}" in action_asked("crown", said, ACTIONS).flaw


def test_an_open_bracket_is_said_to_be_open() -> None:
    assert "a quotation mark or a bracket is not closed" in action_asked("crown", 'laurels={"ann": 5', ACTIONS).flaw
    long = action_asked("crown", 'why="' + " laurels={" * 1000, ACTIONS)
    assert "not closed" in long.flaw


def test_a_shell_that_takes_the_quotation_marks_away_is_named() -> None:
    with pytest.raises(ProblemError) as raised:
        read_typed_word("{ann:5}", "map")
    assert raised.value.problems[0].hint == "in a shell, put it in single quotation marks, or they are lost"


def test_effects_name_no_more_than_was_kept() -> None:
    table = Table(VOTING, KEEPING)
    table.propose("ann", {"enact": {"title": "New", "text": "abc"}})
    outcome = table.ok("ann", "keep")
    assert {str(each["to"]) for each in effects(outcome, "put") if each["name"] == "p"} == {str(KEPT)}


@pytest.mark.parametrize("needed", [{}, {"how": {"type": "boolean"}}], ids=["nothing", "an argument"])
def test_an_act_that_ends_the_game_is_no_way_to_change_the_law(needed: dict[str, Any]) -> None:
    ends = rule("2", "def do_end(a):\n    win(a.by, 'enough')\n", actions={"end": {"arguments": needed}})
    locks: Any = {"enact": {"title": "L", "text": "", "script": "def forbid_sow(a):\n    return refuse('E-TIME')\n"}}
    assert locked_out(locks, MAJORITY, ends) != ""
    assert locked_out(CHANGE, MAJORITY, ends) == ""
