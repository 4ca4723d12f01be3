"""The forges at whose tables a test is tried: those that its module names as FORGES, or those that it names itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from tests.conftest import FUZZ
from tests.forges.tables import GENERATIONS, sitting


def one_of_each(forges: Sequence[str], test: str) -> list[str]:
    """Return one way to each forge, another one for each test."""
    kinds: dict[str, list[str]] = {}
    for name in forges:
        kind = "gitea" if name in GENERATIONS else "github" if name.startswith("github") else "local"
        kinds.setdefault(kind, []).append(name)
    return [names[crc32(test.encode()) % len(names)] for names in kinds.values()]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Try a test on each forge of its module, by all ways to it with FOLKMOOT_FUZZ=1, unless it is `on` some of them."""
    named = any(mark.args[0] == "table" for mark in metafunc.definition.iter_markers("parametrize"))
    if "table" in metafunc.fixturenames and hasattr(metafunc.module, "FORGES") and not named:
        forges = metafunc.module.FORGES
        chosen = forges if FUZZ else one_of_each(forges, metafunc.function.__name__)
        metafunc.parametrize("table", chosen, indirect=True)


@pytest.fixture
def table(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    """Provide people round a forge."""
    with sitting(request.param, tmp_path) as found:
        yield found
