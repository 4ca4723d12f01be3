"""A guard that fails or answers nonsense refuses what it guards, names its rule, and never stands in the way of its mending."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.kernel import budget
from folkmoot.scenarios.known_names import known_in
from folkmoot.scenarios.script_check import check_script
from tests.support.table import VOTING, Found, Table, failed, reasons, rule, said

PLAIN = {"enact": {"title": "New"}}
GO: dict[str, Any] = {"actions": {"go": {}}}
GOING = "def do_go(a):\n    announce('went')\n"


GUARDS = {
    "forbid": "def forbid(a):",
    "forbid_propose": "def forbid_propose(a):",
    "forbid_vote": "def forbid_vote(a):",
    "decide_proper": "def decide_proper(p):",
    "decide_may_change": "def decide_may_change(p, c):",
    "decide_ballot_counts": "def decide_ballot_counts(p, b):",
    "decide_law_for": "def decide_law_for(s):",
}
CRASHES = {
    "crash": "    fail('x')",
    "index": "    return [][1]",
    "unknown": "    return get('nobody', 'nothing')",
    "writes": "    announce('x')",
    "too long": "    for i in range(600):\n        now()",
    "unreadable": "    return lambda: 1",
}


@pytest.fixture(autouse=True)
def small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a budget be small, so that it is spent in no time."""
    monkeypatch.setitem(budget.PER_HANDLER, "host calls", 500)


def broken(hook: str, crash: str = "crash", number: str = "7") -> dict[str, Any]:
    """Return a rule with a guard that fails."""
    return rule(number, f"{GUARDS[hook]}\n{CRASHES[crash]}")


@pytest.mark.parametrize("crash", CRASHES)
@pytest.mark.parametrize("hook", GUARDS)
@pytest.mark.sampled(3)
def test_a_guard_that_fails_refuses_and_names_its_rule(hook: str, crash: str) -> None:
    table = Table(VOTING, broken(hook, crash))
    outcome = table.act("ann", "propose", title="x", changes=[PLAIN])
    if hook in ("forbid_vote", "decide_ballot_counts"):
        assert outcome.accepted
        outcome = table.act("ann", "vote", proposal=901, choice="for")
    assert not outcome.accepted
    assert outcome.code == "E-SCRIPT"
    (reason,) = reasons(outcome, "E-SCRIPT")
    assert reason["rule"] == "7"
    assert f"rule 7 failed in its {hook}" in reason["args"]["why"]
    assert ("7", hook) in failed(outcome)
    table.replay_all()


@pytest.mark.parametrize("mend", [{"repeal": "7"}, {"amend": "7", "text": "Mended.", "script": ""}])
@pytest.mark.parametrize("hook", GUARDS)
@pytest.mark.sampled(3)
def test_its_own_mending_runs_without_it(hook: str, mend: dict[str, Any]) -> None:
    table = Table(VOTING, broken(hook))
    table.adopt(mend)
    table.adopt(PLAIN)
    table.replay_all()


@pytest.mark.parametrize("hook", GUARDS)
@pytest.mark.sampled(3)
def test_no_other_act_runs_without_it_meanwhile(hook: str) -> None:
    table = Table(VOTING, broken(hook), rule("8", GOING, **GO), rule("9"))
    mending = table.propose("ann", {"repeal": "7"})
    beside = table.act("bob", "propose", title="x", changes=[{"repeal": "7"}, {"repeal": "9"}])
    if beside.accepted:
        assert hook in ("forbid_vote", "decide_ballot_counts")
        assert table.refused("bob", "vote", proposal=mending + 1, choice="for") == "E-SCRIPT"
    else:
        assert beside.code == "E-SCRIPT"
    if hook in ("forbid", "decide_law_for"):
        assert table.refused("bob", "go") == "E-SCRIPT"
        assert table.refused("bob", "state", text="x") == "E-SCRIPT"
    table.replay_all()


