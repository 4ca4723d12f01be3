"""What merging costs: twenty parallel amendments of one rule of 20 KB, against the same twenty one after the other."""

from __future__ import annotations

import platform
import statistics
import time

import pytest

from folkmoot.core.merging import merged_part, sentences

SENTENCES = 300
PARALLEL = 20

pytestmark = pytest.mark.benchmark


def amended(text: str, place: int) -> str:
    """Return a text of which one sentence is another one."""
    return text.replace(f"Clause {place} says", f"Clause {place} no longer says")


def test_twenty_parallel_amendments_of_one_rule_cost_little_more_than_reading_them() -> None:
    base = " ".join(f"Clause {n} says what is to be done on day {n}, and by whom it is done." for n in range(SENTENCES))
    changes = [amended(base, 7 + n * SENTENCES // PARALLEL) for n in range(PARALLEL)]
    assert len(base) > 20_000
    merging, reading = [], []
    for _ in range(9):
        sentences.cache_clear()
        begin = time.process_time()
        law = base
        for change in changes:
            law = merged_part("text", base, law, change)
        merging.append(time.process_time() - begin)
        begin = time.process_time()
        for change in changes:
            sentences.cache_clear()
            sentences(change)
        reading.append(time.process_time() - begin)
    assert law.count("no longer says") == PARALLEL
    ratio = statistics.median(merging) / statistics.median(reading)
    print(
        f"\ntwenty merges of {len(base):,} characters: {1000 * min(merging):.1f} ms; ratio {ratio:.1f}; {platform.node()}"
    )
    assert ratio <= 12
