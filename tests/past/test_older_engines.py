"""A newer engine takes a game over as it stands, and each part is proved by the engine that played it.

The engines are real: copies of the sources with another version and another meaning of one act, each run as a program
(forked from one that has imported that copy, but where an engine runs another).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.engines import FOUND, NEW, OLD, commit, engine_at, program_of
from tests.support.forking import Forking
from tests.support.meeting import git

ENV = {
    "PATH": os.environ["PATH"],
    "HOME": "/nowhere",
    "LANG": "C.UTF-8",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "TOKEN": "s3cret",
}

Said = subprocess.CompletedProcess[str]


def run(engine: Path, game: Path, *words: str) -> Said:
    """Run an engine as a program on a game."""
    command = [engine.parent / f"{engine.name}-moot", "-C", str(game), *words]
    return subprocess.run(
        command, cwd=engine / "engine", env=ENV, capture_output=True, text=True, timeout=120, check=False
    )


def ok(said: Said) -> str:
    assert said.returncode == 0, said.stdout + said.stderr
    return said.stdout


def founded(engine: Path, game: Path) -> Path:
    """Return a game that an engine founded."""
    game.mkdir()
    git(game, "init", "--quiet", "-b", "main")
    ok(run(engine, game, *FOUND))
    return game


def say(engine: Path, game: Path, text: str, at: str = "+1h") -> None:
    ok(run(engine, game, "act", "state", "--by", "ann", text, "--at", at))


@pytest.fixture(scope="module")
def engines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """Provide an old engine, which shouts what is stated, and a new one; `run` runs them."""
    folder = tmp_path_factory.mktemp("engines")
    old, new = engine_at(folder / "old", OLD, ".upper()"), engine_at(folder / "new", NEW)
    with Forking(ENV, old / "engine") as older, Forking(ENV, new / "engine") as newer:
        older.shim(folder / "old-moot")
        newer.shim(folder / "new-moot")
        yield old, new


@pytest.fixture(scope="module")
def played(engines: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a game that the old engine began and the new one goes on with."""
    old, new = engines
    game = founded(old, tmp_path_factory.mktemp("played") / "game")
    say(old, game, "hello")
    refused = run(new, game, "act", "state", "--by", "ann", "too early", "--at", "+1h")
    assert refused.returncode != 0
    assert f"judged by engine {OLD}" in refused.stderr
    assert "moot act engine --by ADMINISTRATOR" in refused.stderr
    ok(run(new, game, "act", "engine", "--by", "ann"))
    say(new, game, "good day")
    return game


@pytest.fixture
def game(played: Path, tmp_path: Path) -> Path:
    """Return a copy of that game."""
    return shutil.copytree(played, tmp_path / "game")


def proof(engine: Path, game: Path, *words: str, code: int = 0) -> dict[str, Any]:
    said = run(engine, game, "verify", "--json", *words)
    assert said.returncode == code, said.stdout + said.stderr
    found: dict[str, Any] = json.loads(said.stdout)
    return found


def ways(found: dict[str, Any]) -> list[tuple[list[int], str, str]]:
    return [(part["entries"], part["engine"]["folkmoot"], part["proved"]) for part in found["parts"]]


def test_a_newer_engine_takes_over_and_each_part_says_how_it_was_proved(engines: tuple[Path, Path], game: Path) -> None:
    found = proof(engines[1], game)
    assert ways(found) == [([1, 2], OLD, "chain and bytes only"), ([3, 4], NEW, "replayed here")]
    assert found["sound"]
    assert "`--engine`" in found["parts"][0]["why"]
    told = ok(run(engines[1], game, "verify"))
    assert "sound as far as it was proved: of entries 1 to 2 only chain and bytes" in told
    assert "1–2" in told


def test_the_named_engine_replays_what_it_recorded(engines: tuple[Path, Path], game: Path) -> None:
    old, new = engines
    found = proof(new, game, "--engine", str(program_of(old)))
    assert ways(found) == [([1, 2], OLD, "replayed by the named engine"), ([3, 4], NEW, "replayed here")]
    assert found["sound"]


@pytest.mark.threat("T-56")
def test_an_older_engine_refuses_what_a_newer_one_judges(engines: tuple[Path, Path], game: Path) -> None:
    for words in (("act", "state", "--by", "ann", "again"), ("act", "engine", "--by", "ann")):
        said = run(engines[0], game, *words, "--at", "+1h")
        assert said.returncode == 1
        assert f"and this is {OLD}" in said.stderr
        assert f"use engine {NEW}, or a newer one" in said.stderr
    assert ways(proof(engines[0], game))[0] == ([1, 2], OLD, "replayed here")


def test_only_administrators_let_an_engine_take_over_and_nobody_says_what(
    engines: tuple[Path, Path], tmp_path: Path
) -> None:
    old, new = engines
    game = founded(old, tmp_path / "game")
    assert "no administrator" in run(new, game, "act", "engine", "--by", "bob").stderr
    assert "for the engine to say" in run(new, game, "act", "engine", "--by", "ann", f"state={'a' * 64}").stderr
    assert "judges the game already" in run(old, game, "act", "engine", "--by", "ann").stderr
    assert ok(run(old, game, "verify")).endswith("is sound.\n")


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


