"""The worlds of Forgejo and Gitea: the emulator and its git repository over HTTP."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Lock
from typing import Any

import httpx

from folkmoot.forges.gitea import GiteaForge
from folkmoot.forges.port import Forge, PullState, RemarkKind
from tests.forges.endtoend.troubled import TroubledWorld
from tests.forges.endtoend.world import person_id
from tests.forges.gitea.emulator import GITEA, HOME, TOKEN, Generation, Gitea
from tests.forges.gitea.gitea_table import STATES
from tests.forges.smart_http import Server, WebBackend
from tests.support.forms import written


class Clocked(Gitea):
    """Its time is the script's: nobody's deed lets it go on."""

    clock = 0

    @property
    def now(self) -> int:
        """Return what its clock shows."""
        return self.clock

    @now.setter
    def now(self, _: int) -> None:
        """Leave the clock alone."""


class Both(WebBackend):
    """Answers the API below `/api/v1`, and git elsewhere."""

    server: Any

    def _serve(self, body: bytes) -> None:
        if not self.path.startswith("/api/v1/"):
            super()._serve(body)
            return
        kept = {name: value for name, value in self.headers.items() if name.lower() == "authorization"}
        request = httpx.Request(self.command, HOME + self.path, headers=kept, content=body)
        with self.server.lock:
            answer = self.server.gitea.handle(request)
        headers = [(name, value.replace(HOME, self.server.address)) for name, value in answer.headers.items()]
        headers = [(name, value) for name, value in headers if name.lower() != "content-length"]
        content = answer.content.replace(HOME.encode(), self.server.address.encode())
        self._answer(answer.status_code, headers, content)


class GiteaWorld(TroubledWorld):
    """A Forgejo or Gitea of some generation."""

    kind = "gitea"
    generation: Generation = GITEA

    def __init__(self, folder: Path, law: Mapping[str, Any], players: tuple[str, ...], **more: Any) -> None:
        super().__init__(folder, law, players, **more)
        self.gitea = Clocked(self.hub, self.now, self.generation)
        self.gitea.clock = self.now
        self.gitea.accounts |= {who: int(person_id("gitea", who)) for who in (*players, "zed", "eve", "mal")}
        self.gitea.pages = self.chance.choice([2, 5, 50])
        self.thread = self.gitea.open_issue(players[0], "Talk about the game", ("game",))

    def server(self) -> tuple[Server, type[BaseHTTPRequestHandler]]:
        server: Any = Server(self.folder, f"x-access-token:{TOKEN}")
        server.gitea, server.lock = self.gitea, Lock()
        return server, Both

    def environment(self) -> dict[str, str]:
        self.gitea.clock = self.now
        return {"FOLKMOOT_TOKEN": TOKEN, "GITHUB_SERVER_URL": self.address}

    def forge(self, clone: Path | None = None) -> Forge:
        self.gitea.clock = self.now
        place = self.bare(clone or self.clone)
        home, transport = self.address if self.wired else HOME, self.transport(self.gitea.handle)
        return GiteaForge(place, self.remote, home, "moot/game", TOKEN, pacing=self.pacing(), transport=transport)

    def shown(self, word: str) -> PullState:
        pull = self.gitea.pulls[self.pulls[word]]
        state: PullState = "merged" if pull["merged_at"] else pull["state"]
        return state

    def ours(self, word: str) -> list[str]:
        said = [each for each in self.gitea.said.values() if each["number"] == self.pulls[word]]
        return [each["body"] for each in said if each["person"] == self.gitea.robot]

    @contextmanager
    def deed(self) -> Iterator[None]:
        with super().deed():
            self.gitea.clock = self.now
            yield

    def _open(self, person: str, title: str, commit: str) -> int:
        return self.gitea.open_pull(person, title, "", commit)

    def _push(self, person: str, number: int, commit: str) -> None:
        self.gitea.push(number, commit, force=self.chance.random() < 0.5)

    def _say(self, person: str, number: int, body: str) -> str:
        return f"c{self.gitea.comment(person, number or self.thread, body)}"

    def _fill(self, person: str, form: str, title: str, values: Mapping[str, str]) -> str:
        body = written(form, dict(values), gitea=True, preselected=self.generation.preselects)
        return f"i{50 + self.gitea.open_issue(person, title, ('game',), body)}"

    def _review(self, person: str, number: int, kind: RemarkKind, body: str, commit: str) -> str:
        return f"r{self.gitea.review(person, number, STATES[kind], body, commit)}"

    def _edit(self, person: str, number: int, remark: str, body: str) -> None:
        self.gitea.edit(int(remark[1:]), body)

    def _delete(self, person: str, number: int, remark: str) -> None:
        self.gitea.delete(int(remark[1:]))

    def _dismiss(self, person: str, number: int, remark: str) -> None:
        self.gitea.dismiss(person, int(remark[1:]))

    def _close(self, person: str, number: int) -> None:
        self.gitea.close(person, number)

    def _reopen(self, person: str, number: int) -> None:
        self.gitea.reopen(person, number)
