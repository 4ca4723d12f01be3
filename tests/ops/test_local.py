"""What the doctor finds on this machine: each check exactly what is broken for it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from folkmoot import __version__
from folkmoot.cli.forges import place_of
from folkmoot.cli.terminal import Terminal
from folkmoot.forges.git_transport import Git
from folkmoot.game.secret_store import CHANCE
from folkmoot.ops.doctor.examination import examine_here
from folkmoot.ops.doctor.findings import Finding
from tests.forges.github.settings import SettledGitHub
from tests.ops.conftest import FOUND, HOME, ON_GITHUB, Moot
from tests.support.meeting import git

MASTER = bytes(range(7, 39))


def found() -> list[Finding]:
    return list(examine_here(place_of(Terminal(), None)))


def wrong() -> dict[str, str]:
    return {finding.code: finding.state for finding in found() if finding.state != "ok"}


def commit() -> None:
    git(Path.cwd(), "add", "--all")
    git(Path.cwd(), "commit", "--quiet", "--message", "Spoil it")
    git(Path.cwd(), "update-ref", "refs/remotes/origin/main", "HEAD")


def write(name: str, text: str, *, committed: bool = True) -> None:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text, "utf-8")
    if committed:
        commit()


def replace(name: str, old: str, new: str) -> None:
    text = Path(name).read_text("utf-8")
    assert old in text
    write(name, text.replace(old, new))


def remove(name: str) -> None:
    Path(name).unlink()
    commit()


def on_branch() -> None:
    git(Path.cwd(), "checkout", "--quiet", "-b", "trial")


def behind() -> None:
    git(Path.cwd(), "reset", "--quiet", "--hard", "HEAD~1")


def apart() -> None:
    behind()
    git(Path.cwd(), "commit", "--quiet", "--allow-empty", "--message", "Mine")


def ahead() -> None:
    git(Path.cwd(), "commit", "--quiet", "--allow-empty", "--message", "Mine")


def remote(address: str) -> Callable[[], object]:
    return lambda: git(Path.cwd(), "remote", "set-url", "origin", address)


BROKEN: dict[str, tuple[dict[str, str], Callable[[], object]]] = {
    "something lies about": ({"clean": "warning"}, lambda: write("notes.txt", "x", committed=False)),
    "the record was changed": ({"clean": "error"}, lambda: write("state/dragons/x.yaml", "x: 1\n", committed=False)),
    "the game lies elsewhere": ({"home": "error", "files": "warning"}, remote("https://github.com/moot/other.git")),
    "no forge at the other end": ({"remote": "error"}, remote("/nowhere")),
    "never pushed": ({"pushed": "error", "files": "warning"}, on_branch),
    "not pushed": ({"pushed": "warning"}, ahead),
    "not pulled": ({"pushed": "warning", "lock": "error"}, behind),
    "gone apart": ({"pushed": "error", "lock": "error"}, apart),
    "git may convert": ({"attributes": "error"}, lambda: write(".gitattributes", "* text=auto\n")),
    "git may after all": ({"attributes": "error"}, lambda: write(".gitattributes", "state/** -text\n* text=auto\n")),
    "no attributes": ({"attributes": "error"}, lambda: remove(".gitattributes")),
    "no pin": ({"lock": "error"}, lambda: remove("ci/engine.lock")),
    "a pin that is none": ({"lock": "error"}, lambda: write("ci/engine.lock", "folkmoot @ https://x.example/a\n")),
    "a wheel that is not the pinned one": ({"lock": "error"}, lambda: write(f"ci/wheels/folkmoot-{__version__}-py3-none-any.whl", "another")),
    "a pin of another version": ({"lock": "warning"}, lambda: replace("ci/engine.lock", f"=={__version__}", "==99.0.0")),
    "a workflow is missing": ({"files": "error"}, lambda: remove(".github/workflows/wake.yml")),
    "a workflow was changed": ({"files": "warning"}, lambda: replace(
        ".github/workflows/referee.yml", "permissions: {}", "permissions: write-all")),
    "a form is missing": ({"files": "error"}, lambda: remove(".github/ISSUE_TEMPLATE/act.yml")),
    "a form is old": ({"files": "warning"}, lambda: replace(".github/ISSUE_TEMPLATE/act.yml", "throw_die", "fly")),
    "nobody owns the code": ({"files": "error"}, lambda: remove(".github/CODEOWNERS")),
    "somebody else owns the code": ({"files": "warning"}, lambda: write(".github/CODEOWNERS", "* @eve\n")),
    "no site": ({"files": "error"}, lambda: remove("mkdocs.yml")),
    "a site without address": ({"files": "warning"}, lambda: replace("mkdocs.yml", "site_url:", "# site_url:")),
    "a site of another repository": ({"files": "warning"}, lambda: replace("mkdocs.yml", HOME, "https://x.example/a/b")),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.sampled(2)
def test_each_check_finds_what_is_broken_for_it(ready: Moot, name: str) -> None:
    assert wrong() == {}
    expected, spoil = BROKEN[name]
    spoil()
    assert wrong() == expected
    assert all(finding.mend for finding in found() if finding.state != "ok")


def test_a_git_that_is_too_old_or_not_there(ready: Moot, monkeypatch: pytest.MonkeyPatch) -> None:
    look = Git.look
    for said in ("git version 2.30.9\n", ""):
        monkeypatch.setattr(
            Git, "look", lambda git, words, said=said: said if "--version" in words else look(git, words)
        )
        assert wrong() == {"git": "error"}


def test_a_repository_without_anything_and_games_that_are_not_ready(moot: Moot) -> None:
    assert wrong() == {"repository": "error", "game": "error"}
    assert moot(*FOUND).code == 0
    assert wrong() == {"game": "error"}, "one person keeps it"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (ON_GITHUB, {"remote": "error", "lock": "error"}),
        (ON_GITHUB[:6], {"players": "warning"}),
        (ON_GITHUB[:4], {"players": "error"}),
    ],
)
def test_a_game_on_a_forge_without_remote_or_people(
    moot: Moot, given: tuple[str, ...], expected: dict[str, str]
) -> None:
    assert (moot(*FOUND).code, moot("init", *given).code) == (0, 0)
    assert wrong().items() >= expected.items()
    if expected.get("players") == "error":
        (stranger,) = [finding for finding in found() if finding.code == "players"]
        assert "no administrator of dragons is known on github: ann" in stranger.sentence


def test_the_command_tells_and_ends_honestly(
    served: SettledGitHub, ready: Moot, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = ready("doctor", "--json")
    assert (said.code, said.record["state"]) == (0, "warning")
    assert [each["code"] for each in said.record["findings"] if each["state"] != "ok"] == ["token"]
    assert all("reference/doctor" in each["see"] for each in said.record["findings"])
    plain = ready("doctor", "--quiet").out
    assert "token: without a token" in plain
    assert "git is" not in plain
    remove("ci/engine.lock")
    said = ready("doctor")
    assert said.code == 1
    assert "mend: moot init --pin" in click.unstyle(said.out)


def test_the_doctor_changes_nothing(served: SettledGitHub, ready: Moot) -> None:
    write("notes.txt", "x", committed=False)
    before = subprocess.run(["git", "status", "--porcelain"], capture_output=True, check=True).stdout
    index = Path(".git/index").read_bytes()
    ready("doctor")
    assert subprocess.run(["git", "status", "--porcelain"], capture_output=True, check=True).stdout == before
    assert Path(".git/index").read_bytes() == index
    assert CHANCE not in os.environ
