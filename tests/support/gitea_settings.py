"""A Gitea whose settings a doctor reads and mends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pygit2
import pytest

from folkmoot.forges.web.client import Client, Pacing
from folkmoot.ops.doctor.examination import examine_there
from folkmoot.ops.doctor.findings import Finding
from folkmoot.ops.doctor.forge import Asking
from folkmoot.ops.doctor.place import Game, Place
from tests.forges.gitea.emulator import API, GITEA, TOKEN, Generation
from tests.forges.gitea.settings import SettledGitea

NOW = 1_767_614_400


def served(folder: Path, generation: Generation = GITEA, *, bare: bool = False) -> SettledGitea:
    repo = pygit2.init_repository(str(folder / "hub.git"), bare=True, initial_head="main")
    who = pygit2.Signature("Ann", "ann@example.org", NOW, 0)
    repo.create_commit("refs/heads/main", who, who, "Found", repo.TreeBuilder().write(), [])
    made = (SettledGitea.bare if bare else SettledGitea)(folder / "hub.git", NOW, generation)
    if not bare:
        made.open_issue("annabel", "The game", ("game",))
    return made


@pytest.fixture
def gitea(tmp_path: Path) -> SettledGitea:
    return served(tmp_path)


def game(**settings: Any) -> Game:
    roster = {"ann": {"until": None, "handles": {"gitea": {"id": "7", "login": "annabel"}}}}
    given = {"forge": {"kind": "gitea", "home": "https://forge.example/git/moot/game"}, "administrators": ["ann"]}
    return Game("dragons", {**given, **settings}, roster)


def place(*games: Game) -> Place:
    return Place(
        root=Path("nowhere"), repo=None, games=games or (game(),), host="https://forge.example/git", repository="moot/game",
        branch="main", kind="gitea",
    )  # fmt: skip


def asking(gitea: SettledGitea, here: Place | None = None) -> Asking:
    headers = {"Authorization": f"token {TOKEN}"}
    client = Client(API, headers, transport=gitea.transport(), pacing=Pacing(lambda _: None))
    return Asking(client, here or place(), gitea.now)


def found(gitea: SettledGitea, *games: Game) -> list[Finding]:
    return list(examine_there(asking(gitea, place(*games)), token=True))


def wrong(findings: list[Finding]) -> dict[str, str]:
    return {finding.code: finding.state for finding in findings if finding.state != "ok"}
