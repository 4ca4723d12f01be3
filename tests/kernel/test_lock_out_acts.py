"""Language W10: the lock-out probe tries every act, whatever it is called, and undoes those by which something is given up."""

from __future__ import annotations

from typing import Any

import pytest

from folkmoot.scenarios.trial import try_changes
from tests.support.table import Table, rule

SCRIPT = """
def do_sow(a):
    submit(a.args.title, a.args.changes)

def do_dissolve(a):
    destroy(a.by)

def do_unsow(a):
    for p in proposals("pending"):
        resolve(p, "withdrawn")

def do_unseat(a):
    put(office("beadle"), "holder", None)

def do_water(a):
    require(holds(a.by, "beadle"), "E-NOT-OFFICE")
    for p in proposals("pending"):
        open_voting(p)

def on_founded(e):
    put(office("beadle"), "holder", "cid")

def decide_closed(p):
    return len(p.ballots) == len(p.electorate)

def decide_adopted(p):
    return ballots(p, "for") > 1
"""
TAKEN = {"arguments": {"title": {"type": "text", "optional": True}, "changes": {"type": "changes"}}}
ACTS: tuple[str, ...] = ("dissolve", "unsow", "unseat", "water")
LOCKS: Any = {"enact": {"title": "New", "text": "", "script": "def forbid_water(a):\n    return refuse('E-TIME')\n"}}
HARMLESS: Any = {"enact": {"title": "New", "text": "", "script": "def on_stated(e):\n    announce('x')\n"}}


def locked_out(change: Any, acts: tuple[str, ...]) -> str:
    law = rule("1", SCRIPT, defines={"offices": {"beadle": {}}}, actions={"sow": TAKEN, **{name: {} for name in acts}})
    table = Table(law)
    return try_changes(table.kernel, [change], [], len(table.entries), table.now).locked_out


@pytest.mark.parametrize("acts", [ACTS, ACTS[::-1]])
def test_acts_that_give_something_up_hide_no_lock_and_make_none(acts: tuple[str, ...]) -> None:
    assert locked_out(HARMLESS, acts) == ""
    assert "no way was found" in locked_out(LOCKS, acts)
