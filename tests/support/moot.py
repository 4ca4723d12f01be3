"""A repository in a temporary folder, and `moot` run in it without a new process."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from folkmoot.cli.main import main


class Said(Struct, frozen=True):
    """What a run of `moot` printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def record(self) -> Any:
        return json.loads(self.out)


Moot = Callable[..., Said]


@pytest.fixture
def moot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Moot:
    """Return a function that runs `moot` with arguments in a fresh folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("MOOT_DEBUG", "1")
    monkeypatch.delenv("MOOT_GAME", raising=False)

    def run(*arguments: str) -> Said:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        said = capsys.readouterr()
        return Said(int(ended.value.code or 0), said.out, said.err)

    return run


@pytest.fixture(scope="session")
def laid_table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository with a game of three at a table; it is to be copied."""
    folder = tmp_path_factory.mktemp("table")
    players = [
        word for player in ("ann,surname=Abel", "bob,surname=Bond", "cid,surname=Cole") for word in ("-p", player)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
        with pytest.raises(SystemExit, match="0"):
            main(["new", "table", "-r", "suber", *players, "--at", "2026-01-05T12:00:00Z"])
    return folder


@pytest.fixture
def table(moot: Moot, laid_table: Path, tmp_path: Path) -> Moot:
    """Return `moot` in a repository with a game of three at a table."""
    shutil.copytree(laid_table, tmp_path, dirs_exist_ok=True)
    return moot


@pytest.fixture
def gathering(moot: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return ann, bob, cid and dee at clones of a bare repository; it is ann's turn."""
    from tests.support.gathering import Gathering

    for name in ("MOOT_REMOTE", "VISUAL", "EDITOR", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"):
        monkeypatch.delenv(name, raising=False)
    return Gathering(tmp_path, moot)


DRAGON = """\
title: Dragons
labels: {status: mutable}
text: |
  There are dragons. Whoever feeds one gets a point.
defines:
  game:
    meals: {type: integer, initial: 0, summary: How often dragons were fed}
actions:
  feed: {summary: Feed a dragon, arguments: {food: {type: string}}}
script: |
  def do_feed(a):
      add("game", "meals", 1)
      award(a.by, "score", 1, why = "fed a dragon")

  def show_dragons():
      return [heading("Dragons"), table(["Meals"], [[get("game", "meals")]], "So far")]
examples:
  - scenario: a meal
    steps:
      - {by: ann, do: feed, args: {food: grass}}
    expect:
      - {player: ann, score: 1}
"""


def write(name: str, text: str) -> str:
    Path(name).write_text(text, "utf-8")
    return name


def adopt_dragons(moot: Moot) -> None:
    """Let ann propose it, and all adopt it."""
    assert moot("act", "propose", "-b", "ann", "title=Dragons", "--rule", write("dragons.yaml", DRAGON)).code == 0
    assert moot("act", "finalise", "-b", "ann").code == 0
    for player in ("ann", "bob", "cid"):
        assert moot("act", "vote", "-b", player, "choice=for").code == 0
