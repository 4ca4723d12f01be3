"""Figures: what one work costs beside another that is done by turns with it, held against what it cost the last time.

`figures.json` has the last figures. One fails where it is more than twice as large; FOLKMOOT_RECORD_FIGURES=1 records
them anew. All are of processor time, so that it matters little what else the machine does; times are only printed.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

FIGURES = Path(__file__).with_name("figures.json")
RECORDS = os.environ.get("FOLKMOOT_RECORD_FIGURES") == "1"
ROOM = 2
Work = Callable[[], object]


def processor(*children: int) -> float:
    """Return the seconds of the processor that this process used, its children that ended, and those that still run."""
    ended = getrusage(RUSAGE_CHILDREN)
    running = [int(Path(f"/proc/{child}/schedstat").read_text("ascii").split()[0]) / 1e9 for child in children]
    return time.process_time() + ended.ru_utime + ended.ru_stime + sum(running)


def seconds(work: Work, *children: int) -> float:
    """Return what a work takes, here and in children that run."""
    began = processor(*children)
    work()
    return processor(*children) - began


def by_turns(runs: int, *works: Work, children: tuple[int, ...] = ()) -> list[float]:
    """Return the least seconds that each of some works takes, of so many runs by turns."""
    taken = [[seconds(work, *children) for work in works] for _ in range(runs)]
    return [min(times) for times in zip(*taken, strict=True)]


def figure(name: str, more: float, less: float) -> None:
    """Hold how many times as much the one takes as the other against the figure of that name."""
    with FIGURES.open("r+" if RECORDS else "r", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX if RECORDS else fcntl.LOCK_SH)
        ratio, known = more / less, json.load(file)
        print(f"\n{name}: {ratio:.2f} (last {known.get(name, 'never')}); {more * 1e3:.2f} ms, {less * 1e3:.2f} ms")
        if RECORDS:
            file.seek(0)
            file.truncate()
            file.write(json.dumps(known | {name: round(ratio, 2)}, indent=1, sort_keys=True) + "\n")
            return
    assert ratio <= ROOM * known[name], f"{name}: {ratio:.2f} where it was {known[name]}"
