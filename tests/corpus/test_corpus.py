"""The same bytes on every Python: what this one writes is what is committed, and so does another one (`test_other_python.py`)."""

from __future__ import annotations

import pytest

from tests.corpus import make


@pytest.mark.threat("T-44")
def test_this_python_writes_the_bytes_of_the_corpus() -> None:
    assert make.differences() == []


def test_the_corpus_is_small() -> None:
    assert sum(path.stat().st_size for path in make.HERE.glob("*.yaml")) < 100_000
