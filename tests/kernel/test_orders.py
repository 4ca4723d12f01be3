"""What acts once: adoption carries it out under the proposal's name, and it never becomes law."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.scenarios.trial import rehearse, try_changes
from tests.support.meeting import GAME
from tests.support.quick import QuickMeeting
from tests.support.table import VOTING, Found, Table, effects, reasons, rule

PURSE = rule("1", defines={"currencies": {"coins": {}}})


def order(script: str, **parts: Any) -> dict[str, Any]:
    text = f"def on_proposal_adopted(e):\n    {script}\n"
    return {"enact": {"title": "A gift", "once": True, "script": text, **parts}}


GIFT = order('award("bob", "coins", 5, why = e.proposal.title)')


def test_l11_an_order_acts_once_and_is_no_law(found: Found) -> None:
    table = found(VOTING, PURSE)
    outcome = table.adopt(GIFT, {"enact": {"title": "Law"}})
    award = effects(outcome, "award")[0]
    assert (award["of"], award["applied"], award["rule"]) == ("bob", 5, "proposal/901")
    assert effects(outcome, "order") == [{"effect": "order", "of": "proposal/901", "title": "A gift"}]
    assert table.in_force() == ["1", "900", "901"]
    table.adopt({"enact": {"title": "More"}})
    assert table.get("bob", "coins") == 5


LONG = "for n in range(99999):\n        for m in range(99999):\n            pass"
ENDS = {
    "fail('no')": "E-SCRIPT",
    "require(False, 'E-STATUS', 'not now')": "E-STATUS",
    LONG: "E-BUDGET",
    "me()": "E-SCRIPT",
}


@pytest.mark.parametrize(("ends", "code"), ENDS.items())
def test_l11_an_order_that_fails_is_left_out_whole_with_its_reason(found: Found, ends: str, code: str) -> None:
    table = found(VOTING, PURSE)
    outcome = table.adopt(order(f'award("bob", "coins", 5)\n    {ends}'), {"enact": {"title": "Law"}})
    assert table.get("bob", "coins") == 0
    assert "901" in table.in_force()
    assert reasons(outcome, code)[0]["args"]["of"] == "proposal/901"
    assert effects(outcome, "omit")[0]["of"] == "proposal/901"
    assert table.proposal(901)["omitted"][0]["change"] == 0


@pytest.mark.parametrize(
    "change",
    [
        {"enact": {"title": "x", "once": True}},
        {"enact": {"title": "x", "once": True, "script": "def on_tick(e):\n    pass\n"}},
        {"enact": {"title": "x", "once": False, "script": "def on_proposal_adopted(e):\n    pass\n"}},
        {"enact": {"title": "x", "once": 1, "script": "def on_proposal_adopted(e):\n    pass\n"}},
        order("pass", actions={"go": {}}),
        order("pass", timers={"go": {"every": "day"}}),
        {"amend": "1", "once": True},
        {"amend": "1", "once": True, "script": "def on_proposal_adopted(e):\n    pass\n"},
    ],
)
def test_l11_what_is_no_order_is_refused(found: Found, change: dict[str, Any]) -> None:
    assert found(VOTING, PURSE).refused("ann", "propose", title="x", changes=[change]) == "E-ARGS"


def test_l11_previews_trials_and_the_lock_out_probe_run_it() -> None:
    table = Table(VOTING, PURSE)
    told = rehearse(table.kernel, [GIFT], "Gift", "ann", table.now)
    assert [effect["applied"] for effect in told.effects if effect["effect"] == "award"] == [5]
    assert table.get("bob", "coins") == 0
    locking = order('repeal("900")')
    assert "no way was found" in rehearse(table.kernel, [locking], "x", "ann", table.now).locked_out
    assert [e["effect"] for e in try_changes(table.kernel, [GIFT], [], 9, table.now).effects] == ["award", "order"]


def test_l11_by_a_pull_request_it_is_a_file_of_a_rule_with_once(tmp_path: Path) -> None:
    meeting = QuickMeeting(tmp_path)
    script = '  def on_proposal_adopted(e):\n      award("bob", "score", 7)\n'
    pull = meeting.open("ann", {"rules/gift.yaml": f"title: A gift\nonce: true\nscript: |\n{script}".encode()})
    meeting.referee(60)
    said = meeting.said(pull)
    assert "orders something that is done once and never becomes law" in said
    for who in ("ann", "bob", "cid", "dee"):
        meeting.approve(who, pull)
    meeting.referee(60)
    assert meeting.scores()["bob"] == 7
    assert not meeting.document("rules/301")
    assert f"state/{GAME}/rules/gift.yaml" not in str(list(meeting.game().entries())[-1])
    assert "The order of proposal 301 is carried out: A gift" in meeting.said(pull)
    assert meeting.sound()
