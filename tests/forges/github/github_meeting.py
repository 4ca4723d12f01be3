"""A meeting on GitHub: the same players, verbs and referee as on the local forge, by the emulator and a git server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from folkmoot.forges.github import GitHubForge
from folkmoot.forges.web.client import Pacing
from tests.forges.github.emulator import API, STATES, TOKEN, GitHub
from tests.forges.objects import direct
from tests.forges.web_meeting import WebMeeting
from tests.support.meeting import START


class GitHubMeeting(WebMeeting):
    """The twin on GitHub."""

    kind, states, token = "github", STATES, TOKEN

    def emulator(self, **emulated: Any) -> GitHub:
        self.github = GitHub(self.bare, START)
        return self.github

    def seen_from(self, folder: Path) -> GitHubForge:
        pacing = Pacing(self.slept.append)
        forge = GitHubForge(
            folder, self.remote, "moot/game", TOKEN, API, transport=self.github.transport(), pacing=pacing
        )
        return direct(forge)
