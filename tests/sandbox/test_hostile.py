"""Scripts that mean harm: each file names at its head how it must end; the game goes on, loses nothing and replays."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from folkmoot.sandbox.client import Applied, Sandbox
from tests.support.bench import Record, act, documents, entry, found
from tests.support.hostile import CORPUS, hostile_rule

WATCH = 0.1  # seconds of processor time
LONGEST = 80.0  # seconds of the clock: what is too slow is tried again for longer, on a machine that does other things
COUNTED = 5.0  # what budgets end must not need the watchdog, on a slow machine neither


def claim(file: Path) -> str:
    """Return what a file says at its head that its rule must come to."""
    head = re.match(r"# ends: (.+)\n# .+\n", file.read_text(encoding="utf-8"))
    assert head, f"{file.name} does not say how it must end and why"
    return head[1]


def came_to(applied: Applied) -> str:
    """Return what an act came to, in the words of the corpus."""
    outcome = applied.outcome
    if applied.event.deaths:
        return f"died {applied.event.deaths[0]['hook']}"
    if applied.event.left_out:
        return f"too slow {applied.event.left_out[0]['hook']}"
    if outcome.failures:
        return f"failed {outcome.failures[0]['hook']} {outcome.failures[0].get('code', 'E-SCRIPT')}"
    return "harmless" if outcome.accepted else f"refused {outcome.code}"


@pytest.mark.threat("T-25")
@pytest.mark.parametrize("file", CORPUS, ids=lambda file: file.stem)
@pytest.mark.sampled(2)
def test_hostile_script_ends_and_the_game_goes_on(file: Path) -> None:
    watch = WATCH if claim(file).startswith(("died", "too slow")) else COUNTED
    with Sandbox(seconds=watch) as judge:
        entries = [found(judge, hostile_rule(file))]
        before = documents(judge)
        began = time.monotonic()
        struck = act(judge, 2, "strike")
        took = time.monotonic() - began
        assert came_to(struck) in claim(file).split(" or ")
        assert took < LONGEST
        between = documents(judge)
        worked = act(judge, 3, "work")
        assert worked.outcome.accepted
        after = documents(judge)
        entries += [entry(struck), entry(worked)]
    if not struck.outcome.accepted:
        assert without_law(between) == without_law(before), "a refused act leaves nothing but the law's note of it"
    assert after["things/game"]["game"]["total"] == between["things/game"]["game"]["total"] + 1
    suspended = after["law"]["rules"]["66"]["suspended"]
    assert bool(suspended) == any(death["rule"] == "66" for death in struck.event.deaths)
    with Sandbox(seconds=watch, hash_seed=1) as judge:
        judge.replay(entries)
        assert documents(judge) == after


def without_law(found: Record) -> Record:
    """Return the documents but for the law's own notes (failures, suspension)."""
    return {key: document for key, document in found.items() if key != "law"}


def test_the_corpus_has_every_kind_of_end() -> None:
    claims = {claim(file).split()[0] for file in CORPUS}
    assert claims == {"died", "too", "failed", "refused", "harmless"}
    assert len({file.read_text(encoding="utf-8").split("script:")[1] for file in CORPUS}) == len(CORPUS)
