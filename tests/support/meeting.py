"""A meeting: a bare repository with a game, players who push to it with plain git objects, and a referee."""

from __future__ import annotations

import atexit
import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pygit2

from folkmoot.core.calendar import read_stamp
from folkmoot.core.versions import versions
from folkmoot.forges.cache.forge import Forge
from folkmoot.forges.local.forge import LocalForge
from folkmoot.forges.local.letters import Letter
from folkmoot.forges.local.players_repository import Author, PlayersRepository
from folkmoot.game.rulesets import founding
from folkmoot.game.session import Session
from folkmoot.journal import GameFolder
from folkmoot.journal.git_objects import make_commit, signature, write_tree
from folkmoot.journal.tree import GameTree
from folkmoot.referee.report import Report
from folkmoot.referee.run import Referee
from tests.forges.objects import bring, direct, repository

START = read_stamp("2026-01-05T12:00:00Z")
PLAYERS = ("ann", "bob", "cid", "dee")
GAME = "moor"


def git(where: Path | str, *words: str) -> str:
    done = subprocess.run(["git", "-C", str(where), *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def identity(where: Path, person: str) -> None:
    """Say who works in a repository."""
    config = pygit2.Repository(str(where)).config
    config["user.name"], config["user.email"] = person.capitalize(), f"{person}@x.org"


def pack(repo: pygit2.Repository) -> None:
    """Let all objects of a repository lie in one file: it is to be copied, and looked through by each command."""
    repo.pack()
    for folder in Path(repo.path, "objects").glob("??"):
        shutil.rmtree(folder)


def rule(title: str, text: str = "Let it be so.", **parts: Any) -> bytes:
    more = "".join(
        f"{name}: |\n" + "".join(f"  {line}\n" for line in part.splitlines()) for name, part in parts.items()
    )
    return f"title: {title}\ntext: |\n  {text}\n{more}".encode()


@cache
def founded(found: Callable[[Path, dict[str, Any]], None], law: str, players: tuple[str, ...]) -> Path:
    """Return a bare repository with a game of a law; it is to be copied."""
    folder = Path(tempfile.mkdtemp(prefix="folkmoot-meeting-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    bare, work = folder / "table.git", folder / "founding"
    git(folder, "init", "--quiet", "--bare", "--template=", "--initial-branch=main", str(bare))
    git(bare, "config", "http.receivepack", "true")
    git(bare, "config", "receive.autogc", "false")
    git(folder, "init", "--quiet", "--template=", "--initial-branch=main", str(work))
    identity(work, "root")
    people = [{"id": who, "surname": who.capitalize(), "email": f"{who}@x.org"} for who in players]
    given = {**json.loads(law), "title": "Dragons", "players": people, "engine": versions()}
    found(work / "state" / GAME, {**given, "administrators": ["ann"]})
    GameFolder(work / "state" / GAME).commit("Found the game", at=START)
    git(work, "push", "--quiet", str(bare), "HEAD:refs/heads/main")
    pack(pygit2.Repository(str(bare)))
    return bare


class Meeting:
    """One game on a bare repository; time stands still until it is told to go on."""

    def __init__(
        self,
        folder: Path,
        *,
        remote: str | None = None,
        law: Mapping[str, Any] | None = None,
        players: tuple[str, ...] = PLAYERS,
    ) -> None:
        self.folder = folder
        self.players = players
        self.now = START
        self.bare = folder / "table.git"
        self.remote = remote or str(self.bare)
        given = {**founding("suber"), "settings": {"mode": "mail"}, **(law or {})}
        shutil.copytree(founded(self._found, json.dumps(given), players), self.bare, dirs_exist_ok=True)
        self.referee_folder = self._referees_own()
        own = self.referee_folder == self.bare
        self.forge: Forge = direct(LocalForge(self.referee_folder, None if own else self.remote))
        self.repo = pygit2.Repository(str(self.referee_folder))

    @staticmethod
    def _found(place: Path, given: dict[str, Any]) -> None:
        done = Session.found(place, {**given, "forge": "local"}, START)
        assert done.accepted, done.entry.get("reasons")

    def _clone(self, name: str, hub: Path | None = None) -> Path:
        folder = self.folder / name
        repository(folder, hub)
        return folder

    def _referees_own(self) -> Path:
        """Return the repository in which the referee works."""
        return self._clone("referee")

    # -- people

    def seat(self, person: str) -> PlayersRepository:
        folder = self.folder / f"seat-{person}"
        if not folder.exists():
            self._clone(folder.name, self.bare)
            identity(folder, person)
        return direct(PlayersRepository(folder, self.remote))

    def change(
        self, person: str, files: Mapping[str, bytes | None], message: str = "A change", base: str | None = None
    ) -> str:
        """Return a commit of somebody's with changed files (path → bytes, None: removed) on top of the branch."""
        seat = self.seat(person)
        repo = pygit2.Repository(seat.refs.repo.path)
        hub = pygit2.Repository(str(self.bare))
        parent = base or str(hub.references["refs/heads/main"].target)
        bring(hub, repo, parent)
        who = signature(repo, "AUTHOR", f"{person.capitalize()} <{person}@x.org>", self.now)
        return make_commit(repo, write_tree(repo, repo[parent].tree_id, dict(files)), [parent], message, who, who)

    def propose(self, person: str, title: str = "A dragon", **files: bytes | None) -> int:
        """Open a pull request with a new rule, or with the rule files given by name (`r203=…` for rules/203.yaml)."""
        given = {f"rules/{name.removeprefix('r')}.yaml": data for name, data in files.items()}
        return self.open(person, given or {"rules/dragon.yaml": rule(title)}, title)

    def open(self, person: str, files: Mapping[str, bytes | None], title: str = "A change") -> int:
        """Open a pull request that changes files of the game, and return its number."""
        inside = {f"state/{GAME}/{path}": data for path, data in files.items()}
        return self.pull(self.change(person, inside, title), person, title)

    def pull(self, commit: str, person: str = "ann", title: str = "A change") -> int:
        """Open a pull request of a commit."""
        return self.seat(person).open_pull(commit)

    def say(self, person: str, pull: int, body: str, kind: str = "comment", head: str | None = None) -> str:
        """Comment on a pull request (0: the game's thread), or review it as it is."""
        seat = self.seat(person)
        commit = "" if kind not in ("approve", "request_changes") else head or self.head(pull)
        letter = Letter(pull=pull, kind=kind, head=commit, body=body)  # type: ignore[arg-type]
        return seat.send(letter, Author(person.capitalize(), f"{person}@x.org"), at=self.now)

    def approve(self, person: str, pull: int, body: str = "", head: str | None = None) -> str:
        return self.say(person, pull, body, "approve", head)

    def head(self, pull: int) -> str:
        return str(pygit2.Repository(str(self.bare)).references[f"refs/pull/{pull}/head"].target)

    def all_vote(self, pull: int, choice: str = "for") -> Report:
        """Let each player vote by a comment, and the referee run."""
        for voter in PLAYERS:
            self.say(voter, pull, f"/vote {choice}")
        return self.referee(60)

    # -- the referee

    def referee(self, seconds: int = 0, *, forge: Forge | None = None) -> Report:
        """Let time pass and the referee run."""
        self.now += seconds
        with Referee(forge or self.forge, self.repo, lambda: self.now) as referee:
            return referee.run()

    def game(self) -> GameTree:
        hub = pygit2.Repository(str(self.bare))
        return GameTree(hub, str(hub.references["refs/heads/main"].target), GAME)

    def document(self, key: str) -> dict[str, Any]:
        return dict(self.game().archive(key) or {})

    def said(self, pull: int) -> str:
        """Return what the referee says of a pull request."""
        name = f"refs/moot/forge:said/{pull // 100 * 100:03d}/{pull}.md"
        done = subprocess.run(["git", "-C", str(self.bare), "show", name], capture_output=True, text=True, check=False)
        return done.stdout
