"""Nothing that a person writes on a forge of the web is acknowledged before it was read, whenever referees happen to run."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from folkmoot.referee.run import Referee
from tests.conftest import FUZZ
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.github.github_meeting import GitHubMeeting
from tests.support.meeting import PLAYERS, rule
from tests.support.quick import SMALL

WINDOW = 120
MEETINGS = {"github": GitHubMeeting, "gitea": GiteaMeeting}


class Street:
    """People who write at any moment, and referees who run at any moment."""

    def __init__(self, forge: str, folder: Path, chance: Random) -> None:
        """Have one proposal to vote on, one to withdraw, and an issue that stays open."""
        self.chance = chance
        self.places: dict[str, int] = {}
        self.voted: list[tuple[int, str]] = []
        self.withdrawn: list[int] = []
        self.meeting: Any = MEETINGS[forge](folder, law={**SMALL, "settings": {}})
        self.web = self.meeting.web
        self.pull = self.meeting.propose("ann", "A dragon")
        self.other = self.meeting.open("cid", {"rules/r9.yaml": rule("Another")}, "Another")
        self.statement = self.web.open_issue("ann", "Is this open?", ("game",), "Is it?")
        self.settle()

    def wait(self, seconds: int) -> None:
        self.web.now += seconds
        self.meeting.now = self.web.now

    def run(self) -> Any:
        self.wait(0)
        with Referee(self.meeting.forge, self.meeting.repo, lambda: self.meeting.now) as referee:
            return referee.run()

    def settle(self) -> None:
        for _ in range(3):
            self.wait(WINDOW + 60)
            report = self.run()
        assert (report.entries, report.unsettled) == (0, 0)

    def word(self, place: int = -1) -> str:
        word = f"t{len(self.places) + 1}"
        self.places[word] = place
        return word

    def comment(self, place: int) -> str:
        return str(self.meeting.say("bob", place, f"/do state text={self.word(place)}"))

    # -- what people do

    def thread(self) -> None:
        self.comment(0)

    def beside_a_proposal(self) -> None:
        self.comment(self.pull)

    def edited(self) -> None:
        """Change a comment afterwards: as it was first seen it counts, once."""
        name = self.comment(place := self.chance.choice((0, self.pull)))
        if self.chance.random() < 0.5:
            self.wait(self.chance.randrange(1, 90))
            self.run()
        self.meeting.edit("bob", place, name, f"/do state text=t{len(self.places)} ")

    def issue(self) -> None:
        word = self.word()
        self.places[word] = self.web.open_issue("cid", "", ("game",), f"/do state text={word}")
        self.comment(self.statement)

    def review(self) -> None:
        left = [who for who in PLAYERS[1:3] if (self.pull, who) not in self.voted]
        if left:
            self.voted.append((self.pull, left[0]))
            self.meeting.approve(left[0], self.pull)

    def push(self) -> None:
        word = self.word()
        body = f"do: state\nargs:\n  text: {word}\n".encode()
        self.places[word] = self.meeting.open("dee", {f"inbox/{word}.yaml": body}, word)

    def closing(self) -> None:
        if not self.withdrawn:
            self.withdrawn.append(self.other)
            self.web.close("cid", self.other)


DEEDS = (
    Street.thread, Street.beside_a_proposal, Street.edited, Street.issue, Street.review, Street.push, Street.closing
)  # fmt: skip


@pytest.mark.threat("T-58")
@pytest.mark.parametrize("seed", range(4 if FUZZ else 1))
@pytest.mark.parametrize("forge", sorted(MEETINGS))
@pytest.mark.sampled(2)
def test_runs_at_every_moment_lose_and_double_nothing(forge: str, seed: int, tmp_path: Path) -> None:
    street = Street(forge, tmp_path, chance := Random(seed))
    deeds = [*DEEDS, *chance.choices(DEEDS, k=6)]
    chance.shuffle(deeds)
    for deed in deeds:
        deed(street)
        for _ in range(chance.randrange(3)):
            street.wait(chance.choice((0, 1, 30, WINDOW - 1, WINDOW, WINDOW + 1)))
            street.run()
    street.settle()
    journal = list(street.meeting.game().entries())
    entries = [
        (entry["with"]["text"], entry["seq"]) for entry in journal if entry["do"] == "state" and entry["by"] != "ann"
    ]
    assert Counter(word for word, _ in entries) == Counter(list(street.places))
    for word, seq in entries:
        told = street.meeting.said(street.places[word])
        assert told.count(f"[entry {seq}]" if street.places[word] == 0 else f"Entry {seq}:") == 1, (word, told)
    ballots = [(entry["via"]["pull"], entry["by"]) for entry in journal if entry["do"] == "vote"]
    assert Counter(ballots) == Counter(street.voted)
    assert [entry["via"]["pull"] for entry in journal if entry["do"] == "withdraw"] == street.withdrawn
