"""What a game's status says is to come can still bring anything: no timer of a game or a vote that is over."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.game.session import Session
from folkmoot.game.status import status_of
from folkmoot.site.game_views import view_of
from folkmoot.wording.page_links import timer_words
from tests.support.table import START, VOTING, rule

PEOPLE = ("ann", "bob", "cid")
BELLS = """
    def do_win(a):
        win([a.by], "enough")

    def on_voting_opened(e):
        after(2 * DAY, "late", NAMED)
        after(DAY, "tea")

    def on_proposal_resolved(e):
        after(3 * DAY, "feast", number = e.proposal.number)
"""
NAMED = ["number = e.proposal.number", "id = e.proposal.id", "of = e.proposal", "proposal = e.proposal.number"]
TEA = [{"enact": {"title": "Tea", "text": "Tea."}}]


def to_come(session: Session) -> list[str]:
    return [timer["name"] for timer in status_of(session)["timers"]]


@pytest.mark.parametrize("named", NAMED)
def test_what_ends_with_a_vote_is_not_to_come_after_it(tmp_path: Path, named: str) -> None:
    bells = rule("1", BELLS.replace("NAMED", named), actions={"win": {}})
    given = {"rules": [bells, VOTING], "players": [{"id": who} for who in PEOPLE]}
    assert Session.found(tmp_path / "game", given, START).accepted
    with Session.open(tmp_path / "game", writing=True) as session:
        assert session.act("ann", "propose", {"title": "Tea", "changes": TEA}, at=START + 60).accepted
        assert to_come(session) == ["tea", "late"]
        (number,) = (vote["number"] for vote in status_of(session)["open"])
        for after, who in enumerate(PEOPLE):
            assert session.act(who, "vote", {"proposal": number, "choice": "for"}, at=START + 3600 + after).accepted
        assert to_come(session) == ["tea", "feast"], "what no vote is about, and what the end of the vote began"
        assert session.act("ann", "win", at=START + 7200).accepted
        assert to_come(session) == []


def test_the_law_says_what_comes_with_a_timer_in_words(tmp_path: Path) -> None:
    script = """
        def on_founded(e):
            for player in things("player"):
                after(DAY, "bell", key = "bell/" + player)
            after(2 * DAY, "gong")
            after(3 * DAY, "tea-time")

        def decide_coming(key):
            return " the bell rings for\\n%s. " % key.split("/")[1] if key.startswith("bell/") else None
    """
    bells = rule("1", script, timers={"bell": {"summary": "A bell rings"}, "gong": {"summary": "The gong sounds"}})
    given = {"rules": [bells], "players": [{"id": who} for who in PEOPLE]}
    assert Session.found(tmp_path / "game", given, START).accepted
    with Session.open(tmp_path / "game") as session:
        said = [timer["summary"] for timer in status_of(session)["timers"]]
        words = [timer_words(view_of(session), each["key"], each) for each in status_of(session)["timers"]]
    assert said == words == [*(f"the bell rings for {who}" for who in PEOPLE), "The gong sounds", "Tea time"]
