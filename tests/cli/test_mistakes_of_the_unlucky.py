"""Mistakes of the clumsy and the unlucky: words of other tools, words swapped, the wrong folder, nothing to read from.

Each is told with what to type; nothing is sent, and no file is changed or lost.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Moot
from tests.cli.gathering import Gathering
from tests.cli.test_mistakes_of_a_walk import files


def test_a_word_for_a_number_is_left_out_of_what_to_type(gathering: Gathering) -> None:
    gathering.tea()
    gathering.referee()
    for word in ("one", "-1"):
        said = gathering.moot("bob", "vote", word, "for", code=2)
        assert "`moot vote 1 for` (" in said.err, said.err
        assert f"moot vote 1 {word}" not in said.err


def test_a_reason_may_begin_with_dashes_behind_two(gathering: Gathering) -> None:
    gathering.tea()
    gathering.referee()
    gathering.moot("ann", "act", "finalise")
    gathering.referee()
    gathering.moot("bob", "vote", "1", "for", "--", "--so", "be", "it")
    assert "--so be it" in gathering.letters("bob")[0]
    gathering.moot("bob", "vote", "1", "for", "--so be it, at last")
    assert "--so be it, at last" in gathering.letters("bob")[0]


# -- the wrong folder

IN_BARE = {
    "a game": ("new", "other", "-p", "ann", "-p", "bob"),
    "a pin": ("pin",),
    "forms": ("forms", "--forge", "github"),
    "a forge": ("init", "--forge", "github", "--home", "https://github.com/ann/game", "--login", "ann=annabel:1"),
    "a beginning": ("begin", "x", "--forge", "github", "--home", "https://github.com/ann/game", "--founder", "ann"),
    "a site": ("pages",),
}


@pytest.mark.parametrize("words", IN_BARE.values(), ids=IN_BARE)
def test_nothing_is_written_into_the_table_itself(
    gathering: Gathering, moot: Moot, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("FOLKMOOT_TOKEN", "x")
    before = files(gathering.bare)
    for place in (gathering.bare, gathering.bare / "refs"):
        monkeypatch.chdir(place)
        said = moot(*words)
        assert said.code, said
        assert "is a bare repository, which has no files to work with" in said.err, said
        assert f"`git clone {gathering.bare}`" in said.err
    assert files(gathering.bare) == before


def test_the_doctor_of_a_table_sends_nobody_to_found_another_game(gathering: Gathering, moot: Moot) -> None:
    said = moot("-C", str(gathering.bare), "doctor")
    assert "moot new" not in said.out, said.out
    assert f"mend: `git clone {gathering.bare}`" in said.out


def test_whoever_is_no_player_is_not_told_that_one_person_keeps_the_game(gathering: Gathering, moot: Moot) -> None:
    said = moot("-C", str(gathering.bare), "hand")
    assert said.code == 1
    assert "git does not say that you are a player" in said.err
    assert "`moot join`" in said.err


@pytest.mark.parametrize("name", ["evening", "mail-game"])
@pytest.mark.parametrize("play", [(), ("--play",)], ids=["shown", "played"])
def test_a_demonstration_leaves_a_game_alone_that_is_called_as_its_own(
    moot: Moot, tmp_path: Path, name: str, play: tuple[str, ...]
) -> None:
    (tmp_path / "club").mkdir()
    assert moot("-C", "club", "new", name, "-p", "ann", "-p", "bob", "-p", "cid").code == 0
    (tmp_path / "club/ideas.txt").write_text("not yet committed\n")
    kept = files(tmp_path)
    said = moot("demo", "club", "--no-serve", *play)
    assert said.code == 1, said
    assert "club is not empty" in said.err
    assert files(tmp_path) == kept


# -- what a program is given to read and to write with


def test_an_editor_with_a_quotation_mark_too_many_is_told(
    gathering: Gathering, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "'vi")
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setattr("folkmoot.cli.drafting._need_terminal", lambda: None)
    said = gathering.moot("ann", "propose", "--amend", "206", code=1)
    assert "your editor failed" in said.err
    assert "set EDITOR" in said.err


def test_schemas_that_are_written_are_on_record(moot: Moot, tmp_path: Path) -> None:
    said = moot("schema", "--out", "s", "--json")
    assert sorted(said.record["written"]) == sorted(f"s/{path.name}" for path in (tmp_path / "s").iterdir())


def test_with_standard_input_closed_a_game_is_shown(moot: Moot, tmp_path: Path) -> None:
    assert moot("new", "tea", "-p", "ann", "-p", "bob", "-p", "cid").code == 0
    command = f"exec {sys.executable} -m folkmoot -C {tmp_path} status <&-"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "engine")}
    done = subprocess.run(["sh", "-c", command], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "ann" in done.stdout
