"""The same bytes on every Python: what this one writes is what is committed, and so does another one (`test_other_python.py`)."""

from __future__ import annotations

import pytest

from tests.corpus import make


@pytest.mark.threat("T-44")
def test_this_python_writes_the_bytes_of_the_corpus() -> None:
    assert make.differences() == []
