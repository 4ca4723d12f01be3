"""A template: a forge makes a repository of it, and its workflow `begin` opens the game there."""

from __future__ import annotations

import re
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

from folkmoot import __version__
from folkmoot.core.problems import ProblemError
from folkmoot.files.fast_reader import load_yaml
from folkmoot.forges.web.client import Pacing
from folkmoot.forges.workflows import BEGIN, workflow_files
from folkmoot.game.rulesets import names
from folkmoot.ops.doctor.repository_files import write_template
from tests.forges.gitea.over_http import serving_gitea
from tests.forges.gitea.settings import SettledGitea
from tests.forges.github.emulator import TOKEN
from tests.forges.github.guide import CLOCK, Hub
from tests.forges.github.over_http import serving_github
from tests.support.meeting import git
from tests.support.moot import Moot
from tests.workflows.bench import Api, Bench, Event, Ran
from tests.workflows.wheels import wheel

BASIC = b64encode(f"x-access-token:{TOKEN}".encode()).decode()
INPUTS = {"game": "club", "ruleset": "suber", "players": "bobby"}


@dataclass
class FromTemplate(Bench):
    """A repository on an emulated forge that was made from the template, and `act`, which runs its jobs."""

    kind: str = "github"
    hub: Any = None
    server: Any = None
    home: str = ""
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        (self.folder / "clock").write_text("0")
        (self.folder / "code").write_text(CLOCK.format(clock=str(self.folder / "clock")))
        settings = self.folder / "gitconfig"
        for key, value in (
            (f"url.{self.server.address}/.insteadOf", "https://github.com/"),
            (f"http.{self.server.address}/.extraHeader", f"Authorization: Basic {BASIC}"),
        ):
            git(self.folder, "config", "--file", str(settings), key, value)
        self.bare = self.folder / "hubs" / "moot" / "game.git"
        self.clone = self.folder / "clone"
        git(self.folder, "clone", "--quiet", str(self.bare), str(self.clone))
        self.hub.faults.append(self._of_jobs)

    def _of_jobs(self, request: httpx.Request, _go_on: Any) -> httpx.Response | None:
        """Answer what no emulator does: jobs are looked at, started and switched, a secret of the repository goes."""
        path = request.url.path.partition("/repos/moot/game")[2]
        if not re.match(
            r"/actions/(?:workflows/[a-z]+\.yml(?:$|/dispatches|/enable|/disable)|secrets/FOLKMOOT_SETUP)", path
        ):
            return None
        if request.method == "GET":
            return httpx.Response(200, json={"state": "active"})
        self.asked.append(f"{request.method} {path}")
        return httpx.Response(204)

    def _variables(self, find_links: str) -> dict[str, str]:
        api = f"{self.server.address}/api/v3" if self.kind == "github" else f"{self.home}/api/v1"
        known = {"GITHUB_SERVER_URL": self.home, "GITHUB_REPOSITORY": "moot/game", "GITHUB_API_URL": api}
        return {**super()._variables(find_links), **known, "STUB_CODE": str(self.folder / "code")}

    def begin(self, **given: str) -> Ran:
        """Let annabel start the workflow by hand, as somebody who administers the repository."""
        event: Event = {"inputs": INPUTS | given, "sender": {"login": "annabel"}, "repository": self.repository()}
        secret = {"github": "setup", "gitea": "bot"}[self.kind]
        return self.act(
            "workflow_dispatch", BEGIN, event, kind=self.kind, more=("--actor", "annabel"), **{"bot": "", secret: TOKEN}
        )

    def record(self, name: str) -> str:
        """Return a file of the game as it stands on the forge."""
        return git(self.bare, "show", f"main:{name}")


@contextmanager
def github(folder: Path, bare: Path) -> Iterator[dict[str, Any]]:
    hub = Hub.bare(bare, int(time.time()))
    with serving_github(folder / "hubs", hub, f"x-access-token:{TOKEN}") as server:
        yield {"hub": hub, "server": server, "home": "https://github.com"}


@contextmanager
def gitea(folder: Path, bare: Path) -> Iterator[dict[str, Any]]:
    hub = SettledGitea.bare(bare, int(time.time()))
    hub.accounts |= {"annabel": 7, "bobby": 8}
    hub.repository |= {"has_actions": True}
    hub.secrets = {"FOLKMOOT_TOKEN": "hidden"}
    with serving_gitea(folder / "hubs", hub, f"x-access-token:{TOKEN}") as server:
        yield {"hub": hub, "server": server, "home": server.home}


FORGES = {"github": github, "gitea": gitea}


@pytest.fixture(params=list(FORGES))
def used(request: pytest.FixtureRequest, tools: None, tmp_path: Path) -> Iterator[FromTemplate]:
    """Return what a forge makes of the template."""
    kind = request.param
    write_template(tmp_path / "template", kind, str(wheel(tmp_path / "wheels", __version__)))
    bare = tmp_path / "hubs" / "moot" / "game.git"
    bare.parent.mkdir(parents=True)
    git(tmp_path, "clone", "--quiet", "--bare", str(tmp_path / "template"), str(bare))
    git(bare, "config", "http.receivepack", "true")
    with FORGES[kind](tmp_path, bare) as given, Api() as api:
        yield FromTemplate(tmp_path, api, kind=kind, **given)


