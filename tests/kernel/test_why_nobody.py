"""Issue 9: where nobody could carry out an action, the refusal names each rule that offers it and says why not."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.core.events import Event
from folkmoot.kernel.step import Kernel
from tests.support.table import VOTING, Table, rule

GO: dict[str, Any] = {"actions": {"go": {}}}
BREAKING = "def do_go(a):\n    announce('x')\n    {}['missing']\n"


def why(table: Table, do: str = "go", **event: Any) -> str:
    """Let ann do something that is refused; return the sentence."""
    table.now += 1
    outcome = table.judge(do, "ann", {}, **event)
    assert not outcome.accepted
    (reason,) = [reason for reason in outcome.reasons if reason["code"] == outcome.code]
    return str(reason["args"]["why"])


def test_each_rule_that_offers_the_action_is_named_with_its_reason() -> None:
    table = Table(rule("5", BREAKING, **GO), rule("6", **GO), rule("7", "def do_go(a):\n    pass\n", **GO))
    assert table.ok("ann", "go").accepted, "rule 7 carries it out"
    table.ok("root", "suspend", rule="7", why="it does nothing")
    said = why(table)
    assert said.startswith("no rule could carry out 'go': rule 5 failed in its do_go (line 3 of its script): ")
    assert "; rule 6 declares it, but its script has no do_go: a proposal has to amend it; " in said
    assert "rule 7 sleeps since entry 3 (it does nothing): it runs again once an administrator wakes it" in said
    table.ok("root", "wake", rule="7")
    table.ok("ann", "go")
    assert "asleep_since" not in table.document("law")["rules"]["7"]
    table.replay_all()


def test_who_fell_asleep_or_was_left_out_in_this_very_act_is_named() -> None:
    table = Table(rule("5", "def do_go(a):\n    pass\n", **GO))
    death = {"rule": "5", "hook": "do_go", "how": "ran out of memory"}
    assert "rule 5 is not heard, because the sandbox died in do_go: ran out of memory" in why(table, deaths=(death,))
    assert "rule 5 sleeps since entry 2 (the sandbox died in do_go: ran out of memory)" in why(table)
    slow = {"rule": "5", "hook": "do_go", "why": "ran longer than 10 s"}
    table.ok("root", "wake", rule="5")
    assert "rule 5 was left out of this, because its do_go ran longer than 10 s" in why(table, left_out=(slow,))


def test_ten_rules_make_a_short_sentence() -> None:
    table = Table(*[rule(str(number), BREAKING, **GO) for number in range(5, 15)])
    said = why(table)
    assert said.count("failed in its do_go") == 3
    assert said.endswith("; and 7 more rules did not")
    assert len(said) < 1_000


def test_an_unknown_action_is_answered_by_what_was_meant_or_who_offered_it() -> None:
    table = Table(VOTING, rule("5", "def do_wander(a):\n    pass\n", actions={"wander": {}}))
    assert why(table, "wandr") == "no rule in force offers the action 'wandr'; did you mean 'wander'?"
    table.adopt({"repeal": "5"})
    seq = len(table.entries)
    assert why(table, "wander").endswith(f"; rule 5 did, which was repealed in entry {seq}")
    table.replay_all()


@pytest.mark.parametrize("do", ["go", "wander"])
def test_the_sentence_is_the_same_in_every_process(do: str) -> None:
    table = Table(rule("5", BREAKING, **GO))
    said = why(table, do)
    kernel = Kernel(table.kernel.documents.everything())
    outcome = kernel.apply(Event(seq=9, at=table.now, do=do, by="ann"))
    assert outcome.reasons[-1]["args"]["why"] == said
