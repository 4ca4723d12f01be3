"""Tests that need the programs for workflows are skipped where these are missing, unless they are required."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.forking import Forking
from tests.workflows.bench import Api, Bench
from tests.workflows.tools import REQUIRED, missing


@pytest.fixture(scope="session")
def tools() -> None:
    """Skip, or fail where FOLKMOOT_REQUIRE_WORKFLOW_TOOLS=1, without the programs."""
    absent = missing()
    if absent and REQUIRED:
        pytest.fail(f"these programs are required: {', '.join(absent)}")
    if absent:
        pytest.skip(f"needs {', '.join(absent)}")


@pytest.fixture
def api() -> Iterator[Api]:
    """Return a stand-in for the forge's API on loopback."""
    with Api() as server:
        yield server


@pytest.fixture
def bench(tools: None, api: Api, tmp_path: Path, forking: Forking) -> Bench:
    """Return a game's repository with its workflows and its pinned engine, and what runs the workflows."""
    return Bench(tmp_path, api, forking.shim(tmp_path / "moot"))
