"""What silent time costs: a year in which nothing happens, against the same number of events that leave a trace."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from folkmoot.game.session import Session
from tests.support.silence import DAY, START, lasting, quiet

pytestmark = pytest.mark.benchmark


def test_a_tick_without_a_trace_costs_a_fifth_of_one_that_leaves_some(tmp_path: Path) -> None:
    noisy = {**quiet(20), "script": "".join(f"def on_bell{n}(e):\n    announce('x')\n" for n in range(20))}
    spent = {}
    for name, rule, days in (("quiet", quiet(20), 365), ("noisy", noisy, 30)):
        with Session.open(lasting(tmp_path / name, rule), writing=True, judging=True) as session:
            session.tick(START + 2 * DAY)
            before = time.perf_counter()
            session.tick(START + days * DAY)
            passed = time.perf_counter() - before
            spent[name] = passed / ((days - 2) * 20)
        print(f"{name}: {days} days of twenty daily timers {passed:.2f} s")
    print(f"a quiet tick {spent['quiet'] * 1e6:.0f} µs, one that leaves a trace {spent['noisy'] * 1e6:.0f} µs")
    assert spent["quiet"] < spent["noisy"] / 5
