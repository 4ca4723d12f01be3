"""Forgejo and Gitea pass the suite of the port, by an emulator that their own descriptions of their APIs judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.forges.conformance import NOW, FewStops, pull, remark
from tests.forges.gitea.emulator import FORGEJO, GITEA, GITEA_1_15, Generation
from tests.forges.gitea.gitea_table import GiteaTable
from tests.forges.local_table import bare
from tests.forges.web_conformance import WebConformance

pytestmark = pytest.mark.sampled(3)  # of the three generations


class Suite(WebConformance):
    generation: Generation

    @pytest.fixture
    def table(self, tmp_path: Path) -> GiteaTable:
        """Return a table; git goes over a path here, and now and then over HTTP in those of GitHub and of the local forge."""
        hub = bare(tmp_path)
        return GiteaTable(tmp_path, str(hub), hub, self.generation)


class TestOnGitea(Suite):
    generation = GITEA


class TestOnForgejo(FewStops, Suite):
    generation = FORGEJO


class TestOnGitea115(FewStops, Suite):
    """The oldest one; it does not tell who closed or dismissed something."""

    generation = GITEA_1_15

    def test_a_dismissal_names_who_dismissed(self, table: GiteaTable) -> None:  # type: ignore[override]
        number = table.open("ann", "A dragon")
        name = table.review("bob", number, "approve")
        table.forge.look(NOW)
        table.dismiss("cid", number, name)
        seen = remark(table.forge.look(NOW + 5), number, name)
        assert (seen.kind, seen.dismissed_by and seen.dismissed_by.handle) == ("approve", "ghost")

    def test_a_closed_pull_request_is_shown_until_it_is_settled(self, table: GiteaTable) -> None:  # type: ignore[override]
        number = table.open("ann", "A dragon")
        table.forge.look(NOW)
        table.close("ann", number)
        seen = pull(table.forge.look(NOW + 5), number)
        assert (seen.state, seen.closed_by and seen.closed_by.handle) == ("closed", "ghost")
