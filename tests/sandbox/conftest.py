"""Judges that tests of a module share one after the other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from folkmoot.sandbox.client import Sandbox
from tests.support.bench import Pool


@pytest.fixture(scope="module")
def judges() -> Iterator[Pool]:
    """Return judges to be lent; their processes end with the module."""
    pool = Pool()
    yield pool
    pool.close()


@pytest.fixture
def judge(judges: Pool) -> Iterator[Sandbox]:
    """Return one of them."""
    with judges.lend() as lent:
        yield lent
