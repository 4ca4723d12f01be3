"""GitHub passes the suite of the port, by an emulator that GitHub's own description of its API judges."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.forges.conformance import goes_over_http
from tests.forges.github.github_table import GitHubTable
from tests.forges.local_table import bare
from tests.forges.smart_http import serving
from tests.forges.web_conformance import WebConformance


class TestOnGitHub(WebConformance):
    @pytest.fixture
    def table(self, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[GitHubTable]:
        hub = bare(tmp_path)
        if not goes_over_http(request.function.__name__):
            yield GitHubTable(tmp_path, str(hub), hub)
            return
        with serving(tmp_path) as server:
            yield GitHubTable(tmp_path, f"{server.address}/hub.git", hub)
