"""What a law tries before it lets something in opens nothing: no hand, no ballot, by whatever is proposed.

A lock-out probe plays on with a proposal adopted, within the event in which it is made. What is opened in an event stands
in its entry for ever, also where all else of it is undone.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.conftest import FUZZ
from tests.support.sealed_law import GAME
from tests.support.sealed_worlds import SECRET, Law
from tests.support.table import VOTING, Record, Table

TRYING = {
    **VOTING,
    "script": VOTING["script"].replace(
        "open_voting(submit(a.args.title, a.args.changes, a.requests))",
        "p = submit(a.args.title, a.args.changes, a.requests)\n"
        "    why = locks_out(p)\n"
        "    require(not why, 'E-LOCKED-OUT', why)\n"
        "    open_voting(p)",
    ),
}
OPENED = "put('game', 'shown', {'it': reveal(get('ann', 'hand'))})"
TOLD = "announce('%s' % declassify(sealed('same', get('ann', 'hand')), 'to be told'))"
SAME = "def same(x):\n    return x\n\n"
CASES = 400 if FUZZ else 40


def enacted(script: str, **parts: Any) -> Record:
    """Return the change that enacts a rule with a script."""
    return {"enact": {"title": "Tea", "text": "Tea is served.", **parts, "script": script}}


WAYS = {
    "when a rule is enacted": enacted(f"def on_rule_enacted(e):\n    {OPENED}\n"),
    "when it is adopted": enacted(f"def on_proposal_adopted(e):\n    {OPENED}\n", once=True),
    "by a sealed function": enacted(f"{SAME}def on_rule_enacted(e):\n    {TOLD}\n", sealed={"same": "What it is"}),
    "by an act that anybody may try": enacted(f"def do_tea(a):\n    {OPENED}\n", actions={"tea": {}}),
    "at the next vote": enacted(f"def on_ballot_cast(e):\n    {OPENED}\n"),
    "when a timer fires": enacted(
        f"def on_tea(e):\n    {OPENED}\n", timers={"tea": {"every": "day", "summary": "Tea"}}
    ),
    "to somebody": enacted("def on_rule_enacted(e):\n    disclose(get('ann', 'hand'), 'bob')\n"),
}


def dealt(*rules: Record) -> Table:
    """Return a game in which cards are dealt, and what is proposed is tried."""
    table = Table(GAME, *rules)
    table.ok("ann", "deal")
    return table


@pytest.mark.threat("T-82")
@pytest.mark.parametrize("way", WAYS)
def test_what_is_only_proposed_opens_nothing(way: str) -> None:
    table = dealt(TRYING)
    outcome = table.ok("bob", "propose", title="Tea", changes=[WAYS[way]])
    assert outcome.sealed == []
    assert outcome.confided == []
    table.replay_all()


def test_an_order_that_looks_into_a_hand_can_be_proposed_and_adopted() -> None:
    table = dealt(TRYING)
    changes = [WAYS["when it is adopted"]]
    table.adopt(*changes)
    assert len(table.get("game", "shown")["it"]) == 2
    table.replay_all()


@pytest.mark.threat("T-82")
def test_a_probe_sees_through_sealed_ballots_and_opens_none() -> None:
    table = dealt(TRYING, SECRET)
    table.propose("ann", enacted(""))
    for player in ("ann", "bob"):
        table.ok(player, "vote", proposal=901, choice="for")
    locking = enacted("def forbid(a):\n    return refuse('E-NO', 'nobody does anything any more')\n")
    outcome = table.act("cid", "propose", title="The end", changes=[locking])
    assert (outcome.accepted, outcome.code) == (False, "E-LOCKED-OUT")
    assert outcome.sealed == []
    assert table.ok("cid", "propose", title="Tea", changes=[enacted("")]).sealed == []
    table.replay_all()


@pytest.mark.threat("T-82")
@pytest.mark.parametrize("seed", range(CASES))
def test_whatever_is_proposed_opens_nothing(seed: int) -> None:
    """Rules made of random lines, which reveal, declassify and disclose, are enacted at once or by their timers."""
    given = Law(Random(seed)).rule()
    table = Table(given, TRYING)
    table.ok("ann", "deal")
    other = Law(Random(f"other {seed}")).rule()
    script = other["script"].replace("def on_told(e):", "def on_rule_enacted(e):")
    parts = {name: other[name] for name in ("sealed", "timers", "actions")}
    outcome = table.act("bob", "propose", title="Tea", changes=[enacted(script, **parts)])
    assert outcome.sealed == []
    table.replay_all()
