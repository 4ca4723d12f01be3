"""Meetings on forges with an API: the same players, verbs and referee as on the local forge, by an emulator and git."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pygit2

from folkmoot.forges.cache.forge import Forge
from folkmoot.forges.local.letters import Letter
from folkmoot.game.session import Session
from folkmoot.referee.report import Report
from folkmoot.referee.run import Referee
from tests.forges.conformance import OnPages
from tests.forges.objects import bring
from tests.support.meeting import GAME, PLAYERS, START, Meeting, git

SETTLE = 200


class TwinMeeting(Meeting):
    """A meeting whose players are known on all forges, so that its record can be compared with its twin's."""

    kind = "local"
    known_on: tuple[str, ...] = ("github", "gitea", "local")

    @classmethod
    def _found(cls, place: Path, given: dict[str, Any]) -> None:
        assert Session.found(place, {**given, "forge": cls.kind}, START).accepted
        with Session.open(place, writing=True) as session:
            for number, who in enumerate(PLAYERS):
                for forge in cls.known_on:
                    name = f"{who}@x.org" if forge == "local" else str(7000 + number)
                    with_ = {"player": who, "forge": forge, "id": name, "login": who}
                    assert session.act("ann", "identify", with_, at=START).accepted

    def send(self, person: str, **fields: Any) -> str:
        return self.seat(person).send(Letter(**fields))

    def is_there_only_on_pages(self, *_: Any) -> None:
        """Do nothing: on plain git nothing that was said can be changed; and nothing of it changes the record."""

    edit = delete = dismiss = close = reopen = is_there_only_on_pages

    def pushed(self, person: str, pull: int, commit: str) -> None:
        assert self.seat(person).push_pull(pull, commit, self.head(pull))


class WebMeeting(OnPages, TwinMeeting):
    """The twin on a forge that is emulated as `web`; `states` are its words for reviews."""

    states: Mapping[str, str]
    token: str

    def __init__(
        self, folder: Path, *, remote: str | None = None, law: Mapping[str, Any] | None = None, **emulated: Any
    ) -> None:
        super().__init__(folder, remote=remote, law=law)
        self.web = self.emulator(**emulated)
        self.web.accounts |= {who: 7000 + number for number, who in enumerate(PLAYERS)}
        self.thread = self.web.open_issue("ann", "Talk about the game", ("game",))
        self.slept: list[float] = []
        self.forge: Forge = self.seen_from(self.referee_folder)
        self.repo = self.forge.refs.repo  # type: ignore[attr-defined]

    @abstractmethod
    def emulator(self, **emulated: Any) -> Any:
        """Return what stands for the forge."""

    @abstractmethod
    def seen_from(self, folder: Path) -> Any:
        """Return the forge as a referee in some clone sees it."""

    def fetched(self, commit: str, person: str) -> str:
        """Bring a person's commit to the hub, as a push to their fork would."""
        repo = self.seat(person).refs.repo
        hub = pygit2.Repository(str(self.bare))
        bring(repo, hub, commit)
        hub.references.create(f"refs/forks/{person}", commit, force=True)
        return commit

    def fetched_from(self, fork: Path, commit: str) -> str:
        """Bring a commit of a fork to the hub, as the forge does when a pull request is opened."""
        git(fork, "push", "--quiet", str(self.bare), f"{commit}:refs/forks/{fork.parent.name}")
        return commit

    def open(self, person: str, files: Mapping[str, bytes | None], title: str = "A change") -> int:
        inside = {f"state/{GAME}/{path}": data for path, data in files.items()}
        commit = self.fetched(self.change(person, inside, title), person)
        return int(self.web.open_pull(person, title, "", commit))

    def say(self, person: str, pull: int, body: str, kind: str = "comment", head: str | None = None) -> str:
        if kind == "comment":
            return f"c{self.web.comment(person, pull or self.thread, body)}"
        return f"r{self.web.review(person, pull, self.states[kind], body, head or '')}"

    def pushed(self, person: str, pull: int, commit: str) -> None:
        self.web.push(pull, self.fetched(commit, person), force=True)

    def referee(self, seconds: int = 0, *, forge: Forge | None = None) -> Report:
        """Let time pass, at least so much that what arrived is settled, and the referee run."""
        self.web.now = max(self.web.now, self.now) + max(seconds, SETTLE)
        self.now = self.web.now
        seen: Any = forge or self.forge
        with Referee(seen, seen.refs.repo, lambda: self.now) as referee:
            return referee.run()

    def said(self, pull: int) -> str:
        bodies = [each["body"] for each in self.web.said.values() if each["number"] == (pull or self.thread)]
        return next((body for body in bodies if body.startswith("<!-- folkmoot:referee -->")), "")
