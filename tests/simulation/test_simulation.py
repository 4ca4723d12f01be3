"""A game in all weathers: whatever fails, whoever races, what is recorded is what was sent, once each, and nothing else.

What happens comes from a seed. FOLKMOOT_FUZZ=1 tries new ones, FOLKMOOT_SEED=7 that one; a year of fifty players is `long`.
A failure prints the smallest part of its schedule that fails as well, as code for a test of its own.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from random import Random

import pytest

from folkmoot.referee.preview import Preview, Ruling
from tests.conftest import FUZZ
from tests.simulation.laws import LAWS, OPEN, Law
from tests.simulation.schedule import Event, as_code, schedule, shrunk
from tests.simulation.virtual import Killed
from tests.simulation.world import play

NUMBERS = re.compile(r"\b[0-9a-f]*\d[0-9a-f]*\b")


def seeds(often: int = 6) -> list[int]:
    """Return the seeds that are tried: always the same one, or so many new ones."""
    given = os.environ.get("FOLKMOOT_SEED")
    if given:
        return [int(given)]
    return [Random().randrange(10**6) for _ in range(often)] if FUZZ else [3]


def failure(law: Law, events: list[Event], folder: Path, players: int, rest: int) -> str:
    """Return how a schedule fails, "" if it does not."""
    try:
        play(law, events, folder, players=players, rest=rest)
    except (Exception, Killed) as error:  # noqa: BLE001 (whatever it is, it is found)
        return f"{type(error).__name__}: {error}"
    finally:
        shutil.rmtree(folder)
    return ""


def hold(law: Law, seed: int, days: int, players: int, folder: Path, pace: float = 1, rest: int = 1) -> None:
    """Play a seed; where it fails, fail with the smallest schedule that does so."""
    events = schedule(seed, law, days, players, pace)

    def fails(part: list[Event]) -> str:
        place = folder / "play"
        place.mkdir()
        return failure(law, part, place, players, rest)

    found = fails(events)
    if found:
        kind = NUMBERS.sub("#", found)[:60]
        least = shrunk(events, lambda part: NUMBERS.sub("#", fails(part))[:60] == kind)
        pytest.fail(f"seed {seed}, law {law.name}: {found}\n\n{as_code(law, least)}", pytrace=False)


@pytest.mark.threat("T-32", "T-58")
@pytest.mark.parametrize("name", LAWS)
def test_a_month(name: str, tmp_path: Path) -> None:
    for seed in seeds():
        hold(LAWS[name], seed, 30 if FUZZ else 20 if name == "open" else 10, 5, tmp_path)


@pytest.mark.long
def test_a_year_of_fifty_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A vote of fifty each week; without what each pull request would do, which takes most of the time."""
    shown = Preview(changes=(), proper=Ruling(ok=True))
    monkeypatch.setattr("folkmoot.referee.outbox.preview", lambda *_given, **_more: shown)
    for seed in seeds(1):
        hold(OPEN, seed, 365, 50, tmp_path, pace=0.25, rest=7)


def test_a_second_ballot_with_the_fate_of_the_first_is_answered_too(tmp_path: Path) -> None:
    day = 86_400
    events = [Event(5, "propose", "p2", 1, "A"), Event(600, "review", "p4", 1, "for"), Event(900, "run", "table")]
    events += [Event(900 + day, "vote", "p4", 1, "for"), Event(1_800 + day, "run", "table")]
    play(LAWS["lanterns"], events, tmp_path, players=5)


def test_a_disk_that_is_full_once_keeps_nobodys_vote_waiting(tmp_path: Path) -> None:
    """What was lost over the only thing that is new is fetched again at once, and not ten minutes later."""
    events = [Event(5, "propose", "p2", 1, "A"), Event(600, "run", "table"), Event(85_900, "vote", "p4", 1, "for")]
    play(OPEN, [*events, Event(86_000, "run", "cloud", faults=((5, "disk full"),))], tmp_path, players=5)
