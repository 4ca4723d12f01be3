"""Nweeks of many players, and how long they take."""

from __future__ import annotations

import time
from typing import Any

from folkmoot.scenarios.scenario import Run

PLAYERS = [f"p{n:02d}" for n in range(20)]


def seconds(run: Run, do: str, by: str | None, **given: Any) -> float:
    """Do something that is legal and return what it took of the processor."""
    began = time.process_time()
    outcome = run.apply(do, by, None, given)
    passed = time.process_time() - began
    assert (outcome.accepted, outcome.failures) == (True, []), (do, outcome.reasons, outcome.failures)
    return passed
