"""What a push to a table runs (`python -m folkmoot.cli.table_referee TABLE`): the referee, one at a time.

The push waits for it a few seconds, so that whoever pushed finds the answer there; then the referee goes on alone. Who
finds it at work leaves a mark, and goes: the one at work looks once more.
"""

from __future__ import annotations

import fcntl
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from folkmoot.core.clone_files import CloneFiles
from folkmoot.core.game_location import TABLE_LOG as LOG

WAITED = 10.0
"""For how many seconds a push waits for the referee."""
LONGEST = 900
"""After how many seconds the referee is stopped; the next push wakes it again."""
LARGEST = 1_000_000
"""From how many bytes on the log is begun anew."""
FAILED = 4
"""From which exit code on a run is told to who pushed: the record is damaged, or the disk or git failed."""
_WANTED, _LOCK = str(LOG.with_name("wanted")), str(LOG.with_name("lock"))
_POLL = 0.02


def wake(table: Path, waited: float = WAITED) -> str:
    """Let the referee run in a process of its own; return what there is to say to who pushed."""
    CloneFiles(table).write(_WANTED, b"")
    child = os.fork()
    if child == 0:
        _leave(table)
    deadline = time.monotonic() + waited
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            failed = code < 0 or code >= FAILED
            return f"The referee could not run; {table / LOG} says why." if failed else ""
        time.sleep(_POLL)
    return "The referee is still at work; `moot status` says what came of it."


def _leave(table: Path) -> None:
    """Go on as a process that no terminal and no connection of ssh ends or waits for; never returns."""
    code = FAILED
    try:
        os.setsid()
        signal.alarm(LONGEST)
        with CloneFiles(table).appending(str(LOG)) as out, Path(os.devnull).open("rb") as nothing:
            if os.fstat(out).st_size > LARGEST:
                os.truncate(out, 0)
            for number, file in enumerate((nothing.fileno(), out, out)):
                os.dup2(file, number)
        code = while_wanted(table, lambda: referee(table))
    finally:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(code)


def while_wanted(table: Path, once: Callable[[], int]) -> int:
    """Run the referee once, and again while somebody wants it, unless another does; return the worst exit code."""
    files, worst = CloneFiles(table), 0
    while files.kind(_WANTED) is not None:
        with files.appending(_LOCK) as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return worst  # that one looks again before it ends
            files.remove(_WANTED)
            worst = max(worst, once())
    return worst


def referee(table: Path) -> int:
    """Run `moot referee` in the table until nothing is left; return its exit code."""
    from folkmoot.cli.main import main  # who pushed waits for no more than must be

    try:
        main(["-C", str(table), "referee", "--settle"])
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def run() -> None:
    """Do what the hook asks for, and say what who pushed shall hear."""
    table = Path(sys.argv[1])
    if (table / LOG.parent).stat().st_mode & 0o020:
        os.umask(0o002)  # what is written there is for the whole group
    said = wake(table)
    if said:
        print(said)


if __name__ == "__main__":
    run()
