"""Two players and a referee at a bare repository over HTTP: three turns with git and `moot` alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.game.verify import verify
from folkmoot.sandbox.client import Sandbox
from tests.conftest import FUZZ
from tests.forges.smart_http import serving
from tests.support.gathering import Gathering
from tests.support.meeting import git
from tests.support.moot import Moot

RULE = "title: {title}\nlabels: {{status: mutable}}\ntext: |\n  {title}, and nothing else.\n"


@pytest.mark.process
@pytest.mark.skipif(not FUZZ, reason="of the long proofs, which FOLKMOOT_FUZZ=1 tries")
def test_two_players_and_a_referee_play_three_turns(moot: Moot, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        gathering = Gathering(tmp_path, moot, f"{server.address}/table.git", players=("ann", "bob"))
        turns = [("ann", "bob", "Tea"), ("bob", "ann", "Cake"), ("ann", "bob", "Scones")]
        for number, (mover, other, title) in enumerate(turns, 301):
            assert f"It is {mover}'s turn." in gathering.moot(other, "status").out
            file = gathering.file(f"{title}.yaml", RULE.format(title=title))
            pull = int(gathering.moot(mover, "propose", "--rule", file, "--json").record["pull"])
            gathering.moot("referee-clone", "referee")
            gathering.moot(mover, "act", "finalise", "--on", str(pull))
            gathering.moot("referee-clone", "referee")
            assert f"moot vote {pull} for" in gathering.moot(other, "status").out
            gathering.moot(other, "vote", str(pull), "for", "Why not?")
            gathering.moot(mover, "vote", str(pull), "for")
            gathering.moot("referee-clone", "referee")
            assert gathering.document(f"proposals/300/{number}")["outcome"] == "adopted"
            assert title in gathering.rule(str(number))
            assert gathering.head(pull) in git(gathering.bare, "log", "--format=%P", "main")
        clock = gathering.moot("ann", "referee", code=1)
        assert "the referee's" in clock.err
        scores = gathering.document("things/player")
        assert scores["ann"]["score"] > scores["bob"]["score"] > 0

        def replay(entries):  # type: ignore[no-untyped-def]
            with Sandbox() as judge:
                judge.replay(entries)
                return dict(judge.documents())

        assert verify(gathering.game(), replay).problems == []
