"""Table 15: whatever one person floods a game with, what others sent is recorded in the next run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from folkmoot.core.keys import DAY
from folkmoot.referee import recorder as acts
from tests.conftest import FUZZ
from tests.support.meeting import rule
from tests.support.quick import QuickMeeting

SHARE = 3
FLOODED = SHARE * 4
OTHERS = ("ann", "cid", "dee")


@pytest.fixture
def quick(tmp_path: Path) -> QuickMeeting:
    return QuickMeeting(tmp_path)


def act_files(number: int) -> dict[str, bytes]:
    """Return the files of a pull request with two acts."""
    acts = (f"do: state\nargs: {{text: '{number} {place}'}}\n".encode() for place in range(2))
    return {f"inbox/{number}-{place}.yaml": act for place, act in enumerate(acts)}


FLOODS: dict[str, Callable[[QuickMeeting, int, int], object]] = {
    "comments": lambda quick, pull, n: quick.say("bob", pull, f"/do state text={n}\n" * 5),
    "letters": lambda quick, pull, n: quick.say("bob", 0, f"/do state text={n}"),
    "refused acts": lambda quick, pull, n: quick.say("bob", pull, f"/give to=ann amount={999 + n}"),
    "votes": lambda quick, pull, n: quick.say("bob", pull, "/vote for\n/vote against\n"),
    "reviews": lambda quick, pull, n: quick.say("bob", pull, "", kind=("approve", "request_changes")[n % 2]),
    "pull requests": lambda quick, pull, n: quick.open("bob", {f"rules/x{n}.yaml": rule(f"Noise {n}")}),
    "acts in pull requests": lambda quick, pull, n: quick.open("bob", act_files(n)),
}


def by(quick: QuickMeeting, who: str) -> list[dict]:
    """Return what is recorded of somebody."""
    return [entry for entry in quick.journal() if entry.get("by") == who]


def in_order(quick: QuickMeeting) -> bool:
    """Say whether the stamps of the journal never run backwards."""
    stamps = [entry["at"] for entry in quick.journal()]
    return stamps == sorted(stamps)


@pytest.mark.threat("T-30")
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True)
@given(
    kinds=st.lists(st.sampled_from(sorted(FLOODS)), min_size=1, max_size=2, unique=True),
    pause=st.integers(0, 40),
    votes=st.permutations(OTHERS),
)
def test_what_others_sent_is_recorded_in_the_next_run(
    tmp_path_factory: pytest.TempPathFactory, kinds: list[str], pause: int, votes: list[str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(acts, "SHARE", SHARE)
        quick = QuickMeeting(tmp_path_factory.mktemp("flood"))
        pull = quick.propose("ann", "A dragon")
        quick.referee(60)
        for number in range(FLOODED):
            FLOODS[kinds[number % len(kinds)]](quick, pull, number)
        quick.forge.look(quick.now)  # it is seen, and stamped, before anybody else says a word
        quick.now += pause
        for voter in votes[:2]:
            quick.say(voter, pull, "/vote for")
        quick.say(votes[2], 0, "/do state text=here")
        quick.referee(1)
        assert {entry["do"] for voter in votes[:2] for entry in by(quick, voter)} >= {"vote"}
        assert by(quick, votes[2])[-1]["with"] == {"text": "here"}
        assert len(by(quick, "bob")) <= 2 * SHARE + 2  # of a pull request, all or nothing
        quick.referee(1)
        assert in_order(quick)
        assert quick.sound()


@pytest.mark.threat("T-30")
def test_three_thousand_statements_of_one_person_in_one_push(quick: QuickMeeting) -> None:
    """The flood of the table: 150 comments of 20 statements each, then the votes of the others."""
    pull = quick.propose("ann", "A dragon")
    quick.referee(60)
    for number in range(150 if FUZZ else 30):
        quick.say("bob", pull, f"/do state text={number}\n" * 20)
    quick.say("bob", pull, "/vote against")
    quick.forge.look(quick.now)
    quick.now += 30
    for voter in OTHERS:
        quick.say(voter, pull, "/vote for")
    first = quick.referee(1)
    assert quick.ballots() == {"bob": "against", **dict.fromkeys(OTHERS, "for")}
    assert first.entries < 120
    assert first.more
    while quick.referee(1).more:
        pass
    stated = Counter(entry["do"] for entry in by(quick, "bob"))
    assert stated == {"state": 200, "vote": 1}
    assert "160 of the 200 accepted acts that bob has a day are used" in quick.said(0)
    assert quick.said(pull).count("200 acts of bob were accepted today") == 1
    assert in_order(quick)
    quick.now += DAY
    quick.say("bob", pull, "/do state text=again")
    quick.referee(1)
    assert by(quick, "bob")[-1]["with"] == {"text": "again"}


@pytest.mark.threat("T-30")
def test_what_waits_for_others_meets_no_earlier_deadline_of_theirs(
    quick: QuickMeeting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others' votes count as of when they came, though the deadline passed while a flood was taken in."""
    monkeypatch.setattr(acts, "SHARE", SHARE)
    pull = quick.propose("ann", "A dragon")
    quick.referee(60)
    for number in range(FLOODED):
        quick.say("bob", 0, f"/do state text={number}")
    for voter in OTHERS:
        quick.say(voter, pull, "/vote for")
    quick.forge.look(quick.now)
    quick.now += 30 * DAY
    while quick.referee(1).more:
        pass
    assert quick.ballots() == dict.fromkeys(OTHERS, "for")
    assert quick.proposal(301)["outcome"] == "adopted"
    assert len(by(quick, "bob")) == FLOODED


@pytest.mark.threat("T-30")
def test_the_administrators_set_it_and_are_not_held_back(quick: QuickMeeting) -> None:
    quick.say("ann", 0, "/do set_limit name=accepted_acts_a_day value=3")
    quick.referee(60)
    for who in ("ann", "bob"):
        for number in range(6):
            quick.say(who, 0, f"/do state text={number}")
    quick.referee(60)
    counted = Counter(entry["by"] for entry in quick.journal() if entry["do"] == "state")
    assert counted == {"ann": 6, "bob": 3}
    pull = quick.propose("ann", "A dragon")
    quick.referee(60)
    quick.say("bob", pull, "/vote for")
    quick.referee(60)
    assert quick.ballots() == {"bob": "for"}


@pytest.mark.threat("T-30")
def test_a_pull_request_holds_so_many_acts(quick: QuickMeeting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("folkmoot.referee.intake.MOST_ACTS", 3)
    files = {f"inbox/{n}.yaml": f"do: state\nargs: {{text: '{n}'}}\n".encode() for n in range(5)}
    pull = quick.open("bob", files)
    quick.referee(60)
    assert len(by(quick, "bob")) == 3
    assert "may hold 3 acts: the 2 after them were not read" in quick.said(pull)
