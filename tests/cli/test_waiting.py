"""`moot status --wait`, and waiting for the answer to what a command sent."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from folkmoot.cli import saying
from folkmoot.cli.exit_codes import Exit
from folkmoot.cli.saying import wait_for_answer
from folkmoot.cli.terminal import Terminal
from folkmoot.core.problems import ProblemError, fail
from folkmoot.player import answers
from folkmoot.player.remote_view import RemoteView
from tests.support.meeting import GAME, rule
from tests.support.seats import Seats, Sit

Meanwhile = Callable[..., list[float]]


@pytest.fixture
def table(seats: Sit) -> Seats:
    return seats()


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[float]]:
    """Return a function that says what happens during the pauses, one after the other; returns their lengths."""

    def set_up(*happens: Callable[[], object]) -> list[float]:
        todo, pauses = list(happens), list[float]()

        def pause(seconds: float) -> None:
            pauses.append(seconds)
            assert len(pauses) < 50, "it waits for ever"
            if todo:
                todo.pop(0)()

        now = lambda: sum(pauses)  # noqa: E731
        looked = answers.wait_until
        timed = lambda view, found, seconds=None: looked(view, found, seconds, pause=pause, clock=now)  # noqa: E731
        monkeypatch.setattr(answers, "wait_until", timed)
        monkeypatch.setattr(saying, "wait_until", timed)
        return pauses

    return set_up


def test_one_waits_until_one_owes_something(table: Seats, meanwhile: Callable[..., list[float]]) -> None:
    def propose() -> None:
        table.open("bob", {"rules/tea.yaml": rule("Tea")}, "Tea")

    pauses = meanwhile(lambda: None, propose, lambda: table.referee(60))
    said = table.moot("ann", "status", "--wait")
    assert "vote on proposal 301, “Tea”" in said.out
    assert pauses == [1.0, 1.5, 2.25], "longer and longer"
    assert "moot vote 1 for" in table.moot("ann", "status", "--wait").out, "at once, where it is owed already"
    assert len(pauses) == 3


def test_one_waits_until_all_that_one_sent_is_judged(table: Seats, meanwhile: Callable[..., list[float]]) -> None:
    table.say("ann", 0, "/roll")
    meanwhile(lambda: None, lambda: table.referee(60))
    record = table.moot("ann", "status", "--wait", "--json").record
    assert (record["came"], record["owed"]) == ("answer", [])


def test_what_does_not_come_in_time_has_an_exit_code_of_its_own(
    table: Seats, meanwhile: Callable[..., list[float]]
) -> None:
    pauses = meanwhile()
    said = table.moot("ann", "status", "--wait", "--timeout", "10", code=Exit.LATE)
    assert "Nothing came in time." in said.err
    assert sum(pauses) == 10
    table.say("ann", 0, "/roll")
    assert table.moot("ann", "status", "--wait", "--timeout", "0", "--json", code=Exit.LATE).record["came"] is None


def test_what_came_of_a_letter_is_said_with_an_exit_code(
    table: Seats, meanwhile: Meanwhile, capsys: pytest.CaptureFixture[str]
) -> None:
    meanwhile(*[lambda: table.referee(60)] * 3)
    for body, code, wanted in (
        ("/roll", Exit.OK, "luck"),
        ("/give to=bob amount=99", Exit.REFUSED, "refused"),
        ("/dance", Exit.REFUSED, "dance"),
    ):
        letter = table.say("ann", 0, body)
        came, ended = wait_for_answer(Terminal(), seat(table, "ann"), GAME, letter)
        assert (ended, len(came)) == (code, 1)
        assert wanted in capsys.readouterr().out.lower()


def test_a_vote_is_waited_for_where_it_was_cast(table: Seats, meanwhile: Callable[..., list[float]]) -> None:
    pull = table.open("bob", {"rules/tea.yaml": rule("Tea")}, "Tea")
    table.referee(60)
    letter = table.say("ann", pull, "", "approve")
    meanwhile(lambda: table.referee(60))
    ((came,), _) = wait_for_answer(Terminal(), seat(table, "ann"), GAME, letter, pull)
    assert (came["state"], came["do"]) == ("recorded", "vote")
    assert wait_for_answer(Terminal(), seat(table, "ann"), GAME, "0" * 40, pull, 3)[1] == Exit.LATE


def test_a_network_that_fails_for_a_moment_ends_no_waiting(
    table: Seats, meanwhile: Meanwhile, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, failures, whole = seat(table, "ann"), [0], RemoteView.look

    def look(self: RemoteView) -> RemoteView:
        failures[0] -= 1
        if failures[0] > 0:
            raise fail("E-FORGE", "no network")
        return whole(self)

    monkeypatch.setattr(RemoteView, "look", look)
    meanwhile()
    failures[0] = answers.MOST_FAILURES
    assert answers.wait_until(view, lambda _: "here") == "here"
    failures[0] = 99
    with pytest.raises(ProblemError, match="no network"):
        answers.wait_until(view, lambda _: "here")


def seat(table: Seats, person: str) -> RemoteView:
    """Return what somebody sees."""
    table.moot(person, "status", "--json")
    return RemoteView(table.bare).look()


def test_an_act_waits_for_its_answer(table: Seats, meanwhile: Callable[..., list[float]]) -> None:
    meanwhile(lambda: table.referee(60), lambda: None, lambda: table.referee(60))
    assert "Accepted:" in table.moot("ann", "act", "roll", "--wait").out
    record = table.moot("ann", "act", "give", "to=bob", "amount=99", "--anyway", "--wait", "--json", code=3).record
    assert record["came"][0]["code"] == "E-FUNDS"
    assert (
        table.moot("ann", "act", "roll", "--wait", "--timeout", "5", code=Exit.LATE).err.count("not judged in time")
        == 1
    )
