"""A process of the sandbox that is started before anybody needs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from folkmoot.sandbox import Sandbox, starting
from folkmoot.sandbox.memory import MEMORY


@pytest.fixture(autouse=True)
def nothing_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(starting, "EARLY", True)
    starting._end()


def test_whoever_needs_a_process_takes_the_one_that_was_begun() -> None:
    starting.begin_early()
    starting.begin_early()
    ((_mark, early),) = starting._begun
    with Sandbox({}) as sandbox:
        assert starting._begun == []
        assert sandbox._child is not None
        assert sandbox._child.pid == early.pid
        assert sandbox.walls()
    assert early.returncode is not None


def test_a_process_that_may_take_otherwise_is_started_anew() -> None:
    starting.begin_early()
    assert starting.begun(MEMORY // 2, 0) is None
    assert starting.begun(MEMORY, 1) is None
    found = starting.begun(MEMORY, 0)
    assert found is not None
    assert starting.begun(MEMORY, 0) is None
    starting._begun.append(found)


def test_a_process_that_nobody_needed_ends_with_the_command(tmp_path: Path) -> None:
    said = "from folkmoot.sandbox import starting; starting.begin_early(); print(starting._begun[0][1].pid)"
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stderr == ""
    assert not Path(f"/proc/{int(done.stdout)}").exists()


def test_where_none_can_be_begun_whoever_needs_one_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_arguments: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(starting, "start_worker", fails)
    starting.begin_early()
    assert starting._begun == []


def test_nothing_but_the_standard_library_is_loaded_for_it() -> None:
    said = "import sys; from folkmoot.sandbox import starting; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    ours = {name for name in done.stdout.split() if name.startswith("folkmoot")}
    assert ours == {"folkmoot", "folkmoot.sandbox", "folkmoot.sandbox.memory", "folkmoot.sandbox.starting"}
    assert "msgspec" not in done.stdout.split()