@pytest.mark.sampled(2)
def test_a_repository_made_from_the_template_becomes_a_game_in_which_nothing_is_wrong(
    used: FromTemplate, moot: Moot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Run the workflow" in used.record("README.md")
    ran = used.begin()
    assert ran.code == 0, ran.out
    assert "club has begun at" in ran.out
    assert re.search(r"says /join in the game's thread: \S+/issues/1\n", ran.out)
    assert TOKEN not in ran.out
    game = load_yaml(used.record("state/club/game.yaml"), "game.yaml")
    roster = load_yaml(used.record("state/club/roster.yaml"), "roster.yaml")
    assert (game["forge"]["kind"], game["administrators"]) == (used.kind, ["annabel"])
    assert {who: each["handles"][used.kind]["login"] for who, each in roster.items()} == {
        "annabel": "annabel", "bobby": "bobby"
    }  # fmt: skip
    assert "comment `/join`" in used.record("README.md")
    assert used.asked == [
        *(["DELETE /actions/secrets/FOLKMOOT_SETUP"] if used.kind == "github" else []),
        "POST /actions/workflows/referee.yml/dispatches",
    ]
    git(used.clone, "pull", "--quiet", "origin", "main")
    git(used.clone, "remote", "set-url", "origin", f"{used.home}/moot/game.git")
    for name, value in used._variables("").items():
        if name.startswith("GIT"):
            monkeypatch.setenv(name, value)
    monkeypatch.setenv("FOLKMOOT_TOKEN", TOKEN)
    monkeypatch.setattr("folkmoot.forges.web.client.Pacing", lambda sleep, **_: Pacing(lambda seconds: None))
    said = moot("-C", str(used.clone), "doctor", "--quiet")
    assert said.code == 0, said.out
    assert not re.search("label|thread|environment|unprotected|lock|files|pages:", said.out), said.out


def test_what_cannot_begin_says_why_and_changes_nothing(tmp_path: Path, moot: Moot) -> None:
    write_template(tmp_path / "t", "github", str(wheel(tmp_path / "wheels")))
    before = git(tmp_path / "t", "rev-parse", "HEAD")
    words = ("-C", "t", "begin", "--forge", "github", "--home", "https://github.com/ann/t", "--founder", "ann")
    for given, said in (
        (("club",), "store one as the secret FOLKMOOT_TOKEN of https://github.com/ann/t"),
        (("--forget", "FOLKMOOT_SETUP", "club"), "store one as the secret FOLKMOOT_SETUP"),
        (("--forget", "../x", "club"), "names no secret"),
        (("A club",), "cannot name a game"),
    ):
        done = moot(*words, *given)
        assert done.code in (1, 2, 5)
        assert said in done.err
    assert git(tmp_path / "t", "rev-parse", "HEAD") == before
    assert git(tmp_path / "t", "status", "--porcelain") == ""


@pytest.mark.parametrize("kind", FORGES)
def test_the_template_is_what_this_engine_writes(tmp_path: Path, moot: Moot, kind: str) -> None:
    given = wheel(tmp_path / "wheels", __version__)
    said = moot("init", "--template", "t", "--forge", kind, "--pin", str(given))
    assert said.code == 0, said.err
    assert f"Wrote a template with the engine {__version__}, from {given}." in said.out
    folder = {"github": ".github/workflows", "gitea": ".gitea/workflows"}[kind]
    files = set(git(tmp_path / "t", "ls-files").split())
    written = {f"{folder}/{Path(name).name}" for name in (*workflow_files(kind), BEGIN)}
    kept = {"README.md", ".gitattributes", ".gitignore", "ci/engine.lock", f"ci/wheels/{given.name}"}
    assert files == written | kept
    choices = re.findall(r"^          - (\S+)$", (tmp_path / "t" / folder / BEGIN).read_text(), re.MULTILINE)
    assert choices == names()
    with pytest.raises(ProblemError) as refused:
        write_template(tmp_path / "t", kind, str(given))
    assert refused.value.problems[0].code == "E-DUP"


def test_before_the_first_game_a_referees_job_ends_well_and_its_clock_rests(tmp_path: Path, moot: Moot) -> None:
    write_template(tmp_path / "t", "github", str(wheel(tmp_path / "wheels")))
    out = tmp_path / "out"
    said = moot(
        "referee", "--clone", (tmp_path / "t").as_uri(), "--outputs", str(out), "--summary", str(tmp_path / "s")
    )
    assert said.code == 0, said.err
    assert "There is no game here yet" in said.out
    assert out.read_text() == "moved=false\nawake=false\n"
    assert "refs/moot" not in git(tmp_path / "t", "for-each-ref")
