"""People round an emulated Forgejo or Gitea: contributions are commits in the real git repository beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from folkmoot.forges.gitea import GiteaForge
from folkmoot.forges.web.client import Pacing
from tests.forges.conformance import NOW
from tests.forges.emulated_table import EmulatedTable
from tests.forges.gitea.emulator import GITEA, HOME, TOKEN, Generation, Gitea

STATES = {"approve": "APPROVED", "request_changes": "REQUEST_CHANGES", "comment": "COMMENT"}


class GiteaTable(EmulatedTable):
    """An emulated server of a `generation` with its git repository."""

    states, token = STATES, TOKEN
    api = "/git/api/v1"

    def __init__(self, folder: Path, remote: str, hub: Path, generation: Generation = GITEA) -> None:
        self.gitea = Gitea(hub, NOW - 5_000, generation)
        super().__init__(folder, remote, hub, self.gitea)

    def at(self, path: Path, **options: Any) -> GiteaForge:
        given = {"skew": None, "transport": self.gitea.transport(), "pacing": Pacing(self.slept.append, between=0)}
        return GiteaForge(path, self.remote, HOME, "moot/game", TOKEN, **{**given, **options})

    def line(self, person: str, number: int, body: str) -> str:
        review = self.gitea.begin(person, number)
        name = self.gitea.remark_on_line(person, review, body)
        self.gitea.submit(review, "COMMENT")
        return f"l{name}"
