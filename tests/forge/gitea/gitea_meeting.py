"""A meeting on Forgejo or Gitea: the same players, verbs and referee as on the local forge."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pygit2

from engine.forge.gitea import GiteaForge
from engine.forge.port import Forge
from engine.forge.web.limits import Pacing
from engine.referee.run import Referee, Report
from engine.store.tree import GameTree
from tests.forge.gitea.emulator import GITEA, HOME, TOKEN, Generation, Gitea
from tests.forge.gitea.gitea_table import STATES
from tests.forge.github.github_meeting import SETTLE, TwinMeeting
from tests.referee.meeting import GAME, PLAYERS, START, git


class GiteaMeeting(TwinMeeting):
    """The twin on Forgejo or Gitea; people are known there by the same numbers as on GitHub."""

    kind = "gitea"

    def __init__(
        self,
        folder: Path,
        *,
        remote: str | None = None,
        law: Mapping[str, Any] | None = None,
        generation: Generation = GITEA,
    ) -> None:
        super().__init__(folder, remote=remote, law=law)
        self.gitea = Gitea(self.bare, START, generation)
        self.gitea.accounts |= {who: 7000 + number for number, who in enumerate(PLAYERS)}
        self.thread = self.gitea.open_issue("ann", "Talk about the game", ("game",))
        self.slept: list[float] = []
        self.forge: Forge = self.seen_from(self.referee_folder)
        self.repo = self.forge.refs.repo  # type: ignore[attr-defined]

    def seen_from(self, folder: Path) -> GiteaForge:
        """Return the forge as a referee in some clone sees it."""
        pacing = Pacing(self.slept.append, between=0)
        return GiteaForge(
            folder, self.remote, HOME, "moot/game", TOKEN, transport=self.gitea.transport(), pacing=pacing
        )

    def fetched(self, commit: str, person: str) -> str:
        """Bring a person's commit to the hub, as a push to eir fork would."""
        repo = self.seat(person).refs.repo
        repo.references.create("refs/heads/fork", commit, force=True)
        git(Path(repo.path), "push", "--quiet", "--force", self.remote, f"refs/heads/fork:refs/forks/{person}")
        assert commit in pygit2.Repository(str(self.bare))
        return commit

    def open(self, person: str, files: Mapping[str, bytes | None], title: str = "A change") -> int:
        inside = {f"state/{GAME}/{path}": data for path, data in files.items()}
        commit = self.fetched(self.change(person, inside, title), person)
        return self.gitea.open_pull(person, title, "", commit)

    def say(self, person: str, pull: int, body: str, kind: str = "comment", head: str | None = None) -> str:
        if kind == "comment":
            return f"c{self.gitea.comment(person, pull or self.thread, body)}"
        return f"r{self.gitea.review(person, pull, STATES[kind], body, head or '')}"

    def edit(self, person: str, pull: int, remark: str, body: str) -> None:
        self.gitea.edit(int(remark[1:]), body)

    def pushed(self, person: str, pull: int, commit: str) -> None:
        self.gitea.push(pull, self.fetched(commit, person), force=True)

    def referee(self, seconds: int = 0, *, forge: Forge | None = None) -> Report:
        """Let time pass, at least so much that what arrived is settled, and the referee run."""
        self.gitea.now = max(self.gitea.now, self.now) + max(seconds, SETTLE)
        self.now = self.gitea.now
        with Referee(forge or self.forge, self.repo, lambda: self.now) as referee:
            return referee.run()

    def game(self) -> GameTree:
        git(self.referee_folder, "fetch", "--quiet", self.remote, "+refs/heads/main:refs/test/main")
        repo = pygit2.Repository(str(self.referee_folder))
        return GameTree(repo, str(repo.references["refs/test/main"].target), GAME)

    def said(self, pull: int) -> str:
        bodies = [each["body"] for each in self.gitea.said.values() if each["number"] == (pull or self.thread)]
        return next((body for body in bodies if body.startswith("<!-- folkmoot:referee -->")), "")
