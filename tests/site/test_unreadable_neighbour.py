"""Attack 2 on the site: one game that cannot be read, or drawn, keeps no other from being published."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from folkmoot.site import publish
from tests.support.moot import Moot


@pytest.mark.threat("T-80")
def test_the_other_games_are_published(table: Moot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert table("new", "fen", "-r", "suber", "-p", "ann", "--at", "2026-01-05T12:00:00Z").code == 0
    assert table("serve", "--build").code == 0
    pages = tmp_path / "site"
    before = (pages / "fen/index.html").read_text()
    assert table("act", "state", "--game", "table", "--by", "ann", "Hello.").code == 0
    head = tmp_path / "state/fen/head.yaml"
    good = head.read_text()
    head.write_text("seq: [\n")
    said = table("serve", "--build")
    assert said.code in (1, 4)
    assert "no pages of fen: " in said.err
    assert "Hello." in "".join(path.read_text() for path in (pages / "table").rglob("*.html"))
    assert (pages / "fen/index.html").read_text() == before, "it keeps the pages that it had"
    head.write_text(good)
    assert table("serve", "--build").code == 0

    honest = publish.sheets

    def fails(view: Any, *more: Any) -> Any:
        if view.slug == "fen":
            raise ZeroDivisionError
        return honest(view, *more)

    monkeypatch.setattr(publish, "sheets", fails)
    assert table("act", "state", "--game", "table", "--by", "ann", "Again.").code == 0
    said = table("serve", "--build", "--json")
    assert [problem["code"] for problem in said.record["failed"]] == ["E-FAULT"]
    assert any("table/" in name for name in said.record["written"])
    assert (pages / "fen/index.html").read_text() == before
