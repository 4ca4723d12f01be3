"""Table 15: a rule that says what a review stands for makes no act of it that only a person may do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.kernel.act_declarations import ADMINISTRATIVE, KERNEL_DECLARATIONS
from tests.support.meeting import Meeting
from tests.support.table import VOTING, Table, rule

DANCING = rule(
    "10",
    "def do_dance(a):\n    announce(a.by + ' dances')\ndef do_grant(a):\n    cast(proposal(901), a.by, 'against', '')",
    actions={"dance": {"arguments": {}}, "grant": {"arguments": {}}},
)
BY_RULE = {"forge": "local", "pull": 7, "review": {"rule": "20"}}


def reading(answer: str) -> tuple[Table, Any]:
    table = Table(VOTING, DANCING, rule("20", f"def decide_review(p, player, verdict, reason):\n    return {answer}"))
    table.propose("ann")
    return table, table.kernel.read_review("proposal/901", ["ann", "approve", ""], table.now)


@pytest.mark.parametrize("do", sorted(set(KERNEL_DECLARATIONS) - {"vote"}))
def test_no_act_of_the_kernel_but_a_ballot(do: str) -> None:
    table, read = reading(f"{{'do': {do!r}, 'args': {{}}}}")
    assert read["rule"] == "20"
    assert do in read["why"]
    refused = table.judge(do, "root" if do in ADMINISTRATIVE else "ann", {}, via=BY_RULE)
    assert refused.code == ("E-NOT-ADMINISTRATOR" if do in ADMINISTRATIVE else "E-PERSONAL")
    assert refused.reasons[-1]["rule"] == "20"


@pytest.mark.parametrize(
    "answer",
    [
        "{'do': 'state', 'args': [1, 2]}",
        "{'do': 'dance', 'args': [1, 2]}",
        "{'do': 'dance', 'as': 3}",
        "{'do': 7}",
        "{'do': 'fly'}",
        "{}",
        "[]",
        "'dance'",
        "7",
        "True",
        "{'do': 'vote', 'args': {'proposal': 3, 'choice': 'for'}}",
    ],
)
def test_whatever_is_no_act_is_a_failure_that_names_the_rule(answer: str) -> None:
    table, read = reading(answer)
    assert set(read) == {"rule", "why"}
    outcome = table.judge("vote", "ann", {"choice": "for", "proposal": 901}, via={**BY_RULE, "review": read})
    assert outcome.accepted
    assert [(failure["rule"], failure["hook"]) for failure in outcome.failures] == [("20", "decide_review")]
    assert table.proposal(901)["ballots"]["ann"]["deemed"] is False


def test_what_a_rule_makes_of_a_review_is_nobodys_own() -> None:
    table, read = reading("{'do': 'dance'}")
    assert read == {"rule": "20", "do": "dance", "args": {}, "as": None}
    assert table.judge("dance", "ann", {}, via=BY_RULE).accepted
    assert table.judge("vote", "ann", {"choice": "for", "proposal": 901}, via=BY_RULE).accepted
    assert table.proposal(901)["ballots"]["ann"]["deemed"] is True
    assert table.judge("grant", "bob", {}, via=BY_RULE).accepted
    assert table.proposal(901)["ballots"]["bob"]["deemed"] is True
    table.replay_all()


def test_a_review_on_a_forge_becomes_no_act_of_the_kernel(tmp_path: Path) -> None:
    thief = "def decide_review(p, player, verdict, reason):\n    return {'do': 'state', 'args': {'text': 'I resign'}}"
    meeting = Meeting(tmp_path, law={"rules": [VOTING, rule("20", thief)], "settings": {}, "opening": []})
    pull = meeting.propose("cid", "A dragon")
    meeting.approve("ann", pull, "Fine.")
    meeting.referee(60)
    entries = [entry for entry in meeting.game().entries() if entry.get("by") == "ann"]
    assert [(entry["do"], entry["via"]["review"]["rule"]) for entry in entries] == [("vote", "20")]
    assert "state is for people" in entries[0]["via"]["review"]["why"]
