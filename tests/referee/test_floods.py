"""Whatever somebody floods a game with, what others sent is recorded in the next run, and what waits is told so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from folkmoot.core.keys import DAY
from folkmoot.core.limits import LIMITS
from folkmoot.referee import outbox, recorder, run
from folkmoot.referee.report import PushLimits
from folkmoot.sandbox.client import Sandbox
from tests.conftest import examples
from tests.support.meeting import GAME, PLAYERS, rule
from tests.support.quick import QuickMeeting, quick, unchanged
from tests.support.timing import Spent

__all__ = ["quick"]

SHARE = 3
FLOODED = SHARE * 4
OTHERS = ("ann", "cid", "dee")
RULES = f"state/{GAME}/rules"


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


@settings(max_examples=examples(8), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    kinds=st.lists(st.sampled_from(sorted(FLOODS)), min_size=1, max_size=2, unique=True),
    pause=st.integers(0, 40),
    votes=st.permutations(OTHERS),
)
def test_what_others_sent_is_recorded_in_the_next_run(
    tmp_path_factory: pytest.TempPathFactory, kinds: list[str], pause: int, votes: list[str]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(recorder, "SHARE", SHARE)
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


def test_hundreds_of_statements_of_one_person_in_one_push(quick: QuickMeeting) -> None:
    """They are taken in up to so many a day, and the votes of the others at once."""
    pull = quick.propose("ann", "A dragon")
    quick.referee(60)
    for number in range(12):
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
    assert Counter(entry["do"] for entry in by(quick, "bob")) == {"state": 200, "vote": 1}
    assert "160 of the 200 accepted acts that bob has a day are used" in quick.said(0)
    assert quick.said(pull).count("200 acts of bob were accepted today") == 1
    assert in_order(quick)
    quick.now += DAY
    quick.say("bob", pull, "/do state text=again")
    quick.referee(1)
    assert by(quick, "bob")[-1]["with"] == {"text": "again"}


@pytest.mark.threat("T-20")
@pytest.mark.parametrize("limit", ["of one person", "of a run"])
def test_a_deadline_waits_for_what_arrived_before_it(
    quick: QuickMeeting, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    """The others' votes count as of when they came, though the deadline passed while a flood was taken in."""
    if limit == "of one person":
        monkeypatch.setattr(recorder, "SHARE", SHARE)
    else:
        monkeypatch.setattr(run, "PushLimits", lambda: PushLimits(5))
    pull = quick.propose("ann", "A dragon")
    quick.referee(60)
    for number in range(0, FLOODED, 2):
        quick.say("bob", 0, f"/do state text={number}\n/do state text={number + 1}")
    for voter in OTHERS:
        quick.say(voter, pull, "/vote for")
    quick.forge.look(quick.now)
    quick.now += 30 * DAY
    reports = [quick.referee(1)]
    while reports[-1].more:
        reports.append(quick.referee(1))
    assert limit == "of one person" or [report.entries for report in reports[:-1]] == [5] * (len(reports) - 1)
    assert quick.ballots() == dict.fromkeys(OTHERS, "for")
    assert quick.proposal(301)["outcome"] == "adopted"
    assert [entry["with"]["text"] for entry in by(quick, "bob")] == [str(number) for number in range(FLOODED)]
    assert quick.sound()


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


