"""A meeting on Forgejo or Gitea: the same players, verbs and referee as on the local forge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from folkmoot.forges.gitea import GiteaForge
from folkmoot.forges.web.client import Pacing
from tests.forges.gitea.emulator import API, GITEA, STATES, TOKEN, Generation, Gitea
from tests.forges.objects import direct
from tests.forges.web_meeting import WebMeeting
from tests.support.meeting import START


class GiteaMeeting(WebMeeting):
    """The twin on Forgejo or Gitea, of a `generation`; people are known there by the same numbers as on GitHub."""

    kind, states, token = "gitea", STATES, TOKEN

    def emulator(self, generation: Generation = GITEA, **emulated: Any) -> Gitea:
        self.gitea = Gitea(self.bare, START, generation)
        return self.gitea

    def seen_from(self, folder: Path) -> GiteaForge:
        pacing = Pacing(self.slept.append, between=0)
        forge = GiteaForge(
            folder, self.remote, "moot/game", TOKEN, API, transport=self.gitea.transport(), pacing=pacing
        )
        return direct(forge)
