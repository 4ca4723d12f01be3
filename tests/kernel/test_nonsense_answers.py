"""Language W1: a guard that answers nonsense has failed: it refuses what it guards, as one that crashes does."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.scenarios.known_names import known_in
from folkmoot.scenarios.script_check import check_script
from tests.support.table import VOTING, Table, failed, reasons, rule

GUARDS = {
    "forbid": "def forbid(a):",
    "forbid_propose": "def forbid_propose(a):",
    "decide_proper": "def decide_proper(p):",
    "decide_may_change": "def decide_may_change(p, c):",
}
NONSENSE = {
    "text": "'no'", "empty": "''", "number": "5", "zero": "0", "list": "[]", "map": "{'why': 'x'}",
    "verdict": "verdict(False)", "no code": "refuse('')", "true": "True",
}  # fmt: skip
SENSE = {"none": "None", "false": "False", "permit": "permit()", "true": "True"}


def cases() -> list[tuple[str, str]]:
    """Return every nonsense of one guard, and some of it of each other."""
    return [("forbid", nonsense) for nonsense in NONSENSE] + [
        (guard, nonsense) for guard in GUARDS if guard != "forbid" for nonsense in ("text", "number", "verdict")
    ]


@pytest.mark.parametrize(("hook", "nonsense"), cases())
def test_a_guard_that_answers_nonsense_refuses_and_may_be_mended(hook: str, nonsense: str) -> None:
    table = Table(VOTING, rule("7", f"{GUARDS[hook]}\n    return {NONSENSE[nonsense]}"))
    outcome = table.act("ann", "propose", title="x", changes=[{"enact": {"title": "New"}}])
    assert outcome.code == "E-SCRIPT"
    (reason,) = reasons(outcome, "E-SCRIPT")
    assert f"rule 7 failed in its {hook}" in reason["args"]["why"]
    assert "this answer cannot be used: it must be" in reason["args"]["why"]
    assert ("7", hook) in failed(outcome)
    table.adopt({"repeal": "7"})
    assert "7" not in table.in_force()
    table.replay_all()


@pytest.mark.parametrize("sense", SENSE)
@pytest.mark.parametrize("hook", ["forbid", "forbid_propose"])
def test_what_is_no_opinion_permits(hook: str, sense: str) -> None:
    if sense != "true":
        table = Table(VOTING, rule("7", f"{GUARDS[hook]}\n    return {SENSE[sense]}"))
        assert not table.ok("ann", "propose", title="x", changes=[{"enact": {"title": "New"}}]).failures


@pytest.mark.parametrize("hook", ["decide_proper", "decide_may_change"])
def test_yes_and_no_are_answers(hook: str) -> None:
    for answer, accepted in (("True", True), ("None", True), ("False", False), ("refuse('E-ORDER')", False)):
        table = Table(VOTING, rule("7", f"{GUARDS[hook]}\n    return {answer}"))
        outcome = table.act("ann", "propose", title="x", changes=[{"enact": {"title": "New"}}])
        assert (outcome.accepted, outcome.failures) == (accepted, [])


def test_a_permission_that_is_nonsense_permits_nothing_and_is_noted() -> None:
    go: dict[str, Any] = {"actions": {"go": {}}}
    table = Table(rule("5", "def permit_go(a):\n    return 'yes'"), rule("6", "def forbid(a):\n    return refuse('E-TIME')"),
                  rule("8", "def do_go(a):\n    announce('went')", **go))  # fmt: skip
    outcome = table.act("ann", "go")
    assert outcome.code == "E-TIME"
    assert ("5", "permit_go") in failed(outcome)


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("def forbid_vote(a):\n    return True", ["`forbid_vote` returns True"]),
        ("def forbid(a):\n    if a.by:\n        return 'no'\n    return None", ["`forbid` returns 'no'"]),
        ("def decide_proper(p):\n    return 5", ["`decide_proper` returns 5"]),
        ("def decide_may_change(p, c):\n    return True", []),
        ("def forbid_vote(a):\n    return refuse('E-ORDER', 'x')", []),
        ("def forbid_vote(a):\n    return 'a' == a.by and refuse('E-ORDER', 'x')", []),
        ("def decide_phase():\n    return 'day'", []),
    ],
)
def test_moot_check_finds_what_is_plainly_nonsense(script: str, found: list[str]) -> None:
    document = rule("7", script)
    problems = check_script(document, known_in([VOTING, document]))
    assert [p.message.partition(",")[0] for p in problems if p.arguments.get("check") == "opinion"] == found
    assert all(p.code == "E-SCRIPT" for p in problems if p.arguments.get("check") == "opinion")
