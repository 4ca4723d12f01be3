"""What one change of the law costs in a game of few and of many rules: judged, written and read back.

Seconds of the processor are printed, of the command and of its sandbox; only their ratio is asserted. The long form has
1,000 and 4,000 rules; `FOLKMOOT_BENCHMARK_ENTRIES` asks for the short one.
"""

from __future__ import annotations

import os
import platform
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from tests.large import law
from tests.large.game import PLAYERS, START
from tests.support.table import rule

LONG = not os.environ.get("FOLKMOOT_BENCHMARK_ENTRIES")
SIZES = (1_000, 4_000) if LONG else (200, 800)
CHANGES = 12
MOST_TIMES = 2.0
SLACK = 0.004
"""Seconds by which the measure is unsure."""

pytestmark = pytest.mark.benchmark


class Game:
    """A game of so many rules, in which somebody proposes and all vote."""

    def __init__(self, folder: Path, rules: int) -> None:
        more = [rule(str(number), title=f"Rule of {number}", labels=law.MUTABLE, text="Nothing follows from this.")
                for number in range(1_000, 1_000 + rules - len(law.FOUNDING))]  # fmt: skip
        people = [{"id": who, "name": who.capitalize()} for who in PLAYERS]
        given = {"rules": [*law.FOUNDING, *more], "players": people, "administrators": ["ann"], "title": "Many rules"}
        Session.found(folder, given, START)
        record = GameFolder(folder, durable=False)
        self.session = Session(record, record.load(), record.head)
        self.made = 0

    def act(self, by: str, do: str, **given: object) -> None:
        assert self.session.act(by, do, given, at=self.session.at + 60).accepted

    def change(self) -> tuple[float, float]:
        """Have a rule amended; return the seconds of the vote that decides it, here and in the sandbox."""
        self.made += 1
        text = f"Something follows from this now, for the {self.made}. time."
        self.act("ann", "propose", title="More", changes=[{"amend": "1000", "text": text}])
        number = 300 + self.made
        for who in PLAYERS[:-1]:
            self.act(who, "vote", proposal=number, choice="for")
        child, version = self.session.sandbox._child, self.session.documents["law"]["version"]
        assert child is not None
        before = _used(), _used_by(child.pid)
        self.act(PLAYERS[-1], "vote", proposal=number, choice="for")
        assert self.session.documents["law"]["version"] == version + 1
        return _used() - before[0], _used_by(child.pid) - before[1]


def _used() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _used_by(pid: int) -> float:
    """Return the seconds that a process has used; nothing where the system does not say."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text("ascii").split()[0]) / 1e9
    except OSError:
        return 0.0


@pytest.fixture
def games(tmp_path: Path) -> Iterator[list[Game]]:
    found = [Game(tmp_path / str(size), size) for size in SIZES]
    yield found
    for game in found:
        game.session.close()


def test_a_change_of_the_law_costs_little_more_where_there_are_many_rules(games: list[Game]) -> None:
    taken: list[list[tuple[float, float]]] = [[], []]
    for _ in range(CHANGES):
        for game, found in zip(games, taken, strict=True):
            found.append(game.change())
    least = [tuple(min(each[place] for each in found[1:]) for place in (0, 1)) for found in taken]
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    for size, (here, sandbox) in zip(SIZES, least, strict=True):
        print(
            f"\na change of the law of {size:,} rules: {here * 1e3:.1f} ms, in the sandbox {sandbox * 1e3:.1f}", end=""
        )
    print(f" ({machine})")
    assert sum(least[1]) <= MOST_TIMES * sum(least[0]) + SLACK
