"""The life of proposals and motions, and changes of the law."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.table import VOTING, Found, Table, reasons, rule, said

PLAIN = {"enact": {"title": "Dragon", "text": "There is a dragon."}}
LIFE = rule(
    "1",
    """
    def do_submit(a):
        submit(a.args.title, a.args.changes or [], a.requests)
    def do_step(a):
        p = proposal(a.args.n)
        if a.args.what == "freeze":
            freeze(p)
        elif a.args.what == "open":
            open_voting(p)
        elif a.args.what == "close":
            close_voting(p)
        elif a.args.what == "revise":
            revise(p, title = "new", changes = p.changes)
        elif a.args.what == "enforce":
            take_effect(p)
        else:
            resolve(p, a.args.what, "because", effective = a.args.what != "hailed")
    def on_proposal_submitted(e):
        announce("submitted " + e.proposal.state)
    def on_voting_opened(e):
        announce("opened " + e.proposal.state)
    def on_ballot_cast(e):
        announce("cast %s %s" % (e.ballot.player, e.ballot.choice))
    def on_voting_closed(e):
        announce("closed " + e.proposal.state)
    def on_rule_enacted(e):
        announce("law %s %s" % (e.rule.title, e.proposal.state))
    def on_proposal_adopted(e):
        announce("adopted")
    def on_proposal_withdrawn(e):
        announce("withdrawn")
    def on_proposal_shelved(e):
        announce("shelved " + e.proposal.title)
    def on_proposal_resolved(e):
        announce("resolved " + e.outcome)
    """,
    defines={"outcomes": {"shelved": {}, "hailed": {"effective": True}}},
    actions={
        "submit": {"arguments": {"title": {"type": "text"}, "changes": {"type": "changes", "optional": True}}},
        "step": {"arguments": {"n": {"type": "integer"}, "what": {"type": "string"}}},
    },
)
YES = rule("2", "def decide_adopted(p):\n    return verdict(ballots(p, 'for') > 0)")


@pytest.fixture
def submitted(found: Found) -> Table:
    """Return a table with a proposal of ann's that waits."""
    table = found(LIFE, YES)
    assert said(table.ok("ann", "submit", title="Dragon", changes=[PLAIN])) == ["submitted pending"]
    return table


def step(table: Table, what: str) -> list[str]:
    return said(table.ok("ann", "step", n=1, what=what))


def refused(table: Table, *steps: str) -> set[str]:
    """Return the codes with which steps are refused."""
    return {table.refused("ann", "step", n=1, what=what) for what in steps}


def test_the_life_of_a_proposal_step_by_step(submitted: Table) -> None:
    table = submitted
    assert table.refused("ann", "vote", proposal=1, choice="for") == "E-ORDER"
    assert refused(table, "close", "enforce") == {"E-ORDER"}
    assert refused(table, "celebrated") == {"E-SCRIPT"}
    assert step(table, "open") == ["opened open"]
    assert refused(table, "open") == {"E-ORDER"}
    step(table, "revise")
    for choice in ("against", "for"):
        assert said(table.ok("ann", "vote", proposal=1, choice=choice)) == [f"cast ann {choice}"]
    assert step(table, "close") == ["closed closed", "law Dragon adopted", "adopted", "resolved adopted"]
    assert table.refused("bob", "vote", proposal=1, choice="for") == "E-TIME"
    assert table.proposal(1)["ballots"]["ann"]["choice"] == "for"
    assert table.document("game")["open"] == []
    assert refused(table, "open", "close", "revise", "adopted", "withdrawn", "enforce") == {"E-ORDER"}


@pytest.mark.parametrize("outcome", ["accepted", "rejected", "ignored", "replaced", "withdrawn", "shelved"])
def test_only_adoption_and_acceptance_change_the_law(submitted: Table, outcome: str) -> None:
    told = {"accepted": ["law Dragon accepted"], "withdrawn": ["withdrawn"], "shelved": ["shelved Dragon"]}
    assert step(submitted, outcome) == [*told.get(outcome, []), f"resolved {outcome}"]
    assert len(submitted.in_force()) == (3 if outcome == "accepted" else 2)
    assert submitted.proposal(1)["outcome"] == outcome
    assert refused(submitted, "open", "close", "revise", "adopted", "withdrawn", "enforce") == {"E-ORDER"}


def test_changes_become_law_when_a_rule_says_so(submitted: Table) -> None:
    step(submitted, "hailed")
    assert submitted.in_force() == ["1", "2"]
    step(submitted, "enforce")
    assert len(submitted.in_force()) == 3
    assert refused(submitted, "enforce") == {"E-ORDER"}


def test_frozen_text_cannot_be_revised(submitted: Table) -> None:
    step(submitted, "revise")
    assert submitted.proposal(1)["changes"][0]["parts"] == PLAIN["enact"]  # shown changes can be handed on as they are
    step(submitted, "freeze")
    frozen = submitted.proposal(1)["frozen"]
    assert frozen
    assert refused(submitted, "revise") == {"E-ORDER"}
    assert submitted.proposal(1)["frozen"] == frozen


