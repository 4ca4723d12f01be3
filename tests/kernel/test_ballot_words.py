"""Ballots in the law's own words come through every path, and out again; what an open vote still needs is told in its words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from folkmoot.game.status import LONGEST_SAID
from folkmoot.kernel.ballot_words import (
    Typed,
    choice_of_review,
    in_law_words,
    read_said,
    read_typed,
    read_words,
    typed_choice,
)
from folkmoot.referee.commands import Asked, read_ballot
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.github.github_meeting import GitHubMeeting
from tests.support.meeting import rule
from tests.support.quick import SMALL, QuickMeeting
from tests.support.seats import Seats, Sit
from tests.support.table import rule as made_rule

CHOICES = ["FOR", "AGAINST", "maybe", "maybe not", "endorse cid"]
WORDED = made_rule("40", f"def decide_choices(p):\n    return {CHOICES!r}")
LAW: dict[str, Any] = {**SMALL, "settings": {}, "rules": [*SMALL["rules"], WORDED]}
DRAGON = {"rules/dragon.yaml": rule("A dragon")}
SAID = {  # what is typed, and the ballot that it is: choice and reason
    "for": ("FOR", ""),
    "Against because it rains": ("AGAINST", "it rains"),
    "maybe not": ("maybe not", ""),
    "MAYBE: not that I mind": ("maybe", "not that I mind"),
    "maybe not, I fear": ("maybe not", "I fear"),
    '"maybe" not today': ("maybe", "not today"),
    "endorse Cid since they asked": ("endorse cid", "they asked"),
}


@pytest.mark.parametrize("said", SAID)
def test_the_longest_choice_is_meant_and_the_rest_is_the_reason(said: str) -> None:
    assert read_typed(said, CHOICES) == Typed(*SAID[said])


@pytest.mark.parametrize(
    ("said", "choices", "why"),
    [
        ("maybe not", ["maybe", "maybe not today"], "“maybe not” may mean maybe or maybe not today: put the one"),
        ("For", ["for", "FOR"], "“For” may mean for or FOR: write it in the same capitals"),
        ("maybe not", [], '“maybe not” may be a choice, or a choice and its reason: write `/vote "maybe not"`'),
    ],
)
def test_what_may_be_two_things_is_said_to_be(said: str, choices: list[str], why: str) -> None:
    assert read_typed(said, choices).flaw.startswith(why)


def test_other_words_than_the_laws_stand_for_the_only_choice_that_says_the_same() -> None:
    assert read_typed("yes, it rains", CHOICES) == Typed("FOR", "it rains")
    assert read_typed("nay", ["approve", "request changes"]) == Typed("request changes")
    assert read_typed("yes", ["for", "aye"]).choice == "yes", "which of two it might be, the law may say"
    assert read_typed("yes", []) == read_typed("yes", None) == Typed("yes")
    assert read_said("Yes, I fear", CHOICES) is None, "what a reviewer writes is no command"


@pytest.mark.parametrize(
    ("rest", "args"),
    [
        ("endorse cid motion=3 because so", {"choice": "endorse cid", "motion": 3, "reason": "so"}),
        ("for because x=3", {"choice": "FOR", "reason": "x=3"}),
        ("for I say x=3", {"choice": "FOR", "reason": "I say x=3"}),
        ("endorse dee proposal=301", {"choice": "endorse dee", "proposal": 301}),
    ],
)
def test_what_it_is_on_stands_behind_the_choice(rest: str, args: dict[str, Any]) -> None:
    assert read_ballot(rest, lambda _named: CHOICES) == Asked("vote", args)


WORDS = st.lists(st.sampled_from("for For maybe not as x=1 cid because ay,".split()), min_size=1, max_size=3)


@given(st.lists(WORDS.map(" ".join), min_size=1, max_size=5, unique_by=str.casefold))
def test_whatever_is_offered_can_be_typed_back(choices: list[str]) -> None:
    for choice in choices:
        assert read_ballot(typed_choice(choice, choices), lambda _named: choices) == Asked("vote", {"choice": choice})
        assert in_law_words(choice.upper(), choices) == choice


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("MAYBE NOT", Typed("maybe not")),
        ("\n  Maybe not.\nI fear it.", Typed("maybe not", "I fear it.")),
        ("__against__ as it rains", Typed("AGAINST", "it rains")),
        ("**for**: well done", Typed("FOR", "well done")),
        ('"maybe" today', Typed("maybe", "today")),
        ("VOTE: MAYBE NOT", Typed("maybe not")),
        ("**Vote:** maybe not, I fear", Typed("maybe not", "I fear")),
        ("Vote : *for*", Typed("FOR")),
        ("Vote: later", None),
        ("Voters: for", None),
        ("For the record, I do not like it", None),
        ("maybe later", None),
        ("endorse dee", None),
        ("I vote FOR", None),
        ("", None),
    ],
)
def test_what_a_review_begins_with(said: str, read: Typed | None) -> None:
    assert read_said(said, CHOICES) == read


@pytest.fixture(params=["local", "github", "gitea"])
def meeting(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    kinds: dict[str, Any] = {"local": QuickMeeting, "github": GitHubMeeting, "gitea": GiteaMeeting}
    return kinds[request.param](tmp_path, law=LAW)


def test_any_word_may_be_a_choice_where_the_law_says_so_and_words_of_a_command_keep_together() -> None:
    assert read_typed("for it is good", []) == Typed("for", "it is good")
    assert read_typed("blank because I was away", []) == Typed("blank", "I was away")
    assert read_words(["maybe", "not today"], CHOICES) == Typed("maybe", "not today")
    assert read_words(["maybe", "not", "today"], CHOICES) == Typed("maybe not", "today")


def test_what_a_review_stands_for_and_what_it_may_begin_with() -> None:
    assert choice_of_review("approve", CHOICES) == "FOR"
    assert choice_of_review("request_changes", ["Yes", "No"]) == "No"
    assert read_said("maybe not", ["maybe", "maybe not today"]).flaw.startswith("“maybe not” may mean maybe or")
    assert read_said("for", []) is None


def test_ballots_on_every_forge(meeting: Any) -> None:
    """A review that begins with a ballot is nobody's but the voter's: no rule says what it stands for, nothing is deemed."""
    pull = meeting.open("ann", DRAGON)
    meeting.referee(300)
    assert "maybe not" in meeting.said(pull)
    assert "abstain" not in meeting.said(pull)
    head = meeting.head(pull)
    meeting.say("ann", pull, "> FOR\n\n**Maybe NOT**, I fear\n", "approve", head)
    meeting.say("bob", pull, "/vote endorse zed")
    meeting.say("bob", pull, "for", "request_changes", head)
    meeting.say("cid", pull, "/vote Endorse Cid because they asked")
    meeting.say("dee", pull, "Well", "approve", head)
    meeting.referee(300)
    kept = meeting.document("proposals/300/301")["ballots"]
    assert {who: (ballot["choice"], ballot["reason"], ballot["deemed"]) for who, ballot in kept.items()} == {
        "ann": ("maybe not", "I fear", False),
        "cid": ("endorse cid", "they asked", False),
        "dee": ("FOR", "Well", False),
    }
    assert "is no choice of vote here; choose FOR, AGAINST, maybe, maybe not, endorse cid" in meeting.said(pull)
    assert "“FOR” in words, and the opposite as a review (request changes)" in meeting.said(pull)
    if not isinstance(meeting, QuickMeeting):  # where a review may also be neither
        meeting.web.review("bob", pull, meeting.states["comment"], "Vote: maybe, why not?", head)
        meeting.web.review("dee", pull, meeting.states["comment"], "maybe I read it later", head)
        meeting.referee(300)
        kept = meeting.document("proposals/300/301")["ballots"]
        assert (kept["bob"]["choice"], kept["dee"]["choice"]) == ("maybe", "FOR")


# -- how a vote stands


def test_what_the_law_says_is_one_line_and_means_nothing_to_a_forge(seats: Sit) -> None:
    table = standing(seats, '"@ann **now**\\n# Done\\n" + "x" * 9000')
    assert "\n- ＠ann \\*\\*now" in table.said(1)
    assert "\n# Done" not in table.said(1)
    shown = json.loads(table.moot("ann", "status", "--json").out)["open"][0]["standing"]
    assert "\n" not in shown
    assert len(shown) == LONGEST_SAID


def standing(seats: Sit, answer: str) -> Seats:
    """Return a table at which one of those who may vote has voted, by a law with an answer."""
    asked = made_rule("40", f"def decide_standing(p):\n    return {answer}")
    table = seats({**SMALL, "settings": {}, "rules": [*SMALL["rules"], asked]})
    table.open("ann", DRAGON)
    table.referee(60)
    table.moot("bob", "vote", "1", "for")
    table.referee(60)
    return table
