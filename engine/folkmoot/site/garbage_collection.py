"""Python's search for garbage in cycles, put off while a game is read and its pages are made."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

TIMES = 50
"""How often what was made is taken for old before everything is looked at: a site may be served for weeks."""
_times = count(1)


@contextmanager
def uncollected() -> Iterator[None]:
    """Let nobody look for garbage in cycles for a while: pages make next to none, and a long game is much to look at.

    What was made meanwhile then counts as old, which Python looks at only where much was found to stay; so everything
    is looked at here now and then.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            _take_for_old()
            gc.enable()


def _take_for_old() -> None:
    """Take all there is for old, without a look at it; where somebody has something frozen, it stays so."""
    if next(_times) % TIMES == 0:
        gc.collect()
    elif not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()
