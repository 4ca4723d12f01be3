"""A meeting on GitHub: the same players, verbs and referee as on the local forge, by the emulator and a git server."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pygit2

from engine.forge.github import GitHubForge
from engine.forge.local import Letter
from engine.forge.port import Forge
from engine.forge.web.limits import Pacing
from engine.referee.run import Referee, Report
from engine.session import Session, versions
from engine.store import GameFolder
from engine.store.tree import GameTree
from tests.forge.github.emulator import API, TOKEN, GitHub
from tests.forge.github.github_table import STATES
from tests.referee.meeting import GAME, PLAYERS, START, Meeting, git, identity

SETTLE = 200


class TwinMeeting(Meeting):
    """A meeting whose players are known on both forges, so that its record can be compared with its twin's."""

    kind = "local"

    def _found(self, law: dict[str, Any]) -> None:
        work = self.folder / "founding"
        git(self.folder, "init", "--quiet", "--initial-branch=main", str(work))
        identity(work, "root")
        people = [{"id": who, "surname": who.capitalize(), "email": f"{who}@x.org"} for who in PLAYERS]
        given = {**law, "title": "Dragons", "players": people, "forge": self.kind, "engine": versions()}
        place = work / "state" / GAME
        assert Session.found(place, {**given, "administrators": ["ann"]}, self.now).accepted
        with Session.open(place, writing=True) as session:
            for number, who in enumerate(PLAYERS):
                for forge, name in (
                    *((kind, str(7000 + number)) for kind in ("github", "gitea")),
                    ("local", f"{who}@x.org"),
                ):
                    with_ = {"player": who, "forge": forge, "id": name, "login": who}
                    assert session.act("ann", "identify", with_, at=self.now).accepted
        GameFolder(place).commit("Found the game", at=self.now)
        git(work, "push", "--quiet", self.remote, "HEAD:refs/heads/main")

    def edit(self, person: str, pull: int, remark: str, body: str) -> None:
        """Edit a comment of one's own."""
        self.seat(person).send(Letter(pull=pull, kind="edit", of=remark, body=body))

    def pushed(self, person: str, pull: int, commit: str) -> None:
        """Push other content to a pull request."""
        assert self.seat(person).push_pull(pull, commit, self.head(pull))


class GitHubMeeting(TwinMeeting):
    """The twin on GitHub."""

    kind = "github"

    def __init__(self, folder: Path, *, remote: str | None = None, law: Mapping[str, Any] | None = None) -> None:
        super().__init__(folder, remote=remote, law=law)
        self.github = GitHub(self.bare, START)
        self.github.accounts |= {who: 7000 + number for number, who in enumerate(PLAYERS)}
        self.thread = self.github.open_issue("ann", "Talk about the game", ("game",))
        self.slept: list[float] = []
        self.forge: Forge = self.seen_from(self.referee_folder)
        self.repo = self.forge.refs.repo  # type: ignore[attr-defined]

    def seen_from(self, folder: Path) -> GitHubForge:
        """Return the forge as a referee in some clone sees it."""
        pacing = Pacing(self.slept.append)
        return GitHubForge(
            folder, self.remote, "moot/game", TOKEN, api=API, transport=self.github.transport(), pacing=pacing
        )

    def fetched(self, commit: str, person: str) -> str:
        """Bring a person's commit to the hub, as a push to eir fork would."""
        repo = self.seat(person).refs.repo
        hub = pygit2.Repository(str(self.bare))
        repo.references.create("refs/heads/fork", commit, force=True)
        git(Path(repo.path), "push", "--quiet", "--force", self.remote, f"refs/heads/fork:refs/forks/{person}")
        assert commit in hub
        return commit

    def open(self, person: str, files: Mapping[str, bytes | None], title: str = "A change") -> int:
        inside = {f"state/{GAME}/{path}": data for path, data in files.items()}
        commit = self.fetched(self.change(person, inside, title), person)
        return self.github.open_pull(person, title, "", commit)

    def say(self, person: str, pull: int, body: str, kind: str = "comment", head: str | None = None) -> str:
        if kind == "comment":
            return f"c{self.github.comment(person, pull or self.thread, body)}"
        return f"r{self.github.review(person, pull, STATES[kind], body, head or '')}"

    def edit(self, person: str, pull: int, remark: str, body: str) -> None:
        self.github.edit(int(remark[1:]), body)

    def pushed(self, person: str, pull: int, commit: str) -> None:
        self.github.push(pull, self.fetched(commit, person), force=True)

    def referee(self, seconds: int = 0, *, forge: Forge | None = None) -> Report:
        """Let time pass, at least so much that what arrived is settled, and the referee run."""
        self.github.now = max(self.github.now, self.now) + max(seconds, SETTLE)
        self.now = self.github.now
        with Referee(forge or self.forge, self.repo, lambda: self.now) as referee:
            return referee.run()

    def game(self) -> GameTree:
        git(self.referee_folder, "fetch", "--quiet", self.remote, "+refs/heads/main:refs/test/main")
        repo = pygit2.Repository(str(self.referee_folder))
        return GameTree(repo, str(repo.references["refs/test/main"].target), GAME)

    def said(self, pull: int) -> str:
        bodies = [each["body"] for each in self.github.said.values() if each["number"] == (pull or self.thread)]
        return next((body for body in bodies if body.startswith("<!-- folkmoot:referee -->")), "")
