"""What an act is about that is done where something was proposed; what a hold makes of one in the game's own thread."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.forges.local.letters import Letter
from tests.support.issue_table import Table, act
from tests.support.quick import CLOCK, VOTES, QuickMeeting
from tests.support.table import rule

NAMES = ("proposal", "motion", "matter")


def law(name: str) -> dict[str, Any]:
    """Return a law whose actions are about a proposal that they call by some name."""
    spec = {"arguments": {name: {"type": "proposal"}, "why": {"type": "text", "optional": True}}}
    taking = rule(
        "4",
        f"""
        def do_second(a):
            announce("%s seconds %s" % (a.by, proposal(a.args.{name}).title))

        def do_take_back(a):
            resolve(proposal(a.args.{name}), "withdrawn")
        """,
        actions={"second": spec, "take_back": {**spec, "takes": "closing"}},
    )
    return {"title": "Seconds", "zone": "UTC", "rules": [VOTES, CLOCK, taking]}


@pytest.mark.parametrize("name", NAMES)
def test_an_act_is_about_what_its_place_proposed_however_the_law_calls_that(name: str, tmp_path: Path) -> None:
    meeting = QuickMeeting(tmp_path, law=law(name))
    one, other = meeting.propose("ann", "A dragon"), meeting.propose("bob", "A moat")
    meeting.referee(60)
    meeting.say("cid", one, "/second")
    meeting.say("dee", one, f"/second {name}=302")
    meeting.referee(60)
    told = [effect["text"] for entry in meeting.journal() for effect in entry.get("effects") or () if "text" in effect]
    assert [text for text in told if "seconds" in text] == ["cid seconds A dragon", "dee seconds A moat"]
    meeting.send("bob", Letter(pull=other, kind="close"))
    meeting.referee(60)
    assert meeting.proposal(302)["outcome"] == "withdrawn"
    assert meeting.proposal(301)["outcome"] is None


def test_an_act_below_a_form_is_about_what_the_form_proposed(tmp_path: Path) -> None:
    table = Table(tmp_path, law=law("motion"))
    table.propose("ann", "A dragon")
    number = table.state("bob", act("propose", 'title: A moat\nchanges: [{enact: {title: A moat, text: "Wet."}}]'))
    table.below("cid", number, "/second")
    told = [effect["text"] for entry in table.journal() for effect in entry.get("effects") or () if "text" in effect]
    assert [text for text in told if "seconds" in text] == ["cid seconds A moat"]


def test_two_arguments_of_the_kind_are_named_by_whoever_acts(tmp_path: Path) -> None:
    both = {"arguments": {"one": {"type": "proposal"}, "other": {"type": "proposal"}}}
    compares = rule("4", "def do_compare(a):\n    pass", actions={"compare": both})
    meeting = QuickMeeting(tmp_path, law={"title": "x", "zone": "UTC", "rules": [VOTES, CLOCK, compares]})
    pull = meeting.propose("ann", "A dragon")
    meeting.say("cid", pull, "/compare")
    meeting.referee(60)
    assert "compare needs" in meeting.said(pull)


def test_what_is_held_waits_and_is_not_called_refused(tmp_path: Path) -> None:
    holding = rule(
        "4",
        """
        def forbid_wave(a):
            return hold("dawn", "it is night")

        def do_wave(a):
            pass
        """,
        actions={"wave": {}},
    )
    table = Table(tmp_path, law={"title": "x", "zone": "UTC", "rules": [VOTES, CLOCK, holding]})
    table.say("cid", 0, "/wave")
    number = table.state("bob", act("wave"))
    assert [entry["code"] for entry in table.journal() if entry["do"] == "wave"] == ["HELD", "HELD"]
    assert "Waits:\n\n- cid, wave, by rule 4: “it is night” (`HELD`)" in table.said(0)
    assert "refused" not in table.said(0)
    assert table.is_open(number)
    assert "Was refused" not in table.told(number)
