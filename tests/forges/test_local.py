"""The local forge passes the suite of the port: over a path, over smart HTTP, and where all share one repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.forges.conformance import Conformance, FewStops, only_what_goes_over_http
from tests.forges.local_table import LocalTable, bare, git
from tests.forges.smart_http import serving

pytestmark = pytest.mark.sampled(2)  # of the three tables


class TestOverAPath(Conformance):
    @pytest.fixture
    def table(self, tmp_path: Path) -> LocalTable:
        hub = bare(tmp_path)
        return LocalTable(tmp_path, str(hub), hub)


@only_what_goes_over_http
class TestOverSmartHttp(FewStops):
    @pytest.fixture
    def table(self, tmp_path: Path) -> Iterator[LocalTable]:
        hub = bare(tmp_path)
        with serving(tmp_path) as server:
            yield LocalTable(tmp_path, f"{server.address}/hub.git", hub)


class TestWithoutARemote(Conformance):
    @pytest.fixture(params=["bare", "checked out"])
    def table(self, tmp_path: Path, request: pytest.FixtureRequest) -> LocalTable:
        if request.param == "bare":
            return LocalTable(tmp_path, None, bare(tmp_path))
        hub = tmp_path / "game"
        git(tmp_path, "init", "--quiet", "--initial-branch=main", str(hub))
        git(hub, "commit", "--quiet", "--allow-empty", "-m", "Begin")
        return LocalTable(tmp_path, None, hub)
