"""The life of proposals and motions, and changes of the law."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.table import VOTING, Found, Table, effects, reasons, rule, said

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
        else:
            resolve(p, a.args.what, "because")
    def on_proposal_submitted(e):
        announce("submitted " + e.proposal.state)
    def on_voting_opened(e):
        announce("opened " + e.proposal.state)
    def on_ballot_cast(e):
        announce("cast %s %s" % (e.ballot.player, e.ballot.choice))
    def on_voting_closed(e):
        announce("closed " + e.proposal.state)
    def on_rule_enacted(e):
        announce("law " + e.rule.number + " " + e.proposal.state)
    def on_proposal_adopted(e):
        announce("adopted")
    def on_proposal_withdrawn(e):
        announce("withdrawn")
    def on_proposal_resolved(e):
        announce("resolved " + e.outcome)
    """,
    actions={
        "submit": {"arguments": {"title": {"type": "text"}, "changes": {"type": "changes", "optional": True}}},
        "step": {"arguments": {"n": {"type": "integer"}, "what": {"type": "string"}}},
    },
)
YES = rule("2", "def decide_adopted(p):\n    return verdict(ballots(p, 'for') > 0)")


def test_the_life_of_a_proposal_step_by_step(found: Found) -> None:
    table = found(LIFE, YES)
    assert said(table.ok("ann", "submit", title="Dragon", changes=[PLAIN])) == ["submitted pending"]
    assert table.refused("ann", "vote", proposal=1, choice="for") == "E-ORDER"
    assert said(table.ok("ann", "step", n=1, what="open")) == ["opened open"]
    assert said(table.ok("ann", "vote", proposal=1, choice="against")) == ["cast ann against"]
    assert said(table.ok("ann", "vote", proposal=1, choice="for")) == ["cast ann for"]
    closed = table.ok("ann", "step", n=1, what="close")
    assert said(closed) == ["closed closed", "law 3 adopted", "adopted", "resolved adopted"] or said(closed) == [
        "closed closed", "law 1 adopted", "adopted", "resolved adopted"]  # fmt: skip
    assert table.refused("bob", "vote", proposal=1, choice="for") == "E-TIME"
    assert table.proposal(1)["ballots"]["ann"]["choice"] == "for"
    assert table.document("game")["open"] == []


def test_steps_out_of_order(found: Found) -> None:
    table = found(LIFE, YES)
    table.ok("ann", "submit", title="x")
    assert table.refused("ann", "step", n=1, what="close") == "E-ORDER"
    assert table.refused("ann", "step", n=1, what="celebrated") == "E-SCRIPT"
    table.ok("ann", "step", n=1, what="open")
    assert table.refused("ann", "step", n=1, what="open") == "E-ORDER"
    table.ok("ann", "step", n=1, what="revise")
    table.ok("ann", "step", n=1, what="close")
    assert table.refused("ann", "step", n=1, what="revise") == "E-ORDER"


@pytest.mark.parametrize(
    ("outcome", "enacted"), [("accepted", True), ("rejected", False), ("ignored", False), ("replaced", False)]
)
def test_only_adoption_and_acceptance_change_the_law(found: Found, outcome: str, enacted: bool) -> None:
    table = found(LIFE, YES)
    table.ok("ann", "submit", title="x", changes=[PLAIN])
    changed = table.ok("ann", "step", n=1, what=outcome)
    assert bool(effects(changed, "enact")) == enacted


def test_frozen_text_cannot_be_revised(found: Found) -> None:
    table = found(LIFE, YES)
    table.ok("ann", "submit", title="x", changes=[PLAIN])
    table.ok("ann", "step", n=1, what="revise")
    assert table.proposal(1)["changes"][0]["parts"] == PLAIN["enact"]  # shown changes can be handed on as they are
    table.ok("ann", "step", n=1, what="freeze")
    frozen = table.proposal(1)["frozen"]
    assert frozen
    assert table.refused("ann", "step", n=1, what="revise") == "E-ORDER"
    assert table.proposal(1)["frozen"] == frozen


