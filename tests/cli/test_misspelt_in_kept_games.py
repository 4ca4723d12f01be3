"""What is misspelt is told and not recorded, in a game that one person keeps too (a newcomer's eleventh friction)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.moot import Moot


def _entries(folder: Path) -> int:
    return len(list((folder / "state" / "tea" / "journal").rglob("*.yaml")))


@pytest.mark.parametrize(
    "words",
    [
        ("vote", "choice=agianst"),
        ("vote",),
        ("propose", "title=Tea"),
        ("comment",),
        ("comment", "txt=Tea"),
        ("throw_dice",),
    ],
)
def test_a_misspelt_act_is_told_and_not_recorded(moot: Moot, tmp_path: Path, words: tuple[str, ...]) -> None:
    assert moot("new", "tea", "-r", "suber", "-p", "ann", "-p", "bob").code == 0
    before = _entries(tmp_path)
    done = moot("act", "--by", "ann", *words)
    assert done.code == 1
    assert "hint: " in done.err
    assert _entries(tmp_path) == before
    if words[0] != "throw_dice":
        assert "--anyway records it" in done.err
    assert moot("act", "--by", "ann", *words, "--anyway").code == 3
    assert _entries(tmp_path) == before + 1


def test_what_the_rules_refuse_is_recorded_as_before(moot: Moot, tmp_path: Path) -> None:
    assert moot("new", "tea", "-r", "suber", "-p", "ann", "-p", "bob").code == 0
    before = _entries(tmp_path)
    out_of_turn = ("propose", "title=Tea", 'changes=[{"repeal": "201"}]')
    assert moot("act", "--by", "bob", *out_of_turn).code == 3
    assert moot("act", "--by", "bob", "throw_die").code == 3
    assert _entries(tmp_path) == before + 2
