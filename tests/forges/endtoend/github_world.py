"""The world of GitHub: the emulator and its git repository over HTTP."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from folkmoot.forges.github import GitHubForge
from folkmoot.forges.port import Forge, PullState, RemarkKind
from tests.forges.endtoend.troubled import TroubledWorld
from tests.forges.endtoend.world import person_id
from tests.forges.github.emulator import API, TOKEN, GitHub, stamp
from tests.forges.github.github_table import STATES
from tests.forges.github.over_http import Both, GitHubServer
from tests.forges.smart_http import Server
from tests.support.forms import written


class Clocked(GitHub):
    """Its time is the script's: nobody's deed lets it go on."""

    def tick(self) -> str:
        return stamp(self.now)


class GitHubWorld(TroubledWorld):
    """GitHub; who pushes, pushes now with force and now without."""

    kind = "github"

    def __init__(self, folder: Path, law: Mapping[str, Any], players: tuple[str, ...], **more: Any) -> None:
        super().__init__(folder, law, players, **more)
        self.github = Clocked(self.hub, self.now)
        self.github.accounts |= {who: int(person_id("github", who)) for who in (*players, "zed", "eve", "mal")}
        self.github.pages = self.chance.choice([2, 5, 100])
        self.thread = self.github.open_issue(players[0], "Talk about the game", ("game",))

    def server(self) -> tuple[Server, type[BaseHTTPRequestHandler]]:
        return GitHubServer(self.folder, self.github, f"x-access-token:{TOKEN}"), Both

    def environment(self) -> dict[str, str]:
        self.github.now = self.now
        api = f"{self.address}/api/v3"
        return {"FOLKMOOT_TOKEN": TOKEN, "GITHUB_SERVER_URL": self.address, "GITHUB_API_URL": api}

    def forge(self, clone: Path | None = None) -> Forge:
        self.github.now = self.now
        return GitHubForge(
            self.bare(clone or self.clone),
            self.remote,
            "moot/game",
            TOKEN,
            api=f"{self.address}/api/v3" if self.wired else API,
            transport=self.transport(self.github.handle),
            pacing=self.pacing(),
        )

    def shown(self, word: str) -> PullState:
        pull = self.github.pulls[self.pulls[word]]
        return "merged" if pull["merged_at"] else pull["state"]

    def ours(self, word: str) -> list[str]:
        said = [each for each in self.github.said.values() if each["number"] == self.pulls[word]]
        return [each["body"] for each in said if each["user"] == self.github.robot]

    @contextmanager
    def deed(self) -> Iterator[None]:
        with super().deed():
            self.github.now = self.now
            yield

    def _open(self, person: str, title: str, commit: str) -> int:
        return self.github.open_pull(person, title, "", commit)

    def _push(self, person: str, number: int, commit: str) -> None:
        self.github.push(number, commit, force=self.chance.random() < 0.5)

    def _say(self, person: str, number: int, body: str) -> str:
        return f"c{self.github.comment(person, number or self.thread, body)}"

    def _fill(self, person: str, form: str, title: str, values: Mapping[str, str]) -> str:
        body = written(form, dict(values), gitea=False)
        return f"i{9_000 + self.github.open_issue(person, title, ('game',), body)}"

    def _review(self, person: str, number: int, kind: RemarkKind, body: str, commit: str) -> str:
        return f"r{self.github.review(person, number, STATES[kind], body, commit)}"

    def _edit(self, person: str, number: int, remark: str, body: str) -> None:
        self.github.edit(int(remark[1:]), body)

    def _delete(self, person: str, number: int, remark: str) -> None:
        self.github.delete(int(remark[1:]))

    def _dismiss(self, person: str, number: int, remark: str) -> None:
        self.github.dismiss(person, int(remark[1:]))

    def _close(self, person: str, number: int) -> None:
        self.github.close(person, number)

    def _reopen(self, person: str, number: int) -> None:
        self.github.reopen(person, number)
