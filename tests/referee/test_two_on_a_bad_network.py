"""Attack 9, not tried before: two referees whose connections are cut at any byte, in the midst of fetches and pushes.

FOLKMOOT_NETWORKS=100 tries so many networks.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from contextlib import suppress

import pygit2
import pytest

from folkmoot.core.fault_points import fault_hook
from folkmoot.core.problems import ProblemError
from folkmoot.forges.git_transport import Git
from folkmoot.forges.local.forge import LocalForge
from folkmoot.referee.run import Referee
from tests.forges.cutting import Relay, relayed
from tests.forges.smart_http import serving
from tests.support.faults import Copy, End, copied, end_of, scene, undisturbed

__all__ = ["copied", "scene", "undisturbed"]

SEEDS = range(int(os.environ.get("FOLKMOOT_NETWORKS", "2")))


class Pair:
    """Two referees of one table, each with a clone of its own, behind one relay."""

    def __init__(self, copy: Copy, relay: Relay, chance: random.Random) -> None:
        self.copy, self.relay, self.chance = copy, relay, chance
        self.busy = False
        self.failed: list[str] = []
        self.done = 0

    def run(self, who: str) -> None:
        """Let one run, and note how it failed if it did."""
        clone = self.copy.folder / f"{who}.git"
        if not clone.exists():
            pygit2.init_repository(str(clone), bare=True, initial_head="main")
        forge = LocalForge(clone, f"{self.relay.address}/hub.git")
        try:
            with Referee(forge, forge.refs.repo, lambda: self.copy.now) as referee:
                referee.run()
            self.done += 1
        except ProblemError as error:
            self.failed += [problem.code for problem in error.problems]

    def __call__(self, point: str) -> None:
        """Let the other run whole while the first stands at some points."""
        if not self.busy and not point.startswith("stage-") and self.chance.random() < 0.12:
            self.busy = True
            self.run("second")
            self.busy = False


@pytest.mark.threat("T-63")
def test_no_act_is_lost_or_doubled(copied: Callable[[], Copy], undisturbed: tuple[list[str], End]) -> None:
    cuts = done = 0
    for seed in SEEDS:
        copy = copied()
        with serving(copy.folder) as server, relayed(server.server_address[1], seed, 35) as relay:
            pair = Pair(copy, relay, random.Random(seed))
            with fault_hook(pair):
                for who in ("first", "second", "first"):
                    pair.run(who)
            assert set(pair.failed) <= {"E-FORGE", "E-MOVED"}, (seed, pair.failed)
            cuts, done = cuts + relay.cuts, done + pair.done
        copy.finish()
        assert end_of(copy) == undisturbed[1], seed
    assert cuts > 3, "the network did fail"
    assert done, "and did not always"


def test_a_table_whose_answer_was_cut_in_its_head_is_not_empty(copied: Callable[[], Copy]) -> None:
    """Git takes an answer without its type for one of an old server, and its missing body for: no refs."""
    copy, seen = copied(), set[int]()
    with serving(copy.folder) as server, relayed(server.server_address[1], 0, 0) as relay:
        git = Git(copy.hub)
        for size in range(0, 330, 15):
            relay.at = {relay.connections + 1: size}
            with suppress(ProblemError):
                seen.add(len(git.listing(f"{relay.address}/hub.git").refs))
    assert len(seen) == 1, seen
    assert min(seen) > 5
