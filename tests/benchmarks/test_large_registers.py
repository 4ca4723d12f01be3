"""What a change of a large register costs: one key of a map, or one more item of a list, whatever else it holds."""

from __future__ import annotations

import time

import pytest

from tests.support.table import Table, rule

pytestmark = pytest.mark.benchmark

CHANGES = 1_000
SMALL, LARGE = 400, 4_000
LAW = rule(
    "1",
    """
    def do_lay(a):
        put("game", "marks", {"k%d" % n: "mark %d" % n for n in range(a.args.size)})
        put("game", "names", ["name %d" % n for n in range(a.args.size)])

    def do_mark(a):
        for n in range(a.args.times):
            put_in("game", "marks", "k%d" % n, "another mark %d" % n)

    def do_name(a):
        for n in range(a.args.times):
            append("game", "names", "another name %d" % n)
    """,
    actions={
        "lay": {"arguments": {"size": {"type": "integer"}}},
        **{do: {"arguments": {"times": {"type": "integer"}}} for do in ("mark", "name")},
    },
    defines={"game": {"marks": {"type": "map"}, "names": {"type": "list"}}},
)


def seconds(do: str, size: int) -> float:
    """Return the least processor time that as many changes take in an act, of several."""
    found = []
    for _ in range(3):
        table = Table(LAW)
        table.ok("ann", "lay", size=size)
        began = time.process_time()
        table.ok("ann", do, times=CHANGES)
        found.append(time.process_time() - began)
    return min(found)


@pytest.mark.parametrize("do", ["mark", "name"])
def test_a_change_costs_about_the_same_in_a_large_register(do: str) -> None:
    small, large = seconds(do, SMALL), seconds(do, LARGE)
    print(f"\n{do}: {CHANGES:,} changes {small:.3f} s among {SMALL:,}, {large:.3f} s among {LARGE:,}")
    assert large < 3 * small
