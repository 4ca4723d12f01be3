"""Who is called by the referee, and of what: each occasion once, nobody who opted out, nobody in a game that sleeps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.referee.mentions import Caller
from tests.support.meeting import rule
from tests.support.quick import SMALL, imperial, suber
from tests.support.table import rule as made_rule
from tests.support.town import Town

DAY = 86_400
DUTIES = made_rule(
    "4",
    """
    def do_ask(a):
        owe(a.args.whom, "answer the question", by = now() + a.args.hours * HOUR, key = "answer/" + a.args.whom,
            do = "answer")

    def do_answer(a):
        settle("answer/" + a.by)

    def do_triumph(a):
        win(a.by)
    """,
    actions={
        "triumph": {},
        "ask": {"arguments": {"whom": {"type": "player"}, "hours": {"type": "integer"}}},
        "answer": {"arguments": {"what": {"type": "text"}}},
    },
)
OWING: dict[str, Any] = {**SMALL, "rules": [*SMALL["rules"], DUTIES]}


@pytest.fixture
def town(tmp_path: Path) -> Town:
    """Return a game in which anybody proposes, and more than half decide within seven days."""
    return Town(tmp_path, law=OWING)


# -- votes


def test_when_a_vote_opens_those_are_called_whose_ballots_are_missing(town: Town) -> None:
    pull = town.propose("ann", "A @dragon")
    town.approve("bob", pull)
    town.referee()
    (call,) = town.board.words(pull)
    assert call.people == ("cid@x.org", "dee@x.org")  # ann opened the vote, bob has voted
    assert call.key.startswith("vote-")
    assert "until 2026-01-12 12:00 UTC" in call.text
    assert "`/vote for`, `/vote against` or `/vote abstain`" in call.text
    assert "@dragon" not in call.text
    for _ in range(3):
        town.referee(3_600)
    assert len(town.board.calls) == 1


def test_a_reminder_names_only_those_who_still_owe_and_comes_once(town: Town) -> None:
    pull = town.propose("ann", "A dragon")
    town.referee()
    town.approve("bob", pull)
    town.referee(6 * DAY - 1)
    assert town.board.words(pull, "remind") == []
    town.approve("dee", pull)
    town.forge.settle = 120  # type: ignore[misc]
    town.referee(1)
    assert town.board.called(pull, "remind") == [["ann", "cid"]], "dee has just voted"
    town.approve("cid", pull)
    for _ in range(4):
        town.referee(3_600)
    assert len(town.board.words(pull, "remind")) == 1
    assert "`/vote for`" in town.board.words(pull, "remind")[0].text


def test_a_reminder_whose_time_passed_while_nobody_looked_is_late_but_never_after_the_deadline(town: Town) -> None:
    pull = town.propose("ann", "A dragon")
    town.referee()
    town.referee(7 * DAY - 5)
    assert town.board.called(pull, "remind") == [["ann", "bob", "cid", "dee"]]
    late = town.propose("bob", "A bog", x=rule("A bog"))
    town.referee()
    town.referee(8 * DAY)
    assert town.board.words(late, "remind") == []
    assert town.board.called(late, "decided") == [["bob"]]


def test_a_shorter_period_is_reminded_of_in_its_last_third_and_a_game_may_say_when(town: Town) -> None:
    town.say("ann", 0, "/ask whom=bob hours=3")
    town.referee()
    town.referee(2 * 3_600 - 1)
    assert town.board.words(0, "remind") == []
    town.referee(1)
    assert town.board.called(0, "remind") == [["bob"]]
    town.order("remind", hours=48)
    pull = town.propose("ann", "A dragon")
    town.referee()
    town.referee(5 * DAY)
    assert len(town.board.words(pull, "remind")) == 1
    town.order("remind", hours=0)
    late = town.propose("bob", "A bog", x=rule("A bog"))
    town.referee(2 * DAY)
    town.referee(7 * DAY - 60)
    assert town.board.words(late, "remind") == []


# -- what is owed, and whose turn it is


def test_who_owes_something_is_called_in_the_games_thread_with_the_command_for_it(town: Town) -> None:
    town.say("ann", 0, "/ask whom=bob hours=100")
    town.say("cid", 0, "/ask whom=cid hours=100")
    town.referee()
    (call,) = town.board.words(0, "owe")
    assert call.people == ("bob@x.org",)  # cid's own act led to what cid owes
    assert "“answer the question” until 2026-01-09 16:00 UTC" in call.text
    assert "`/answer what=…`" in call.text
    assert "bob owes: “answer the question" in town.said(0)
    town.say("bob", 0, "/answer what=yes")
    town.referee(60)
    assert "bob owes" not in town.said(0)
    town.say("ann", 0, "/ask whom=bob hours=100")
    town.referee(60)
    assert town.board.called(0, "owe") == [["bob"], ["bob"]]


def test_whose_turn_it_is_is_said_once_a_turn(tmp_path: Path) -> None:
    town = Town(tmp_path, law=suber())
    town.referee()
    assert town.board.called(0) == [["ann"]]
    pull = town.propose("ann", "A dragon")
    town.referee()
    assert town.board.words(pull) == []
    town.say("ann", pull, "/finalise")
    town.referee(60)
    assert town.board.called(pull, "vote") == [["bob", "cid", "dee"]], "ann opened it by an act of theirs"
    town.all_vote(pull)
    assert town.board.called(0) == [["ann"], ["bob"]]  # by what the rules say they owe
    assert "It is the turn of bob." in town.said(0)
    town.referee(60)
    assert len(town.board.words(0)) == 2


def test_turns_that_no_law_counts_are_told_apart(tmp_path: Path) -> None:
    turns = made_rule(
        "5",
        'def decide_mover():\n    return get("game", "on")\n\ndef do_pass(a):\n    put("game", "on", a.args.to)',
        defines={"game": {"on": {"type": "player", "optional": True}}},
        actions={"pass": {"arguments": {"to": {"type": "player"}}}},
    )
    town = Town(tmp_path, law={**SMALL, "rules": [*SMALL["rules"], turns]})
    for player in ("ann", "bob", "ann", "ann", "bob"):
        town.say("cid", 0, f"/pass to={player}")
        town.referee(60)
    assert town.board.called(0, "turn") == [["ann"], ["bob"], ["ann"], ["bob"]]


def test_who_decides_in_a_game_without_votes_is_called_and_so_is_their_successor(tmp_path: Path) -> None:
    town = Town(tmp_path, law=imperial())
    pull = town.propose("cid", "A dragon")
    town.referee()
    assert town.board.called(pull, "decider") == [["ann"]]
    town.say("ann", 0, "/transfer_office office=tie player=dee")
    town.referee(60)
    assert town.board.called(pull, "decider") == [["ann"], ["dee"]]
    town.approve("dee", pull)
    town.referee(60)
    assert town.board.called(pull, "decided") == [["cid"]]
    assert "**accepted**" in town.board.words(pull, "decided")[0].text


# -- decisions


def test_the_author_hears_of_the_decision_but_for_their_own(town: Town) -> None:
    first, second = town.propose("ann", "A dragon"), town.propose("bob", "A bog", x=rule("A bog"))
    town.referee()
    for voter in ("bob", "cid", "dee"):
        town.approve(voter, first)
    town.referee(60)
    town.say("ann", first, "/vote for")
    town.say("bob", second, "/withdraw")
    town.referee(60)
    assert town.board.words(first, "decided") == []  # their own ballot was the last
    assert town.board.words(second, "decided") == []
    third = town.propose("cid", "A crow", y=rule("A crow"))
    for voter in ("cid", "ann", "bob", "dee"):
        town.say(voter, third, "/vote against")
    town.referee(60)
    assert town.board.called(third, "decided") == [["cid"]]
    assert "was **defeated**: “0 of 4 for”" in town.board.words(third, "decided")[0].text


@pytest.mark.threat("T-40")
def test_the_author_hears_of_a_refusal_once(town: Town) -> None:
    pull = town.open("dee", {"inbox/x.yaml": b"do: give\nargs: {to: ann, amount: 5}\n"})
    broken = town.open("cid", {"rules/x.yaml": b"titel: X\n"})
    town.referee()
    town.referee(60)
    assert town.board.called(pull, "refused") == [["dee"]]
    assert "dee has 0 score, not 5" in town.board.words(pull)[0].text
    assert town.board.called(broken, "refused") == [["cid"]]


# -- who is not called


def test_nobody_is_called_who_opted_out_is_unknown_here_or_has_left(town: Town) -> None:
    town.say("bob", 0, "/notify mentions=off")
    town.say("cid", 0, "/notify mentions=reminders")
    town.say("dee", 0, "/notify mentions=never")
    town.say("eve", 0, "/notify mentions=off")
    town.say("fay <fay@x.org>", 0, "/join id=fay")
    town.order("admit", player="gus")  # without an account here
    town.referee()
    for part in ("(all, reminders, off)", "E-ARGS", "Eve is no player"):
        assert part in town.said(0)
    assert town.document("roster")["bob"]["mentions"] == "off"
    pull = town.propose("ann", "A dragon")
    town.referee(60)
    assert town.board.called(pull) == [["dee", "fay"]]
    assert "gus" in town.said(pull)
    town.say("dee", 0, "/leave")
    town.referee(60)
    town.referee(6 * DAY)
    assert town.board.called(pull, "remind") == [["ann", "cid", "fay"]]
    town.say("bob", 0, "/notify mentions=all")
    late = town.propose("cid", "A bog", x=rule("A bog"))
    town.referee(60)
    assert town.board.called(late) == [["ann", "bob", "fay"]]


def test_a_game_that_sleeps_calls_nobody_and_then_what_it_missed(town: Town) -> None:
    pull = town.propose("ann", "A dragon")
    town.say("ann", 0, "/ask whom=bob hours=500")
    town.say("ann", 0, "/do pause")
    town.referee()
    assert town.board.calls == []
    assert "The game is paused." in town.said(0)
    town.referee(6 * DAY + 60)
    town.referee(6 * DAY)
    assert town.board.calls == []
    town.say("ann", 0, "/do resume")
    town.referee(60)
    assert town.board.called(pull) == [["bob", "cid", "dee"]]
    assert town.board.called(0) == [["bob"]]
    over = town.propose("ann", "A bog", x=rule("A bog"))
    town.say("bob", 0, "/triumph")
    town.referee(60)
    assert town.board.called(over, "vote") == []
    assert "The game is over." in town.said(0)


def test_the_calls_of_one_run_are_bounded_and_the_rest_follows(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("folkmoot.referee.mentions.MOST_NAMED", 2)
    monkeypatch.setattr("folkmoot.referee.run.Caller", lambda forge, notifies: Caller(forge, notifies, left=4))
    pulls = [town.propose("ann", f"Rule {n}", **{f"n{n}": rule(f"Rule {n}")}) for n in range(5)]
    counts = []
    for _ in range(4):
        town.referee(60)
        counts.append(len(town.board.calls))
    assert counts == [4, 8, 10, 10]
    assert [town.board.called(pull) for pull in pulls] == [[["bob"], ["cid", "dee"]]] * 5, "in parts"


# -- robots


@pytest.mark.threat("T-33")
def test_robots_and_chatterers_make_no_loop_and_are_told_once(town: Town) -> None:
    town.board.robots = {"bot@x.org"}
    pull = town.propose("ann", "A dragon")
    town.referee()
    counts = []
    for number in range(6):
        answered = len(town.board.sent)
        for who in ("bot", "zed"):
            for body in ("Thanks!", f"/vote for because {number}", "/do state text=hello"):
                town.say(who, pull, body)
            town.approve(who, pull, str(number))
        town.say("bot", 0, f"/do state text={number}")
        town.referee(60)
        counts.append(len(town.board.sent) - answered)
    assert counts[2:] == [1] * 4  # the thread's remarks are acknowledged, and say nothing new
    assert town.said(pull).count("robots neither vote nor act") == 1
    assert town.said(pull).count("Zed, vote: Zed is no player of this game") == 1
    assert len(town.board.calls) == 1
    town.board.robots = {"bot@x.org", "dee@x.org"}  # one of them even has a player's address
    town.say("dee", pull, "/vote for")
    town.approve("dee", pull)
    town.referee(60)
    assert town.ballots() == {}
