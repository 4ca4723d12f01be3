from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.meeting import Meeting


@pytest.fixture
def meeting(tmp_path: Path) -> Meeting:
    """Return a meeting of ann, bob, cid and dee, who play Suber's game by mail; it is ann's turn."""
    return Meeting(tmp_path)
