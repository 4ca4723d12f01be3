"""Of what a forge notifies players, who maintains, and when one is reminded: acts that every game has."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.table import START, Found, rule


def test_a_player_says_of_what_e_is_notified(found: Found) -> None:
    table = found(rule("1"))
    for word in ("off", "reminders", "all"):
        outcome = table.ok("ann", "notify", mentions=word)
        assert table.document("roster")["ann"]["mentions"] == word
        assert outcome.effects == [{"effect": "notify", "of": "ann", "to": word}]
    assert table.refused("ann", "notify", mentions="never") == "E-ARGS"
    assert table.refused("ann", "notify") == "E-ARGS"
    assert table.refused("zed", "notify", mentions="off") == "E-NOT-PLAYER"


def test_nobody_joins_with_a_wish_of_the_engines_own(found: Found) -> None:
    assert found(rule("1")).refused("dan", "join", attributes={"mentions": "off"}) == "E-ARGS"


def test_administrators_name_maintainers_and_reminders(found: Found) -> None:
    table = found(rule("1"))
    table.ok("root", "maintain", maintainers="ann, github:12,ann")
    assert table.document("game")["maintainers"] == ["ann", "github:12"]
    table.ok("root", "maintain")
    assert table.document("game")["maintainers"] is None
    assert table.refused("ann", "maintain", maintainers=["ann"]) == "E-NOT-ADMINISTRATOR"
    assert table.refused("root", "maintain", maintainers=["nobody"]) == "E-NO-SUCH"
    table.ok("root", "remind", hours=0)
    assert table.document("game")["reminders"] == 0
    assert table.refused("root", "remind", hours=-1) == "E-ARGS"
    assert table.refused("root", "remind", hours=721) == "E-ARGS"


def test_a_founding_may_say_both(found: Found) -> None:
    table = found(rule("1"), maintainers=["root", "bob"], reminders=6)
    assert table.document("game")["maintainers"] == ["root", "bob"]
    assert table.document("game")["reminders"] == 6


@pytest.mark.parametrize("given", [{"maintainers": ["nobody"]}, {"reminders": "soon"}, {"reminders": 10_000}])
def test_a_founding_that_says_nonsense_is_refused(found: Found, given: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        found(rule("1"), **given)


def test_a_duty_keeps_since_when_it_is_owed_and_why_while_it_stays_the_same(found: Found) -> None:
    law = rule(
        "1",
        "def do_go(a):\n    owe('bob', a.args.what, key = 'k')\n",
        actions={"go": {"arguments": {"what": {"type": "text"}}}},
    )
    table = found(law)
    table.ok("ann", "go", what="vote")
    first = table.document("things/duty")["k"]
    table.ok("bob", "go", what="vote")
    assert table.document("things/duty")["k"] == first
    assert (first["since"], first["cause"]) == (START, "ann")
    table.ok("bob", "go", what="vote twice")
    assert table.document("things/duty")["k"]["cause"] == "bob"
