"""The fixture of the tests of the law: games that are replayed when their test has ended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.kernel.table import Found, Record, Table


@pytest.fixture
def found() -> Iterator[Found]:
    """Give a function that founds a game on rules; every such game is replayed at the end."""
    tables: list[Table] = []

    def make(*rules: Record, **founding: Any) -> Table:
        tables.append(Table(*rules, **founding))
        assert tables[-1].founded.accepted, tables[-1].founded
        return tables[-1]

    yield make
    for table in tables:
        table.replay_all()
