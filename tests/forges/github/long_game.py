"""A GitHub with a long game: as many entries and commits as wanted, served by smart HTTP that counts what it sends."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any

import pygit2

from folkmoot.core.digest import bytes_digest
from folkmoot.forges.github import GitHubForge
from folkmoot.forges.web.client import Pacing
from folkmoot.journal import Head, entry_bytes
from folkmoot.journal.git_objects import make_commit, write_tree
from folkmoot.journal.layout import entry_name
from folkmoot.journal.partial_clone import open_repository
from folkmoot.journal.record import head_bytes
from folkmoot.journal.tree import GameTree
from folkmoot.referee.report import Report
from folkmoot.referee.run import Referee
from tests.forges.github.emulator import API, TOKEN
from tests.forges.github.github_meeting import GitHubMeeting
from tests.forges.smart_http import Backend, Server, serving
from tests.referee.meeting import GAME, START, git

ME = "Ann <ann@x.org>"


class LongGame(GitHubMeeting):
    """A meeting whose game has a past: `entries` in the journal, and as many commits."""

    def __init__(self, folder: Path, *, remote: str, entries: int) -> None:
        super().__init__(folder, remote=remote)
        self.clones = 0
        for name, value in (
            ("uploadpack.allowFilter", "true"),  # as on GitHub
            ("uploadpack.allowAnySHA1InWant", "true"),
            ("receive.hideRefs", "refs/pull"),
            ("gc.auto", "0"),
        ):
            git(self.bare, "config", name, value)
        self._grow(entries)
        self.now = self.github.now = START + entries + 1_000

    def _grow(self, entries: int) -> None:
        """Put a past between the founding and now: distinct entries, and a commit for each."""
        hub = pygit2.Repository(str(self.bare))
        founded = str(hub.references["refs/heads/main"].target)
        with subprocess.Popen(
            ["git", "-C", str(self.bare), "fast-import", "--quiet"], stdin=subprocess.PIPE
        ) as process:
            assert process.stdin is not None
            for seq in range(3, entries):
                data = f"seq: {seq}\ndigest: {bytes_digest(str(seq).encode())}\n".encode()
                process.stdin.write(b"blob\nmark :%d\ndata %d\n%s\n" % (seq, len(data), data))
            line = "commit refs/heads/past\ncommitter Ann <ann@x.org> {} +0000\ndata 0\nfrom {}\n\n"
            process.stdin.write(line.format(START, founded).encode())
            for number in range(1, entries - 1):
                process.stdin.write(
                    f"commit refs/heads/past\ncommitter A <a@x.org> {START + number} +0000\ndata 0\n".encode()
                )
            put = "".join(f"M 100644 :{seq} state/{GAME}/{entry_name(seq)}\n" for seq in range(3, entries))
            process.stdin.write(f"commit refs/heads/past\ncommitter A <a@x.org> {START} +0000\ndata 0\n{put}".encode())
        assert process.returncode == 0
        said = {"at": START + entries, "by": "ann", "do": "state", "with": {"text": "Hello"}}
        last = entry_bytes({"seq": entries, "prev": "0" * 64, **said})
        head = head_bytes(Head(entries, bytes_digest(last), START + entries))
        files = {f"state/{GAME}/{entry_name(entries)}": last, f"state/{GAME}/head.yaml": head}
        hub = pygit2.Repository(str(self.bare))
        past = str(hub.references["refs/heads/past"].target)
        who = pygit2.Signature("Ann", "ann@x.org", START, 0)
        tip = make_commit(hub, write_tree(hub, hub[past].peel(pygit2.Tree).id, files), [past], "Grow", who, who)
        hub.references["refs/heads/past"].delete()
        hub.references["refs/heads/main"].set_target(tip)
        git(self.bare, "repack", "-adq")
        hub.references.create("refs/moot/refereed", tip)

    @contextmanager
    def undone(self) -> Iterator[LongGame]:
        """Undo afterwards what happens in the context: what refs stand for, what GitHub knows, and the time."""
        refs = self._refs()
        kept = {name: deepcopy(value) for name, value in vars(self.github).items() if name not in ("repo", "requests")}
        now = self.now
        try:
            yield self
        finally:
            lines = [f"delete {name}\n" for name in self._refs()] + [f"update {n} {v}\n" for n, v in refs.items()]
            for part in (lines[: len(lines) - len(refs)], lines[len(lines) - len(refs) :]):
                command = ["git", "-C", str(self.bare), "update-ref", "--stdin"]
                subprocess.run(command, input="".join(part), text=True, check=True)
            vars(self.github).update(kept)
            self.now = now

    def _refs(self) -> dict[str, str]:
        found = git(self.bare, "for-each-ref", "--format=%(refname) %(objectname)")
        return dict(line.split() for line in found.splitlines())

    def clone(self) -> Path:
        """Make a bare, shallow, partial clone."""
        self.clones += 1
        folder = self.folder / f"part-{self.clones}.git"
        git(self.folder, "clone", "--quiet", "--bare", "--depth=1", "--filter=tree:0", self.remote, str(folder))
        return folder

    def run(self, folder: Path, seconds: int = 0) -> Report:
        """Let a new referee run in a clone."""
        self.github.now = self.now = max(self.github.now, self.now) + max(seconds, 200)
        repo = open_repository(folder)
        pacing = Pacing(self.slept.append)
        forge = GitHubForge(
            folder,
            self.remote,
            "moot/game",
            TOKEN,
            api=API,
            transport=self.github.transport(),
            pacing=pacing,
            repo=repo,
        )
        with Referee(forge, repo, lambda: self.now) as referee:
            return referee.run()

    def record(self) -> GameTree:
        """Return the game as it stands on the branch."""
        hub = pygit2.Repository(str(self.bare))
        return GameTree(hub, str(hub.references["refs/heads/main"].target), GAME)


class Counting(Backend):
    """Counts the bytes that are sent out, and that come in."""

    def _answer(self, status: int, headers: list[Any], content: bytes) -> None:
        self.server.sent += len(content)  # type: ignore[attr-defined]
        self.server.answers += 1  # type: ignore[attr-defined]
        super()._answer(status, headers, content)

    def _body(self) -> bytes:
        body = super()._body()
        self.server.received += len(body)  # type: ignore[attr-defined]
        return body


@contextmanager
def counting(root: Path) -> Iterator[Server]:
    """Serve the repositories below a folder; the server's `sent`, `received` and `answers` tell how much that was."""
    with serving(root) as server:
        server.RequestHandlerClass = Counting
        server.sent = server.received = server.answers = 0  # type: ignore[attr-defined]
        yield server


def long_game(folder: Path, address: str, entries: int) -> LongGame:
    """Return a long game that is served at an address."""
    return LongGame(folder, remote=f"{address}/table.git", entries=entries)
