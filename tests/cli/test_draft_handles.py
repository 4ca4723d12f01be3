"""Language L4: commands call a draft by its handle, and by its number as soon as it has one."""

from __future__ import annotations

import json

from tests.support.moot import Moot

CHANGES = 'changes=[{"enact":{"title":"Dragon","text":"Roar."}}]'
PEOPLE = ("-p", "ann", "-p", "bob", "--administrator", "ann", "--at", "2026-01-05T12:00:00Z")


def test_status_and_explain_call_it_by_its_number(moot: Moot) -> None:
    assert moot("new", "hall", "-r", "assembly", *PEOPLE).code == 0
    assert moot("act", "--by", "ann", "propose", "title=Dragon", CHANGES, "--at", "2026-01-05T13:00:00Z").code == 0
    assert "Proposal x2: Dragon (ann)" in moot("status").out
    assert moot("explain", "proposal", "x2").out.startswith("Proposal x2: Dragon (ann), pending")
    assert moot("act", "--by", "bob", "--as", "herald", "distribute", "--at", "2026-01-05T14:00:00Z").code == 0
    said = moot("status").out
    assert "Proposal 1: Dragon (ann)" in said
    assert "x2" not in said
    moot("act", "--by", "ann", "vote", "choice=FOR", "proposal=1", "--at", "2026-01-05T15:00:00Z")
    for named in ("1", "x2"):
        assert moot("explain", "proposal", named).out.startswith("Proposal 1: Dragon (ann), open")
        assert moot("explain", "ballot", named, "ann").out.startswith("ann's ballot on proposal 1:")
    assert [each["number"] for each in json.loads(moot("status", "--json").out)["open"]] == [1]
