"""Language W1: a guard that fails refuses what it guards, names its rule, and never stands in the way of its mending."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.scenarios.scenario import Failed, run_scenario
from folkmoot.scenarios.trial import try_changes
from tests.support.guards import GO, GOING, PLAIN
from tests.support.table import VOTING, Table, failed, reasons, rule

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
    "too long": "    for i in range(60000):\n        now()",
    "unreadable": "    return lambda: 1",
}


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


def test_acts_of_administrators_run_without_it() -> None:
    table = Table(VOTING, broken("forbid"), broken("decide_law_for", number="8"))
    table.ok("root", "suspend", rule="7", why="faulty")
    table.ok("root", "repair", changes=[{"repeal": "8"}], why="faulty")
    table.ok("ann", "state", text="free")


def test_a_permission_that_fails_permits_nothing() -> None:
    table = Table(rule("5", "def permit_go(a):\n    fail('x')"), rule("6", "def forbid(a):\n    return refuse('E-TIME')"),
                  rule("8", GOING, **GO))  # fmt: skip
    assert table.refused("ann", "go") == "E-TIME"


def test_a_higher_permission_still_prevails() -> None:
    table = Table(rule("5", "def permit_go(a):\n    return permit()"), broken("forbid"), rule("8", GOING, **GO))
    table.ok("ann", "go")


def test_a_change_that_a_failing_guard_was_asked_about_is_left_out() -> None:
    fails_later = rule("7", "def decide_may_change(p, c):\n    if p.state == 'adopted':\n        fail('x')")
    table = Table(VOTING, fails_later, rule("9"))
    assert reasons(table.adopt({"repeal": "9"}), "E-SCRIPT")[0]["rule"] == "7"
    assert "9" in table.in_force()
    table.adopt({"repeal": "7"})
    assert "7" not in table.in_force()
    table.replay_all()


@pytest.mark.parametrize("hook", GUARDS)
@pytest.mark.sampled(3)
def test_the_lock_out_probe_knows_that_it_can_be_mended(hook: str) -> None:
    table = Table(VOTING)
    change: Any = {"enact": {"title": "New", "text": "", "script": f"{GUARDS[hook]}\n    fail('x')\n"}}
    assert try_changes(table.kernel, [change], [], len(table.entries), table.now).locked_out == ""
    table = Table(VOTING)
    shut: Any = {"enact": {"title": "New", "text": "", "script": "def forbid(a):\n    return refuse('E-TIME')\n"}}
    assert try_changes(table.kernel, [shut], [], len(table.entries), table.now).locked_out != ""


LAW: dict[str, Any] = {"rules": [rule("4", "def on_stated(e):\n    fail('x')")], "players": [{"id": "ann"}]}
SAYS: dict[str, Any] = {"ruleset": "", "steps": [{"by": "ann", "do": "state", "args": {"text": "x"}}]}


def test_a_scenario_fails_on_a_failure_that_nobody_claims() -> None:
    with pytest.raises(Failed, match=r'on_stated.*claim {failure: "4"}'):
        run_scenario(SAYS, lambda _name: LAW)
    with pytest.raises(Failed, match="on_stated"):
        run_scenario({**SAYS, "expect": [{"failure": "4", "hook": "on_stated"}, {"failure": "5"}]}, lambda _name: LAW)
    run_scenario({**SAYS, "expect": [{"failure": "4"}]}, lambda _name: LAW)
    run_scenario({**SAYS, "expect": [{"failure": "4", "hook": "on_stated"}]}, lambda _name: LAW)


def test_what_fails_only_in_the_probe_is_on_no_record() -> None:
    probing = rule("3", "def do_try(a):\n    p = submit('x', a.args.changes)\n    locks_out(p)",
                   actions={"try": {"arguments": {"changes": {"type": "changes"}}}})  # fmt: skip
    table = Table(VOTING, probing, rule("4", "def on_acted(e):\n    pass"), rule("5", "def on_acted(e):\n    pass"))
    change = {"enact": {"title": "New", "script": "def decide_prevails(a, b):\n    return [][1]\n"}}
    assert failed(table.ok("ann", "try", changes=[change])) == []
