"""The emulated GitHub and its git repository behind one real address, for programs that know nothing of the emulator."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import httpx

from tests.forges.github.emulator import API, GitHub
from tests.forges.smart_http import Server, WebBackend, running


class Both(WebBackend):
    """Answers the API below `/api/v3`, and git elsewhere."""

    server: GitHubServer

    def _serve(self, body: bytes) -> None:
        if not self.path.startswith("/api/v3/"):
            super()._serve(body)
            return
        kept = {name: value for name, value in self.headers.items() if name.lower() == "authorization"}
        request = httpx.Request(self.command, API + self.path.removeprefix("/api/v3"), headers=kept, content=body)
        with self.server.lock:
            answer = self.server.github.handle(request)
        headers = [(name, value) for name, value in answer.headers.items() if name.lower() != "content-length"]
        headers = [(name, value.replace(API, f"{self.server.address}/api/v3")) for name, value in headers]
        self._answer(answer.status_code, headers, answer.content)


class GitHubServer(Server):
    """Serves an emulated GitHub and the repositories below a folder."""

    def __init__(self, root: Path, github: GitHub, login: str) -> None:
        super().__init__(root, login)
        self.RequestHandlerClass = Both
        self.github = github
        self.lock = Lock()


@contextmanager
def serving_github(root: Path, github: GitHub, login: str) -> Iterator[GitHubServer]:
    with running(GitHubServer(root, github, login)) as server:
        yield server
