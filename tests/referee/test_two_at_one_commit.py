"""Of two referees that come to the same commit at once only the one whose push moved the branch answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.core.fault_points import fault_hook
from folkmoot.forges.port import Answer
from folkmoot.referee.report import Report
from folkmoot.referee.run import Referee
from tests.support.town import Town, TownForge


class Second:
    """Runs another referee, of a process of its own, when the first passes a point."""

    def __init__(self, town: Town, point: str) -> None:
        self.town, self.point, self.report = town, point, Report()
        self.sent: list[Answer] = []
        self.run_once = False

    def __call__(self, point: str) -> None:
        if point == self.point and not self.run_once:
            self.run_once = True
            before = len(self.town.board.sent)
            with Referee(TownForge(self.town.bare, self.town.board), self.town.repo, lambda: self.town.now) as referee:
                self.report = referee.run()
            self.sent = self.town.board.sent[before:]


@pytest.mark.threat("T-62")
@pytest.mark.parametrize("point", ["before-write", "half-written", "written", "before-push"])
def test_the_loser_converges_silently(point: str, tmp_path: Path) -> None:
    town = Town(tmp_path)
    pull = town.propose("ann", "A dragon")
    town.say("bob", 0, "/do state text=once")
    second = Second(town, point)
    with fault_hook(second):
        first = town.referee(60)
    assert second.run_once
    answers = sum(1 for answer in town.board.sent if answer.pull == pull)
    assert answers == 1
    assert (first.answers > 0) + (second.report.answers > 0) == 1
    assert first.after == second.report.after or first.lost
    stated = [entry for entry in town.journal() if entry["do"] == "state"]
    assert len(stated) == 1
    called = [tuple(people) for people in town.board.called(pull, "vote")]
    assert len(called) == len(set(called)) == 1
    refs = {name: town.tip(name) for name in town.repo.references}
    assert town.referee(60).answers == 0
    assert {name: town.tip(name) for name in town.repo.references} == refs


def test_whoever_lost_the_answer_to_a_push_still_won(tmp_path: Path) -> None:
    """What was pushed, and of which no word came back, is found to be one's own."""
    town = Town(tmp_path)
    town.propose("ann", "A dragon")
    forge = TownForge(town.bare, town.board)
    move, lost = forge.refs.move, []

    def losing(moves: object) -> bool:
        done = move(moves)  # type: ignore[arg-type]
        if any("heads/" in each.ref for each in moves) and not lost:  # type: ignore[attr-defined]
            lost.append(done)
            return False
        return done

    forge.refs.move = losing  # type: ignore[assignment,method-assign]
    with Referee(forge, town.repo, lambda: town.now) as referee:
        report = referee.run()
    assert lost == [True]
    assert report.answers > 0
