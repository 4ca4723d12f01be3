"""The check on a pull request's head says in one line what the comment says at length, in every state."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from folkmoot.game.rulesets import founding
from tests.support.meeting import GAME, rule
from tests.support.quick import SMALL, suber
from tests.support.town import Town


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """Return a game in which anybody proposes, and more than half decide within seven days."""
    return Town(tmp_path)


def test_a_vote_is_pending_until_it_is_decided(town: Town) -> None:
    pull = town.propose("ann", "A dragon")
    town.referee()
    assert town.check(pull) == ("pending", "The vote is open until 2026-01-12 12:00 UTC; 0 of 4 voted")
    town.approve("bob", pull)
    town.referee(60)
    assert town.check(pull) == ("pending", "The vote is open until 2026-01-12 12:00 UTC; 1 of 4 voted")
    for voter in ("ann", "cid", "dee"):
        town.say(voter, pull, "/vote for")
    town.referee(60)
    assert town.check(pull) == ("success", "Adopted, by rule 1: “4 of 4 for”")


def test_a_defeated_proposal_failed(town: Town) -> None:
    pull = town.propose("ann")
    for voter in ("ann", "bob", "cid", "dee"):
        town.say(voter, pull, "/vote against")
    town.referee()
    assert town.check(pull) == ("failure", "Defeated, by rule 1: “0 of 4 for”")


def test_malformed_content_failed_and_a_better_head_has_its_own_check(town: Town) -> None:
    pull = town.open("ann", {"rules/x.yaml": b"titel: X\n"})
    town.referee()
    state, words = town.check(pull)
    assert (state, words.startswith("Cannot be taken (and 1 more): state/moor/rules/x.yaml:1:1:")) == ("failure", True)
    first = town.head(pull)
    town.put(f"refs/pull/{pull}/head", town.change("ann", {f"state/{GAME}/rules/x.yaml": rule("X")}))
    town.referee(60)
    assert town.check(pull)[0] == "pending"
    assert town.board.checks[first].state == "failure"


def test_a_mixture_failed(town: Town) -> None:
    pull = town.pull(town.change("ann", {f"state/{GAME}/rules/x.yaml": rule("X"), "engine/x.py": b"import os\n"}))
    town.referee()
    assert town.check(pull)[0] == "failure"
    assert "engine/x.py" in town.said(pull)


def test_acts_are_recorded_or_refused(town: Town) -> None:
    good = town.open("cid", {"inbox/x.yaml": b"do: state\nargs: {text: hello}\n"})
    bad = town.open("dee", {"inbox/x.yaml": b"do: give\nargs: {to: ann, amount: 5}\n"})
    town.referee()
    state, words = town.check(good)
    assert (state, words.startswith("Recorded as entry ")) == ("success", True)
    assert town.check(bad) == ("failure", "Refused: give, by rule 2: “dee has 0 score, not 5”")
    assert "What it asks for was **refused**." in town.said(bad)


def test_a_strangers_proposal_waits_for_em_to_join(town: Town) -> None:
    pull = town.propose("zed", "Let me in")
    town.referee()
    state, words = town.check(pull)
    assert (state, "no player" in words) == ("pending", True)
    assert "no player" in town.said(pull)


def test_no_rule_is_said_to_fail_over_who_is_no_player_yet(tmp_path: Path) -> None:
    script = 'def on_proposal_adopted(e):\n    award(e.proposal.author, "score", 1)'
    prize = {"rule": "9", "title": "Prize", "text": "A prize.", "script": script}
    town = Town(tmp_path, law={**SMALL, "rules": [*SMALL["rules"], prize]})
    good = town.propose("zed", "A dragon", x=rule("A dragon"))
    bad = town.propose("zed", "A bog", x=rule("A bog", script='def on_proposal_adopted(e):\n    fail("mud")'))
    town.referee()
    assert "no player of this game" in town.said(good)
    assert "Scripts that would fail" not in town.said(good)
    failing = re.findall("^- (rule [0-9]+): .* failed at ", town.said(bad), re.MULTILINE)
    assert failing == ["rule 301"], "the one that is proposed"


def test_what_cannot_be_proposed_now_says_why_and_when_it_can_says_so(tmp_path: Path) -> None:
    town = Town(tmp_path, law=suber())
    pull = town.propose("bob", "Too early")
    town.referee()
    assert town.check(pull) == ("pending", "Not proposed yet, by rule 201: “it is the turn of ann”")
    assert "it is the turn of ann" in town.said(pull)


def test_what_is_not_proper_failed(tmp_path: Path) -> None:
    town = Town(tmp_path, law=suber())
    pull = town.propose("ann", "Away with it", r101=None)
    town.referee()
    state, words = town.check(pull)
    assert (state, words.startswith("Not proper, by rule ")) == ("failure", True)


def test_before_the_vote_opens_it_is_pending(tmp_path: Path) -> None:
    town = Town(tmp_path, law=suber())
    pull = town.propose("ann", "A dragon")
    town.referee()
    assert town.check(pull) == ("pending", "The vote is not open yet")


def test_a_paused_game_says_so(town: Town) -> None:
    before = town.propose("ann", "A dragon")
    town.referee()
    town.say("ann", 0, "/do pause")
    town.referee(60)
    after = town.propose("bob", "A bog", x=rule("A bog"))
    town.referee(60)
    assert "paused" in town.check(after)[1]
    assert "paused" in town.said(before)


def test_in_a_game_without_votes_it_says_whose_decision_is_awaited(tmp_path: Path) -> None:
    law: dict[str, Any] = {
        **founding("imperial"),
        "settings": {},
        "opening": [],
        "offices": {"tie": "ann", "ths": "bob"},
    }
    people = [{"id": who, "email": f"{who}@x.org"} for who in ("ann", "bob", "cid", "dee")]
    town = Town(tmp_path, law={**law, "players": people})
    pull = town.propose("cid", "A dragon")
    town.referee()
    assert town.check(pull) == ("pending", "The decision of ann (tie) is awaited")
    assert "The decision of ann (tie) is **awaited**." in town.said(pull)
    town.approve("ann", pull)
    town.referee(60)
    assert town.check(pull)[0] == "success"


def test_a_game_changed_by_hand_failed(town: Town) -> None:
    pull = town.propose("ann")
    town.referee()
    broken = town.change("eve", {f"state/{GAME}/game.yaml": b"title: Mine\n"})
    town.put("refs/heads/main", broken)
    town.referee(60)
    assert town.check(pull) == ("failure", "The game stands still: somebody changed it by hand")
    sent = len(town.board.sent)
    town.referee(60)
    assert len(town.board.sent) == sent


@pytest.mark.threat("T-33")
def test_nothing_is_sent_where_nothing_changed(town: Town) -> None:
    town.propose("ann")
    town.open("cid", {"inbox/x.yaml": b"do: give\nargs: {to: ann, amount: 5}\n"})
    town.pull(town.change("eve", {"engine/x.py": b"pass\n"}))
    town.referee()
    town.referee(60)
    sent = len(town.board.sent)
    for _ in range(3):
        assert town.referee(600).answers == 0
    assert len(town.board.sent) == sent


@pytest.mark.threat("T-36")
def test_what_players_write_stays_one_line_of_plain_text(town: Town) -> None:
    pull = town.open("ann", {"rules/x.yaml": 'title: "a\\u202eb\\n@bob"\nxx\u200b: 1\n'.encode()})
    town.referee()
    words = town.check(pull)[1]
    assert len(words) <= 140
    assert words.isprintable()
    assert "\u202e" not in words


# -- drafts and labels


def test_a_draft_is_neither_judged_nor_proposed_until_it_is_ready(town: Town) -> None:
    pull = town.propose("ann", "A dragon")
    town.board.drafts = {pull}
    town.say("ann", pull, "/propose")
    town.say("bob", pull, "/do state text=hello")
    town.approve("cid", pull)
    town.referee()
    assert town.check(pull) == ("pending", "A draft: nothing in it is judged until it is ready for review")
    assert "It is a **draft**" in town.said(pull)
    assert "say that it is ready for review" in town.said(pull)
    assert town.document("game")["open"] == []
    assert "state" in [entry["do"] for entry in town.journal()]
    town.board.drafts = set()
    town.referee(60)
    assert town.ballots() == {"cid": "for"}
    town.board.drafts = {pull}
    town.referee(60)
    assert "The vote is **open**" in town.said(pull)


@pytest.mark.threat("T-22")
def test_labels_carry_no_state(town: Town) -> None:
    pull = town.propose("ann", "A dragon")
    town.referee()
    before = (town.said(pull), town.tip())
    town.board.labels = {pull: ("adopted", "vote:for", "approved", "wontfix", "game", "maintainer-approved")}
    assert town.referee(60).answers == 0
    assert (town.said(pull), town.tip()) == before
