"""Work shared among processes: copies of this one, each of which does a part and hands back what became of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import NoReturn, TypeVar

T = TypeVar("T")


def processes() -> int:
    """Return how many processes may work at once, 1 where a copy of this one could not go on by itself.

    Such a copy has but one thread: locks that others held would stay locked in it. Where that cannot be seen (beyond
    Linux) nothing is shared.
    """
    try:
        alone = len(os.listdir("/proc/self/task")) == 1  # noqa: PTH208 (names alone)
    except OSError:
        return 1
    return len(os.sched_getaffinity(0)) if alone else 1


def share(
    items: Sequence[T],
    count: int,
    work: Callable[[Sequence[T]], None],
    tell: Callable[[Sequence[T]], bytes],
    take: Callable[[bytes], None],
) -> Sequence[T]:
    """Let `count` processes work on items, all but one of them copies of this one; return what is left to be done.

    This process works on its part, too. What a copy came to, as `tell` puts it there, is handed to `take` here. The
    items of a copy that failed are left: whoever does them here sees why. Raises what `work` raises here.
    """
    copies: list[tuple[int, int, Sequence[T]]] = []
    left: list[T] = []
    try:
        for number in range(1, count):
            part = items[number::count]
            copies.append((*_copy(part, work, tell), part))
        work(items[::count])
    finally:
        for process, end, part in copies:
            data = _read(end, process)
            if data is None:
                left += part
            else:
                take(data)
    return left


def _copy(
    part: Sequence[T], work: Callable[[Sequence[T]], None], tell: Callable[[Sequence[T]], bytes]
) -> tuple[int, int]:
    """Begin a copy of this process that works on a part; return its id and the end of a pipe with what it tells."""
    reading, writing = os.pipe()
    process = os.fork()
    if not process:
        os.close(reading)
        _end(writing, part, work, tell)
    os.close(writing)
    return process, reading


def _end(
    writing: int, part: Sequence[T], work: Callable[[Sequence[T]], None], tell: Callable[[Sequence[T]], bytes]
) -> NoReturn:
    """Work on a part, hand back what became of it, and end; nothing that this process was to do at its end is done."""
    failed = 1
    try:
        with os.fdopen(writing, "wb") as out:
            work(part)
            out.write(tell(part))
        failed = 0
    finally:
        os._exit(failed)


def _read(end: int, process: int) -> bytes | None:
    """Return what a copy handed back, None where it did not come to its end."""
    parts = []
    while part := os.read(end, 1 << 20):
        parts.append(part)
    os.close(end)
    return b"".join(parts) if os.waitpid(process, 0)[1] == 0 else None
