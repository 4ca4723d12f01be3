"""Moments that a scenario lets time pass up to by their names: timers that run, and moments that the law knows."""

from __future__ import annotations

from folkmoot.core.values import told
from folkmoot.kernel.answers import flaw_of_integer
from folkmoot.kernel.step import Kernel


def time_of(kernel: Kernel, name: str, now: int) -> int | str:
    """Return when a named moment comes, in seconds, or why that is not known."""
    timers = kernel.documents.find("things/timer") or {}
    if name in timers:
        return int(timers[name]["due"])
    named = kernel.ask("moment_named", [name], now)
    if named is None:
        running = f"; of timers {', '.join(sorted(timers))} run" if timers else ""
        return f"no timer {told(name)} is running, and no rule says when that is{running}"
    return str(flaw_of_integer(named)) or int(named)
