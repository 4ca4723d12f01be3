"""A timer that has to do with what is sealed is on record, also where nothing else came of it: a replay cannot know that."""

from __future__ import annotations

import pytest

from tests.support.table import Table, rule

BODIES = {
    "looks and fails": 'declassify(sealed("same", get("game", "kept")), "why")\n    fail("no")',
    "computes and fails": 'sealed("same", get("game", "kept"))\n    fail("no")',
    "computes alone": 'sealed("same", get("game", "kept"))',
    "draws and fails": "pick_sealed([1, 2])\n    fail('no')",
    "opens and fails": 'reveal(get("game", "kept"))\n    fail("no")',
    "keeps": 'put("game", "kept", 3)',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=list(BODIES))
def test_a_timer_that_touches_what_is_sealed_leaves_a_trace(body: str) -> None:
    """It fires every hour; that a failure was told before lets nothing go unrecorded. The table replays it all."""
    script = f"""
    def same(value):
        return value

    def do_start(a):
        put("game", "kept", pick_sealed([1, 2]))

    def on_bell(e):
        {body.replace(chr(10), chr(10) + "    ")}
    """
    table = Table(
        rule(
            "1",
            script,
            sealed={"same": "The same"},
            defines={"game": {"kept": {"type": "any", "sealed": "nobody", "optional": True}}},
            timers={"bell": {"every": "hour", "edge": "start"}},
            actions={"start": {}, "wave": {}},
        )
    )
    table.ok("ann", "start")
    for _ in range(4):
        table.pass_time(3_600)
        table.act("bob", "start")
    ticks = [entry for entry in table.entries if entry["do"] == "tick"]
    assert len(ticks) == 4
    table.replay_all()
