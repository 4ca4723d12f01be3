"""Where the token and the secret of the dice are during a run, and where they are not: in no other process, no text."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.forges.github.emulator import TOKEN
from tests.forges.github.over_http import GitHubServer, serving_github
from tests.support.meeting import git, rule
from tests.support.moot import Moot
from tests.support.round_table import RoundTable

ROOT = Path(__file__).resolve().parents[2]
MASTER = "8f14e45fceea167a5a36dedd4bea2543ab1c9d7e60fe6b5c3d2a19087f6e5d4c"


@pytest.fixture
def served(table: RoundTable) -> Iterator[GitHubServer]:
    """Serve the table's GitHub and its repository over HTTP, with the table's clock at the present."""
    table.now = table.github.now = int(time.time()) - 1_000
    (table.folder / "moot").mkdir()
    table.bare.rename(table.folder / "moot" / "game.git")
    table.bare.symlink_to(table.folder / "moot" / "game.git")
    git(table.folder / "moot" / "game.git", "config", "http.receivepack", "true")
    with serving_github(table.folder, table.github, f"x-access-token:{TOKEN}") as server:
        yield server


def spied(folder: Path) -> dict[str, str]:
    """Return a search path on which every `git` first writes down its words and its environment."""
    place = folder / "bin"
    place.mkdir()
    real = subprocess.run(["which", "git"], capture_output=True, text=True, check=True).stdout.strip()
    spy = place / "git"
    spy.write_text(f'#!/bin/sh\n{{ echo "=== $*"; env; }} >>{folder}/seen-by-git\nexec {real} "$@"\n')
    spy.chmod(spy.stat().st_mode | stat.S_IXUSR)
    return {"PATH": f"{place}{os.pathsep}{os.environ['PATH']}"}


def place_of(table: RoundTable, server: GitHubServer) -> str:
    """Return the clone that a job has of the game, made if need be."""
    place = table.folder / "runner.git"
    if not place.exists():
        git(table.folder, "clone", "--quiet", "--bare", str(table.folder / "moot" / "game.git"), str(place))
        git(place, "remote", "set-url", "origin", f"{server.address}/moot/game.git")
    return str(place)


def given(server: GitHubServer, token: str) -> dict[str, str]:
    """Return the variables that a job is given."""
    return {
        "FOLKMOOT_TOKEN": token,
        "FOLKMOOT_CHANCE": MASTER,
        "GITHUB_SERVER_URL": server.address,
        "GITHUB_API_URL": f"{server.address}/api/v3",
        "NO_PROXY": "127.0.0.1",
    }


def run_referee(table: RoundTable, server: GitHubServer, *more: str) -> subprocess.CompletedProcess[str]:
    """Run `moot referee` as a job does, and look into the environment of every process that it has started."""
    place = place_of(table, server)
    variables = {**os.environ, **spied(table.folder), "PYTHONPATH": str(ROOT), **given(server, TOKEN)}
    command = [sys.executable, "-m", "folkmoot", "-C", place, "referee", *more]
    process = subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    ours = Path(f"/proc/{process.pid}/cmdline")
    with (table.folder / "seen").open("ab", buffering=0) as seen:
        while process.poll() is None:
            for child in children(process.pid):
                try:
                    words = Path(f"/proc/{child}/cmdline").read_bytes()
                    if words == ours.read_bytes():  # it is not a program of its own yet
                        continue
                    seen.write(b"=== child " + words + b"\n" + Path(f"/proc/{child}/environ").read_bytes() + b"\n")
                except OSError:  # it has ended
                    continue
            time.sleep(0.002)
        by_git = table.folder / "seen-by-git"  # apart, since it writes words and environment one after the other
        seen.write(by_git.read_bytes() if by_git.exists() else b"")
    out, err = process.communicate()
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def children(pid: int) -> list[str]:
    found: list[str] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += task.read_text().split()
        except OSError:
            continue
    return found


linux = pytest.mark.skipif(sys.platform != "linux", reason="environments are looked at by /proc")


@pytest.mark.threat("T-01", "T-02")
@linux
def test_a_whole_run_leaves_no_secret_anywhere(table: RoundTable, served: GitHubServer) -> None:
    """In what it prints, answers and records, be the act accepted or refused, in words or for programs.

    Neither the judge nor git gets the secret of the dice, and git the token by a header for its own host alone.
    """
    table.say("ann", 0, "/do open_epoch")
    table.say("bob", 0, "/do roll")
    table.say("cid", 0, "/do close_epoch")
    table.say("dee", 0, f"/do close_epoch secret={'0' * 64}")
    table.open("bob", {"rules/x.yaml": rule("A dragon", "Let it be so.", script="def do_x(a):\n    print(1)")})
    table.github.now = int(time.time())
    summary, outputs = table.folder / "summary", table.folder / "outputs"
    done = run_referee(table, served, "--json", "--summary", str(summary), "--outputs", str(outputs))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["games"][0]["entries"] >= 2
    written = [done.stdout, done.stderr, summary.read_text(), outputs.read_text()]
    written += [body["body"] for body in table.github.said.values()]
    table.repo = table.repo.__class__(str(table.folder / "moot" / "game.git"))
    written += [json.dumps(entry) for entry in table.journal()]
    written.append(git(table.folder / "moot" / "game.git", "grep", "-h", "", "refs/moot/forge"))
    for text in written:
        assert TOKEN not in text
        assert MASTER not in text
        assert "extraHeader" not in text
    seen = (table.folder / "seen").read_text(errors="replace")
    assert "=== child" in seen
    assert "PYTHONHASHSEED" in seen  # the judge was there
    assert MASTER not in seen
    assert TOKEN not in seen
    judges = [part for part in seen.split("=== ") if "folkmoot.sandbox.worker" in part.partition("\n")[0]]
    assert judges
    assert not any("extraHeader" in part or "GITHUB_" in part or "HOME=" in part for part in judges)
    words = [part.partition("\n")[0] for part in seen.split("=== ")]
    assert not any("Authorization" in line for line in words)


@pytest.mark.threat("T-02")
@pytest.mark.parametrize("spoilt", ["{}\u2026", "{}\r\nX-Evil: 1", "wrong-{}"])
def test_a_token_that_cannot_be_one_is_not_shown(
    table: RoundTable, served: GitHubServer, spoilt: str, moot: Moot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One with a line end from a file, with letters that no header takes, or that is not valid any more."""
    for name, value in given(served, spoilt.format("hunter2-of-the-keeper")).items():
        monkeypatch.setenv(name, value)
    done = moot("-C", place_of(table, served), "referee")
    assert done.code not in (0, 70), done.err
    assert "hunter2" not in done.out + done.err
