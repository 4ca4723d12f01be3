"""Games whose pages speak another language than English."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Moot


def test_a_game_is_founded_in_a_language(moot: Moot, tmp_path: Path) -> None:
    done = moot("new", "tee", "-p", "ann", "-p", "bob", "--language", "de")
    assert done.code == 0, done.err
    assert "language: de\n" in (tmp_path / "state/tee/game.yaml").read_text("utf-8")
    assert moot("verify").code == 0
    assert moot("pages").code == 0
    front = (tmp_path / "site/tee/index.html").read_text("utf-8")
    assert "Register des Spiels" in front
    assert "Nothing is being voted on" not in front


def test_a_settings_file_names_the_language(moot: Moot, tmp_path: Path) -> None:
    (tmp_path / "the.yaml").write_text("players: [ann, bob]\nlanguage: fr\n", "utf-8")
    assert moot("new", "the", "-f", "the.yaml").code == 0
    assert "language: fr\n" in (tmp_path / "state/the/game.yaml").read_text("utf-8")


def test_an_unknown_language_founds_nothing(moot: Moot, tmp_path: Path) -> None:
    done = moot("new", "cha", "-p", "ann", "-p", "bob", "--language", "tlh")
    assert done.code != 0
    assert "pages cannot be in the language 'tlh'" in done.err
    assert "choose one of en, de, fr" in done.err
    assert not (tmp_path / "state/cha").exists()