TAMPERINGS: dict[str, tuple[str, Callable[[Path], None]]] = {
    "an entry of the old part": (
        "000002.yaml", lambda state: change(state / "journal/000/000002.yaml", "HELLO", "HALLO")
    ),
    "an entry of the new part": (
        "000004.yaml", lambda state: change(state / "journal/000/000004.yaml", "good day", "good dag")
    ),
    "a derived file": ("game.yaml", lambda state: change(state / "game.yaml", "zone: UTC", "zone: Europe/Bern")),
    "a derived file that only the old part made": (
        "rules/101.yaml", lambda state: change(state / "rules/101.yaml", "title", "titel")
    ),
    "a file too many": ("rules/999.yaml", lambda state: (state / "rules/999.yaml").write_text("rule: '999'\n") and None),
}  # fmt: skip


@pytest.mark.threat("T-56")
@pytest.mark.parametrize("what", TAMPERINGS)
@pytest.mark.sampled(2)
def test_tampering_is_found_in_every_part(engines: tuple[Path, Path], game: Path, what: str) -> None:
    where, tamper = TAMPERINGS[what]
    tamper(game / "state" / "t")
    found = proof(engines[1], game, code=4)
    assert any(where in json.dumps(problem) for problem in found["problems"]), found["problems"]


@pytest.mark.threat("T-56")
def test_a_hand_made_state_is_found_by_the_engine_that_should_have_made_it(
    engines: tuple[Path, Path], tmp_path: Path
) -> None:
    old, new = engines
    game = founded(old, tmp_path / "game")
    change(game / "state/t/game.yaml", "zone: UTC", "zone: Europe/Bern")
    commit(game, "Move to Bern")
    ok(run(new, game, "act", "engine", "--by", "ann"))
    assert proof(new, game)["parts"][0]["proved"] == "chain and bytes only"
    found = proof(new, game, "--engine", str(program_of(old)), code=4)
    assert "game.yaml" in found["problems"][0]["message"]


@pytest.mark.threat("T-56")
def test_a_state_in_the_history_that_is_not_the_one_taken_over_is_damage(
    engines: tuple[Path, Path], played: Path, tmp_path: Path
) -> None:
    """The history is written anew, with another state before the take-over."""
    game = tmp_path / "game"
    git(tmp_path, "clone", "--quiet", str(played), str(game))
    last = git(game, "rev-parse", "HEAD").strip()
    git(game, "checkout", "--quiet", "-B", "main", "HEAD~2")
    change(game / "state/t/game.yaml", "zone: UTC", "zone: Europe/Bern")
    git(game, "config", "user.name", "A")
    git(game, "config", "user.email", "a@x.example")
    git(game, "commit", "--quiet", "--amend", "-am", "Another past")
    git(game, "rm", "-rq", "state")
    git(game, "checkout", "--quiet", last, "--", "state")
    commit(game, "As it was")
    found = proof(engines[1], game, code=4)
    assert "one was changed by hand" in found["problems"][0]["message"]


@pytest.mark.threat("T-56")
def test_without_history_only_chain_and_bytes_are_proved_and_it_says_why(
    engines: tuple[Path, Path], played: Path, tmp_path: Path
) -> None:
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{played}", str(shallow))
    found = proof(engines[1], shallow)
    assert [part["proved"] for part in found["parts"]] == ["chain and bytes only"] * 2
    assert "shallow" in found["parts"][1]["why"]
    shutil.copytree(played / "state", tmp_path / "bare" / "state")
    found = proof(engines[1], tmp_path / "bare")
    assert "there is no git history here" in found["parts"][1]["why"]
    assert found["sound"]


BEGINS = (
    "import json, os, subprocess, sys, time\nif '--version' in sys.argv:\n    print('moot, version 0.1.9')\nelse:\n    "
)
BAD = {
    "hanging": "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); time.sleep(60)\n",
    "lying": "print(json.dumps({'sound': True}))\n",
    "telling": "print(json.dumps({'sound': False, 'problems': [{'message': str(dict(os.environ))}]}))\n",
}


@pytest.fixture
def bad(tmp_path: Path) -> Callable[[str], str]:
    """Return what writes the program of an engine that does no replay."""

    def written(does: str) -> str:
        path = tmp_path / "bad"
        path.write_text(f"#!{sys.executable}\n{does}")
        path.chmod(0o755)
        return str(path)

    return written


@pytest.mark.threat("T-57")
@pytest.mark.parametrize(
    ("engine", "why"), [("hanging", "did not end within 1 seconds"), ("lying", "did not replay these entries")]
)
def test_an_engine_that_hangs_is_ended_and_one_that_did_nothing_proves_nothing(
    engines: tuple[Path, Path], game: Path, bad: Callable[[str], str], engine: str, why: str
) -> None:
    words = ("--engine", bad(BEGINS + BAD[engine]), "--engine-seconds", "1")
    found = proof(engines[1], game, *words, code=5)
    assert why in found["failures"][0]["message"]
    assert found["sound"]


@pytest.mark.threat("T-57")
def test_an_engine_gets_nothing_of_the_environment(
    engines: tuple[Path, Path], game: Path, bad: Callable[[str], str]
) -> None:
    found = proof(engines[1], game, "--engine", bad(BEGINS + BAD["telling"]), code=4)
    said = found["problems"][0]["message"]
    assert "PATH" in said
    assert "s3cret" not in json.dumps(found)
    assert str(game) not in said


@pytest.mark.threat("T-57")
def test_what_is_no_engine_is_refused_in_one_sentence(
    engines: tuple[Path, Path], game: Path, bad: Callable[[str], str]
) -> None:
    for program, code, why in (("gone", 2, "'gone' does not exist"), (bad(""), 1, "does not say which version it is")):
        said = run(engines[1], game, "verify", "--engine", program)
        assert (said.returncode, why in said.stderr) == (code, True), said.stderr
