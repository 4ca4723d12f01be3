"""Who an act comes from, as guards see it; and what the comment on a proposal shows of its registers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from folkmoot.scenarios.trial import try_changes
from tests.support.meeting import rule as file_of
from tests.support.quick import SMALL, QuickMeeting
from tests.support.table import VOTING, Table, rule, said
from tests.support.table import rule as made_rule

DANCING = rule(
    "10",
    """
    def do_dance(a):
        announce("dances: %s" % a.rule)

    def do_lead(a):
        try_act("dance", "bob")

    def on_acted(e):
        announce("%s by %s" % (e.action.name, e.action.rule))
    """,
    actions={"dance": {}, "lead": {}},
)
GUARD = rule(
    "11", "def forbid_dance(a):\n    return None if a.rule else refuse('E-TIME', 'nobody dances of themselves')"
)
FORWARD: Any = {"enact": {"title": "New", "text": "", "script": "def on_stated(e):\n    pass\n"}}


def test_a_guard_can_tell_what_a_rule_does_from_what_a_player_does() -> None:
    table = Table(VOTING, DANCING, GUARD)
    assert table.refused("bob", "dance") == "E-TIME"
    assert said(table.ok("ann", "lead")) == ["dances: 10", "dance by 10", "lead by None"]
    table.replay_all()


def test_an_act_that_a_rule_made_of_a_review_names_that_rule() -> None:
    table = Table(VOTING, DANCING, GUARD)
    by_review = {"forge": "local", "pull": 7, "review": {"rule": "11"}}
    assert "dances: 11" in said(table.judge("dance", "bob", {}, via=by_review))


def test_an_act_tried_ahead_is_its_players_own() -> None:
    """Whether anything can still be changed is tried by acts of players: a rule that refuses what rules do is no lock."""
    own = rule("11", "def forbid_propose(a):\n    return refuse('E-TIME') if a.rule else None")
    table = Table(VOTING, own)
    assert try_changes(table.kernel, [FORWARD], [], len(table.entries), table.now).locked_out == ""


# -- registers in the comment

SECONDED = made_rule(
    "40",
    "def do_second(a):\n    put(proposal(a.args.proposal), 'seconded', a.by)\n",
    actions={"second": {"arguments": {"proposal": {"type": "proposal"}}}},
    defines={
        "proposal": {
            "seconded": {"type": "player", "optional": True, "shown": True, "summary": "Seconded by"},
            "strength": {"type": "integer", "initial": 3, "shown": True},
            "hidden_from_it": {"type": "integer", "initial": 7},
        }
    },
)
LAW: dict[str, Any] = {**SMALL, "settings": {}, "rules": [*SMALL["rules"], SECONDED]}


def test_registers_that_a_rule_shows_stand_in_the_comment(tmp_path: Path) -> None:
    meeting = QuickMeeting(tmp_path, law=LAW)
    pull = meeting.open("ann", {"rules/dragon.yaml": file_of("A dragon")})
    meeting.referee(300)
    assert "- “Seconded by”: none\n- “Strength”: 3\n" in meeting.said(pull)
    assert "hidden" not in meeting.said(pull).lower()
    meeting.say("bob", pull, "/second proposal=301")
    meeting.referee(300)
    seconded = next(line for line in meeting.said(pull).splitlines() if line.startswith("- “Seconded by”: "))
    assert "bob" in seconded.lower()
