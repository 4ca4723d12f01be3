"""What was read of a game before is believed only where it cannot have changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.core.problems import ProblemError
from folkmoot.game.session import Session
from folkmoot.site import game_views
from folkmoot.site.game_views import GameReader
from tests.large.game import LargeGame


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_views, "IN_A_PART", 7)


def _same_as_fresh(folder: Path, *readers: GameReader) -> None:
    with Session.open(folder) as session:
        fresh = GameReader()
        documents, entries = fresh.documents(session), fresh.entries(session)
        assert entries == tuple(session.record.entries())
        assert {key: session.record.archive(key) for key in documents if key.startswith("history/")} == {
            key: found for key, found in documents.items() if key.startswith("history/")
        }
        for reader in readers:
            assert reader.documents(session) == documents
            assert reader.entries(session) == entries


def test_a_game_that_goes_on_is_read_as_by_one_who_knows_nothing(tmp_path: Path) -> None:
    """By a process that stays, and by one that begins with what the last one kept."""
    staying = GameReader()
    with LargeGame(tmp_path / "long") as game:
        for pages in (30, 36, 60):
            game.play(pages)
            game.write()
            _same_as_fresh(tmp_path / "long", staying, GameReader(tmp_path / "kept"))
            game.do("ann", "state", text="Nothing new.")
            game.write()
            _same_as_fresh(tmp_path / "long", staying, GameReader(tmp_path / "kept"))
        held = game.session.act("ann", "state", {"text": "A telephone number."}, at=game.at + 60).entry
        game.at += 60
        game.play(64)
        game.write()
        _same_as_fresh(tmp_path / "long", staying, GameReader(tmp_path / "kept"))
        assert held


def test_full_parts_are_not_read_from_the_journal_again(tmp_path: Path) -> None:
    with LargeGame(tmp_path / "long") as game:
        game.play(40)
    _same_as_fresh(tmp_path / "long", GameReader(tmp_path / "kept"))
    (tmp_path / "long" / "journal" / "000" / "000009.yaml").write_text("seq: [", "utf-8")
    with Session.open(tmp_path / "long") as session:
        assert len(GameReader(tmp_path / "kept").entries(session)) == session.head.seq
        with pytest.raises(ProblemError, match="000009"):
            GameReader().entries(session)


@pytest.mark.parametrize("spoil", [lambda data: data[: len(data) // 2], lambda data: b"", lambda data: b"\xc1" + data])
def test_what_was_kept_and_is_damaged_is_as_good_as_nothing(tmp_path: Path, spoil: object) -> None:
    with LargeGame(tmp_path / "long") as game:
        game.play(40)
    _same_as_fresh(tmp_path / "long", GameReader(tmp_path / "kept"))
    for path in (tmp_path / "kept").iterdir():
        path.write_bytes(spoil(path.read_bytes()))  # type: ignore[operator]
    _same_as_fresh(tmp_path / "long", GameReader(tmp_path / "kept"))


def test_parts_of_another_game_are_as_good_as_nothing(tmp_path: Path) -> None:
    for name, seed in (("long", 1), ("other", 2)):
        with LargeGame(tmp_path / name, seed) as game:
            game.play(40)
        _same_as_fresh(tmp_path / name, GameReader(tmp_path / "kept"))
    _same_as_fresh(tmp_path / "long", GameReader(tmp_path / "kept"))
