"""What is typed wrongly by those who found, lay a table or begin: nothing of a game that cannot be is left behind."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.gathering import Gathering, Slip, files, not_told
from tests.support.moot import Moot

FOUNDING: tuple[Slip, ...] = (
    ("new", 2, "Missing argument 'GAME'"),
    ("new 'Big Game' -p ann -r suber", 1, "cannot name a game"),
    ("new table -p ann -r suber", 1, "there is a game in"),
    ("new small -r suber", 1, "a game needs players"),
    ("new small -p ann -r sube", 1, "did you mean suber?"),
    ("new small -p ann -r chess", 1, "there is no ruleset 'chess'", "choose one of a-nomic", "suber"),
    ("new small -p ann -r suber -s adoption", 2, "is written NAME=VALUE"),
    ("new small -p ann -r suber -s weather=fine", 1, "no switch 'weather'", "there are "),
    ("new small -p ann -r suber -s balots=sealed", 1, "there are ballots, compound"),
    ("new small -p ann -p ann -r suber", 1, "ann"),
    ("new small -p ann@x -r suber", 1, "cannot be a player's id"),
    ("new small -p 'Ann Abel' -r suber", 1, "cannot be a player's id", "`-p ann,name='Ann Abel'`"),
    ("new small -p ann,surname=A,surname=B", 2, "surname is given twice"),
    ("new small -p ann,email=ann", 1, "'ann' is no e-mail address of ann", "ann,email=ann@example.org"),
    ("new small -p ann,email=a@x.org -p bob,email=A@x.org", 1, "ann and bob have the same address, a@x.org"),
    ("new small -p ann -r suber -z Atlantis", 1, "Atlantis"),
    ("new small -p ann -r suber -o scribe=zoe", 1, "no player of that name: zoe"),
    ("new small -p ann -r suber -o baker=ann", 1, "baker"),
    ("new small --file settings.yaml", 1, "settings.yaml:1:1: "),
    ("new small --anyway", 2),
    ("new small --from table --anyway --forge local", 2),
    ("new ../x --from table --anyway", 1),
    ("table t.git", 1, "name each, as in `-p ann -p bob -p cid`"),
    ("table t.git -r suber -p ann bob", 2, "`moot table FOLDER -p ann -p bob`"),
    ("table t.git -r suber -p ann,bob", 2, "`-p ann -p bob`"),
    ("table t.git -r suber -p ann -k ann=lost.pub", 1, "`ssh-keygen"),
    ("table t.git -r none -p ann", 1, "choose one of"),
    ("table t.git -r suber -p cid -a dee", 1, "no player of that name: dee"),
    ("table full -r suber -p ann", 1, "something lies there already", "name a folder that is empty"),
    ("demo full --no-serve", 1, "full is not empty"),
    ("demo full --no-serve --play", 1, "full is not empty"),
    ("demo --next", 2, "no evening is laid here", "`moot demo --play` lays one"),
)


def test_a_founding_that_cannot_be_leaves_nothing_behind(table: Moot, tmp_path: Path) -> None:
    (tmp_path / "settings.yaml").write_text("titel: X\n", "utf-8")
    shutil.copytree(tmp_path / "state/table", tmp_path / "full/state/evening")
    before = files(tmp_path)
    wrong = not_told(table, FOUNDING)
    assert not wrong, "\n\n".join(wrong)
    assert files(tmp_path) == before


IN_BARE = {
    "a game": "new other -r suber -p ann -p bob",
    "a pin": "init --pin",
    "a forge": "init --forge github --home https://github.com/ann/game --login ann=annabel:1",
    "a beginning": "begin x --forge github --home https://github.com/ann/game --founder ann",
    "a site": "serve --build",
    "a check": "check",
    "a proof": "verify",
}


def test_nothing_is_written_into_the_table_itself(
    gathering: Gathering, moot: Moot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FOLKMOOT_TOKEN", "x")
    before = files(gathering.bare)
    for place in (gathering.bare, gathering.bare / "refs"):
        monkeypatch.chdir(place)
        for what, words in IN_BARE.items():
            said = moot(*words.split())
            assert said.code, what
            assert "is a bare repository, which has no files to work with" in said.err, (what, said)
            assert f"`git clone {gathering.bare}`" in said.err, what
    assert files(gathering.bare) == before
    said = moot("-C", str(gathering.bare), "doctor")
    assert "moot new" not in said.out, said.out
    assert f"mend: `git clone {gathering.bare}`" in said.out
    said = moot("-C", str(gathering.bare), "show", "hand")
    assert said.code == 1
    assert "git does not say that you are a player" in said.err
    assert "`moot join`" in said.err