def test_without_answers_the_kernel_takes_the_cautious_course_and_says_so(found: Found) -> None:
    table = found(LIFE)
    steps = (table.ok("ann", "step", n=1, what=what) for what in ("open", "close"))
    outcomes = [table.ok("ann", "submit", title="x"), *steps]
    told = [reasons(outcome, "NO-ANSWER")[0]["args"]["question"] for outcome in outcomes]
    assert told == ["number", "electorate", "adopted"]
    assert (table.proposal(1)["electorate"], table.proposal(1)["state"]) == (["ann", "bob", "cid"], "closed")


# -- what may be proposed


def test_improper_proposals_are_refused_unless_a_higher_rule_gives_leave(found: Found) -> None:
    for answer, code in (("refuse('E-COMPOUND', 'two')", "E-COMPOUND"), ("False", "E-IMPROPER")):
        improper = rule("2", f"def decide_proper(p):\n    return {answer}")
        assert found(VOTING, improper).refused("ann", "propose", title="x", changes=[PLAIN]) == code
        table = found(VOTING, improper, rule("1", "def decide_proper(p):\n    return True"))
        assert reasons(table.ok("ann", "propose", title="x", changes=[PLAIN]), "OVERRULED")[0]["rule"] == "2"


def test_an_amendment_does_not_transmute_by_the_way_and_empty_parts_take_every_part_away(found: Found) -> None:
    parts: dict[str, Any] = {
        "text": "Wolves howl.\n",
        "labels": {"power": "2"},
        "defines": {"game": {"moons": {"type": "integer", "initial": 2}}},
        "actions": {"howl": {"summary": "Howl"}},
        "timers": {"moonrise": {"every": "day"}},
        "settings": {"X-Q1": {"question": "How?", "default": "so", "alternatives": {"so": "So."}}},
        "precedence": {"over": ["900"]},
        "examples": [{"scenario": "nothing happens", "steps": []}],
    }
    table = found(VOTING, rule("1", labels={"status": "mutable"}), rule("5", "def do_howl(a):\n    pass\n", **parts))
    for labels in ({"status": "immutable"}, {}):
        assert table.refused("ann", "propose", changes=[{"amend": "1", "text": "x", "labels": labels}]) == "E-ARGS"
    empty = {part: type(value)() for part, value in {**parts, "script": ""}.items()}
    table.adopt({"amend": "1", "labels": {"status": "mutable", "power": "3"}}, {"amend": "5", **empty})
    assert table.document("rules/1")["labels"] == {"status": "mutable", "power": "3"}
    assert table.document("rules/5") == {"rule": "5", "uid": "5", "title": "Rule 5"}
    assert table.refused("ann", "howl") == "E-NO-SUCH"


BAD_CHANGES: list[Any] = [
    5, "x", {}, [5], [{}], [{"enact": 5}], [{"enact": {"titel": "x"}}], [{"amend": "99", "text": "x"}], [{"amend": ["1"]}],
    [{"enact": {}, "repeal": "5"}], [{"transmute": "5"}], [{"transmute": "5", "to": 7}], [{"kind": "explode", "rule": "5"}],
    [{"kind": ["x"]}], [{"kind": "amend", "rule": ["5"]}], [{"kind": "amend", "rule": {"uid": ["x"]}}],
    [{"kind": "repeal", "rule": None}], [{"enact": {"title": "x", "actions": {"x": 5}}}],
    [{"enact": {"title": "x", "defines": {"player": {"x": 5}}}}], [{"enact": {"title": "x", "timers": {"x": {"every": "fortnight"}}}}],
    [{"enact": {"title": "x", "defines": {"kinds": {"../x": {}}}}}], [{"enact": {"title": "x", "rule": "1"}}],
    [{"enact": {"title": "x", "text": 1.5}}], [{"enact": {"title": "x", "script": ["def"]}}], [{"retitle": "5", "to": 5}],
    [{"amend": "5", "uid": "9"}], [{"enact": {"title": "x", "settings": {"q": {}}}}], [{"$": 1}],
    *([{"amend": "5", "text": "x", "revision": revision}] for revision in (0, 2, -1, "1", True, 1.5, [1], {})),
    [{"enact": {"title": "x"}, "revision": 1}], [{"enact": {"title": "x"}, "text": "y"}], [{"enact": {"title": "x", "revision": 1}}],
]  # fmt: skip


@pytest.fixture(scope="module")
def plain() -> Table:
    return Table(VOTING, rule("5"))


@pytest.mark.parametrize("changes", BAD_CHANGES, ids=str)
def test_malformed_changes_are_refused(plain: Table, changes: Any) -> None:
    assert plain.refused("ann", "propose", title="x", changes=changes) in ("E-ARGS", "E-NO-SUCH")
