"""`moot referee` at a time of its test's own, with the dice of all worlds, and perhaps with an end before its end.

NOW is the time that its clock shows, KILL_AT the number of the fault point where it kills itself.
"""

from __future__ import annotations

import os
import signal
import time

from folkmoot.cli.main import main
from folkmoot.core.fault_points import fault_hook
from folkmoot.game.keeper import Keeper
from folkmoot.game.session import Session
from tests.forges.endtoend.world import chance_of, draw_of

passed: list[str] = []


def end(point: str) -> None:
    """Kill this process where it was told to end."""
    passed.append(point)
    if len(passed) == int(os.environ.get("KILL_AT", "0")):
        os.kill(os.getpid(), signal.SIGKILL)


def run() -> None:
    """Be the command."""
    now, sleep = float(os.environ["NOW"]), time.sleep
    time.time = lambda: now
    time.sleep = lambda seconds: sleep(min(float(seconds), 0.01))
    Session._chance = chance_of  # type: ignore[method-assign,assignment]
    Keeper.past_draw = draw_of  # type: ignore[method-assign,assignment]
    with fault_hook(end):
        main(["referee"])
