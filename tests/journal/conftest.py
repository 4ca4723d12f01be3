"""Makes the toy game importable for the tests of the store."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from toy_game import Toy


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    """Return a toy game with some history."""
    game = Toy(tmp_path / "state" / "toy")
    game.play()
    return game
