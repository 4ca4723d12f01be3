"""Limits on a person are told before they bite, and hold back neither votes nor what is owed nor what is accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.core.limits import LIMITS
from folkmoot.forges.cache.forge_cache import ForgeCache
from tests.support.quick import FORGE, SMALL, QuickMeeting
from tests.support.table import rule as made_rule

LIMIT = LIMITS["refused_acts_a_day"].default
OWING = made_rule(
    "4",
    """
    def on_stated(e):
        if e.text == "owe":
            owe("bob", "consent to the turn of eve", do = "consent")

    def do_consent(a):
        require(get("game", "open_gate") == 1, "E-ORDER", "the gate is closed")
    """,
    defines={"game": {"open_gate": {"type": "integer", "initial": 0}}},
    actions={"consent": {}},
)


@pytest.fixture
def quick(tmp_path: Path) -> QuickMeeting:
    return QuickMeeting(tmp_path, law={**SMALL, "rules": [*SMALL["rules"], OWING]})


def refuse(quick: QuickMeeting, times: int) -> None:
    for number in range(times):
        quick.say("bob", 0, f"/give to=ann amount={99 + number}")
    quick.referee(60)


@pytest.mark.threat("T-60")
def test_a_limit_is_told_before_it_bites_and_when_it_does(quick: QuickMeeting) -> None:
    refuse(quick, 39)
    assert "refused acts that bob has a day" not in quick.said(0)
    refuse(quick, 1)
    assert "40 of the 50 refused acts that bob has a day are used" in quick.said(0)
    refuse(quick, 11)
    assert "all 50 refused acts that bob has a day are used" in quick.said(0)
    assert "this is answered only" in quick.said(0)


@pytest.mark.threat("T-60")
def test_whoever_is_at_the_limit_still_votes_proposes_and_does_what_the_rules_accept(quick: QuickMeeting) -> None:
    pull = quick.propose("ann", "A dragon")
    refuse(quick, LIMIT + 5)
    quick.say("bob", pull, "/vote for")
    quick.approve("cid", pull)
    mine = quick.propose("bob", "Mine")
    quick.say("bob", 0, "/do state text=here")
    quick.referee(60)
    done = [(entry.get("by"), entry["do"]) for entry in quick.journal() if not entry.get("code")]
    assert {("bob", "vote"), ("bob", "propose"), ("bob", "state")} <= set(done)
    assert quick.proposal(302)["via"]["pull"] == mine


@pytest.mark.threat("T-60")
def test_votes_what_is_owed_and_administrators_count_nothing(quick: QuickMeeting) -> None:
    quick.say("bob", 0, "/do state text=owe")
    quick.referee(60)
    for who, body in (("bob", "/do consent"), ("bob", "/vote for proposal=999"), ("ann", "/give to=bob amount=9")):
        for _ in range(LIMIT + 3):
            quick.say(who, 0, body)
    assert quick.referee(60).more  # it is more than one person's share of a run
    quick.referee(60)
    refused = [(entry["by"], entry["do"]) for entry in quick.journal() if entry.get("code")]
    assert [refused.count(each) for each in (("bob", "consent"), ("bob", "vote"), ("ann", "give"))] == [LIMIT + 3] * 3
    assert "refused today" not in quick.said(0)


@pytest.mark.threat("T-60")
def test_typing_errors_are_answered_not_recorded_and_have_a_bound_of_their_own(quick: QuickMeeting) -> None:
    slips = ("/giev to=ann", "/give to=ann ammount=1", "/give to=ann amount=much", "/do nothing", "/vote")
    for body in slips:
        quick.say("bob", 0, body)
    before = len(quick.journal())
    quick.referee(60)
    assert len(quick.journal()) == before
    told = "did you mean /give|did you mean amount|is a whole number|no action nothing|needs a choice".split("|")
    assert [words for words in told if words not in quick.said(0)] == []
    for number in range(LIMITS["typing_errors_a_day"].default):
        quick.say("bob", 0, f"/wrong{number}")
    quick.referee(60)
    assert "all 100 errors of form that bob has a day are used" in quick.said(0)
    quick.say("bob", 0, "/do state text=fine")
    quick.referee(60)
    assert quick.journal()[-1]["with"] == {"text": "fine"}


@pytest.mark.threat("T-61")
def test_what_became_of_everything_lies_where_its_author_finds_it(quick: QuickMeeting) -> None:
    """Refused, void, a stranger's, a proposal that is not taken in: each with its reason, beside the forge's own refs."""
    quick.say("bob", 0, "/give to=ann amount=99")
    quick.say("bob", 0, "/wrong")
    quick.say("zed", 0, "/do state text=hello")
    pull = quick.propose("ann", "A dragon")
    quick.say("zed", pull, "/vote for")
    stranger = quick.propose("zed", "Mine")
    quick.referee(60)
    seen = ForgeCache(quick.repo, quick.tip(FORGE))

    def told(person: str) -> list[tuple[str, str, str]]:
        return [(r.place, r.state, r.code) for r in seen.answers(f"{person}@x.org")]

    assert [each[:2] for each in told("bob")] == [("thread", "refused"), ("thread", "void")]
    assert ("thread", "void", "E-NOT-PLAYER") in told("zed")
    assert (f"pull {pull}", "void", "E-NOT-PLAYER") in told("zed") or (f"pull {pull}", "waiting", "") in told("zed")
    assert (f"pull {stranger}", "void", "E-NOT-PLAYER") in told("zed")
    assert told("ann") == [(f"pull {pull}", "recorded", "")]
    for person in ("bob", "zed"):
        assert all(r.why and r.at and r.what for r in seen.answers(f"{person}@x.org"))
