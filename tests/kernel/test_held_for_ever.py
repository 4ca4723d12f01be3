"""Table 15: what a rule holds is judged anew, or refused with a reason, as soon as that rule is not what it was."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.support.table import VOTING, Table, rule

DANCING = rule("10", "def do_dance(a):\n    announce(a.by + ' dances')", actions={"dance": {"arguments": {}}})
HOLDING = rule("20", "def forbid_dance(a):\n    return hold('never', 'it is kept')")


def repealed(table: Table) -> object:
    return table.adopt({"repeal": "20"})


def amended(table: Table) -> object:
    return table.adopt({"amend": "20", "script": "def forbid_dance(a):\n    return refuse('E-ORDER', 'no dancing')"})


def suspended(table: Table) -> object:
    return table.ok("root", "suspend", rule="20")


@pytest.mark.parametrize("end", [repealed, suspended])
def test_held_acts_are_judged_when_their_rule_ends(end: Callable[[Table], object]) -> None:
    table = Table(VOTING, DANCING, HOLDING)
    table.ok("ann", "dance")
    table.ok("bob", "dance")
    end(table)
    effects = table.entries[-1]["effects"]
    assert [each["text"] for each in effects if each["effect"] == "announce"] == ["ann dances", "bob dances"]
    assert not table.kernel.documents.find("things/held")
    table.replay_all()


def test_held_acts_are_refused_with_a_reason_by_the_amended_rule() -> None:
    table = Table(VOTING, DANCING, HOLDING)
    held = table.ok("ann", "dance")
    assert held.code == "HELD"
    amended(table)
    told = [reason for reason in table.entries[-1]["reasons"] if reason["code"] == "E-ORDER"]
    assert told == [{"code": "E-ORDER", "rule": "20", "args": {"why": "no dancing", "of": "2"}}]
    assert not table.kernel.documents.find("things/held")


def test_what_another_rule_holds_then_waits_for_that_one() -> None:
    table = Table(VOTING, DANCING, HOLDING, rule("21", "def forbid_dance(a):\n    return hold('other')"))
    table.ok("ann", "dance")
    table.ok("root", "suspend", rule="20")
    assert table.kernel.documents["things/held"]["2"]["rule"] == "21"
    table.ok("root", "suspend", rule="21")
    assert not table.kernel.documents.find("things/held")


def test_held_acts_that_spend_everything_do_not_keep_their_rule_in_force() -> None:
    costly = rule(
        "10",
        """
        def do_dance(a):
            for i in range(90000):
                for j in range(90000):
                    pass
        """,
        actions={"dance": {"arguments": {}}},
    )
    table = Table(VOTING, costly, HOLDING)
    table.ok("ann", "dance")
    table.ok("bob", "dance")
    table.ok("root", "suspend", rule="20")
    assert table.kernel.documents["law"]["rules"]["20"]["suspended"]
    table.pass_time(0, after_deadlines=False)  # one event could not judge both
    assert not table.kernel.documents.find("things/held")
    table.replay_all()
    said = [reason for entry in table.entries[-2:] for reason in entry["reasons"]]
    assert {reason["args"].get("of") for reason in said} >= {"2", "3"}


def test_a_pause_lets_them_wait() -> None:
    table = Table(VOTING, DANCING, HOLDING)
    table.ok("ann", "dance")
    table.ok("root", "pause")
    table.ok("root", "suspend", rule="20")
    assert table.kernel.documents.find("things/held")
    table.ok("root", "resume")
    assert "ann dances" in str(table.entries[-1]["effects"])
