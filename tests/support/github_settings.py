"""A GitHub whose settings a doctor reads and mends."""

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
from tests.forges.github.emulator import API, TOKEN
from tests.forges.github.settings import SettledGitHub

NOW = 1_767_614_400


@pytest.fixture
def github(tmp_path: Path) -> SettledGitHub:
    repo = pygit2.init_repository(str(tmp_path / "hub.git"), bare=True, initial_head="main")
    tree = repo.TreeBuilder().write()
    who = pygit2.Signature("Ann", "ann@example.org", NOW, 0)
    first = repo.create_commit("refs/heads/main", who, who, "Found", tree, [])
    repo.create_commit("refs/heads/main", who, who, "Play", tree, [first])
    repo.references.create("refs/moot/refereed", first)
    github = SettledGitHub(tmp_path / "hub.git", NOW)
    github.open_issue("moot", "The game", ("game",))
    return github


def game(**settings: Any) -> Game:
    roster = {"ann": {"until": None, "handles": {"github": {"id": "1001", "login": "annabel"}}}}
    given = {"forge": {"kind": "github", "home": "https://github.com/moot/game"}, "administrators": ["ann"]}
    return Game("dragons", {**given, **settings}, roster)


def place(*games: Game) -> Place:
    known = games or (game(),)
    return Place(
        root=Path(), repo=None, games=known, host="https://github.com", repository="moot/game", branch="main", kind="github"
    )  # fmt: skip


def asking(github: SettledGitHub, *games: Game, token: str = TOKEN, now: int = NOW) -> Asking:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    pacing = Pacing(lambda _: None)
    return Asking(Client(API, headers, transport=github.transport(), pacing=pacing), place(*games), now)


def found(github: SettledGitHub, *games: Game, now: int | None = None) -> list[Finding]:
    return list(examine_there(asking(github, *games, now=now or github.now), token=True))


def wrong(findings: list[Finding]) -> dict[str, str]:
    return {finding.code: finding.state for finding in findings if finding.state != "ok"}
