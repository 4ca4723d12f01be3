"""A game whose commits git shows otherwise: grafts and replacements, clones cut short, and dates as anybody likes."""

from __future__ import annotations

from pathlib import Path

import pygit2
import pytest

from tests.support.meeting import git
from tests.support.moot import Moot


@pytest.mark.threat("T-73")
@pytest.mark.parametrize("how", ["grafts", "replace"])
def test_acts_go_on_top_of_what_is_there(table: Moot, tmp_path: Path, how: str) -> None:
    assert table("act", "state", "--by", "ann", "One.").code == 0
    tip = git(tmp_path, "rev-parse", "HEAD")
    if how == "grafts":
        (tmp_path / ".git/info").mkdir(exist_ok=True)
        grafts = tmp_path / ".git/info/grafts"
        grafts.write_text(f"{tip}\n")
        refused = table("act", "state", "--by", "ann", "Two.")
        assert (refused.code, f"hint: `rm {grafts}`" in refused.err) == (5, True)
        assert git(tmp_path, "rev-parse", "HEAD") == tip
        grafts.unlink()
    else:
        git(tmp_path, "replace", tip, git(tmp_path, "rev-parse", "HEAD~1"))
    assert table("act", "state", "--by", "ann", "Two.").code == 0
    assert f"parent {tip}" in git(tmp_path, "--no-replace-objects", "cat-file", "-p", "HEAD")
    assert table("verify").code == 0


@pytest.mark.threat("T-73")
def test_a_clone_cut_short_is_verified_asked_and_played(
    table: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for said in ("One.", "Two.", "Three."):
        assert table("act", "state", "--by", "ann", said).code == 0
    cut = tmp_path.parent / f"{tmp_path.name}-cut"
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{tmp_path}", str(cut))
    assert pygit2.Repository(str(cut)).is_shallow
    monkeypatch.chdir(cut)
    for words in (("verify",), ("status",), ("act", "state", "--by", "ann", "Four."), ("verify",)):
        done = table(*words)
        assert done.code == 0, (words, done.out, done.err)
    assert git(cut, "status", "--porcelain") == ""
