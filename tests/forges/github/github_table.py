"""People round the emulated GitHub: contributions are commits in the real git repository beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from folkmoot.forges.github import GitHubForge
from folkmoot.forges.web.client import Pacing
from tests.forges.conformance import NOW
from tests.forges.emulated_table import EmulatedTable
from tests.forges.github.emulator import API, TOKEN, GitHub

STATES = {"approve": "APPROVED", "request_changes": "CHANGES_REQUESTED", "comment": "COMMENTED"}


class GitHubTable(EmulatedTable):
    """An emulated GitHub with its git repository."""

    states, token = STATES, TOKEN

    def __init__(self, folder: Path, remote: str, hub: Path) -> None:
        self.github = GitHub(hub, NOW - 5_000)
        super().__init__(folder, remote, hub, self.github)

    def at(self, path: Path, **options: Any) -> GitHubForge:
        given = {"skew": None, "transport": self.github.transport(), "pacing": Pacing(self.slept.append)}
        return GitHubForge(path, self.remote, "moot/game", TOKEN, api=API, **{**given, **options})

    def line(self, person: str, number: int, body: str) -> str:
        return f"l{self.github.line(person, self.github.review(person, number, 'COMMENTED'), body)}"
