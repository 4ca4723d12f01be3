"""A lost secret of the dice has its command, its page, and what `moot verify` says of it for ever."""

from __future__ import annotations

from pathlib import Path

from folkmoot.game.epoch_secrets import secret_file
from folkmoot.journal import GameFolder
from tests.support.moot import Moot

GUIDE = Path(__file__).parents[2] / "site_src/reference/administration.md"


def test_an_epoch_whose_secret_is_lost_is_given_up_by_the_command_of_the_page(table: Moot, tmp_path: Path) -> None:
    assert table("act", "open_epoch", "--by", "ann").code == 0
    game = GameFolder(tmp_path / "state/table")
    secret_file(game).unlink()
    assert table("act", "close_epoch", "--by", "ann").code != 0
    assert '$ moot act abandon_epoch --by ann why="The machine died."' in GUIDE.read_text("utf-8")
    assert table("act", "abandon_epoch", "--by", "bob", "why=mine").code != 0
    done = table("act", "abandon_epoch", "--by", "ann", "why=The machine died.")
    assert done.code == 0, done.err
    chance = (game.archive("game") or {})["chance"]
    assert [(lost["epoch"], lost["why"]) for lost in chance["lost"]] == [(1, "The machine died.")]
    assert table("verify").code == 0
    assert table("act", "open_epoch", "--by", "ann").code == 0
    assert (game.archive("game") or {})["chance"]["epoch"] == 2
    assert table("verify").code == 0
