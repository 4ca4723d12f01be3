"""A small game on an emulated GitHub whose git repository is a folder, judged in this process: quick, and bounded."""

from __future__ import annotations

from pathlib import Path

from folkmoot.forges.cache.forge import Forge
from folkmoot.forges.github import GitHubForge
from folkmoot.forges.web.client import Pacing
from folkmoot.referee.report import Report
from folkmoot.referee.run import Referee
from tests.forges.github.emulator import API, STATES, TOKEN, GitHub
from tests.forges.objects import direct, repository
from tests.support.meeting import PLAYERS, START
from tests.support.quick import SMALL, QuickMeeting

SETTLE = 200
MARK = "<!-- folkmoot:referee -->"


class RoundTable(QuickMeeting):
    """Ann, bob, cid and dee on GitHub, where anybody may open pull requests, review and comment.

    Heads are made in the hub itself, as a push to a fork would bring them there.
    """

    def __init__(self, folder: Path) -> None:
        accounts = {who: 7000 + number for number, who in enumerate(PLAYERS)}
        law = {**SMALL, "title": "Dragons", "forge": "github"}
        super().__init__(folder, law=law, accounts=tuple(map(str, accounts.values())))
        self.github = GitHub(self.bare, START)
        self.github.accounts |= accounts
        self.thread = self.github.open_issue("ann", "Talk about the game", ("game",))
        self.folders = 0
        self.forge: Forge = self.fresh()

    def fresh(self) -> GitHubForge:
        """Return the forge as a referee in a new clone sees it."""
        self.folders += 1
        self.referee_folder = self.folder / f"clone-{self.folders}"
        repository(self.referee_folder)
        there, pacing = self.github.transport(), Pacing(lambda _: None)
        forge = GitHubForge(self.referee_folder, self.remote, "moot/game", TOKEN, API, transport=there, pacing=pacing)
        return direct(forge)

    # -- people

    def pull(self, commit: str, person: str = "ann", title: str = "A change") -> int:
        return self.github.open_pull(person, title, "", commit)

    def say(self, person: str | None, pull: int, body: str, kind: str = "comment", head: str | None = None) -> str:
        if kind == "comment":
            return f"c{self.github.comment(person, pull or self.thread, body)}"
        return f"r{self.github.review(person, pull, STATES[kind], body, head or '')}"

    # -- the referee

    def referee(self, seconds: int = 0, *, forge: Forge | None = None) -> Report:
        """Let so much time pass that what arrived counts, and the referee run."""
        self.github.now = max(self.github.now, self.now) + max(seconds, SETTLE)
        self.now = self.github.now
        chosen = forge or self.forge
        with Referee(chosen, chosen.refs.repo, lambda: self.now) as referee:  # type: ignore[attr-defined]
            return referee.run()

    def bodies(self, pull: int) -> list[str]:
        """Return everything that the referee's account wrote on a pull request, or on the thread (0)."""
        place = pull or self.thread
        return [
            each["body"]
            for each in self.github.said.values()
            if each["number"] == place and each["user"] == self.github.robot
        ]

    def said(self, pull: int) -> str:
        return next((body for body in self.bodies(pull) if body.startswith(MARK)), "")
