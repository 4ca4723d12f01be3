"""Large games are the same for the same seed, sound, and have what a long game has."""

from __future__ import annotations

from pathlib import Path

import pytest

from folkmoot.game.session import Session
from folkmoot.game.verify import replayed_anew, verify
from folkmoot.journal import GameFolder
from folkmoot.site.game_views import view_of
from folkmoot.site.render import game_pages
from folkmoot.site.revisions import citing
from folkmoot.wording.game_view import GameView
from tests.large.game import LargeGame

PAGES = 150


def _played(folder: Path, seed: int, pages: int = PAGES) -> GameFolder:
    with LargeGame(folder, seed) as game:
        game.play(pages)
    return GameFolder(folder)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> GameFolder:
    return _played(tmp_path_factory.mktemp("large") / "long", 1)


@pytest.fixture(scope="module")
def view(played: GameFolder) -> GameView:
    with Session.open(played.path) as session:
        return view_of(session)


def test_the_same_seed_makes_the_same_game(played: GameFolder, tmp_path: Path) -> None:
    assert _played(tmp_path / "again", 1).head == played.head
    assert _played(tmp_path / "other", 2, 40).head != _played(tmp_path / "first", 1, 40).head


def test_it_is_sound(played: GameFolder) -> None:
    report = verify(played, replayed_anew(played))
    assert report.sound, report.problems


def test_it_has_what_a_long_game_has(view: GameView) -> None:
    done = {str(effect.get("effect")) for entry in view.entries for effect in entry.get("effects") or ()}
    assert {"enact", "amend", "repeal", "transmute", "retitle", "award", "resolve", "state"} <= done
    assert {entry.get("code") for entry in view.entries} > {None}
    assert any(entry.get("draws") for entry in view.entries)
    assert {str(each.get("outcome")) for each in view.proposals.values()} >= {"adopted", "defeated"}
    assert sum(map(len, citing(view).values())) > len(view.ranked)
    assert [page.name for page in view.shown] == ["garden"]


def test_its_site_has_as_many_pages_as_wanted(view: GameView) -> None:
    assert PAGES * 0.95 < len(list(game_pages(view))) < PAGES * 1.1
