"""A game is read by several processes as it is by one."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.game.session import Session
from folkmoot.site import incremental_reading, parallel_reading, process_pool
from folkmoot.site.incremental_reading import Reading
from folkmoot.site.parallel_reading import read_all
from tests.large.game import LargeGame

FORKING = pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="processes are shared on Linux")
ODD: list[Any] = [{"n": 2**80, "a": [True, None, "x", -1, 1.5]}, {"half": "\ud800"}, {}, [], "text", None]


@pytest.fixture
def several(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let three processes read, however little there is."""
    monkeypatch.setattr(process_pool, "processes", lambda: 3)
    monkeypatch.setattr(parallel_reading, "MANY", 2)
    monkeypatch.setattr(incremental_reading, "IN_A_PART", 7)


@FORKING
@pytest.mark.usefixtures("several")
def test_whatever_is_read_is_handed_back_in_order() -> None:
    """Also what cannot be handed over from a process to another, and what a process that was killed did not read."""
    here = os.getpid()

    def read(value: Any) -> Any:
        if value == "text" and os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return value

    several = [*range(20), *ODD, *range(20)]
    found = read_all(several, read)
    assert found == several
    assert [*map(type, found)] == [*map(type, several)]


@FORKING
@pytest.mark.usefixtures("several")
def test_several_processes_read_what_one_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with LargeGame(tmp_path / "long") as game:
        game.play(60)
    with Session.open(tmp_path / "long") as session:
        shared = Reading()
        found = shared.documents(session), shared.entries(session)
        assert found[1] == tuple(session.record.entries())
        monkeypatch.setattr(process_pool, "processes", lambda: 1)
        alone = Reading()
        assert found == (alone.documents(session), alone.entries(session))
        assert [*found[0]] == [*alone.documents(session)]
        assert {key: session.record.archive(key) for key in found[0] if key.startswith("proposals/")} == {
            key: value for key, value in found[0].items() if key.startswith("proposals/")
        }


@FORKING
@pytest.mark.usefixtures("several")
def test_what_is_damaged_is_said_here(tmp_path: Path) -> None:
    with LargeGame(tmp_path / "long") as game:
        game.play(60)
    (tmp_path / "long" / "journal" / "000" / "000009.yaml").write_text("seq: [", "utf-8")
    with Session.open(tmp_path / "long") as session, pytest.raises(ProblemError) as caught:
        Reading().entries(session)
    assert "000009" in str(caught.value.problems[0].position)