def test_without_answers_the_kernel_takes_the_cautious_course_and_says_so(found: Found) -> None:
    table = found(LIFE)
    assert reasons(table.ok("ann", "submit", title="x"), "NO-ANSWER")[0]["args"] == {"question": "number"}
    assert reasons(table.ok("ann", "step", n=1, what="open"), "NO-ANSWER")[0]["args"] == {"question": "electorate"}
    assert table.proposal(1)["electorate"] == ["ann", "bob", "cid"]
    assert reasons(table.ok("ann", "step", n=1, what="close"), "NO-ANSWER")[0]["args"] == {"question": "adopted"}
    assert table.proposal(1)["state"] == "closed"


def test_what_may_not_be_changed_at_adoption_is_left_out(found: Found) -> None:
    law = rule(
        "1",
        "def decide_may_change(p, c):\n    if p.state == 'adopted' and c.kind == 'repeal':\n        return refuse('E-TARGET', 'not now')",
    )
    table = found(VOTING, law, rule("5"), rule("6"))
    outcome = table.adopt({"repeal": "5"}, {"amend": "6", "title": "Six"})
    assert table.in_force() == ["1", "5", "6", "900"]
    assert table.document("rules/6")["title"] == "Six"
    assert reasons(outcome, "E-TARGET")[0]["rule"] == "1"


def test_every_kind_of_change(found: Found) -> None:
    table = found(
        VOTING, rule("5", labels={"status": "mutable", "section": "1"}), rule("6"), rule("7"), rule("8", text="old")
    )
    outcome = table.adopt(
        PLAIN, {"transmute": "5", "to": "immutable"}, {"retitle": "6", "to": "Six"}, {"repeal": "7"}, {"amend": "8", "text": "new"}
    )  # fmt: skip
    assert [e["effect"] for e in outcome.effects if e["effect"] in ("enact", "transmute", "retitle", "repeal", "amend")] == [
        "enact", "transmute", "retitle", "repeal", "amend"]  # fmt: skip
    assert table.in_force() == ["5", "6", "8", "900", "901"]
    assert table.document("rules/5")["labels"] == {"status": "immutable", "section": "1"}
    assert table.document("rules/8")["text"] == "new"
    assert table.document("history/8")["revisions"][0]["text"] == "old"
    assert table.document("law")["rules"]["8"]["revision"] == 2
    assert table.document("history/7")["revisions"][-1]["repealed"] is True


def test_an_amendment_does_not_transmute_by_the_way(found: Found) -> None:
    table = found(VOTING, rule("1", labels={"status": "mutable", "power": "2"}))
    by_the_way = {"amend": "1", "text": "x", "labels": {"status": "immutable", "power": "2"}}
    assert table.refused("ann", "propose", changes=[by_the_way]) == "E-ARGS"
    assert table.refused("ann", "propose", changes=[{"amend": "1", "labels": {}}]) == "E-ARGS"
    table.adopt({"amend": "1", "text": "x", "labels": {"status": "mutable", "power": "3"}})
    assert table.document("rules/1")["labels"] == {"status": "mutable", "power": "3"}


@pytest.mark.parametrize("what", ["open", "close", "revise", "adopted", "withdrawn"])
def test_what_is_resolved_stays_resolved(found: Found, what: str) -> None:
    table = found(LIFE, YES)
    table.ok("ann", "submit", title="x")
    assert said(table.ok("ann", "step", n=1, what="withdrawn"))[-2:] == ["withdrawn", "resolved withdrawn"]
    assert table.refused("ann", "step", n=1, what=what) == "E-ORDER"


