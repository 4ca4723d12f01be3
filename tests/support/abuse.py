"""A quick meeting that somebody abuses, and what must not change by it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.meeting import GAME, PLAYERS
from tests.support.quick import QuickMeeting

HERE = f"state/{GAME}"
DAY = 86_400


@pytest.fixture
def quick(tmp_path: Path) -> QuickMeeting:
    """Return a meeting under the small law."""
    return QuickMeeting(tmp_path)


@contextmanager
def unchanged(meeting: QuickMeeting) -> Iterator[None]:
    """Make sure that nothing of the game changes meanwhile, not even its record."""
    before = meeting.game().tree_id
    yield
    assert meeting.game().tree_id == before


def adopted(meeting: QuickMeeting, person: str, **files: bytes | None) -> int:
    """Have something adopted and return its pull request."""
    pull = meeting.propose(person, "A change", **files)
    for voter in PLAYERS:
        meeting.say(voter, pull, "/vote for")
    meeting.referee(60)
    assert "adopted" in meeting.said(pull)
    return pull
