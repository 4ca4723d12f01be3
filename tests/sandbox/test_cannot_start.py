"""Issue 9: where the sandbox cannot start, that is said in one sentence, and nothing is recorded, not even half."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.game.session import Session
from folkmoot.sandbox import worker_process
from tests.support.silence import START, lasting, proved

RULE = {"rule": "1", "title": "Peace", "text": "Be calm."}


def no_memory(*_arguments: Any, **_named: Any) -> Any:
    raise OSError(12, "Cannot allocate memory")


def journal(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file() and file.suffix == ".yaml"}


@pytest.mark.parametrize("cause", ["no process", "no program"])
def test_what_is_said_where_the_sandbox_cannot_start(tmp_path: Path, cause: str) -> None:
    folder = lasting(tmp_path / "game", RULE)
    before = journal(folder)
    with pytest.MonkeyPatch.context() as patch:
        if cause == "no process":
            patch.setattr(subprocess, "Popen", no_memory)
        else:
            patch.setattr(worker_process, "START", "import sys; sys.exit(3)")
        with pytest.raises(ProblemError) as raised, Session.open(folder, writing=True) as session:
            session.act("ann", "pause", at=START + 60)
    (problem,) = raised.value.problems
    assert problem.code == "E-JUDGE"
    assert problem.message == (
        "the sandbox cannot be started here: Cannot allocate memory"
        if cause == "no process"
        else "the sandbox ended with code 3 before it had taken in the game"
    )
    assert "nothing was recorded" in problem.hint
    assert journal(folder) == before
    with Session.open(folder, writing=True) as session:
        assert session.act("ann", "pause", at=START + 60).accepted
    assert proved(folder).sound