def test_a_pull_request_holds_so_many_acts(quick: QuickMeeting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("folkmoot.referee.intake.MOST_ACTS", 3)
    files = {f"inbox/{n}.yaml": f"do: state\nargs: {{text: '{n}'}}\n".encode() for n in range(5)}
    pull = quick.open("bob", files)
    quick.referee(60)
    assert len(by(quick, "bob")) == 3
    assert "may hold 3 acts: the 2 after them were not read" in quick.said(pull)


def test_refusals_are_recorded_up_to_a_number_a_day_and_strangers_keep_nobody_waiting(quick: QuickMeeting) -> None:
    pull = quick.propose("ann", "A dragon")
    quick.referee()
    for number in range(12):
        quick.say("eve", pull, "/vote for\n" * 50 + str(number))
    for _ in range(4):
        quick.say("cid", pull, "/give to=ann amount=99\n" * 20)
    quick.say("bob", pull, "/vote for")
    with Spent() as spent:
        quick.referee(60)
    assert spent.units < 3000
    assert quick.ballots() == {"bob": "for"}
    assert len(by(quick, "cid")) == LIMITS["refused_acts_a_day"].default
    said = quick.said(pull)
    assert "50 acts of cid were refused today" in said
    assert "eve" in said.lower()
    assert len(said) < 60_000
    with unchanged(quick):
        quick.referee(60)
    quick.say("cid", 0, "/give to=ann amount=99")
    quick.referee(DAY)
    assert len(by(quick, "cid")) == LIMITS["refused_acts_a_day"].default + 1


# -- pull requests


def flood(quick: QuickMeeting, count: int, accounts: int = 1) -> range:
    """Open pull requests of strangers, with a rule each, as pushes do; nobody counts the numbers before."""
    heads = [
        quick.change(f"eve{number} <eve{number}@x.org>", {f"{RULES}/x{number}.yaml": rule("Eve")})
        for number in range(accounts)
    ]
    for number in range(1, count + 1):
        quick.put(f"refs/pull/{number}/head", heads[number % accounts])
    return range(1, count + 1)


@pytest.mark.parametrize(("count", "accounts"), [(220, 1), (300, 12)])
def test_hundreds_of_pull_requests_keep_nobody_waiting(quick: QuickMeeting, count: int, accounts: int) -> None:
    """Bob's comes last of all, and is a proposal with its comment after one run, the first in line."""
    theirs = flood(quick, count, accounts)
    quick.put(f"refs/pull/{count + 1}/head", quick.change("bob", {f"{RULES}/dragon.yaml": rule("A dragon")}))
    with Spent() as spent:
        first = quick.referee(60)
    assert spent.units < 3000
    assert quick.proposal(301)["via"]["pull"] == count + 1
    assert "is **open**" in quick.said(count + 1)
    assert 0 < first.answers <= recorder.MOST_ANSWERS
    assert first.left > 0
    quick.referee(60)
    answered = [number for number in theirs if quick.said(number)]
    assert len(answered) > recorder.MOST_ANSWERS
    waits = [number for number in answered if "Too many at once" in quick.said(number)]
    heard = len(answered) - len(waits)
    assert 0 < heard <= min(recorder.MOST_OF_STRANGERS, accounts * recorder.MOST_OF_STRANGER)


def test_players_come_first(quick: QuickMeeting, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one run tries so few changes, strangers wait for players, and nobody's second comes before another's first."""
    monkeypatch.setattr("folkmoot.referee.outbox.MOST_PREVIEWS", 3)
    flood(quick, 30, 30)
    for number, who in ((31, "ann"), (32, "ann"), (33, "bob"), (34, "cid")):
        quick.put(f"refs/pull/{number}/head", quick.change(who, {f"{RULES}/{who}{number}.yaml": rule(who)}))
    quick.referee(60)
    assert [number for number in range(1, 35) if quick.said(number)] == [31, 32, 33, 34]
    assert [number for number in range(31, 35) if "not tried yet" in quick.said(number)] == [32]
    quick.referee(60)
    assert "not tried yet" not in quick.said(32)


def test_what_is_voted_on_is_never_in_the_crowd(quick: QuickMeeting, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who drowns their own proposal in a flood of their own still gets the votes that others cast on it."""
    monkeypatch.setattr(recorder, "MOST_OF_PLAYER", 10)
    pull = quick.propose("ann", "A dragon")
    quick.referee()
    head = quick.change("ann", {f"{RULES}/z.yaml": rule("Noise")})
    for number in range(2, 30):
        quick.put(f"refs/pull/{number}/head", head)
    for voter in PLAYERS[1:]:
        quick.say(voter, pull, "/vote against")
    quick.referee(60)
    assert quick.ballots() == dict.fromkeys(PLAYERS[1:], "against")


# -- trials


def test_a_killer_is_tried_once_for_each_law_and_content(quick: QuickMeeting, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def dying(self: Sandbox, changes: list[Any], title: str, *_: Any) -> dict[str, str]:
        tried.append(title)
        return {"died": "the judge ran longer than 1 s in a rule that this would make (on_acted)"}

    monkeypatch.setattr(Sandbox, "trial", dying)
    pull = quick.open("bob", {"rules/killer.yaml": rule("Killer")}, "Killer")
    quick.referee(60)
    assert "in a rule that this would make" in quick.said(pull)
    for voter in ("ann", "cid"):
        quick.say(voter, pull, "/vote against")
        quick.referee(60)
    assert tried == ["Killer"]
    assert "It cannot be tried" in quick.said(pull)
    assert "cid" in quick.said(pull).lower()


def test_what_is_taken_in_is_told_where_no_time_is_left_to_try_it(
    quick: QuickMeeting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox, "WORK_OF_PREVIEWS", 0.0)
    pull = quick.open("bob", {"rules/dragon.yaml": rule("A dragon")}, "A dragon")
    quick.referee(60)
    quick.say("ann", pull, "/vote for")
    quick.referee(60)
    assert quick.ballots() == {"ann": "for"}
    assert "**not tried yet**" in quick.said(pull)
    assert "ann" in quick.said(pull).lower()
    monkeypatch.setattr(outbox, "WORK_OF_PREVIEWS", 6.0)
    quick.referee(60)
    assert "not tried yet" not in quick.said(pull)
    assert "What adoption would do" in quick.said(pull)
