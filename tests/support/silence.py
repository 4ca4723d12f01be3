"""Games in a folder whose timers leave no trace."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from folkmoot.game.session import Session
from folkmoot.game.verify import Report, verify
from folkmoot.journal import GameFolder
from folkmoot.sandbox.client import Sandbox

START = 1_767_614_400  # 2026-01-05T12:00:00Z
DAY = 86_400
Record = dict[str, Any]


def quiet(count: int, every: str = "day") -> Record:
    """Return a rule with so many timers, spread over the day or the hour, whose listeners do nothing."""
    times = [f"{n % 24:02d}:00" if every == "day" else f"00:{n % 60:02d}" for n in range(count)]
    timers = {f"bell{n}": {"every": every, "time": time} for n, time in enumerate(times)}
    return {"rule": "1", "title": "Bells", "script": "def on_bell0(e):\n    pass\n", "timers": timers}


def lasting(folder: Path, *rules: Record, **law: Any) -> Path:
    """Found a game of ann and bob in a folder and return it."""
    given = {"rules": list(rules), "players": [{"id": "ann"}, {"id": "bob"}], "administrators": ["ann"], **law}
    assert Session.found(folder, given, START).accepted
    return folder


def proved(folder: Path, seconds: float = 1.0) -> Report:
    """Prove a game; `seconds` is what the judge has for one event."""

    def replayed(entries: Iterator[Record]) -> Record:
        with Sandbox(seconds=seconds) as judge:
            judge.replay(entries)
            return dict(judge.documents())

    return verify(GameFolder(folder), replayed)
