"""A forge's git on loopback where everybody may read, and only those who own a repository may push to it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.forges.smart_http import Backend, Server, running
from tests.support.meeting import git


class Owned(Backend):
    """Refuses pushes to repositories of those who are not in `writers`, as forges do."""

    server: Forks

    def _serve(self, body: bytes) -> None:
        owner = self.path.strip("/").partition("/")[0]
        if "receive-pack" in self.path and owner not in self.server.writers:
            self._answer(403, [("Content-Type", "text/plain")], b"User permission denied for writing.\n")
            return
        super()._serve(body)


class Forks(Server):
    """Serves the repositories below a folder; `writers` are the owners whose repositories may be pushed to."""

    def __init__(self, root: Path, *writers: str) -> None:
        super().__init__(root)
        self.RequestHandlerClass = Owned
        self.writers = set(writers)

    def fork(self, owner: str) -> Path:
        folder = self.root / owner / "game.git"
        git(self.root, "clone", "--quiet", "--bare", str(self.root / "moot" / "game.git"), str(folder))
        git(folder, "config", "http.receivepack", "true")
        return folder


@contextmanager
def serving_forks(folder: Path, game: Path, *writers: str) -> Iterator[Forks]:
    """Serve a game as `moot/game.git`."""
    root = folder / "forge"
    (root / "moot").mkdir(parents=True)
    (root / "moot" / "game.git").symlink_to(game)
    with running(Forks(root, *writers)) as server:
        yield server
