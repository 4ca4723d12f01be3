"""Language L1: who comes during a vote votes where the law enrols them; of who leaves the law says what becomes."""

from __future__ import annotations

import pytest

from tests.support.table import VOTING, Table, failed, reasons, rule

NEW = {"enact": {"title": "New", "text": "x"}}
JOINING = rule(
    "1",
    "def do_come(a):\n    create('player', 'dan')\ndef do_go(a):\n    destroy(a.by)\n",
    actions={"come": {}, "go": {}},
)
COMERS_VOTE = rule("2", "def on_joined(e):\n    for p in proposals('open'):\n        enrol(p, e.player)\n")
LEAVERS_DO_NOT = rule("3", "def on_left(e):\n    for p in proposals('open'):\n        strike(p, e.player)\n")


def voted(*laws: dict[str, object], **choices: str) -> Table:
    """Return a table at which a vote is open on proposal 901 and some have voted."""
    table = Table(VOTING, JOINING, *laws)
    table.ok("ann", "propose", changes=[NEW])
    for player, choice in choices.items():
        table.ok(player, "vote", proposal=901, choice=choice)
    return table


def test_without_a_rule_who_comes_has_no_vote() -> None:
    table = voted()
    table.ok("ann", "come")
    assert table.refused("dan", "vote", proposal=901, choice="for") == "E-NOT-PLAYER"


def test_who_comes_votes_where_the_law_enrols_em() -> None:
    table = voted(COMERS_VOTE, ann="for", bob="for")
    outcome = table.ok("ann", "come")
    assert [e["voter"] for e in outcome.effects if e["effect"] == "enrol"] == ["dan"]
    assert table.proposal(901)["electorate"] == ["ann", "bob", "cid", "dan"]
    table.ok("cid", "vote", proposal=901, choice="against")
    assert table.proposal(901)["state"] == "open", "one of four is missing"
    table.ok("dan", "vote", proposal=901, choice="for")
    assert table.proposal(901)["outcome"] == "adopted"
    table.replay_all()


def test_without_a_rule_the_ballot_of_who_leaves_stays() -> None:
    table = voted(bob="against")
    table.ok("bob", "go")
    assert table.proposal(901)["ballots"]["bob"]["counts"] is True
    assert "bob" in table.proposal(901)["electorate"]


def test_it_leaves_too_where_the_law_strikes_em() -> None:
    table = voted(LEAVERS_DO_NOT, bob="against")
    outcome = table.ok("bob", "go")
    assert [(e["voter"], e["counts"]) for e in outcome.effects if e["effect"] == "strike"] == [("bob", False)]
    proposal = table.proposal(901)
    assert (proposal["ballots"], proposal["electorate"]) == ({}, ["ann", "cid"])


def test_the_vote_closes_when_the_last_who_was_missing_is_struck() -> None:
    table = voted(LEAVERS_DO_NOT, ann="for", bob="for")
    table.ok("cid", "go")
    assert table.proposal(901)["outcome"] == "adopted"
    table.replay_all()


def test_a_thing_may_be_given_a_vote() -> None:
    law = rule(
        "2",
        "def do_wake_it(a):\n    g = create('gremlin')\n    enrol(proposal(901), g)\n    cast(proposal(901), g, 'for')\n",
        actions={"wake_it": {}},
        defines={"kinds": {"gremlin": {}}},
    )
    table = voted(law)
    table.ok("ann", "wake_it")
    assert table.proposal(901)["ballots"]["gremlin-1"]["deemed"] is True


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("enrol(proposal(901), 'zed')", "E-NO-SUCH"),
        ("enrol(proposal(901), None)", "E-NO-SUCH"),
        ("enrol(proposal(901), ['bob'])", "E-NO-SUCH"),
        ("enrol(proposal(902), 'bob')", "E-ORDER"),
        ("strike(proposal(902), 'bob')", "E-ORDER"),
        ("enrol('proposal/7', 'bob')", "E-NO-SUCH"),
    ],
)
def test_what_cannot_be_is_a_failure_and_changes_nothing(call: str, code: str) -> None:
    law = rule("2", f"def on_stated(e):\n    submit('later', [], number = 902)\n    {call}")
    table = voted(law)
    before = table.proposal(901)
    outcome = table.ok("bob", "state", text="now")
    assert failed(outcome) == [("2", "on_stated")]
    assert outcome.failures[0]["code"] == code
    assert table.proposal(901) == before


def test_who_is_enrolled_or_struck_already_changes_nothing() -> None:
    law = rule("2", "def on_stated(e):\n    enrol(proposal(901), 'ann')\n    strike(proposal(901), 'zed')")
    outcome = voted(law).ok("bob", "state", text="now")
    assert (outcome.failures, [e["effect"] for e in outcome.effects]) == ([], ["state"])
    assert reasons(outcome, "NO-ANSWER") == []
