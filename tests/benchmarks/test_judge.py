"""What the judge costs: replay of a vote-heavy game, one more act on a long game, hostile scripts, life after death.

Only ratios measured side by side are asserted, and memory; speeds are printed with the machine named. Figures of
processor time do not suffer from what else the machine does; those of the wall clock are the least of
several runs.
"""

from __future__ import annotations

import os
import platform
import signal
import statistics
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.events import Event
from folkmoot.game.rulesets import founding
from folkmoot.kernel.chance import open_chance
from folkmoot.kernel.replay import Entry, entry_of
from folkmoot.kernel.step import Kernel
from folkmoot.sandbox.client import Sandbox
from folkmoot.sandbox.retries import Trying
from folkmoot.sandbox.worker_process import Died

SMALL = 1_000
LARGE = int(os.environ.get("FOLKMOOT_BENCHMARK_ENTRIES", "100000"))
VOTERS = 10
START = 1_767_614_400
REGISTERS = 10_000
Record = dict[str, Any]

pytestmark = pytest.mark.benchmark


class Votes:
    """Suber's game by mail with ten voters, which nobody wins: proposals, made final, with five votes of ten each."""

    def __init__(self) -> None:
        self.kernel = Kernel()
        self.seq = 0
        people = [{"id": f"p{n}", "surname": f"P{n}"} for n in range(VOTERS)]
        opening = founding("suber")
        opening["rules"] = [rule for rule in opening["rules"] if "win(" not in rule.get("script", "")]
        given = {**opening, "players": people, "settings": {"mode": "mail"}, "offices": {}, "opening": []}
        self.first = self.judge("found", None, given)

    def judge(self, do: str, by: str | None, with_: Record) -> Entry:
        self.seq += 1
        event = Event(seq=self.seq, at=START + self.seq, do=do, by=by, with_=with_)
        outcome = self.kernel.apply(event, open_chance("", str(self.seq)))
        assert outcome.accepted, outcome
        self.kernel.documents.release()
        return entry_of(event, outcome)

    def __iter__(self) -> Iterator[Entry]:
        yield self.first
        while True:
            mover = self.kernel.ask("mover", [], START + self.seq)
            change = {"enact": {"title": f"Idea {self.seq}", "text": "Everybody is merry."}}
            yield self.judge("propose", mover, {"title": "Idea", "changes": [change]})
            yield self.judge("finalise", mover, {})
            for n in range(VOTERS):
                yield self.judge("vote", f"p{n}", {"choice": "against" if n % 2 else "for"})


@pytest.fixture(scope="module")
def journal() -> list[Entry]:
    return [entry for entry, _ in zip(Votes(), range(LARGE), strict=False)]


def report(what: str, **figures: str) -> None:
    """Print a line of figures, with the machine."""
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    print(f"\n{what}: " + ", ".join(f"{name} {figure}" for name, figure in figures.items()) + f"  [{machine}]")


def replayed(judge: Sandbox, entries: list[Entry]) -> tuple[float, float]:
    """Replay and return the seconds that passed and those of the judge's processor time."""
    used, began = judge._child.used(), time.perf_counter()  # type: ignore[union-attr]
    judge.replay(entries)
    return time.perf_counter() - began, judge._child.used() - used  # type: ignore[union-attr]


def peak(judge: Sandbox) -> int:
    """Return the most memory the process ever held, in megabytes."""
    status = Path(f"/proc/{judge._child.pid}/status").read_text()  # type: ignore[union-attr]
    return int(status.split("VmHWM:")[1].split()[0]) // 1024


