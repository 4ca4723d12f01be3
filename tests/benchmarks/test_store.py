"""What the record costs: opening, one act, proof and commit, at 1,000 and at 100,000 entries.

Figures are the least of several runs taken by turns, so that a busy machine disturbs both sizes alike.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from git import Repo

from folkmoot.game.rulesets import founding
from folkmoot.game.session import Session
from folkmoot.game.verify import verify
from folkmoot.journal import GameFolder
from folkmoot.kernel.replay import replay
from folkmoot.kernel.step import Kernel

SMALL = 1_000
LARGE = int(os.environ.get("FOLKMOOT_BENCHMARK_ENTRIES", "100000"))
START = 1_767_614_400
BATCH = 5_000

Clock = Callable[[], float]

pytestmark = pytest.mark.benchmark


def grow(path: Path, size: int) -> GameFolder:
    """Found Suber's game and let its players talk until the journal has `size` entries."""
    people = [{"id": name} for name in ("ann", "bob", "cid")]
    given = {**founding("suber"), "title": "Long", "players": people, "settings": {"mode": "mail"}}
    Session.found(path, {**given, "administrators": ["ann"]}, START)
    folder = GameFolder(path, durable=False)
    for start in range(folder.head.seq, size, BATCH):
        count = min(BATCH, size - start)
        folder.append([said(start + n, START + start + n) for n in range(count)], {})
    return folder


def said(number: int, at: int) -> dict[str, Any]:
    """Return the entry of a statement; statements change no document, so that their entries can be made in bulk."""
    text = f"Statement {number}"
    effect = {"effect": "state", "of": "ann", "text": text}
    return {"at": at, "by": "ann", "do": "state", "with": {"text": text}, "effects": [effect]}


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> dict[int, GameFolder]:
    root = tmp_path_factory.mktemp("games")
    with Repo.init(root):
        return {size: grow(root / str(size), size) for size in (SMALL, LARGE)}


def least(runs: int, clock: Clock, **cases: Callable[[], object]) -> dict[str, float]:
    """Return the least seconds that each case took by a clock, running them by turns."""
    taken: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(runs):
        for name, case in cases.items():
            start = clock()
            case()
            taken[name].append(clock() - start)
    return {name: min(times) for name, times in taken.items()}


def compare(
    what: str,
    runs: int,
    games: dict[int, GameFolder],
    do: Callable[[GameFolder], object],
    clock: Clock = time.perf_counter,
) -> float:
    """Print what `do` costs on both games and return the ratio."""
    taken = least(runs, clock, small=lambda: do(games[SMALL]), large=lambda: do(games[LARGE]))
    ratio = taken["large"] / taken["small"]
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    figures = f"{taken['small'] * 1000:9.2f} ms {taken['large'] * 1000:9.2f} ms  ratio {ratio:5.2f}"
    print(f"\n{what:38} {SMALL:,} | {LARGE:,} entries: {figures}  ({machine})")
    return ratio


def test_open(games: dict[int, GameFolder]) -> None:
    assert compare("open: load every current document", 20, games, lambda folder: folder.load()) <= 1.5


def test_append(games: dict[int, GameFolder]) -> None:
    def say(folder: GameFolder) -> None:
        at = (folder.head.at or 0) + 1
        folder.append([said(0, at)], {"game": folder.archive("game")})

    assert compare("append: one entry", 30, games, say) <= 1.5


def test_act(games: dict[int, GameFolder]) -> None:
    """Read, judge and write, in a judge that runs already; and the same with opening the game."""

    def act(session: Session) -> None:
        session.act("ann", "state", {"text": "hello"}, at=session.at + 1)

    with Session.open(games[SMALL].path) as small, Session.open(games[LARGE].path) as large:
        running = {games[SMALL]: small, games[LARGE]: large}
        for folder, session in running.items():
            session.record = folder  # which does not wait for the disk
        assert compare("act in a running session", 20, games, lambda folder: act(running[folder])) <= 1.5

    def whole(folder: GameFolder) -> None:
        with Session.open(folder.path, writing=True) as session:
            act(session)

    assert compare("open, act, close", 5, games, whole) <= 1.5


def test_commit(games: dict[int, GameFolder]) -> None:
    """Git's own index grows with the journal; everything else of a commit does not."""
    root = games[SMALL].path.parent
    with Repo(root) as repo:
        repo.git.add("--all", "--", *(str(folder.path) for folder in games.values()))
        repo.git.execute(["git", "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-q", "-m", "All"])
    fresh = {size: GameFolder(folder.path, durable=False) for size, folder in games.items()}

    def say_and_commit(folder: GameFolder) -> None:
        folder.append([said(0, (folder.head.at or 0) + 1)], {})
        folder.commit("Play", author="A <a@example.org>")

    compare("append and commit", 5, fresh, say_and_commit)


def test_verify(games: dict[int, GameFolder]) -> None:
    """Proof reads everything: its cost for each entry must not grow with the journal."""

    def prove(folder: GameFolder) -> None:
        report = verify(folder, lambda entries: replay(entries, Kernel()).documents.everything())
        assert report.sound, report.problems[:3]

    ratio = compare("verify, seconds of the processor", 1, games, prove, time.process_time)
    assert ratio <= 1.5 * LARGE / SMALL
