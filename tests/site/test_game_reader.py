"""What was read of a game before is believed only where it cannot have changed; garbage in cycles waits while pages are made."""

from __future__ import annotations

import subprocess
import sys
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
        past = {key: found for key, found in documents.items() if key.startswith("history/")}
        assert {key: session.record.archive(key) for key in past} == past
        for reader in readers:
            assert reader.documents(session) == documents
            assert reader.entries(session) == entries


def test_a_game_that_goes_on_is_read_as_by_one_who_knows_nothing(tmp_path: Path) -> None:
    """By a process that stays, and by one that begins with what the last one kept."""
    staying = GameReader()
    with LargeGame(tmp_path / "long") as game:
        for pages in (30, 36, 45):
            game.play(pages)
            for _ in range(2):
                game.write()
                _same_as_fresh(tmp_path / "long", staying, GameReader(tmp_path / "kept"))
                game.do("ann", "state", text="Nothing new.")


def test_full_parts_are_not_read_again_and_what_was_kept_is_as_good_as_nothing_where_it_is_damaged_or_anothers(
    tmp_path: Path,
) -> None:
    for name, seed in (("long", 1), ("other", 2)):
        with LargeGame(tmp_path / name, seed) as game:
            game.play(36)
        _same_as_fresh(tmp_path / name, GameReader(tmp_path / "kept"))
    _same_as_fresh(tmp_path / "long", GameReader(tmp_path / "kept"))
    for spoil in (lambda data: data[: len(data) // 2], lambda _data: b"", lambda data: b"\xc1" + data):
        for path in (tmp_path / "kept").iterdir():
            path.write_bytes(spoil(path.read_bytes()))
        _same_as_fresh(tmp_path / "long", GameReader(tmp_path / "kept"))
    (tmp_path / "long" / "journal" / "000" / "000009.yaml").write_text("seq: [", "utf-8")
    with Session.open(tmp_path / "long") as session:
        assert len(GameReader(tmp_path / "kept").entries(session)) == session.head.seq
        with pytest.raises(ProblemError, match="000009"):
            GameReader().entries(session)


SERVING = """
import gc, weakref
from folkmoot.site.game_views import TIMES, uncollected

class Page:
    pass

frozen, gone = Page(), []
frozen.itself = frozen
gc.freeze()
count = gc.get_freeze_count()
for _ in range(2 * TIMES):
    with uncollected():
        page = Page()
        page.itself = page
        gone.append(weakref.ref(page))
        assert not gc.isenabled()
    assert gc.isenabled()
assert sum(page() is not None for page in gone) <= TIMES, "what nothing leads to is let go"
assert gc.get_freeze_count() > count / 2, "what there is counts as old"
"""


def test_garbage_of_many_runs_is_let_go() -> None:
    """In a process of its own: what tests have frozen is left as it is."""
    subprocess.run([sys.executable, "-c", SERVING], check=True)
