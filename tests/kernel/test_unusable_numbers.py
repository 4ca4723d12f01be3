"""Table 15: a number that cannot be used is a failure of the rule that gave it, and no two rules have the same one."""

from __future__ import annotations

import pytest

from folkmoot.game.rulesets import founding
from folkmoot.scenarios.trial import try_changes
from tests.support.table import VOTING, Table, rule

UNUSABLE = ["'CON'", "'9' * 53", "10 ** 52", "[1]", "True", "'../x'", "'20'", "{'do': 1}"]


@pytest.mark.parametrize("answer", UNUSABLE)
def test_an_unusable_number_is_a_failure_of_its_rule(answer: str) -> None:
    table = Table(VOTING, rule("20", f"def decide_rule_number(p, c):\n    return {answer}"))
    last = table.adopt({"enact": {"title": "New"}})
    assert table.kernel.documents["rules/901"]["title"] == "New"
    table.replay_all()
    failures = [(failure["rule"], failure["hook"]) for failure in last.failures]
    assert ("20", "decide_rule_number") in failures


@pytest.mark.parametrize("answer", ["901", "10 ** 52", "-5", "'x'"])
def test_a_proposals_number_too(answer: str) -> None:
    table = Table(rule("20", f"def decide_number(p):\n    return {answer}"), VOTING)
    table.propose("ann")
    table.propose("bob")
    assert ("20", "decide_number") in [(f["rule"], f["hook"]) for e in table.entries for f in e.get("failures", ())]


def test_a_script_cannot_give_a_number_twice() -> None:
    squat = "def on_proposal_adopted(e):\n    enact('Squatter', '', number = e.proposal.number)"
    table = Table(VOTING, rule("20", squat))
    last = table.adopt({"enact": {"title": "New"}})
    numbers = [meta["number"] for meta in table.kernel.documents["law"]["rules"].values()]
    assert sorted(numbers) == ["20", "900", "901"]
    assert [failure["code"] for failure in last.failures] == ["E-DUP"]


def test_a_compound_proposal_gives_each_rule_a_number() -> None:
    table = Table(VOTING)
    waiting = table.propose("bob")
    assert waiting == 901
    table.adopt({"enact": {"title": "One"}}, {"enact": {"title": "Two"}}, {"enact": {"title": "Three"}})
    rules = {key: rule["title"] for key, rule in table.kernel.documents.all().items() if key.startswith("rules/90")}
    assert rules == {"rules/900": "Rule 900", "rules/902": "One", "rules/903": "Two", "rules/904": "Three"}


def test_a_suber_proposal_that_amends_two_rules_gives_its_number_to_the_first() -> None:
    law = founding("suber")
    numbers = next(each for each in law["rules"] if each["rule"] == "108")
    table = Table(
        {**VOTING, "script": VOTING["script"].partition("def decide_number")[0]}, numbers, rule("5"), rule("6")
    )
    last = table.adopt({"amend": "5", "text": "a"}, {"amend": "6", "text": "b"})
    metas = table.kernel.documents["law"]["rules"]
    assert [metas["5"]["number"], metas["6"]["number"], last.failures] == ["301", "6", []]


def test_a_trial_of_two_new_rules_gives_each_a_number() -> None:
    table = Table(VOTING)
    changes = [{"enact": {"title": "One"}}, {"enact": {"title": "Two"}}]
    tried = try_changes(table.kernel, changes, [], len(table.entries), table.now)
    made = [effect["number"] for effect in tried.effects if effect["effect"] == "enact"]
    assert made == ["901", "902"]
