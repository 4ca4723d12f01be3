"""One writer at a time: an advisory lock on the game's folder that dies with its process."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from folkmoot.core.problems import Position, fail

_POLL = 0.02


@contextmanager
def locked(folder: Path, *, exclusive: bool, patience: float) -> Iterator[None]:
    """Hold the lock of `folder`: alone to write, shared to read.

    Waits up to `patience` seconds for another process; raises E-LOCKED after that.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        _wait(handle, fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH, folder, time.monotonic() + patience)
        yield
    finally:
        os.close(handle)


def _wait(handle: int, mode: int, folder: Path, deadline: float) -> None:
    while True:
        try:
            return fcntl.flock(handle, mode | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                hint = "wait until it is done, then try again"
                raise fail("E-LOCKED", "another process is writing to this game", Position(str(folder)), hint) from None
            time.sleep(_POLL)