def test_vote_heavy_replay_is_fast_linear_and_small(journal: list[Entry]) -> None:
    rates = {}
    for size in (SMALL, LARGE // 10, LARGE):
        with Sandbox() as judge:
            wall, used = replayed(judge, journal[:size])
            rates[size] = size / used
            figures = {"entries/s": f"{size / wall:,.0f}", "per processor second": f"{rates[size]:,.0f}"}
            memory = peak(judge)
            report(f"replay of {size:,} entries", **figures, memory=f"{memory} MB")
            assert memory <= 500
    assert rates[LARGE] >= 0.67 * rates[LARGE // 10], "replay must be linear"


def test_one_more_act_costs_the_same_on_a_long_game(journal: list[Entry]) -> None:
    with Sandbox() as short, Sandbox() as long:
        short.replay(journal[:SMALL])
        long.replay(journal)
        taken: dict[int, list[float]] = {SMALL: [], LARGE: []}
        for number in range(300):
            for judge, size in ((short, SMALL), (long, LARGE)):
                event = Event(seq=size + 1 + number, at=START + LARGE * 2, do="state", by="p1", with_={"text": "Hm."})
                began = time.perf_counter()
                assert judge.apply(event).outcome.accepted
                taken[size].append(time.perf_counter() - began)
    ratio = statistics.median(taken[LARGE]) / statistics.median(taken[SMALL])
    least = {size: f"{statistics.median(times) * 1e6:.0f} µs" for size, times in taken.items()}
    report("one act through the judge", short=least[SMALL], long=least[LARGE], ratio=f"{ratio:.2f}")
    assert ratio <= 1.5


def end(judge: Sandbox) -> None:
    """Kill the process from outside and wait until it has ended."""
    number = judge._child.pid  # type: ignore[union-attr]
    os.kill(number, signal.SIGKILL)
    os.waitid(os.P_PID, number, os.WEXITED | os.WNOWAIT)


def note_deaths(judge: Sandbox) -> list[float]:
    """Return a list into which the moment of every death is written from now on."""
    died: list[float] = []
    again = Trying.again

    def noted(trying: Trying, death: Died) -> None:
        died.append(time.perf_counter())
        again(trying, death)

    Trying.again = noted  # type: ignore[method-assign]
    return died


def large_game() -> Record:
    """Return the founding of a game with ten thousand registers of things, and a rule that kills the judge."""
    names = [f"r{n}" for n in range(10)]
    registers = {name: {"type": "integer", "initial": 0} for name in names}
    work = "def do_work(a):\n    add('game', 'total', 1)\n"
    kill = "def do_kill(a):\n    n = 3\n    for i in range(60):\n        n = n * n\n"
    declared = {"game": {"total": {"type": "integer", "initial": 0}}, "kinds": {"field": {"registers": registers}}}
    rules = [
        {"rule": "1", "title": "Work", "script": work, "actions": {"work": {}}, "defines": declared},
        {"rule": "2", "title": "Kill", "script": kill, "actions": {"kill": {}}},
    ]
    fields = [{"kind": "field", "id": f"f{n}", **dict.fromkeys(names, n)} for n in range(REGISTERS // len(names))]
    return {"rules": rules, "players": [{"id": "ann"}], "opening": fields}


@pytest.mark.long
def test_the_next_event_after_a_death_is_served_at_once() -> None:
    served = []
    overrun = []
    for _ in range(3 if LARGE >= 100_000 else 1):
        with Sandbox(seconds=0.5) as judge:
            founded = judge.apply(Event(seq=1, at=START, do="found", with_=large_game()))
            assert founded.outcome.accepted, founded.outcome
            assert len(founded.documents["things/field"] or {}) * 10 == REGISTERS
            died = note_deaths(judge)
            killed = judge.apply(Event(seq=2, at=START, do="kill", by="ann"))
            overrun.append(time.perf_counter() - died[-1])
            assert killed.event.left_out, "it runs too long, and is left out"
            end(judge)
            began = time.perf_counter()
            assert judge.apply(Event(seq=3, at=START, do="work", by="ann")).outcome.accepted
            served.append(time.perf_counter() - began)
    report(
        f"after a death in a game of {REGISTERS:,} registers",
        judged_again_without_the_rule=f"{min(overrun) * 1e3:.0f} ms",
        next_event_with_a_cold_start=f"{min(served) * 1e3:.0f} ms",
    )


def test_a_round_trip_is_short() -> None:
    with Sandbox() as judge:
        taken = []
        for _ in range(2_000):
            began = time.perf_counter()
            judge.walls()
            taken.append(time.perf_counter() - began)
    report("a question and its answer across the border", least=f"{min(taken) * 1e6:.0f} µs")