def test_what_fails_in_two_rules_is_mended_in_one_proposal() -> None:
    """By each refusal one more of them is known to be at fault, and may be mended together with the others."""
    table = Table(VOTING, broken("forbid"), broken("forbid_vote", number="8"), broken("decide_proper", number="9"))
    seven, eight, nine = ({"repeal": each} for each in ("7", "8", "9"))
    assert table.refused("ann", "propose", title="x", changes=[seven]) == "E-SCRIPT"
    first = table.propose("ann", seven, nine)
    assert table.refused("ann", "vote", proposal=first, choice="for") == "E-SCRIPT"
    table.adopt(seven, eight, nine)
    table.ok("ann", "state", text="free")
    table.replay_all()


NONSENSE = {
    "text": "'no'", "empty": "''", "number": "5", "zero": "0", "list": "[]", "map": "{'why': 'x'}",
    "verdict": "verdict(False)", "no code": "refuse('')", "true": "True",
}  # fmt: skip
OTHERS = [(hook, "number") for hook in ("forbid_propose", "decide_proper", "decide_may_change")]


@pytest.mark.parametrize(("hook", "nonsense"), [*(("forbid", each) for each in NONSENSE), *OTHERS])
def test_a_guard_that_answers_nonsense_refuses_and_may_be_mended(hook: str, nonsense: str) -> None:
    table = Table(VOTING, rule("7", f"{GUARDS[hook]}\n    return {NONSENSE[nonsense]}"))
    outcome = table.act("ann", "propose", title="x", changes=[PLAIN])
    assert outcome.code == "E-SCRIPT"
    (reason,) = reasons(outcome, "E-SCRIPT")
    assert f"rule 7 failed in its {hook}" in reason["args"]["why"]
    assert "this answer cannot be used: it must be" in reason["args"]["why"]
    table.adopt({"repeal": "7"})
    assert "7" not in table.in_force()


def test_a_permission_that_is_none_permits_nothing_and_a_higher_one_prevails_over_what_fails() -> None:
    for answer, code in (("return 'yes'", "E-TIME"), ("fail('x')", "E-TIME"), ("return permit()", "")):
        refusing = broken("forbid") if not code else rule("7", "def forbid(a):\n    return refuse('E-TIME')")
        outcome = Table(rule("5", f"def permit_go(a):\n    {answer}"), refusing, rule("8", GOING, **GO)).act(
            "ann", "go"
        )
        assert outcome.code == code
        assert ("5", "permit_go") in failed(outcome) or not code


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("def forbid_vote(a):\n    return True", ["`forbid_vote` returns True"]),
        ("def forbid(a):\n    if a.by:\n        return 'no'\n    return None", ["`forbid` returns 'no'"]),
        ("def decide_proper(p):\n    return 5", ["`decide_proper` returns 5"]),
        ("def decide_may_change(p, c):\n    return True", []),
        ("def forbid_vote(a):\n    return 'a' == a.by and refuse('E-ORDER', 'x')", []),
        ("def decide_phase():\n    return 'day'", []),
    ],
)
def test_moot_check_finds_what_is_plainly_nonsense(script: str, found: list[str]) -> None:
    document = rule("7", script)
    told = [p for p in check_script(document, known_in([VOTING, document])) if p.arguments.get("check") == "opinion"]
    assert [(p.code, p.message.partition(",")[0]) for p in told] == [("E-SCRIPT", message) for message in found]


# -- whose act it is


DANCING = """
    def do_dance(a):
        announce("dances: %s" % a.rule)
    def do_lead(a):
        try_act("dance", "bob")
    def on_acted(e):
        announce("%s by %s" % (e.action.name, e.action.rule))
    def forbid_dance(a):
        return None if a.rule else refuse("E-TIME", "nobody dances of themselves")
"""


def test_a_guard_can_tell_what_a_rule_does_from_what_a_player_does(found: Found) -> None:
    table = found(VOTING, rule("10", DANCING, actions={"dance": {}, "lead": {}}))
    assert table.refused("bob", "dance") == "E-TIME"
    assert said(table.ok("ann", "lead")) == ["dances: 10", "dance by 10", "lead by None"]
    by_review = {"forge": "local", "pull": 7, "review": {"rule": "900"}}
    assert "dances: 900" in said(table.judge("dance", "bob", {}, via=by_review))
