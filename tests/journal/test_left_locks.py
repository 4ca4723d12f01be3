"""A lock that a killed git left, or that comes in the midst: it is said what is recorded, so that nobody does it twice."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pygit2
import pytest

from folkmoot.core.fault_points import DECLARED, fault_hook
from folkmoot.game import epoch_secrets
from folkmoot.journal import GameFolder, commit
from folkmoot.kernel.chance import commitment
from tests.support.meeting import git
from tests.support.moot import Moot

LOCKS = ["HEAD.lock", "index.lock", "refs/heads/main.lock"]


def entries(root: Path) -> int:
    return len(list((root / "state/table/journal").rglob("*.yaml")))


def left(root: Path, name: str, age: int = 120) -> Path:
    """Leave a lock as a killed git does."""
    lock = root / ".git" / name
    lock.touch()
    os.utime(lock, (time.time() - age,) * 2)
    return lock


@pytest.mark.threat("T-71")
@pytest.mark.parametrize("name", LOCKS)
def test_nothing_is_recorded_behind_a_lock_that_nobody_holds(table: Moot, tmp_path: Path, name: str) -> None:
    before = entries(tmp_path)
    lock = left(tmp_path, name)
    said = table("act", "state", "--by", "ann", "Hello.")
    assert (said.code, entries(tmp_path)) == (5, before)
    assert "E-LOCKED" in said.err
    assert f"rm {lock}" in said.err
    lock.unlink()
    assert table("act", "state", "--by", "ann", "Hello.").code == 0
    assert (entries(tmp_path), git(tmp_path, "status", "--porcelain")) == (before + 1, "")


@pytest.mark.threat("T-71")
@pytest.mark.parametrize("name", LOCKS)
@pytest.mark.parametrize("point", DECLARED)
@pytest.mark.sampled(6)
def test_a_lock_that_comes_at_any_moment(table: Moot, tmp_path: Path, name: str, point: str) -> None:
    """What came too late to be refused is recorded, and said to be; the next act commits it; nothing is there twice."""
    before = entries(tmp_path)
    met: list[Path] = []

    def hook(passed: str) -> None:
        if passed == point and not met:
            met.append(left(tmp_path, name))

    with fault_hook(hook):
        said = table("act", "state", "--by", "ann", "Hello.")
    assert entries(tmp_path) == before + 1
    if met:
        assert said.code == 5
        assert "do not do it again" in said.err
        assert "put a statement on record" in said.out
        met[0].unlink()
    assert table("act", "state", "--by", "bob", "Yes.").code == 0
    assert (entries(tmp_path), git(tmp_path, "status", "--porcelain")) == (before + 2, "")
    assert table("verify").code == 0


@pytest.mark.threat("T-71")
@pytest.mark.parametrize("failing", ["_move_branch", "_update_index", "write_tree"])
def test_git_that_fails_in_the_middle(
    table: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    """Each part of a commit: the message says whether the game is recorded, and whether it is committed."""
    errors = {"_move_branch": subprocess.CalledProcessError(128, "git", b"", b"fatal: no room"),
              "_update_index": subprocess.CalledProcessError(128, "git", b"", b"fatal: no room"),
              "write_tree": pygit2.GitError("no room")}  # fmt: skip

    def fails(*_arguments: object) -> None:
        raise errors[failing]

    before = entries(tmp_path)
    monkeypatch.setattr(commit, failing, fails)
    said = table("act", "state", "--by", "ann", "Hello.")
    monkeypatch.undo()
    assert (said.code, entries(tmp_path)) == (5, before + 1)
    assert "no room" in said.err
    assert ("is committed as" if failing == "_update_index" else "not committed") in said.err
    assert "do not do it again" in said.err


def test_a_lock_that_is_given_back_is_waited_for(table: Moot, tmp_path: Path) -> None:
    script = "import os,sys,time; f=open(sys.argv[1],'x'); print(flush=True); time.sleep(0.5); os.unlink(sys.argv[1])"
    lock = tmp_path / ".git/index.lock"
    with subprocess.Popen([sys.executable, "-c", script, str(lock)], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        assert table("act", "state", "--by", "ann", "Hello.").code == 0


@pytest.mark.threat("T-71")
def test_half_a_secret_opens_no_epoch(table: Moot, tmp_path: Path) -> None:
    """A kill between making the file and writing it left an empty secret, by which everybody could foresee the dice."""
    game = GameFolder(tmp_path / "state/table")
    file = epoch_secrets.secret_file(game)
    file.parent.mkdir(parents=True, exist_ok=True)
    for half in ("", "ab", "00" * 31):
        file.write_text(half)
        made = epoch_secrets.with_secrets(game, game.archive("game") or {}, "ann", "open_epoch", {})[0]["commitment"]
        assert made != commitment(bytes.fromhex(half))
        assert len(file.read_text()) == 64
        assert [path for path in file.parent.iterdir() if path.is_file()] == [file]
