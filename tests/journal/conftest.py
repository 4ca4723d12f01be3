"""What the tests of the store share: a toy game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.toy_game import Toy


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    """Return a toy game with some history."""
    game = Toy(tmp_path / "state" / "toy")
    game.play()
    return game
