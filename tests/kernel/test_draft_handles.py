"""Language L4: a draft is known by a handle until it gets its number; from then on both name it, everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.scenarios.claims import meets
from folkmoot.site.pages.proposal import proposal_sheets
from tests.support.meeting import PLAYERS
from tests.support.quick import SMALL, QuickMeeting
from tests.support.site_game import view
from tests.support.table import Table, failed, rule

NEW = {"enact": {"title": "New", "text": "x"}}
POOL = rule(
    "1",
    """
    def do_propose(a):
        submit(a.args.title, a.args.changes, number = None)

    def do_distribute(a):
        for p in proposals("pending"):
            if a.args.number:
                number(p, a.args.number)
            else:
                number(p)
            open_voting(p)

    def do_open(a):
        for p in proposals("pending"):
            open_voting(p)

    def decide_closed(p):
        return len(p.ballots) == len(p.electorate)

    def decide_adopted(p):
        return verdict(2 * ballots(p, "for") > len(p.electorate), "more than half")
    """,
    actions={
        "propose": {"arguments": {"title": {"type": "text", "optional": True}, "changes": {"type": "changes"}}},
        "distribute": {"arguments": {"number": {"type": "any", "optional": True}}},
        "open": {},
    },
)


def pooled() -> tuple[Table, str]:
    """Return a table with one draft, and its handle."""
    table = Table(POOL)
    table.ok("ann", "propose", title="x", changes=[NEW])
    return table, f"x{len(table.entries)}"


def test_a_draft_is_known_by_its_handle() -> None:
    table, handle = pooled()
    table.ok("ann", "open")
    table.ok("bob", "vote", proposal=handle, choice="for")
    assert meets(table.kernel, [], {"proposal": handle, "number": None, "votes": {"bob": "for"}}, table.now) == ""


def test_its_number_names_it_from_then_on_and_the_handle_stays() -> None:
    table, handle = pooled()
    outcome = table.ok("ann", "distribute", number=17)
    assert [(e["of"], e["to"]) for e in outcome.effects if e["effect"] == "number"] == [(f"proposal/{handle}", 17)]
    table.ok("bob", "vote", proposal=17, choice="for")
    table.ok("cid", "vote", proposal=handle, choice="for")
    for name in (17, "17", handle):
        assert meets(table.kernel, [], {"proposal": name, "number": 17, "state": "open"}, table.now) == ""
    table.ok("ann", "vote", proposal=f"proposal/{handle}", choice="for")
    assert table.kernel.ask("adopted", [], table.now, "proposal/17") is not None
    assert meets(table.kernel, [], {"proposal": 17, "state": "adopted"}, table.now) == ""
    assert [r["rule"] for r, _ in table.kernel.play.law.in_force().values()] == ["1", "17"]
    table.replay_all()


def test_without_a_number_the_law_is_asked() -> None:
    table, _ = pooled()
    table.ok("ann", "propose", title="y", changes=[NEW])
    table.ok("ann", "distribute")
    numbers = [
        table.kernel.documents[key]["number"] for key in sorted(table.kernel.documents.everything()) if "/x" in key
    ]
    assert numbers == [1, 2]


def test_two_drafts_of_one_act_are_two() -> None:
    law = rule("2", "def on_stated(e):\n    submit('a', [], number = None)\n    submit('b', [], number = None)")
    table = Table(POOL, law)
    table.ok("ann", "state", text="now")
    assert [p.partition("-")[2] for p in table.kernel.documents["game"]["open"]] == ["", "2"]


@pytest.mark.parametrize("number", ["'x9'", "-1", "True", "1.5", "'../1'", "[1]", "None", "7"])
def test_what_can_be_no_number_is_refused(number: str) -> None:
    law = rule(
        "2",
        f"def on_stated(e):\n    submit('a', [], number = 7)\n    number(submit('b', [], number = None), {number})",
    )
    table = Table(POOL, law)
    outcome = table.ok("ann", "state", text="now")
    assert (failed(outcome), outcome.failures[0].get("code", "E-ARGS")) == ([("2", "on_stated")], "E-ARGS")
    assert table.kernel.documents["game"]["open"] == []


def test_a_number_is_given_once() -> None:
    table, _ = pooled()
    law = "def on_stated(e):\n    number(number(submit('b', [], number = None), 5), 6)"
    table = Table(POOL, rule("2", law))
    outcome = table.ok("ann", "state", text="now")
    assert outcome.failures[0]["code"] == "E-ORDER"


def title_of(table: Table, handle: str) -> str:
    """Return the title of a proposal's page."""
    game = view(table, "drafts")
    return game.index(proposal_sheets)[f"proposals/{handle}.md"].make(game).title


def test_pages_call_it_by_its_number() -> None:
    table, handle = pooled()
    assert f"Proposal {handle}" in title_of(table, handle)
    table.ok("ann", "distribute", number=17)
    assert title_of(table, handle).startswith("Proposal 17")


def test_votes_by_handle_and_by_number_come_through_a_forge(tmp_path: Path) -> None:
    small = [each for each in SMALL["rules"] if each["rule"] != "1"]
    meeting = QuickMeeting(tmp_path, law={**SMALL, "rules": [POOL, *small]})
    pull = meeting.propose("ann", "A bridge")
    meeting.referee(60)
    handle = meeting.game().archive("game")["open"][0].partition("/")[2]
    assert handle in meeting.said(pull)
    meeting.say("ann", pull, "/distribute number=17")
    meeting.referee(60)
    meeting.approve("bob", pull)
    meeting.say("cid", 0, "/vote for proposal=17")
    meeting.say("dee", 0, f"/vote for proposal={handle}")
    meeting.referee(60)
    ballots = meeting.document(f"proposals/none/{handle}")["ballots"]
    assert set(ballots) == {"bob", "cid", "dee"}, meeting.said(pull)
    assert "proposal 17" in meeting.said(pull)
    for who in PLAYERS:
        meeting.approve(who, pull)
    meeting.referee(60)
    assert meeting.document(f"proposals/none/{handle}")["outcome"] == "adopted"
    assert meeting.sound()
