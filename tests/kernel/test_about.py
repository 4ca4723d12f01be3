"""A rule that says what it is about: its guards, listeners and answers leave things and votes of other kinds alone."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.kernel.step import Kernel
from folkmoot.scenarios.check_files import rule_problems
from tests.support.table import VOTING, Found, rule, said

KINDS = {"kinds": {"motion": {"votable": True}, "petition": {"like": "motion"}, "stone": {}, "tree": {}}}
MAKE = rule(
    "5",
    """
    def do_move(a):
        open_voting(submit(a.args.kind, [], kind = a.args.kind, number = len(proposals(kind = a.args.kind)) + 1))

    def do_make(a):
        create(a.args.kind)

    def do_touch(a):
        announce("%s" % ask("touched", a.args.thing))

    def do_rest(a):
        emit("rested")
    """,
    defines=KINDS,
    actions={
        **{do: {"arguments": {"kind": {"type": "string"}}} for do in ("move", "make")},
        "touch": {"arguments": {"thing": {"type": "thing"}}},
        "rest": {},
    },
)
GUARD = "def forbid_vote(a):\n    return refuse('E-NO', 'no')\n"
CHANGE: dict[str, Any] = {"enact": {"title": "Tea", "text": "Tea."}}


@pytest.mark.parametrize(
    ("about", "refused"),
    [
        ({}, {"proposal", "motion", "petition"}),
        ({"about": "proposal"}, {"proposal"}),
        ({"about": "motion"}, {"motion", "petition"}),
        ({"about": "petition"}, {"petition"}),
        ({"about": "stone"}, set()),
    ],
)
def test_a_guard_on_votes_hears_of_its_kind_or_of_all(found: Found, about: dict[str, str], refused: set[str]) -> None:
    table = found(VOTING, MAKE, rule("7", GUARD, **about))
    number = table.propose("ann", CHANGE)
    codes = {"proposal": table.act("ann", "vote", proposal=number, choice="for").code}
    for kind in ("motion", "petition"):
        table.ok("ann", "move", kind=kind)
        codes[kind] = table.act("ann", "vote", kind=kind, proposal=1, choice="for").code
    assert {kind for kind, code in codes.items() if code == "E-NO"} == refused
    if "proposal" not in refused:
        table.adopt({"amend": "7", "about": "tree"})
        assert table.document("rules/7")["about"] == "tree"
        table.ok("ann", "vote", kind="motion", proposal=1, choice="for")
        table.adopt({"amend": "7", "about": ""})
        assert "about" not in table.document("rules/7")


def test_answers_are_given_of_their_kind_and_not_remembered_for_another(found: Found) -> None:
    table = found(MAKE, rule("7", "def decide_touched(thing):\n    return 'stony'", about="stone"),
                  rule("8", "def decide_touched(thing):\n    return 'some'"))  # fmt: skip
    for kind in ("tree", "stone"):
        table.ok("ann", "make", kind=kind)
    for _ in range(2):
        assert said(table.ok("ann", "touch", thing="stone-1")) == ["stony"]
        assert said(table.ok("ann", "touch", thing="tree-1")) == ["some"]


@pytest.mark.parametrize(
    "named", [{"petition": 1}, {"proposal": "petition/1", "kind": "stone"}, {"proposal": 1, "kind": "petition"}]
)
@pytest.mark.parametrize("about", ["motion", "proposal"])
def test_a_vote_is_of_the_kind_of_what_it_is_on_however_that_is_named(found: Found, about: str, named: Any) -> None:
    table = found(VOTING, MAKE, rule("7", GUARD, about=about))
    table.propose("ann", CHANGE)
    table.ok("ann", "move", kind="petition")
    assert table.act("ann", "vote", choice="for", **named).code == ("E-NO" if about == "motion" else "")


def test_listeners_hear_of_their_kind_and_of_what_has_none(found: Found) -> None:
    script = """
    def on_proposal_submitted(e):
        announce("submitted %s" % e.proposal.kind)

    def on_created(e):
        announce("created %s" % e.thing)

    def on_rested(e):
        announce("rested")
    """
    table = found(VOTING, MAKE, rule("7", script, about="motion"), rule("8", script, about="stone"))
    acts = (("move", "motion"), ("move", "petition"), ("make", "stone"), ("make", "tree"))
    heard = [each for do, kind in acts for each in said(table.ok("ann", do, kind=kind))]
    assert heard == ["submitted motion", "submitted petition", "created stone-1"]
    assert said(table.ok("ann", "rest")) == ["rested"] * 2


def test_nobody_evades_a_guard_by_what_they_say(found: Found) -> None:
    say = {"say": {"arguments": {"kind": {"type": "text"}}}}
    guard = "def forbid_say(a):\n    return refuse('E-NO', 'no')\ndef forbid_touch(a):\n    return refuse('E-NO', 'no')"
    table = found(MAKE, rule("8", "def do_say(a):\n    pass", actions=say), rule("7", guard, about="proposal"))
    table.ok("ann", "make", kind="stone")
    for words in ("stone-1", "motion", "nothing"):
        assert table.refused("ann", "say", kind=words) == "E-NO"
    table.ok("ann", "touch", thing="stone-1")


def test_a_kind_that_nobody_declares_is_told_where_it_stands() -> None:
    law = {"title": "T", "rules": [{**MAKE, "uid": "5"}]}
    told = "no rule declares a kind of thing called 'moton', so that this one hears of none of another"
    wrong = [(told, "new.yaml:2:1", "did you mean `motion`?")]
    for about, problems in (("moton", wrong), ("motion", []), ("proposal", [])):
        document, text = {"title": "New", "text": "New.", "about": about}, f"title: New\nabout: {about}\ntext: New.\n"
        found = rule_problems(document, law, text, "new.yaml", Kernel())
        assert [(each.message, str(each.position), each.hint) for each in found] == problems


@pytest.mark.parametrize(
    "payload",
    ["x = {'submitted_at': 3}", "submitted_at = 1, kind = {}", "thing = 'x', kind = [1]", "args = {'kind': [1]}"],
)
def test_what_a_script_hands_over_may_be_of_any_shape(found: Found, payload: str) -> None:
    hears = rule("7", "def on_vote(e):\n    announce('heard')\n", about="player")
    calls = f"after(60, 'vote', {payload})\n    later('vote', {payload})\n    emit('vote', {payload})\n"
    table = found(hears, rule("8", f"def do_ring(a):\n    {calls}", actions={"ring": {}}))
    assert said(table.ok("ann", "ring")) == ["heard", "heard"]
    assert [said(outcome) for outcome in table.pass_time(60)] == [["heard"]]
