"""Two worlds on disk that differ in what is sealed alone, and in every key: the same bytes but for boxes and digests."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from folkmoot.game.verify import replayed_anew, verify
from folkmoot.journal import GameFolder
from tests.conftest import FUZZ
from tests.support import sealed_worlds
from tests.support.sealed_worlds import Law, acts
from tests.support.two_worlds import ALIKE, World

CASES = 400 if FUZZ else 3
VALUES = ([10, 20, 30], ["aa", "bb", "cc"], [[1, 2], [2, 3]])


@pytest.mark.threat("T-82")
@pytest.mark.parametrize("seed", range(CASES))
def test_worlds_on_disk_differ_in_boxes_and_digests_alone(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sealed_worlds, "SECRETS", ALIKE)
    monkeypatch.setattr(sealed_worlds, "VALUES", VALUES)
    random = Random(seed)
    law, script = Law(random).rule(), acts(random, 8)
    worlds = [World(tmp_path / str(world), law, world) for world in (0, 1)]
    for world in worlds:
        world.play(script)
        world.err()
    one, other = (world.files() for world in worlds)
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []
    assert worlds[0].pages() == worlds[1].pages()
    assert json.dumps(one).count("box of") > 3
    assert verify(GameFolder(worlds[0].path), replayed_anew(GameFolder(worlds[0].path))).problems == []
