"""The templates of workflows become files: the same for a game and for this repository, written only where they differ."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.forges.workflows import FOLDERS, workflow_files
from folkmoot.ops.doctor.repository_files import stale_files, write_stale

ROOT = Path(__file__).parents[2]


def test_this_repository_uses_the_templates() -> None:
    done = subprocess.run([sys.executable, "ci/workflows.py", "--check"], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    for kind, folder in FOLDERS.items():
        there = {f"{folder}/{path.name}" for path in (ROOT / folder).iterdir()}
        alone = {".github/workflows/release.yml"} if kind == "github" else set()  # no game has that
        assert there == set(workflow_files(kind, own=True)) | alone


@pytest.mark.parametrize("kind", FOLDERS)
def test_they_are_written_once_and_again_where_somebody_changed_them(tmp_path: Path, kind: str) -> None:
    names = sorted(workflow_files(kind))
    assert sorted(stale_files(tmp_path, workflow_files(kind))) == names
    assert sorted(write_stale(tmp_path, workflow_files(kind))) == names
    assert write_stale(tmp_path, workflow_files(kind)) == []
    changed = tmp_path / names[0]
    changed.write_bytes(changed.read_bytes().replace(b"\n", b"\r\n"))
    assert stale_files(tmp_path, workflow_files(kind)) == [names[0]]
    assert write_stale(tmp_path, workflow_files(kind)) == [names[0]]


@pytest.mark.parametrize("kind", FOLDERS)
def test_no_direction_is_left_and_the_variants_differ_in_the_engine(kind: str) -> None:
    game, own = workflow_files(kind), workflow_files(kind, own=True)
    assert own.keys() - game.keys() == {f"{FOLDERS[kind]}/tests.yml"}
    for text in (*game.values(), *own.values()):
        assert "#: " not in text
        assert text.endswith("\n")
        assert not text.endswith("\n\n")
    check, tests = f"{FOLDERS[kind]}/check.yml", f"{FOLDERS[kind]}/tests.yml"
    assert "ci/engine.lock" in game[check]
    assert "ci/engine.lock" not in own[check]
    assert "bash .ci/run" in own[tests]
    assert "bash .ci/run" not in own[check] + game[check]


def test_a_forge_without_workflows_is_refused() -> None:
    with pytest.raises(ProblemError) as refused:
        workflow_files("local")
    assert refused.value.problems[0].code == "E-ARGS"
