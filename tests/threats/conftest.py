"""Tables at which people misbehave."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.quick import QuickMeeting
from tests.support.round_table import RoundTable


@pytest.fixture
def quick(tmp_path: Path) -> QuickMeeting:
    """Return a table on plain git under the small law."""
    return QuickMeeting(tmp_path)


@pytest.fixture
def table(tmp_path: Path) -> RoundTable:
    """Return a table on GitHub under the small law."""
    return RoundTable(tmp_path)


@pytest.fixture
def voting(table: RoundTable) -> RoundTable:
    """Return a table on GitHub with a proposal of ann's, pull request 2, that is voted on."""
    assert table.propose("ann", "A dragon") == 2
    table.referee()
    assert table.proposal(301)["state"] == "open"
    return table
