"""Language W10: the lock-out probe waits as long as the budget lasts, votes by the law's words, knows its outcomes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.lock_out import ALL, CHANGE, PROPOSING, SOWING, locked_out
from tests.support.table import rule

SLOW = rule(
    "1",
    f"""{SOWING}
def on_bell(e):
    add("game", "bells", 1)
    for p in proposals():
        if p.state == "open" and get("game", "bells") % 40 == 0:
            close_voting(p)

def decide_adopted(p):
    return ballots(p, "for") > 0
""",
    defines={"game": {"bells": {"type": "integer", "initial": 0}}},
    timers={"bell": {"every": "hour"}},
    **PROPOSING,
)
OWN_WORDS = rule(
    "1",
    f"""{SOWING}{ALL}
def decide_choices(p):
    return ["leave it", "cut it down", "let it grow"]

def decide_adopted(p):
    return ballots(p, "let it grow") > 1
""",
    **PROPOSING,
)
OWN_OUTCOME = rule(
    "1",
    f"""{SOWING}{ALL}
def on_voting_closed(e):
    resolve(e.proposal, "ripe" if ballots(e.proposal, "for") > 1 else "rotten")
""",
    defines={"outcomes": {"ripe": {"effective": True}, "rotten": {}}},
    **PROPOSING,
)
LOCKS: Any = {"enact": {"title": "New", "text": "", "script": "def forbid_sow(a):\n    return refuse('E-TIME')\n"}}


@pytest.mark.parametrize("law", [SLOW, OWN_WORDS, OWN_OUTCOME], ids=["slow", "own words", "own outcome"])
def test_no_wolf_is_cried(law: dict[str, Any]) -> None:
    assert locked_out(CHANGE, law, rule("2")) == ""
    assert locked_out(LOCKS, law, rule("2")) == "after it, no way was found to adopt even a harmless rule-change"


def test_an_amendment_is_known_as_law_by_an_outcome_of_the_laws_own() -> None:
    """Where nothing new may be enacted, an amendment of what has no mechanics must do."""
    only = rule("3", "def decide_may_change(p, c):\n    return refuse('E-TARGET') if c.kind == 'enact' else None")
    assert locked_out({"amend": "3", "title": "Only amendments"}, OWN_OUTCOME, rule("2"), only) == ""
