"""A process killed, or a disk full, at every declared fault point: the next writer finds the old or the new game."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from folkmoot.core.digest import bytes_digest
from folkmoot.core.fault_points import DECLARED, fault_hook
from folkmoot.core.problems import ProblemError
from folkmoot.game.verify import verify
from folkmoot.journal import GameFolder
from folkmoot.journal.transaction import Log
from tests.support.toy_game import START, Toy, files, replay


def log_of(path: Path) -> Path:
    """Return the log that a killed writer of a game outside of a repository left."""
    transactions = GameFolder(path)._transactions()
    return Path(transactions._logs.name(transactions._log))


def write(folder: GameFolder) -> None:
    """Write two entries, a new, two changed and a removed document at once."""
    head = folder.head
    entries = [{"at": START + 5_000 + n, "do": "state", "with": {"text": f"t{head.seq + n}"}} for n in (1, 2)]
    documents: dict[str, Any] = {"things/ball": {"ball": {"at": "c4"}}, "roster": {"ann": {}}, "rules/101": None}
    folder.append(entries, documents | {"game": folder.load()["game"] | {"title": "New"}})


def passed(toy: Toy) -> list[str]:
    """Return the fault points that `write` passes, in order, by doing it to a copy."""
    names: list[str] = []
    copy = toy.folder.path.parent / "copy"
    subprocess.run(["cp", "-r", toy.folder.path, copy], check=True)
    with fault_hook(names.append):
        write(GameFolder(copy, durable=False))
    return names


@pytest.fixture
def both(toy: Toy) -> tuple[list[str], dict[str, bytes], dict[str, bytes]]:
    """Return the fault points passed, and the files before and after."""
    points = passed(toy)
    return points, files(toy.folder.path), files(toy.folder.path.parent / "copy")


def finished(folder: GameFolder) -> None:
    """Open a game to write, which finishes what was cut short."""
    with folder.writing():
        pass


def cut(number: int, how: Any) -> Any:
    """Return a hook that does `how` when the fault point of this number is passed."""
    left = [number]

    def hook(_: str) -> None:
        left[0] -= 1
        if left[0] < 0:
            how()

    return hook


def killed_at(path: Path, number: int, *, durable: bool) -> int:
    """Write in a child process that is killed at a fault point; return how it ended."""
    child = os.fork()
    if child == 0:
        with fault_hook(cut(number, lambda: os.kill(os.getpid(), signal.SIGKILL))):
            write(GameFolder(path, durable=durable))
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_killed_at_every_point(toy: Toy, both: Any) -> None:
    points, old, new = both
    assert set(points) == set(DECLARED)
    whole = (toy.folder, GameFolder(toy.folder.path.parent / "copy"))
    for number, point in enumerate(points):
        path = toy.folder.path.parent / f"killed-{number}"
        subprocess.run(["cp", "-r", toy.folder.path, path], check=True)
        assert killed_at(path, number, durable=bool(number % 2)) == -signal.SIGKILL
        folder, committed = GameFolder(path), number >= points.index("after-commit")
        left = files(path)
        assert folder.load()["game"]["title"] == ("New" if committed else "Toy"), point
        assert verify(folder, replay).counts == verify(whole[committed], replay).counts, point
        assert files(path) == left, "who looks repairs nothing"
        finished(folder)
        assert folder.load()["game"]["title"] == ("New" if committed else "Toy"), point
        assert files(path) == (new if committed else old), point
        if not committed:
            write(folder)  # and play goes on
            assert files(path) == new


def test_killed_again_while_recovering(toy: Toy, both: Any) -> None:
    points, _, new = both
    start = points.index("after-commit")
    for number in range(0, 6, 2):
        path = toy.folder.path.parent / f"again-{number}"
        subprocess.run(["cp", "-r", toy.folder.path, path], check=True)
        killed_at(path, start, durable=False)
        child = os.fork()
        if child == 0:
            with fault_hook(cut(number, lambda: os.kill(os.getpid(), signal.SIGKILL))):
                finished(GameFolder(path))
            os._exit(0)
        os.waitpid(child, 0)
        finished(GameFolder(path))
        assert files(path) == new


def _full() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_disk_full_at_every_point(toy: Toy, both: Any) -> None:
    points, old, new = both
    for number, point in enumerate(points):
        path = toy.folder.path.parent / f"full-{number}"
        subprocess.run(["cp", "-r", toy.folder.path, path], check=True)
        folder = GameFolder(path, durable=False)
        with fault_hook(cut(number, _full)), pytest.raises(ProblemError) as caught:
            write(folder)
        found = caught.value.problems[0]
        assert found.code == "E-DISK"
        assert "the disk is full" in found.message
        committed = number >= points.index("after-commit")
        assert found.arguments["recorded"] is committed, point
        if not committed:
            assert files(path) == old, point  # nothing was left behind, even before the next opening
        finished(folder)
        assert files(path) == (new if committed else old), point


@pytest.mark.parametrize("victim", ["log", "staged"])
@pytest.mark.parametrize("damage", [lambda data: data[:-3], lambda data: data.replace(b"a", b"o")])
def test_damaged_leftovers_are_not_used(toy: Toy, both: Any, victim: str, damage: Any) -> None:
    points, _, _ = both
    killed_at(toy.folder.path, points.index("after-commit"), durable=False)
    staged = next(toy.folder.path.glob("things/.*"))
    left = log_of(toy.folder.path) if victim == "log" else staged
    left.write_bytes(damage(left.read_bytes()))
    before = files(toy.folder.path)
    with pytest.raises(ProblemError, match="E-PENDING"):
        finished(toy.folder)
    report = verify(toy.folder, replay)
    assert victim == "staged" or [problem.code for problem in report.problems] == ["E-PENDING"]
    assert not report.sound
    assert files(toy.folder.path) == before


@pytest.mark.parametrize("path", ["../out", "/out", ".git/hooks/x.yaml", "rules/../../out.yaml", "a.py"])
@pytest.mark.threat("T-140")
def test_a_log_writes_and_removes_nothing_but_files_of_a_game(toy: Toy, both: Any, path: str) -> None:
    """Whoever packs a whole folder of git's own could put one there."""
    points, _, _ = both
    killed_at(toy.folder.path, points.index("after-commit"), durable=False)
    log, before = log_of(toy.folder.path), files(toy.folder.path)
    for in_force, token, names, removed in (
        (True, "ab", {path: "x"}, []),
        (True, "ab", {}, [path]),
        (False, "/../x", {}, []),
    ):
        log.write_bytes(msgspec.json.encode(Log(in_force, token, names, removed)))
        with pytest.raises(ProblemError, match="E-PENDING"):
            finished(toy.folder)
        assert files(toy.folder.path) == before


@pytest.mark.threat("T-140")
def test_what_an_older_engine_left_is_told_and_never_read(toy: Toy) -> None:
    before = files(toy.folder.path)
    outside = toy.folder.path.parent / "outside"
    left = toy.folder.path / ".pending"
    left.mkdir()
    (left / "0").write_bytes(b"x")
    (left / "manifest").write_text(json.dumps({"files": {"../outside": bytes_digest(b"x")}, "removed": ["game.yaml"]}))
    assert toy.folder.load()
    with pytest.raises(ProblemError, match="git restore"):
        write(toy.folder)
    report = verify(toy.folder, replay)
    assert [problem.code for problem in report.problems] == ["E-STRAY", "E-STRAY"]
    assert before.items() <= files(toy.folder.path).items()
    assert not outside.exists()
