"""A game is judged alike by another version of Python: the same bytes, and records of either are proved by the other.

`FOLKMOOT_OTHER_PYTHON` names an interpreter of another version that has the locked packages; CI makes one.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.corpus import make
from tests.support.engines import FOUND, OLD, engine_at, program_of
from tests.support.meeting import git

ROOT = Path(__file__).parents[2]
OTHER = os.environ.get("FOLKMOOT_OTHER_PYTHON", "")
REQUIRED = os.environ.get("FOLKMOOT_REQUIRE_OTHER_PYTHON") == "1"
COMPILED = TemporaryDirectory(prefix="compiled-")  # each process would compile anew what it imports
WAYS = ["recorded by the other", "recorded by this"]
ACTS = (
    ("state", "--by", "ann", "text=Straße ſ İ Ǆ ٣ \U0001f9d1"),
    ("propose", "--by", "ann", "title=Tea", 'changes=[{"enact": {"title": "Tea", "text": "Tea is served."}}]'),
    ("finalise", "--by", "ann"),
    ("vote", "--by", "ann", "choice=for"),
    ("vote", "--by", "bob", "choice=for"),
)
PLAY = """
import json, sys
from folkmoot.cli.main import main

for words in json.loads(sys.argv[1]):
    try:
        main(words)
    except SystemExit as ended:
        assert not ended.code, words
"""
"""Commands one after the other, in one process: to start it takes longest."""

pytestmark = pytest.mark.skipif(
    not OTHER and not REQUIRED, reason="no other Python was named: that versions judge alike is not proven"
)


def run(python: str, engine: Path, *words: str) -> str:
    """Run a Python on the engine of a folder and return what it prints."""
    kept = {name: os.environ[name] for name in ("HOME", "PATH", "TMPDIR") if name in os.environ}
    who = {
        f"GIT_{role}_{what}": value
        for role in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "A"), ("EMAIL", "a@x.example"))
    }
    env = {**kept, **who, "PYTHONPATH": str(engine), "PYTHONPYCACHEPREFIX": COMPILED.name, "LANG": "C.UTF-8"}
    done = subprocess.run([python, *words], capture_output=True, text=True, timeout=240, check=False, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def played(python: str, engine: Path, game: Path) -> Path:
    """Return a game that a Python founded and played."""
    game.mkdir()
    git(game, "init", "--quiet", "-b", "main")
    acts = (["act", *act, "--at", f"2026-01-05T13:0{number}:00Z"] for number, act in enumerate(ACTS))
    commands = [[*FOUND, "-r", "suber", "-p", "cid", "-a", "ann"], *acts]
    run(python, engine, "-c", PLAY, json.dumps([["-C", str(game), *words] for words in commands]))
    return game


def pair(way: str) -> tuple[str, str]:
    """Return who records, and who proves."""
    return (OTHER, sys.executable) if way == WAYS[0] else (sys.executable, OTHER)


def test_it_is_another_version() -> None:
    assert OTHER, "FOLKMOOT_REQUIRE_OTHER_PYTHON=1, and FOLKMOOT_OTHER_PYTHON names no interpreter"
    told = run(OTHER, ROOT / "engine", "-c", "import platform; print(platform.python_version())").strip()
    assert told != sys.version.split()[0]


@pytest.mark.threat("T-44")
def test_another_python_writes_the_same_bytes() -> None:
    assert "the same bytes" in run(OTHER, ROOT / "engine", "-B", str(make.HERE / "make.py"))


@pytest.mark.parametrize("way", WAYS)
def test_a_record_is_proved(way: str, tmp_path: Path) -> None:
    maker, prover = pair(way)
    game = played(maker, ROOT / "engine", tmp_path / "game")
    found: dict[str, Any] = json.loads(
        run(prover, ROOT / "engine", "-m", "folkmoot", "-C", str(game), "verify", "--json")
    )
    assert found["sound"]
    assert [part["proved"] for part in found["parts"]] == ["replayed here"]


@pytest.mark.parametrize("way", WAYS)
def test_a_record_is_proved_by_the_engine_that_made_it(way: str, tmp_path: Path) -> None:
    maker, prover = pair(way)
    old = engine_at(tmp_path / "old", OLD)
    game = played(maker, old / "engine", tmp_path / "game")
    words = ("verify", "--json", "--engine", str(program_of(old, maker)))
    found: dict[str, Any] = json.loads(run(prover, ROOT / "engine", "-m", "folkmoot", "-C", str(game), *words))
    assert [part["proved"] for part in found["parts"]] == ["replayed by the named engine"]
    shutil.rmtree(old)
