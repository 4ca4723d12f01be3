"""Attack on the probe: a law that lets proposals pass but none of their changes is found before it is adopted."""

from __future__ import annotations

import pytest

from folkmoot.scenarios.trial import try_changes
from tests.support.table import VOTING, Record, Table, rule

OTHERS = "[{'retitle': '10', 'to': 'Ever'}]"
EMPTYING = [
    "def on_voting_opened(e):\n    revise(e.proposal, changes = [])\n",
    "def on_voting_opened(e):\n    later('redo', p = e.proposal)\ndef on_redo(e):\n    revise(e.p, changes = [])\n",
    "def on_ballot_cast(e):\n    if e.proposal.changes:\n        revise(e.proposal, changes = [], keep_ballots = True)\n",
    f"def on_voting_opened(e):\n    revise(e.proposal, changes = {OTHERS})\n",
    "def decide_may_change(p, c):\n    return refuse('E-TARGET', 'no') if p.state == 'adopted' else None\n",
]
FITTING = [
    "def on_voting_opened(e):\n    revise(e.proposal, title = e.proposal.title)\n",
    f"def on_voting_opened(e):\n    revise(e.proposal, changes = e.proposal.changes + {OTHERS})\n",
    "def decide_may_change(p, c):\n    return refuse('E-TARGET', 'no') if c.kind == 'repeal' else None\n",
]


def locked(script: str) -> str:
    change: Record = {"enact": {"title": "New", "text": "", "script": script}}
    table = Table(rule("10"), VOTING)
    return try_changes(table.kernel, [change], [], len(table.entries), table.now).locked_out


@pytest.mark.parametrize("script", EMPTYING)
def test_what_passes_and_changes_nothing_is_a_lock_out(script: str) -> None:
    assert locked(script) == "after it, no way was found to adopt even a harmless rule-change"


@pytest.mark.parametrize("script", FITTING)
def test_what_lets_a_change_become_law_is_none(script: str) -> None:
    assert locked(script) == ""
