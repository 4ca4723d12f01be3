"""Nothing that a person writes anywhere is acknowledged before it was read, whenever referees happen to run."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import Letter
from folkmoot.referee.run import Referee
from tests.conftest import FUZZ
from tests.forges.gitea.gitea_meeting import GiteaMeeting
from tests.forges.github.github_meeting import GitHubMeeting
from tests.forges.web_meeting import TwinMeeting, WebMeeting
from tests.support.meeting import PLAYERS, rule
from tests.support.quick import SMALL

pytestmark = pytest.mark.sampled(2)  # on one of the forges

WINDOW = 120
LAW = {**SMALL, "settings": {}}
WEB = {"github": GitHubMeeting, "gitea": GiteaMeeting}


class Slow(LocalForge):
    """The local forge where facts wait as they do on the web."""

    settle = WINDOW


class Street:
    """People who write at any moment, and referees who run at any moment."""

    def __init__(self, forge: str, folder: Path, chance: Random) -> None:
        self.chance = chance
        self.said: Counter[str] = Counter()
        self.places: dict[str, int] = {}
        self.meeting: Any = WEB[forge](folder, law=LAW) if forge in WEB else TwinMeeting(folder, law=LAW)
        self.web = self.meeting.web if isinstance(self.meeting, WebMeeting) else None
        forge_ = self.meeting.forge if self.web else Slow(self.meeting.referee_folder, self.meeting.remote)
        self.meeting.forge = forge_
        self.number = 0
        self.voted: list[tuple[int, str]] = []
        self.withdrawn: list[int] = []

    # -- time

    def wait(self, seconds: int) -> None:
        if self.web is not None:
            self.web.now += seconds
            self.meeting.now = self.web.now
        else:
            self.meeting.now += seconds

    def run(self) -> Any:
        if self.web is not None:
            self.meeting.now = self.web.now
        meeting = self.meeting
        with Referee(meeting.forge, meeting.repo, lambda: meeting.now) as referee:
            return referee.run()

    def settle(self) -> None:
        for _ in range(3):
            self.wait(WINDOW + 60)
            report = self.run()
        assert (report.entries, report.unsettled) == (0, 0)

    # -- what people do

    def _word(self, place: int) -> str:
        self.number += 1
        word = f"t{self.number}"
        self.places[word] = place
        return word

    def comment(self, place: int) -> str:
        return str(self.meeting.say("bob", place, f"/do state text={self._word(place)}"))

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
        self.meeting.edit("bob", place, name, f"/do state text=t{self.number} ")

    def issue(self) -> None:
        if self.web is not None:
            word = self._word(-1)
            self.places[word] = self.web.open_issue("cid", "", ("game",), f"/do state text={word}")

    def below_an_issue(self) -> None:
        if self.web is not None:
            self.comment(self.statement)

    def review(self) -> None:
        left = [who for who in PLAYERS[1:3] if (self.pull, who) not in self.voted]
        if left:
            self.voted.append((self.pull, left[0]))
            self.meeting.approve(left[0], self.pull)

    def push(self) -> None:
        word = self._word(-1)
        body = f"do: state\nargs:\n  text: {word}\n".encode()
        self.places[word] = self.meeting.open("dee", {f"inbox/{word}.yaml": body}, word)

    def closing(self) -> None:
        if self.withdrawn:
            return
        self.withdrawn.append(self.other)
        if self.web is not None:
            self.web.close("cid", self.other)
        else:
            self.meeting.seat("cid").send(Letter(pull=self.other, kind="close"))

    def begin(self) -> None:
        """Have one proposal to vote on, one to withdraw, and an issue that stays open."""
        self.pull = self.meeting.propose("ann", "A dragon")
        self.other = self.meeting.open("cid", {"rules/r9.yaml": rule("Another")}, "Another")
        if self.web is not None:
            self.statement = self.web.open_issue("ann", "Is this open?", ("game",), "Is it?")
        self.settle()


DEEDS = (
    Street.thread,
    Street.beside_a_proposal,
    Street.edited,
    Street.issue,
    Street.below_an_issue,
    Street.review,
    Street.push,
    Street.closing,
)


def is_recorded_and_answered_once(street: Street) -> None:
    journal = list(street.meeting.game().entries())
    stated = Counter(entry["with"]["text"] for entry in journal if entry["do"] == "state" and entry["by"] != "ann")
    assert stated == Counter(list(street.places))
    entries = {entry["with"]["text"]: entry["seq"] for entry in journal if entry["do"] == "state"}
    for word, place in street.places.items():
        told = street.meeting.said(place)
        named = f"[entry {entries[word]}]" if place == 0 else f"Entry {entries[word]}:"
        assert told.count(named) == 1, (word, place, told)
    ballots = [(entry["via"]["pull"], entry["by"]) for entry in journal if entry["do"] == "vote"]
    assert Counter(ballots) == Counter(street.voted)
    assert [entry["via"]["pull"] for entry in journal if entry["do"] == "withdraw"] == street.withdrawn


@pytest.mark.threat("T-58")
@pytest.mark.parametrize("seed", range(4 if FUZZ else 1))
@pytest.mark.parametrize("forge", ["local", "github", "gitea"])
def test_runs_at_every_moment_lose_and_double_nothing(forge: str, seed: int, tmp_path: Path) -> None:
    street = Street(forge, tmp_path, chance := Random(seed))
    street.begin()
    deeds = [*DEEDS, *chance.choices(DEEDS, k=8)]
    chance.shuffle(deeds)
    for deed in deeds:
        deed(street)
        for _ in range(chance.randrange(3)):
            street.wait(chance.choice((0, 1, 30, WINDOW - 1, WINDOW, WINDOW + 1)))
            street.run()
    street.settle()
    is_recorded_and_answered_once(street)


@pytest.mark.parametrize("forge", ["local", "github", "gitea"])
def test_a_run_at_once_and_one_in_the_window_settle_nothing(forge: str, tmp_path: Path) -> None:
    street = Street(forge, tmp_path, Random(0))
    street.begin()
    for deed in DEEDS:
        deed(street)
        street.run()
        street.wait(WINDOW // 2)
        street.run()
        street.settle()
    is_recorded_and_answered_once(street)
