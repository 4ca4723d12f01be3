"""Trials in the judge's process: what adopting would do, of which nothing stays."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import dedent
from typing import Any

import pytest

from folkmoot.core.events import Event
from folkmoot.sandbox.client import Sandbox
from tests.support.bench import Pool
from tests.support.table import START, VOTING, rule

TAXES = rule(
    "7",
    """
    def on_proposal_adopted(e):
        award(e.proposal.author, "score", 10)
    def decide_may_change(p, c):
        if c.rule != None and c.rule.uid == "7":
            return refuse("E-TARGET", "taxes stay")
    def show_wealth():
        return [paragraph(str(get("ann", "score")))]
    """,
    defines={"currencies": {"score": {}}},
)
GAME = {"rules": [VOTING, TAXES], "players": [{"id": "ann"}, {"id": "bob"}], "administrators": ["root"]}
DRAGON = {
    "enact": {"title": "Dragon", "text": "Roar.", "actions": {"roar": {}}, "script": "def do_roar(a):\n    pass\n"}
}


@pytest.fixture
def judge(judges: Pool) -> Iterator[Sandbox]:
    with judges.lend() as judge:
        assert judge.apply(Event(seq=1, at=START, do="found", with_=GAME)).outcome.accepted
        yield judge


def trial(judge: Sandbox, *changes: Any, **more: Any) -> dict[str, Any]:
    before = dict(judge.documents())
    told = judge.trial(list(changes), "A title", **{"author": "ann", "now": START, **more})
    assert dict(judge.documents()) == before
    return told


def kinds(told: dict[str, Any]) -> list[str]:
    return [effect["effect"] for effect in told["effects"]]


def test_a_trial_tells_effects_actions_and_pages_and_leaves_nothing(judge: Sandbox) -> None:
    told = trial(judge, DRAGON)
    assert told["proposing"] == {"do": "propose", "ok": True}
    assert (told["proper"]["ok"], told["number"], told["adopted"], told["locked_out"]) == (True, 901, True, "")
    assert told["opened"]
    assert kinds(told) == ["resolve", "enact", "award"]
    assert (told["new_actions"], told["lost_actions"], told["failures"]) == (["roar"], [], [])
    assert told["pages"] == [{"name": "wealth", "title": "Rule 7", "rule": "7", "change": "changed"}]
    assert judge.apply(
        Event(seq=2, at=START, do="propose", by="ann", with_={"title": "x", "changes": [DRAGON]})
    ).outcome.accepted


def test_a_change_that_may_not_be_made_is_told_with_its_rule(judge: Sandbox) -> None:
    told = trial(judge, {"repeal": "7"})
    no = {"ok": False, "code": "E-TARGET", "why": "taxes stay", "rule": "7"}
    assert (told["proper"], told["proposing"]) == (no, {"do": "propose", **no})
    assert [reason["code"] for reason in told["reasons"]] == ["E-TARGET"]
    assert kinds(told) == ["resolve", "omit", "award"]


def test_what_is_no_change_and_who_cannot_propose_are_told(judge: Sandbox) -> None:
    """Strangers see what it would do all the same."""
    for change in ({"repeal": "404"}, {"amend": "7", "text": 7}, {"nothing": "7"}, 7):
        told = trial(judge, change)
        assert (told["proper"]["ok"], bool(told["proper"]["why"]), told["effects"]) == (False, True, [])
    told = trial(judge, DRAGON, author="zed")
    assert told["proposing"]["code"] == "E-NOT-PLAYER"
    assert (told["proper"]["ok"], told["number"], kinds(told)[:2]) == (True, 901, ["resolve", "enact"])
    assert trial(judge, DRAGON, author=None)["proposing"] is None


def test_a_proposal_that_was_taken_in_is_tried_with_its_own_ballots_also_in_a_paused_game(judge: Sandbox) -> None:
    judge.apply(Event(seq=2, at=START, do="propose", by="ann", with_={"title": "x", "changes": [DRAGON]}))
    told = trial(judge, proposal="proposal/901")
    assert (told["proposing"], told["number"], told["new_actions"]) == (None, 901, ["roar"])
    assert trial(judge, proposal="proposal/77")["proper"]["code"] == "E-NO-SUCH"
    judge.apply(Event(seq=3, at=START, do="pause", by="root"))
    assert trial(judge, DRAGON)["proposing"]["ok"], "as when it goes on"


@pytest.mark.threat("T-25")
def test_locking_everybody_out_is_seen_and_winning_ends_the_trial_alone(judge: Sandbox) -> None:
    told = trial(judge, {"repeal": "900"})
    assert told["locked_out"] == "after it, no way was found to adopt even a harmless rule-change"
    assert told["lost_actions"] == ["propose"]
    told = trial(judge, enacting("def on_rule_enacted(e):\n    win('bob')\n"))
    assert (kinds(told)[-1], told["adopted"]) == ("win", True)


def enacting(script: str) -> dict[str, Any]:
    return {"enact": {"title": "X", "script": script}}


def test_scripts_that_would_fail_or_spend_the_budget_are_told(judge: Sandbox) -> None:
    told = trial(judge, enacting("def on_rule_enacted(e):\n    put('nobody', 'x', 1)\ndef show_x():\n    fail('no')\n"))
    assert [(f["rule"], f["hook"]) for f in told["failures"]] == [("901", "on_rule_enacted")]
    assert [(p["name"], p["change"]) for p in told["pages"]] == [("wealth", "changed"), ("x", "failing")]
    told = trial(judge, enacting("def on_rule_enacted(e):\n    for i in range(6000):\n        announce('x')\n"))
    assert told["adopted"]
    assert any(failure["rule"] == "901" for failure in told["failures"])


def test_a_judge_that_dies_is_told_as_a_sentence_and_another_goes_on(judge: Sandbox) -> None:
    told = trial(judge, enacting("def on_rule_enacted(e):\n    x = ['a' * 100000] * 1000000 * 1000\n"))
    assert set(told) == {"died"}
    assert told["died"].startswith("the sandbox ended by SIG")
    assert told["died"].endswith("in a rule that this would make (on_rule_enacted)")
    assert trial(judge, DRAGON)["adopted"]


@pytest.mark.threat("T-53")
@pytest.mark.parametrize(
    ("timers", "seconds", "loops", "warned"),
    [(1000, 60, 1, True), (1000, 3600, 100_000, False), (3, 60, 100_000, False)],
)
def test_timers_that_would_keep_a_processor_busy_are_warned_of(
    judge: Sandbox, timers: int, seconds: int, loops: int, warned: bool
) -> None:
    script = f"""
    def on_rule_enacted(e):
        for i in range({timers}):
            every({seconds}, "beat", key = "beat/%d" % i)
    def on_beat(e):
        for i in range({loops}):
            pass
    """
    told = trial(judge, {"enact": {"title": "Clockwork", "text": "Tick.", "script": dedent(script)}})
    assert ["as much work a day as" in sentence for sentence in told["later"]] == [True] * warned


HEAVY = """
def on_rule_enacted(e):
    for i in range(18):
        after(DAY * (i + 1), "bell", key = "bell/%d" % i)

def on_bell(e):
    for i in range(4000):
        now()
"""


def test_what_is_not_tried_hangs_on_work_and_is_told(judge: Sandbox) -> None:
    """Nothing of it hangs on seconds: the same is tried, and the same work is done, however busy the machine is."""
    changes = [{"enact": {"title": "Bells", "text": "x", "script": HEAVY}}]
    judge.most_foreseen /= 10
    took, told = [], []
    for _ in range(2):
        before = judge.work
        told.append(judge.foresee(changes, START))
        took.append(round(judge.work - before, 6))
    assert told[0] == told[1]
    assert took[0] == took[1] > judge.most_foreseen
    assert not told[0]["breaks"]
    (untried,) = told[0]["later"]
    assert untried.startswith("not tried: the timer 'bell/")
    assert untried.endswith("', the referee will")
    judge.most_foreseen = 20.0
    assert judge.foresee(changes, START)["later"] == []
