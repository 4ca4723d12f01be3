"""How often GitHub may be asked: what its answers say about it, and how long we are ready to wait."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime

from folkmoot.core.problems import fail

PATIENCE = 300.0
"""For how many seconds one run waits for the forge, all told."""
BETWEEN_WRITES = 1.0
"""How many seconds GitHub asks to leave between two writes."""
_SECONDARY = 60.0  # what GitHub asks to wait where it names no time


class Pacing:
    """Waits, all told no longer than `patience` seconds; `sleep` does the waiting."""

    def __init__(
        self, sleep: Callable[[float], None], patience: float = PATIENCE, between: float = BETWEEN_WRITES
    ) -> None:
        self.sleep = sleep
        self.patience = patience
        self.between = between
        self.waited = 0.0
        self._wrote = False

    def begin(self) -> None:
        """Begin another run, which may wait anew."""
        self.waited = 0.0

    def wait(self, seconds: float) -> None:
        """Wait; raises E-FORGE where that would take longer than we are ready to."""
        if self.waited + seconds > self.patience:
            later = f"run it again in {max(1, round(seconds / 60))} minutes"
            raise fail("E-FORGE", "the forge was asked too often and wants to be left alone", None, later)
        self.pause(seconds)

    def pause(self, seconds: float) -> None:
        """Wait a little before trying again."""
        self.waited += seconds
        self.sleep(seconds)

    def between_writes(self) -> None:
        """Leave the time between two writes that GitHub asks for."""
        if self._wrote and self.between:
            self.sleep(self.between)
        self._wrote = True


def wait_of(status: int, headers: Mapping[str, str], body: bytes, now: float) -> float | None:
    """Return for how many seconds an answer asks to wait because we asked too often; None if it is no such answer.

    A refusal for want of a right has the same number (403); it has neither the headers nor the link of a limit.
    """
    if status not in (403, 429):
        return None
    after = headers.get("Retry-After", "")
    if after:
        return _seconds(after, now)
    if headers.get("X-RateLimit-Remaining") == "0":
        reset = headers.get("X-RateLimit-Reset", "")
        return max(1.0, float(reset) - now) if reset.isdigit() else _SECONDARY
    return _SECONDARY if status == 429 or b"rate-limit" in body else None


def _seconds(after: str, now: float) -> float:
    """Return what Retry-After says: seconds, or a date."""
    if after.isdigit():
        return float(after)
    try:
        return max(1.0, parsedate_to_datetime(after).timestamp() - now)
    except (ValueError, TypeError):
        return _SECONDARY
