"""The emulated server and its git repository behind one real address, for programs that know nothing of the emulator."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import httpx

from tests.forges.gitea.emulator import HOME, Gitea
from tests.forges.smart_http import Server, WebBackend, running


class Both(WebBackend):
    """Answers the API below `/git/api`, and git elsewhere below `/git`."""

    server: GiteaServer

    def _serve(self, body: bytes) -> None:
        if not self.path.startswith("/git/api/"):
            self.path = self.path.removeprefix("/git")
            super()._serve(body)
            return
        kept = {name: value for name, value in self.headers.items() if name.lower() == "authorization"}
        request = httpx.Request(self.command, HOME + self.path.removeprefix("/git"), headers=kept, content=body)
        with self.server.lock:
            answer = self.server.gitea.handle(request)
        headers = [(name, value) for name, value in answer.headers.items() if name.lower() != "content-length"]
        self._answer(answer.status_code, headers, answer.content)


class GiteaServer(Server):
    """Serves an emulated Forgejo or Gitea and the repositories below a folder, both below `/git`."""

    def __init__(self, root: Path, gitea: Gitea, login: str) -> None:
        super().__init__(root, login)
        self.RequestHandlerClass = Both
        self.gitea = gitea
        self.lock = Lock()

    @property
    def home(self) -> str:
        return f"{self.address}/git"


@contextmanager
def serving_gitea(root: Path, gitea: Gitea, login: str) -> Iterator[GiteaServer]:
    with running(GiteaServer(root, gitea, login)) as server:
        yield server
