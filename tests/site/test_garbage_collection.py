"""Garbage in cycles waits while pages are made, and is found after."""

from __future__ import annotations

import gc
import subprocess
import sys
from weakref import ref

import pytest

from folkmoot.site.game_views import uncollected

SERVING = """
import gc, weakref
from folkmoot.site.game_views import TIMES, uncollected

class Page:
    pass

gone = []
for _ in range(2 * TIMES):
    with uncollected():
        page = Page()
        page.itself = page
        gone.append(weakref.ref(page))
        assert not gc.isenabled()
    assert gc.isenabled()
assert sum(page() is not None for page in gone) <= TIMES, "what nothing leads to is let go"
"""


class _Knot:
    """Something that holds itself."""

    def __init__(self) -> None:
        self.own = self


def test_what_was_put_off_is_found_by_the_next_look_at_everything() -> None:
    assert gc.isenabled()
    with uncollected():
        assert not gc.isenabled()
        gone = ref(_Knot())
    assert gc.isenabled()
    gc.collect()
    assert gone() is None


def test_the_search_stays_as_it_was_also_after_an_error() -> None:
    with uncollected(), pytest.raises(ValueError, match="x"), uncollected():
        raise ValueError("x")
    assert gc.isenabled()


def test_what_somebody_has_frozen_stays_frozen() -> None:
    gc.freeze()
    try:
        count = gc.get_freeze_count()
        with uncollected():
            pass
        assert gc.get_freeze_count() >= count - 100
    finally:
        gc.unfreeze()


def test_garbage_of_many_runs_is_let_go() -> None:
    """In a process of its own: what tests have frozen is left as it is."""
    subprocess.run([sys.executable, "-c", SERVING], check=True)
