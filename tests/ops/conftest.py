"""`moot` run without a new process, and a repository that it prepared for a forge."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from folkmoot import __version__
from folkmoot.cli.main import main
from folkmoot.forges.web.client import Pacing
from folkmoot.game import secret_store
from folkmoot.game.secret_store import TOKENS
from folkmoot.sandbox.connection import Connection
from folkmoot.sandbox.walls import WALLS
from tests.forges.github.emulator import TOKEN
from tests.forges.github.over_http import serving_github
from tests.forges.github.settings import SettledGitHub
from tests.support.meeting import git
from tests.support.moot import Moot, Said

HOME = "https://github.com/moot/game"


@pytest.fixture
def moot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Moot:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setattr(Connection, "standing", list(WALLS))  # whatever stands on the machine of the tests
    monkeypatch.setitem(secret_store.HIDDEN, secret_store.CHANCE, "")
    for name in (*TOKENS, "FOLKMOOT_CHANCE", "MOOT_GAME", "MOOT_REMOTE", "GITHUB_API_URL", "GITHUB_SERVER_URL"):
        monkeypatch.delenv(name, raising=False)
    git(tmp_path, "init", "--quiet", "--initial-branch=main", str(work))
    for key, value in (("user.name", "Ann"), ("user.email", "ann@example.org")):
        git(work, "config", key, value)

    def run(*arguments: str) -> Said:
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        said = capsys.readouterr()
        return Said(int(ended.value.code or 0), said.out, said.err)

    return run


@pytest.fixture
def served(moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SettledGitHub]:
    """Serve an empty repository of an emulated GitHub; `https://github.com` stands for it."""
    monkeypatch.setattr("folkmoot.forges.web.client.Pacing", lambda sleep: Pacing(lambda seconds: None))
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", str(tmp_path / "hub.git"))
    github = SettledGitHub.bare(tmp_path / "hub.git", int(time.time()))
    with serving_github(tmp_path, github, f"x-access-token:{TOKEN}") as server:
        monkeypatch.setenv("GITHUB_SERVER_URL", "https://github.com")
        monkeypatch.setenv("GITHUB_API_URL", f"{server.address}/api/v3")
        yield github


FOUND = (
    *("new", "dragons", "-r", "suber", "-p", "ann,surname=Abel", "-p", "bob,surname=Bond"),
    *("--at", "2026-01-05T12:00:00Z"),
)
ON_GITHUB = ("--forge", "github", "--home", HOME, "--login", "ann=annabel:1001", "--login", "bob=bobby:1002")
LOCK = f"folkmoot=={__version__} \\\n    --hash=sha256:{'ab' * 32}\n"


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where a repository is kept that is made once, and copied."""
    return tmp_path_factory.mktemp("prepared") / "work"


@pytest.fixture
def ready(moot: Moot, prepared: Path) -> Moot:
    """Return `moot` in a repository in which the doctor finds nothing wrong."""
    work = Path.cwd()
    if prepared.exists():
        shutil.copytree(prepared, work, dirs_exist_ok=True)
        return moot
    assert (moot(*FOUND).code, moot("init", *ON_GITHUB).code) == (0, 0)
    (work / "ci" / "engine.lock").write_text(LOCK)
    git(work, "add", "--all")
    git(work, "commit", "--quiet", "--message", "Pin the engine")
    git(work, "remote", "add", "origin", f"{HOME}.git")
    git(work, "update-ref", "refs/remotes/origin/main", "HEAD")
    shutil.copytree(work, prepared)
    return moot
