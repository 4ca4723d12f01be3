"""Who asked to come in is known when they are let in days later, and the law says how."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.game.session import Session
from tests.support.quick import SMALL, QuickMeeting
from tests.support.table import rule as made_rule

DECIDED = made_rule(
    "9",
    """
    def do_join(a):
        put("game", "waiting", get("game", "waiting") + [a.by])

    def do_let_in(a):
        create("player", a.args.who)

    def do_turn_away(a):
        destroy(a.args.who)
    """,
    defines={"game": {"waiting": {"type": "list", "initial": []}}},
    actions={
        "join": {"who": "anyone", "arguments": {"plea": {"type": "text"}}},
        "let_in": {"arguments": {"who": {"type": "string"}}},
        "turn_away": {"arguments": {"who": {"type": "string"}}},
    },
)
LAW: dict[str, Any] = {**SMALL, "rules": [*SMALL["rules"], DECIDED]}
ASKS = {"inbox/join.yaml": b"do: join\nargs: {id: eve, plea: Let me in.}\n"}


@pytest.fixture
def meeting(tmp_path: Path) -> QuickMeeting:
    return QuickMeeting(tmp_path, law=LAW)


def handles(meeting: QuickMeeting, player: str) -> dict[str, str]:
    entry = meeting.document("roster").get(player) or {}
    return {forge: handle["id"] for forge, handle in (entry.get("handles") or {}).items()}


def kept(meeting: QuickMeeting) -> dict[str, str]:
    found = meeting.document("game").get("applications") or {}
    return {player: asked["account"]["id"] for player, asked in found.items()}


def do(meeting: QuickMeeting, who: str, line: str) -> str:
    """Say a command in the game's thread and return the code with which it was refused, "" where it was not."""
    meeting.say(who, 0, line)
    meeting.referee(60)
    return str(meeting.journal()[-1].get("code") or "")


def test_who_is_let_in_later_is_who_asked(meeting: QuickMeeting) -> None:
    meeting.open("eve", ASKS)
    meeting.referee(60)
    assert kept(meeting) == {"eve": "eve@x.org"}
    assert "eve" not in meeting.document("roster")
    meeting.referee(3 * 86_400)
    assert do(meeting, "ann", "/do let_in who=eve") == ""
    assert (handles(meeting, "eve"), kept(meeting)) == ({"local": "eve@x.org"}, {})
    assert do(meeting, "eve", "/do roll") == ""
    assert meeting.journal()[-1]["by"] == "eve"
    assert meeting.document("roster")["eve"]["asked"] < meeting.document("roster")["eve"]["since"]
    assert meeting.sound()


def test_the_kernels_own_join_lets_nobody_past_the_rule(meeting: QuickMeeting) -> None:
    meeting.say("eve", 0, "/join")
    meeting.say("zed", 0, '/join id=zed plea="I play well"')
    meeting.referee(60)
    assert [entry["by"] for entry in meeting.journal() if entry["do"] == "join"] == ["zed"]
    assert "eve" not in meeting.document("roster")
    assert meeting.document("things/game")["game"]["waiting"] == ["zed"]


def test_two_persons_ask_for_one_id(meeting: QuickMeeting) -> None:
    meeting.say("eve", 0, '/join id=sun plea="Let me in"')
    meeting.say("zed", 0, '/join id=Sun plea="Me too"')
    meeting.referee(60)
    assert kept(meeting) == {"sun": "eve@x.org"}
    assert "sun is kept for" in meeting.said(0)
    meeting.say("eve@else", 0, "hello")
    meeting.say("eve <other@y.org>", 0, '/join plea="I am another Eve"')
    meeting.referee(60)
    assert kept(meeting)["sun"] == "eve@x.org"
    assert "other@y.org" in kept(meeting).values()


def test_an_application_that_is_withdrawn_or_turned_away(meeting: QuickMeeting) -> None:
    assert do(meeting, "eve", '/join id=eve plea="Let me in"') == ""
    assert do(meeting, "eve", "/do withdraw_application") == ""
    assert kept(meeting) == {}
    assert do(meeting, "zed", '/join id=eve plea="I like the name"') == ""
    assert do(meeting, "ann", "/do turn_away who=eve") == ""
    assert kept(meeting) == {}
    assert do(meeting, "ann", "/do let_in who=eve") == ""
    assert handles(meeting, "eve") == {}


def test_who_joins_under_another_id_meanwhile(meeting: QuickMeeting) -> None:
    assert do(meeting, "eve", '/join id=sun plea="Let me in"') == ""
    assert do(meeting, "ann", "/do admit player=moon forge=local id=eve@x.org") == ""
    assert handles(meeting, "moon") == {"local": "eve@x.org"}
    do(meeting, "ann", "/do let_in who=sun")
    assert "sun" not in meeting.document("roster")
    assert "plays as moon already" in str(meeting.journal()[-1])
    assert do(meeting, "zed", '/join id=sun plea="It is free"') == ""
    assert kept(meeting) == {"sun": "zed@x.org"}
    assert meeting.sound()


def test_whoever_asks_again_keeps_one_id_and_other_letters_are_no_other_id(meeting: QuickMeeting) -> None:
    assert do(meeting, "eve", '/join id=sun plea="Let me in"') == ""
    assert do(meeting, "eve", '/join plea="Please"') == ""
    assert kept(meeting) == {"sun": "eve@x.org"}
    do(meeting, "ann", "/do let_in who=SUN")
    assert "SUN" not in meeting.document("roster")
    assert do(meeting, "eve", '/join id=moon plea="Rather so"') == ""
    assert kept(meeting) == {"moon": "eve@x.org"}
    session = Session(meeting.game(), meeting.game().load(), meeting.game().head)
    assert set(session.actions()["join"]["arguments"]) == {"plea"}, "the rule's declaration is what everybody is shown"