def test_improper_proposals_are_refused_unless_a_higher_rule_gives_leave(found: Found) -> None:
    for answer, code in (("refuse('E-COMPOUND', 'two')", "E-COMPOUND"), ("False", "E-IMPROPER")):
        improper = rule("2", f"def decide_proper(p):\n    return {answer}")
        assert found(VOTING, improper).refused("ann", "propose", title="x", changes=[PLAIN]) == code
        table = found(VOTING, improper, rule("1", "def decide_proper(p):\n    return True"))
        assert reasons(table.ok("ann", "propose", title="x", changes=[PLAIN]), "OVERRULED")[0]["rule"] == "2"


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


@pytest.mark.parametrize("number", ["'../x'", "'a b'", "'x/y'", "''"])
def test_numbers_of_proposals_cannot_name_other_files(found: Found, number: str) -> None:
    table = found(rule("1", f"def do_go(a):\n    submit('x', [], number = {number})", actions={"go": {}}))
    assert table.refused("ann", "go") == "E-SCRIPT"


# -- outcomes of the law's own


SUBMITS = {"actions": {"submit": {}, "end": {"arguments": {"how": {"type": "string"}}}, "enforce": {}}}
OUTCOMES = rule(
    "1",
    """
    def do_submit(a):
        submit("Dragon", [{"enact": {"title": "Dragon", "text": "There is a dragon."}}])
    def do_end(a):
        resolve(proposals()[0], a.args.how, effective = False)
    def do_enforce(a):
        take_effect(proposal(1))
    def on_proposal_shelved(e):
        announce("shelved " + e.proposal.title)
    """,
    defines={"outcomes": {"shelved": {}, "hailed": {"effective": True}}},
    **SUBMITS,
)


def test_rules_declare_outcomes(found: Found) -> None:
    table = found(OUTCOMES)
    table.ok("ann", "submit")
    assert table.refused("ann", "end", how="eaten") == "E-SCRIPT"
    assert said(table.ok("ann", "end", how="shelved")) == ["shelved Dragon"]
    assert table.proposal(1)["outcome"] == "shelved"
    assert table.in_force() == ["1"]
    assert table.refused("ann", "enforce") == "E-ORDER"


def test_changes_become_law_when_a_rule_says_so(found: Found) -> None:
    table = found(OUTCOMES)
    table.ok("ann", "submit")
    table.ok("ann", "end", how="hailed")
    assert table.in_force() == ["1"]
    table.ok("ann", "enforce")
    assert len(table.in_force()) == 2
    assert table.refused("ann", "enforce") == "E-ORDER"


# -- parts of rules


BLOCKS: dict[str, Any] = {
    "labels": {"power": "2"},
    "defines": {"game": {"moons": {"type": "integer", "initial": 2}}},
    "actions": {"howl": {"summary": "Howl"}},
    "timers": {"moonrise": {"every": "day"}},
    "settings": {"X-Q1": {"question": "How?", "default": "so", "alternatives": {"so": "So."}}},
    "precedence": {"over": ["900"]},
    "examples": [{"scenario": "nothing happens", "steps": []}],
}
RICH = rule("5", "def do_howl(a):\n    announce('owoo')\n", **{"text": "Wolves howl.\n", **BLOCKS})


def rule_5_after(table: Table, *changes: dict[str, Any]) -> dict[str, Any]:
    """Let everybody adopt changes and return rule 5 as it is then."""
    number = table.kernel.documents["things/game"]["game"]["next_number"]
    table.ok("ann", "propose", title="T", changes=list(changes))
    for player in ("ann", "bob", "cid"):
        table.ok(player, "vote", proposal=number, choice="for")
    return dict(table.kernel.documents["rules/5"])


def test_an_amendment_with_empty_parts_takes_every_part_away(found: Found) -> None:
    table = found(VOTING, RICH)
    empty = {
        part: "" if part in ("text", "script") else [] if part == "examples" else {}
        for part in (*BLOCKS, "text", "script")
    }
    assert rule_5_after(table, {"amend": "5", **empty}) == {"rule": "5", "uid": "5", "title": "Rule 5"}
    assert table.refused("ann", "howl") == "E-NO-SUCH"
