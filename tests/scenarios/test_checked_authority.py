"""The check of a script tells what it would change of the law, and may not, where that can be seen before it runs."""

from __future__ import annotations

import pytest

from folkmoot.files.reader import read_rule
from folkmoot.game.rulesets import founding
from folkmoot.kernel.step import Kernel
from folkmoot.scenarios.check_files import rule_problems

REFUSED = {
    "amend('105', text = 'Only Cid votes.')": "rule 105 is immutable, and rule 214 cannot change it",
    "repeal(rule('109'))": "rule 109 is immutable, and rule 214 cannot change it",
    "suspend('105')": "rule 105 is immutable",
    "renumber('203', '1')": "the numbers of rules follow from rule 108",
    "put('settings', 'unanimity', 'voting')": "rule 105 is immutable",
}
ALLOWED = [
    "amend('203', text = 'Other.')",
    "repeal(rule('203'))",
    "put('settings', 'numbers_compared', 'present')",
    "put('game', 'phase', 'vote')",
]


def problems_of(call: str, ruleset: str = "suber") -> list[str]:
    """Return what the check says of the authority of a rule whose action makes a call."""
    text = f"title: New\ntext: |\n  New.\nactions: {{go: {{summary: Go}}}}\nscript: |\n  def do_go(a):\n      {call}\n"
    found = rule_problems(read_rule(text, "new.yaml"), founding(ruleset), text, "new.yaml", Kernel())
    return [problem.message for problem in found if "is refused here" in problem.message]


@pytest.mark.parametrize("call", REFUSED)
def test_a_change_that_no_rule_of_its_kind_may_make_is_told(call: str) -> None:
    (message,) = problems_of(call)
    assert REFUSED[call] in message


@pytest.mark.parametrize("call", ALLOWED)
def test_what_may_be_changed_is_not_told(call: str) -> None:
    assert problems_of(call) == []


def test_where_no_law_answers_nothing_is_told() -> None:
    assert problems_of("repeal('1')", "consensus") == []
