"""A whole round of a game in whose law every word is unusual: no path falls back on words of its own.

Its law lies in `tests/harvest`: one votes by three words of three words each, a proposal is sown and gets ripe or is
blighted, there is a beadle, petitions are voted on as proposals are, and what is won is grain.
"""

from __future__ import annotations

from contextlib import closing

import pytest

from folkmoot.game.session import Session
from folkmoot.site.game_views import view_of
from tests.harvest.field import foreign, law
from tests.support.meeting import rule
from tests.support.seats import Seats, Sit
from tests.support.site_game import render_game

RAIN = {"rules/rain.yaml": rule("Rain")}


@pytest.fixture
def field(seats: Sit) -> Seats:
    found = seats(law())
    found.open("ann", RAIN, "Rain")
    found.referee(60)
    return found


def pages(field: Seats) -> dict[str, str]:
    record = field.game()
    with closing(Session(record, record.load(), record.head)) as session:
        return render_game(view_of(session))


def test_closing_a_pull_request_digs_up_what_was_sown(field: Seats) -> None:
    assert "goes on" not in field.moot("ann", "withdraw", "1").err
    field.referee(60)
    assert (field.proposal(571)["outcome"], field.journal()[-1]["do"]) == ("blighted", "dig_up")
    assert foreign(field.said(1)) == []


def test_a_round_by_reviews_comments_and_commands(field: Seats) -> None:
    assert field.proposal(571)["state"] == "open"
    assert "let it grow" in field.said(1)
    status = field.status("bob")
    assert "moot vote 1 'let it grow'   (or 'pull it out', 'wait a moon')" in status
    assert foreign(status) == foreign(field.said(1)) == []
    field.approve("bob", 1, "Rain is good.")
    field.say("cid", 1, "/vote Pull it out because it is wet")
    field.moot("dee", "vote", "1", "let", "it", "grow")
    field.referee(60)
    assert field.ballots(571) == {"bob": "let it grow", "cid": "pull it out", "dee": "let it grow"}
    field.moot("ann", "vote", "1", "wait a moon")
    field.referee(60)
    sown = field.proposal(571)
    assert (sown["outcome"], sown["why"]) == ("ripe", "2 let it grow, 1 pull it out")
    assert field.document("things/player")["ann"]["grain"] == 3
    assert "bless" in field.status("dee")
    field.say("dee", 1, "/do bless furrow=571 as=beadle")
    field.referee(60)
    assert field.document("things/player")["dee"]["grain"] == 1
    assert not field.document("things/duty")
    assert foreign(field.said(1)) == foreign(field.status("ann")) == foreign(field.status("dee")) == []
    shown = pages(field)
    assert {path: found for path, page in shown.items() if (found := foreign(page))} == {}
    assert "ripe" in shown["proposals/571.md"]
    assert field.sound()


def test_no_answer_to_what_goes_wrong_offers_a_choice_of_another_game(field: Seats) -> None:
    field.say("bob", 1, "/vote")
    field.say("cid", 1, "/vote for")
    field.say("dee", 1, "I do not know.", "request_changes", field.head(1))
    field.referee(60)
    assert field.ballots(571) == {}
    assert foreign(field.said(1).replace("“/vote for”", "").replace("`/vote for`", "")) == []
    assert "“/vote let it grow”" in field.said(1)
    assert foreign(field.status("dee")) == []
