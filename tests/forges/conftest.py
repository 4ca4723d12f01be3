"""The forges at whose tables a test is tried: those that its module names as FORGES, or those that it names itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.forges.tables import sitting


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Try a test on all forges of its module, unless it is `on` some of them."""
    named = any(mark.args[0] == "table" for mark in metafunc.definition.iter_markers("parametrize"))
    if "table" in metafunc.fixturenames and hasattr(metafunc.module, "FORGES") and not named:
        metafunc.parametrize("table", metafunc.module.FORGES, indirect=True)


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    """Provide people round a forge."""
    with sitting(request.param, tmp_path) as found:
        yield found
